/** Details of one span of a trace: what a model got and answered, or what a tool was called with. */
import { Outcome } from "../../components/badges.js";
import { CopyButton } from "../../components/copy-button.js";
import { Facts, tokenFacts } from "../../components/facts.js";
import { Tabs } from "../../components/tabs.js";
import { Value } from "../../components/value.js";
import { count, dollars, duration } from "../../format.js";
import { html } from "../../html.js";
import { attribute, contentOf, failedAttempts, messagesOf } from "../../trace-steps.js";
import { humanize, truncate } from "../../waterfall.js";
import { MessageItem, Messages } from "./messages.js";
import { NoContent } from "./no-content.js";
import { failureText } from "./why-failed.js";

/** @typedef {import("../../api/trace-types.js").Trace} Trace */
/** @typedef {import("../../api/trace-types.js").Span} Span */
/** @typedef {import("../../components/facts.js").Fact} Fact */

const NAME_CHARACTERS = 128;

const MODEL_ATTRIBUTES = new Set([
  "finish_reason",
  "provider",
  "provider_request_id",
  "response_id",
  "http_status",
  "retries",
  "failed_attempts",
  "fallback_of",
  "fallback_reason",
  "streamed",
  "tools",
  "tool_choice",
  "temperature",
  "max_tokens",
]);
const TOOL_ATTRIBUTES = new Set(["function_ms", "type", "http_status", "retries", "server", "truncated", "call_id"]);

/** @param {{ trace: Trace, span: Span, status: import("../../waterfall.js").StepStatus, tab: string, onTab: (name: string) => void }} props */
export function SpanDetails({ trace, span, status, tab, onTab }) {
  const name = truncate(span.name, NAME_CHARACTERS);
  const tabs = span.kind === "tool" ? toolTabs(trace, span) : modelTabs(trace, span);
  const failure = trace.failures.find((each) => each.span_id === span.id);
  const problem = failure ? failureText(failure) : errorText(span);
  const chosen = tabs.some((each) => each.name === tab) ? tab : (tabs[0]?.name ?? "");
  return html`
    <section class="wf-details" aria-label=${`Details of ${name}`}>
      <div class="row">
        <h3 class="mono">${name}</h3>
        <small>${humanize(span.kind)}</small>
        <${Outcome} tone=${status.tone}>${status.label}<//>
      </div>
      ${problem && html`<p class="problem-text">✕ ${problem}</p>`}
      <${Tabs} label=${`Details of ${name}`} tabs=${tabs} chosen=${chosen} onChoose=${onTab} />
    </section>
  `;
}

/** Error of a step with its message, empty for none. @param {Span} span */
function errorText({ error, message }) {
  if (!error) return "";
  return message ? `${humanize(error)}: ${message}` : humanize(error);
}

/** @param {Trace} trace @param {Span} span */
function modelTabs(trace, span) {
  const messages = messagesOf(trace, span);
  const { answer } = contentOf(span);
  const facts = { name: "Facts", content: () => html`<${Facts} facts=${modelFacts(span)} />` };
  const raw = { name: "Raw", content: () => html`<${Value} key=${span.id} value=${span} label="Raw span" />` };
  if (span.kind === "search" || span.kind === "guardrail") return [facts, raw];
  return [
    {
      name: "Messages",
      content: () =>
        messages ? html`<${Messages} key=${span.id} messages=${messages} />` : html`<${NoContent} trace=${trace} />`,
    },
    {
      name: "Answer",
      content: () =>
        answer === undefined
          ? html`<${NoContent} trace=${trace} />`
          : html`<ol class="trace-messages"><${MessageItem} key=${span.id} message=${answer} /></ol>`,
    },
    facts,
    raw,
  ];
}

/** @param {Trace} trace @param {Span} span */
function toolTabs(trace, span) {
  const { arguments: params, result } = contentOf(span);
  const value = (/** @type {unknown} */ content, /** @type {string} */ label) =>
    content === undefined
      ? html`<${NoContent} trace=${trace} />`
      : html`<${Value} key=${span.id} value=${content} label=${label} />`;
  return [
    { name: "Arguments", content: () => value(params, "Arguments") },
    {
      name: span.error ? "Error" : "Result",
      content: () => value(result ?? span.message ?? undefined, span.error ? "Error" : "Result"),
    },
    { name: "Facts", content: () => html`<${Facts} facts=${toolFacts(span)} />` },
    { name: "Raw", content: () => html`<${Value} key=${span.id} value=${span} label="Raw span" />` },
  ];
}

