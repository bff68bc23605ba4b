/** Badge of a class of distances. */
import { Outcome } from "../../components/badges.js";
import { html } from "../../html.js";

/** @type {Readonly<Record<import("./thresholds.js").RagClass, { tone: import("../../components/badges.js").Tone, sign: string }>>} */
const MARKS = {
  match: { tone: "good", sign: "✓" },
  partial: { tone: "warn", sign: "~" },
  none: { tone: "plain", sign: "·" },
};

/** @param {{ name: import("./thresholds.js").RagClass }} props */
export function MatchBadge({ name }) {
  return html`<${Outcome} ...${MARKS[name]}>${name}<//>`;
}
