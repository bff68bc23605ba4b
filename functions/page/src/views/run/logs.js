/** Log lines of a trace's request, loaded on demand. */
import { useLoad } from "../../api/hooks.js";
import { traceApi } from "../../api/trace-routes.js";
import { Outcome } from "../../components/badges.js";
import { Collapsible } from "../../components/collapsible.js";
import { Skeleton } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { Value } from "../../components/value.js";
import { counted, exactTime } from "../../format.js";
import { html } from "../../html.js";

/** @type {Readonly<Record<string, import("../../components/badges.js").Tone>>} */
const TONES = { WARNING: "warn", ERROR: "bad", CRITICAL: "bad" };

/** @param {{ id: string }} props */
export function Logs({ id }) {
  const { data, error, reload } = useLoad((signal) => traceApi.logs(id, signal), [id]);
  if (error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!data) return html`<${Skeleton} lines=${6} label="the log lines" />`;
  return html`
    <div class="row spread">
      <span>${counted(data.lines.length, "log line")}</span>
      <button type="button" onClick=${reload}>Refresh</button>
    </div>
    ${data.lines.length === 0 && html`<p>No log line has this request id. Lines appear some seconds after the request.</p>`}
    <ol class="trace-logs">
      ${data.lines.map((line, at) => html`<${Line} key=${at} line=${line} />`)}
    </ol>
  `;
}

/** @param {{ line: import("../../api/trace-types.js").LogLine }} props */
function Line({ line }) {
  const tone = TONES[line.level] ?? "plain";
  const summary = html`<time class="mono" datetime=${line.at} title=${exactTime(line.at)}>${timeOfDay(line.at)}</time>
    ${" "}<${Outcome} tone=${tone}>${line.level.toLowerCase()}<//>
    ${" "}<span class="mono">${line.function}</span> ${line.message}`;
  if (Object.keys(line.fields ?? {}).length === 0) return html`<li>${summary}</li>`;
  return html`<li>
    <${Collapsible} summary=${summary}><${Value} value=${line.fields} label="Fields of the log line" /><//>
  </li>`;
}

/** `03:05:12.345` in local time. @param {string} iso */
function timeOfDay(iso) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return `${at.toLocaleTimeString("en-GB")}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}
