/** Small marks: outcomes, types, badges. None of them tells by its colour alone. */
import { exactTime, percent, relativeTime } from "../format.js";
import { html } from "../html.js";

/** @typedef {import("../api/routes.js").Schemas} Schemas */
/** @typedef {"good" | "warn" | "bad" | "plain"} Tone */

const SIGNS = { good: "✓", warn: "!", bad: "✕", plain: "·" };

/** An outcome in a word, with its tone's sign or one of its own. @param {{ tone: Tone, sign?: string, children?: unknown, title?: string }} props */
export function Outcome({ tone, sign = SIGNS[tone], children, title }) {
  return html`<span class="outcome" data-tone=${tone} title=${title}>
    <span aria-hidden="true">${sign}</span> ${children}
  </span>`;
}

/** Mark of the demo model, whose answers and scores say nothing about a real one. */
export function DemoMark() {
  return html`<span class="tag demo" title="The demo model answers by rules: this says nothing about a real model">demo</span>`;
}

/** What kind something is of, such as a tool's type. @param {{ children?: unknown }} props */
export function Tag({ children }) {
  return html`<span class="tag">${children}</span>`;
}

/** When something was, told relatively and on hover exactly. @param {{ at: string }} props `at` in ISO 8601 */
export function Ago({ at }) {
  return html`<time datetime=${at} title=${exactTime(at)}>${relativeTime(at)}</time>`;
}

/** `96 % (88–99)`: a rate with its 95 % interval. @param {Schemas["RateView"]} rate */
export function rateText(rate) {
  return `${percent(rate.rate)} (${Math.round(rate.low * 100)}–${Math.round(rate.high * 100)})`;
}

/** A rate, and its interval as a bar. @param {{ rate: Schemas["RateView"] }} props */
export function Rate({ rate }) {
  const style = { left: `${rate.low * 100}%`, width: `${Math.max(1, (rate.high - rate.low) * 100)}%` };
  return html`<span class="rate" title=${`${rate.successes} of ${rate.tests} tests; 95 % interval`}>
    <span class="number">${rateText(rate)}</span>
    <span class="interval" aria-hidden="true"><span style=${style}></span><i style=${{ left: `${rate.rate * 100}%` }}></i></span>
  </span>`;
}

/**
 * A model's badge, as 🔧✓ with its words; of the demo model its mark, and the rate without a sign.
 * @param {{ validation: Schemas["ValidationView"], demo?: boolean | null | undefined }} props
 */
export function ModelBadge({ validation, demo }) {
  const { badge, rate } = validation;
  if (demo) return html`<${DemoMark} />${rate && html` <small class="number">${rateText(rate)}</small>`}`;
  if (!badge) return html`<${Outcome} tone="plain">no tools<//>`;
  return html`<span class="badge" title=${badge.tooltip}>
    <span aria-hidden="true">${badge.symbol}</span> ${badge.text}${rate && html` <span class="number">${rateText(rate)}</span>`}
  </span>`;
}
