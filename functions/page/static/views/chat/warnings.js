/** What is to be known of an answer before it is relied on. */
import { inWords } from "../../waterfall.js";

/** @typedef {import("./turns.js").Answer} Answer */

/** Why an answer is partial, and what there is of it. @param {Answer | undefined} told missing for one of an earlier visit */
export function whyPartial(told) {
  if (!told) return "Time or the model gave out before it was done.";
  const done = told.tool_calls.length;
  const so = done > 0 ? ` What its tools found so far is below.` : "";
  if (told.error) return `The model failed (${inWords(told.error.type)}): ${told.error.message}.${so}`;
  return `Time was up before it was done.${so}`;
}

/** A sentence for each thing that makes an answer less than usual. @param {Answer} told @returns {ReadonlyArray<string>} */
export function warningsOf(told) {
  const { fallback, session } = told;
  return [
    ...when(
      fallback,
      () => `${told.model} answered instead of ${fallback?.instead_of}: ${inWords(fallback?.reason ?? "")}.`,
    ),
    ...when(told.deadline_reached, () => "Time came near: the model was asked for its answer before it was done."),
    ...when(told.max_iterations_reached, () => "The limit on turns of tools was reached."),
    ...when(
      told.circular_calls_detected,
      () => "The model repeated a call that it had the result of; it was not run again.",
    ),
    ...when(told.finish_reason === "length", () => "The model's limit of tokens cut the answer off."),
    ...when(told.finish_reason === "content_filter", () => "The provider's filter stopped the answer."),
    ...when(told.finish_reason === "refusal", () => "The model refused to answer."),
    ...when(
      session?.saved === false,
      () => `This is not in the session: ${session?.problem ?? "it could not be written"}.`,
    ),
  ];
}

/** @param {unknown} condition @param {() => string} text */
function when(condition, text) {
  return condition ? [text()] : [];
}
