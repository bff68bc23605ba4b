/** Verdicts as they arrive: which histories have something new, and what is new in them. */

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ValidationRunView"]} Run */
/** @typedef {Schemas["RecordView"]} Verdict */

/** A history may lag behind the counts by a few verdicts, so some that are known are read again. */
const OVERLAP = 10;
const PAGE = 100;
const SHOWN = 100;

/**
 * The models with new verdicts, and how many of their latest to read. A run lists its verdicts by case, so new ones may be
 * on any of its pages; in a model's history they come first.
 * @param {Run | undefined} before
 * @param {Run} now
 * @returns {{ model: string, limit: number }[]}
 */
export function advanced(before, now) {
  return now.models.flatMap(({ model, done }) => {
    const known = before?.models.find((each) => each.model === model)?.done ?? 0;
    return done > known ? [{ model, limit: Math.min(PAGE, done - known + OVERLAP) }] : [];
  });
}

/** What a verdict is about. @param {Verdict} verdict */
export function verdictKey({ run, model, case: name, repeat, request_id }) {
  return `${run} ${model} ${name} ${repeat} ${request_id}`;
}

/** Whether a case was asked; a verdict that it was skipped says nothing that the counts do not. @param {Verdict} verdict */
export function wasAsked({ result }) {
  return result !== "skipped";
}

/**
 * The latest verdicts of a run, each once, the newest first.
 * @param {ReadonlyArray<Verdict>} known
 * @param {ReadonlyArray<Verdict>} read from histories, so of other runs too
 * @param {string} run
 */
export function merged(known, read, run) {
  const found = new Map(
    [...known, ...read.filter((each) => each.run === run && wasAsked(each))].map((each) => [verdictKey(each), each]),
  );
  return [...found.values()].sort((one, other) => other.at.localeCompare(one.at)).slice(0, SHOWN);
}
