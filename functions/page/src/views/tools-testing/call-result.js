/** Result of a tool call: outcome, requests of the tool, result, and the text for a model. */
import { Outcome, Tag } from "../../components/badges.js";
import { Collapsible } from "../../components/collapsible.js";
import { CopyButton } from "../../components/copy-button.js";
import { Tabs } from "../../components/tabs.js";
import { Value } from "../../components/value.js";
import { count, counted, duration, size } from "../../format.js";
import { html } from "../../html.js";
import { BASE } from "../../router.js";
import { humanize, truncate } from "../../waterfall.js";
import { curlText } from "./curl.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ToolCallOutcome"]} CallOutcome */
/** @typedef {Schemas["Exchange"]} Exchange */

const URL_CHARACTERS = 200;

/** One line for the heading and for screen readers. @param {CallOutcome} outcome */
export function callStatus({ result }) {
  const time = duration(result.execution_time_ms);
  return "error" in result ? `failed after ${time}: ${humanize(result.error_type)}` : `succeeded in ${time}`;
}

/** @param {unknown} value */
const isPresent = (value) => value !== null && value !== undefined;

/** Outcome of one request. @param {Exchange} exchange @returns {{ tone: import("../../components/badges.js").Tone, label: string }} */
export function exchangeStatus({ status, error, response_body: body }) {
  if (status === null || status === undefined) {
    return !error && isPresent(body)
      ? { tone: "good", label: "answered" }
      : { tone: "bad", label: error ?? "no response" };
  }
  if (status >= 400) return { tone: "bad", label: `HTTP ${status}` };
  return { tone: status >= 300 ? "warn" : "good", label: `HTTP ${status}` };
}

/** Request or response as text: first line, headers, body. @param {string} first @param {Readonly<Record<string, string>>} headers @param {string | null | undefined} body */
export function messageText(first, headers, body) {
  const lines = [...(first ? [first] : []), ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return body ? `${lines.join("\n")}\n\n${body}` : lines.join("\n");
}

/** @param {{ outcome: CallOutcome }} props */
export function CallResult({ outcome }) {
  const { result, inspection } = outcome;
  const request = { tool: outcome.tool, arguments: outcome.arguments };
  return html`
    <div class="stack">
      <p class="tt-status"><${Outcome} tone=${result.success ? "good" : "bad"}>${callStatus(outcome)}<//></p>
      <div class="row tt-facts">
        <span>Tool: <strong class="mono">${outcome.tool}</strong> <${Tag}>${outcome.type}<//></span>
        <span>With all checks: <strong>${duration(outcome.total_ms)}</strong></span>
        <span>Request: <code>${outcome.request_id}</code> <${CopyButton} text=${outcome.request_id} label="Copy request id" /></span>
      </div>
    </div>
    ${inspection && html`<${Exchanges} inspection=${inspection} total=${result.execution_time_ms} />`}
    ${
      inspection &&
      Object.keys(inspection.notes ?? {}).length > 0 &&
      html`<section class="stack" aria-label="Shaping"><h2>Shaping</h2><${Value} value=${inspection.notes} label="Shaping" /></section>`
    }
    <section class="stack" aria-label="Result of the call">
      <h2>${"error" in result ? "Error" : "Result"}</h2>
      ${"truncated" in result && result.truncated && html`<p class="notice">! The result was truncated.</p>`}
      ${"error" in result ? html`<${Value} value=${result.error} label="Error" />` : html`<${Value} value=${result.result} label="Result" />`}
      ${"validation_errors" in result && result.validation_errors && html`<ul>${result.validation_errors.map((each) => html`<li>${each}</li>`)}</ul>`}
      <div class="row">
        <${CopyButton} text=${() => curlText(new URL("api/tools/call", BASE).href, request)} label="Copy as curl" />
      </div>
    </section>
    <section class="stack" aria-label="Details of the call">
      <${Collapsible} summary="Arguments with defaults"><${Value} value=${outcome.arguments} label="Arguments with defaults" /><//>
      <${Collapsible} summary=${`Text for a model (${counted(outcome.content.length, "character")})`}>
        <${Value} value=${outcome.content} label="Text for a model" />
      <//>
    </section>
  `;
}

/** @param {{ inspection: Schemas["Inspection"], total: number }} props `total` is the length of the time axis in milliseconds */
function Exchanges({ inspection, total }) {
  const exchanges = inspection.exchanges ?? [];
  if (exchanges.length === 0) return html`<p>The tool sent no request.</p>`;
  return html`
    <section class="stack" aria-label="Requests of the tool">
      <h2>Requests (${count(exchanges.length)})</h2>
      <ol class="tt-calls">
        ${exchanges.map((exchange, index) => html`<${ExchangeItem} key=${index} exchange=${exchange} total=${total} open=${index === 0} />`)}
      </ol>
      ${(inspection.omitted ?? 0) > 0 && html`<p class="notice">! ${counted(inspection.omitted ?? 0, "more request")} not shown.</p>`}
    </section>
  `;
}

/** @param {{ exchange: Exchange, total: number, open: boolean }} props */
function ExchangeItem({ exchange, total, open }) {
  const { tone, label } = exchangeStatus(exchange);
  const axis = Math.max(1, total, exchange.start_ms + exchange.duration_ms);
  const bar = {
    left: `${(100 * exchange.start_ms) / axis}%`,
    width: `${Math.max(1, (100 * exchange.duration_ms) / axis)}%`,
  };
  const purpose = exchange.purpose && exchange.purpose !== "request" ? exchange.purpose : "";
  const attempt = (exchange.attempt ?? 1) > 1 ? `attempt ${exchange.attempt}` : "";
  const summary = html`<code>${exchange.method} ${truncate(exchange.url, URL_CHARACTERS)}</code>
    ${purpose && html` <${Tag}>${purpose}<//>`}${attempt && html` <${Tag}>${attempt}<//>`}
    <${Outcome} tone=${tone}>${label}<//>`;
  return html`
    <li>
      <${Collapsible} summary=${summary} open=${open}>
        <${Tabs} label=${`Details of ${exchange.method} ${truncate(exchange.url, URL_CHARACTERS)}`} tabs=${tabsOf(exchange)} />
      <//>
      <div class="interval" aria-hidden="true"><span style=${bar}></span></div>
      <small class="number">Started after ${duration(exchange.start_ms)} | Duration: ${duration(exchange.duration_ms)} | ${size(exchange.response_bytes ?? 0)}</small>
    </li>
  `;
}

/** @param {Exchange} exchange */
function tabsOf(exchange) {
  const request = messageText(`${exchange.method} ${exchange.url}`, exchange.request_headers, exchange.request_body);
  const sent = { name: "Request", content: () => html`<${Value} key="request" value=${request} label="Request" />` };
  if (!isPresent(exchange.status) && !isPresent(exchange.response_body)) return [sent];
  const response = messageText(
    isPresent(exchange.status) ? `HTTP ${exchange.status}` : "",
    exchange.response_headers ?? {},
    exchange.response_body,
  );
  return [
    { name: "Response", content: () => html`<${Value} key="response" value=${response} label="Response" />` },
    sent,
  ];
}