/** @param {Span} span @returns {ReadonlyArray<Fact>} */
function timeFacts(span) {
  return [
    ["Iteration", span.iteration === 0 ? "before iteration 1" : String(span.iteration)],
    ["Started after", duration(span.start_ms)],
    ["Duration", duration(span.duration_ms)],
    ["Ended after", duration(span.start_ms + span.duration_ms)],
  ];
}

/** @param {Span} span @returns {ReadonlyArray<Fact>} */
function modelFacts(span) {
  const replaced = attribute(span, "fallback_of");
  const attempts = failedAttempts(span);
  return [
    ...timeFacts(span),
    ...(span.usage ? tokenFacts(span.usage, count) : []),
    ["Cost", costOf(span)],
    ["Verdict", attribute(span, "verdict")],
    ["Checked text", attribute(span, "source")],
    ["Policies", attribute(span, "policies")],
    ["Text units", attribute(span, "units")],
    ["Finish reason", humanize(attribute(span, "finish_reason"))],
    ["Provider", attribute(span, "provider")],
    ["HTTP status", attribute(span, "http_status")],
    ["Request id of the provider", copied(attribute(span, "provider_request_id"))],
    ["Response id of the provider", copied(attribute(span, "response_id"))],
    ["Retries", attribute(span, "retries")],
    [
      "Failed attempts",
      attempts.length > 0 &&
        html`<ol class="trace-attempts">
          ${attempts.map((each, at) => html`<li key=${at}>${attemptText(each)}</li>`)}
        </ol>`,
    ],
    ["Replaces", replaced && `${replaced} (${humanize(attribute(span, "fallback_reason"))})`],
    ["Streamed", attribute(span, "streamed") && yesNo(attribute(span, "streamed"))],
    ["Offered tools", attribute(span, "tools")],
    ["Tool choice", attribute(span, "tool_choice")],
    ["Temperature", attribute(span, "temperature")],
    ["Token limit", attribute(span, "max_tokens")],
    ...otherFacts(span, MODEL_ATTRIBUTES),
  ];
}

/** @param {string} id */
function copied(id) {
  return id && html`<code>${id}</code> <${CopyButton} text=${id} label="Copy" />`;
}

/** @param {import("../../trace-steps.js").Attempt} attempt */
function attemptText({ error, status, duration_ms: took, wait_ms: wait, request_id: request, message }) {
  const parts = [
    humanize(error),
    status !== undefined && `HTTP ${status}`,
    took !== undefined && `after ${duration(took)}`,
    wait !== undefined && `repeated ${duration(wait)} later`,
    request !== undefined && `request ${request}`,
  ];
  return `${parts.filter(Boolean).join(", ")}${message ? `: ${message}` : ""}`;
}

/** @param {Span} span */
function costOf(span) {
  if (typeof span.cost_usd === "number") return dollars(span.cost_usd);
  return span.usage ? "no price is configured for this model" : "";
}

/** @param {Span} span @returns {ReadonlyArray<Fact>} */
function toolFacts(span) {
  const inside = Number(attribute(span, "function_ms"));
  const hasInside = attribute(span, "function_ms") !== "" && !Number.isNaN(inside);
  return [
    ...timeFacts(span),
    ["In the tool's function", hasInside && duration(inside)],
    ["Outside of it", hasInside && duration(Math.max(0, span.duration_ms - inside))],
    ["Type", attribute(span, "type")],
    ["HTTP status", attribute(span, "http_status")],
    ["Retries", attribute(span, "retries")],
    ["MCP server", attribute(span, "server")],
    ["Result", attribute(span, "truncated") === "true" && "truncated"],
    ["Call", attribute(span, "call_id")],
    ...otherFacts(span, TOOL_ATTRIBUTES),
  ];
}

/** Attributes that this page has no term for. @param {Span} span @param {ReadonlySet<string>} known @returns {ReadonlyArray<Fact>} */
function otherFacts(span, known) {
  return Object.keys(span.attributes ?? {})
    .filter((name) => !known.has(name))
    .map((name) => [humanize(name), attribute(span, name)]);
}

/** @param {string} value */
function yesNo(value) {
  return value === "true" ? "yes" : "no";
}
