/** Badges: outcomes, tags, rates and model validation. Each has a sign or text besides its color. */
import { exactTime, percent, relativeTime } from "../format.js";
import { html } from "../html.js";

/** @typedef {import("../api/routes.js").Schemas} Schemas */
/** @typedef {"good" | "warn" | "bad" | "plain"} Tone */

const SIGNS = { good: "✓", warn: "!", bad: "✕", plain: "·" };

/** Outcome text with the sign of its tone, or `sign`. @param {{ tone: Tone, sign?: string, children?: unknown }} props */
export function Outcome({ tone, sign = SIGNS[tone], children }) {
  return html`<span class="outcome" data-tone=${tone}>
    <span aria-hidden="true">${sign}</span> ${children}
  </span>`;
}

/** Badge of the demo model. */
export function DemoBadge() {
  return html`<span class="tag demo" title="The demo model follows fixed rules and is no evidence about a real model">demo</span>`;
}

const STATES = {
  proven: { tone: "good", meaning: "the whole 95 % interval is at or above 80 %" },
  failing: { tone: "bad", meaning: "the whole 95 % interval is below 80 %" },
  undecided: { tone: "warn", meaning: "the 95 % interval contains 80 %: more tests are needed" },
  untested: { tone: "plain", meaning: "no tests" },
};

/** State of a rate in one word; that of the demo model has no outcome color. @param {{ state: keyof typeof STATES, demo?: boolean }} props */
export function State({ state, demo = false }) {
  const { tone, meaning } = STATES[state];
  return html`<span title=${meaning}><${Outcome} tone=${demo ? "plain" : tone}>${state}<//></span>`;
}

/** Tag, such as the type of a tool. @param {{ children?: unknown }} props */
export function Tag({ children }) {
  return html`<span class="tag">${children}</span>`;
}

/** Relative time with the exact one as tooltip. @param {{ at: string }} props `at` in ISO 8601 */
export function RelativeTime({ at }) {
  return html`<time datetime=${at} title=${exactTime(at)}>${relativeTime(at)}</time>`;
}

/** `96 % (88–99)`: a rate with its 95 % interval. @param {Schemas["RateView"]} rate */
export function rateText(rate) {
  return `${percent(rate.rate)} (${Math.round(rate.low * 100)}–${Math.round(rate.high * 100)})`;
}

/** Rate with its interval as a bar. @param {{ rate: Schemas["RateView"] }} props */
export function Rate({ rate }) {
  const style = { left: `${rate.low * 100}%`, width: `${Math.max(1, (rate.high - rate.low) * 100)}%` };
  return html`<span class="rate" title=${`${rate.successes} of ${rate.tests} tests; 95 % interval`}>
    <span class="number">${rateText(rate)}</span>
    <span class="interval" aria-hidden="true"><span style=${style}></span><i style=${{ left: `${rate.rate * 100}%` }}></i></span>
  </span>`;
}

/**
 * Validation badge of a model, such as 🔧✓ with its text. For the demo model: demo badge and rate only.
 * @param {{ validation: Schemas["ValidationView"], demo?: boolean | null | undefined }} props
 */
export function ModelBadge({ validation, demo }) {
  const { badge, rate } = validation;
  if (demo) return html`<${DemoBadge} />${rate && html` <small class="number">${rateText(rate)}</small>`}`;
  if (!badge) return html`<${Outcome} tone="plain">no tools<//>`;
  return html`<span class="badge" title=${badge.tooltip}>
    <span aria-hidden="true">${badge.symbol}</span> ${badge.text}${rate && html` <span class="number">${rateText(rate)}</span>`}
  </span>`;
}
