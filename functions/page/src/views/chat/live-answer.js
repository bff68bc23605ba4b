/** An answer while it arrives: its steps, and its text as Markdown. */
import { ATTEMPTS } from "../../api/chat-events.js";
import { Outcome } from "../../components/badges.js";
import { Collapsible } from "../../components/collapsible.js";
import { Blocks, Markdown } from "../../components/markdown.js";
import { duration } from "../../format.js";
import { html, useMemo } from "../../html.js";
import { parseBlocks } from "../../markdown/blocks.js";

/** @typedef {import("./live-state.js").LiveState} LiveState */
/** @typedef {import("./live-state.js").LiveStep} LiveStep */

/** Number of complete blocks that a screen reader may still have to read. */
const ANNOUNCED = 5;

/** @param {{ live: LiveState }} props */
export function LiveAnswer({ live }) {
  const { model, text, remarks, steps, warnings, attempt } = live;
  const blocks = useMemo(() => parseBlocks(text, { open: true }), [text]);
  if (live.run === "" && steps.length === 0 && text === "") return null;
  return html`
    <section class="chat-answer chat-live" aria-label="Answer in progress">
      ${model && html`<div class="row chat-head"><strong>${model}</strong></div>`}
      ${remarks.map((remark, at) => html`<div class="chat-remark chat-prose" key=${`remark ${at}`}><${Markdown} text=${remark} /></div>`)}
      ${steps.length > 0 && html`<ol class="chat-steps">${steps.map((step) => html`<${Step} key=${step.key} step=${step} />`)}</ol>`}
      ${text.trim() && html`<div class="chat-prose"><${Blocks} blocks=${blocks} open /></div>`}
      ${warnings.map((warning) => html`<p class="notice">! ${warning}</p>`)}
      ${
        attempt > 0 &&
        html`<p class="notice" role="status">! Connection lost. Reconnecting, attempt ${attempt} of ${ATTEMPTS}.</p>`
      }
      <${Announcer} blocks=${blocks} />
    </section>
  `;
}

/** Reads each block to a screen reader once it is complete. @param {{ blocks: ReturnType<typeof parseBlocks> }} props */
function Announcer({ blocks }) {
  const complete = blocks.length - 1;
  return html`<div class="hidden" aria-live="polite">
    ${blocks.map(({ source }, at) => at < complete && at >= complete - ANNOUNCED && html`<p key=${at}>${source}</p>`)}
  </div>`;
}

/** @param {{ text: string }} props */
function Reasoning({ text }) {
  return html`<${Collapsible} summary="reasoning"><p class="chat-reasoning">${text}</p><//>`;
}

/** @param {{ step: LiveStep }} props */
function Step({ step: { kind, name, detail, status, ms, error } }) {
  if (kind === "rule") return html`<li>rule ${name}</li>`;
  if (kind === "reasoning") return html`<li><${Reasoning} text=${detail} /></li>`;
  return html`
    <li>
      ${status === "running" ? "calling " : ""}${kind === "tool" ? html`<code>${name}</code>` : name}
      ${detail && html` <small class="mono">${detail}</small>`}
      ${status === "running" ? " …" : html` <small class="number">${duration(ms ?? 0)}</small> <${StepOutcome} status=${status} />`}
      ${error && html` <small>${error}</small>`}
    </li>
  `;
}

/** @param {{ status: LiveStep["status"] }} props */
function StepOutcome({ status }) {
  return html`<${Outcome} tone=${status === "failed" ? "bad" : "good"}>${status}<//>`;
}
