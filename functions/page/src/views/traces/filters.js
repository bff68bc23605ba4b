/** Filters of the list of traces. */
import { useIsOperator, useModels, useTools } from "../../api/cached-queries.js";
import { html, useEffect, useId, useState } from "../../html.js";
import { outcomeTitle, TRACE_OUTCOMES } from "../../trace-outcome.js";
import { CUSTOM, customRange, PERIODS, periodOf } from "./filter-params.js";

/** @typedef {import("../../router.js").Params} Params */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement }} InputEvent */
/** @typedef {(changed: Params) => void} Change */

export const FIRST_FILTER = "traces-period";

const RATINGS = [
  { value: "up", text: "helpful" },
  { value: "down", text: "not helpful" },
];

/** @param {{ params: Params, onChange: Change, onClear: () => void }} props */
export function Filters({ params, onChange, onClear }) {
  const operator = useIsOperator();
  const models = useModels().data?.models ?? [];
  const tools = useTools().data?.tools ?? [];
  return html`
    <form class="stack" aria-label="Filters" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <h2>Filters</h2>
      <${Period} params=${params} onChange=${onChange} />
      <${Choice} label="Outcome" name="outcome" params=${params} onChange=${onChange} options=${TRACE_OUTCOMES.map((name) => ({ value: name, text: outcomeTitle(name) }))} />
      <label class="check">
        <input
          type="checkbox"
          checked=${params["failed"] === "true"}
          onChange=${() => onChange({ failed: params["failed"] === "true" ? "" : "true" })}
        />
        Failed only: no answer, or a failed tool call
      </label>
      <${Text} label="Model" name="model" placeholder="llm:model" params=${params} onChange=${onChange} options=${models.map(({ id }) => id)} />
      <${Text} label="Rule" name="rule" params=${params} onChange=${onChange} />
      <${Text} label="Tool" name="tool" params=${params} onChange=${onChange} options=${tools.map(({ name }) => name)} />
      <${Choice} label="Rating" name="rating" params=${params} onChange=${onChange} options=${RATINGS} />
      <${Seconds} params=${params} onChange=${onChange} />
      <${Text} label="Session" name="session" params=${params} onChange=${onChange} />
      ${operator && html`<${Text} label="Caller" name="caller" placeholder="id of a token" params=${params} onChange=${onChange} />`}
      <div><button type="button" onClick=${onClear}>Clear filters</button></div>
    </form>
  `;
}

/** @param {{ params: Params, onChange: Change }} props */
function Period({ params, onChange }) {
  const period = periodOf(params);
  /** @param {InputEvent} event */
  const choose = ({ currentTarget: { value } }) =>
    onChange(value === CUSTOM ? customRange() : { since: value, until: "" });
  return html`
    <div class="field">
      <label for=${FIRST_FILTER}>Time</label>
      <select id=${FIRST_FILTER} value=${period} onChange=${choose}>
        ${PERIODS.map(({ since, title }) => html`<option value=${since}>${title}</option>`)}
        <option value=${CUSTOM}>From and until</option>
      </select>
    </div>
    ${
      period === CUSTOM &&
      html`
        <${Moment} label="From" name="since" params=${params} onChange=${onChange} />
        <${Moment} label="Until" name="until" params=${params} onChange=${onChange} />
      `
    }
  `;
}

/** Moment in local time; the URL has it in UTC. @param {{ label: string, name: string, params: Params, onChange: Change }} props */
function Moment({ label, name, params, onChange }) {
  /** @param {InputEvent} event */
  const change = ({ currentTarget: { value } }) => onChange({ [name]: value ? new Date(value).toISOString() : "" });
  return html`<label class="field">
    ${label}
    <input type="datetime-local" value=${localTime(params[name] ?? "")} onChange=${change} />
  </label>`;
}

/** `2026-11-27T03:05` in local time. @param {string} iso */
function localTime(iso) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @param {{ label: string, name: string, params: Params, onChange: Change, options: ReadonlyArray<{ value: string, text: string }> }} props */
function Choice({ label, name, params, onChange, options }) {
  const id = useId();
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} value=${params[name] ?? ""} onChange=${(/** @type {InputEvent} */ event) => onChange({ [name]: event.currentTarget.value })}>
      <option value="">Any</option>
      ${options.map(({ value, text }) => html`<option value=${value}>${text}</option>`)}
    </select>
  </div>`;
}

/** Text of a field until it is committed to the URL. @param {string} value that of the URL @returns {[string, (text: string) => void]} */
function useDraft(value) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  return [draft, setDraft];
}

/** @param {{ label: string, name: string, placeholder?: string, params: Params, onChange: Change, options?: ReadonlyArray<string> }} props */
function Text({ label, name, placeholder = "Any", params, onChange, options = [] }) {
  const list = useId();
  const [draft, setDraft] = useDraft(params[name] ?? "");
  return html`<label class="field">
    ${label}
    <input
      type="text"
      list=${options.length > 0 ? list : undefined}
      placeholder=${placeholder}
      spellcheck=${false}
      autocapitalize="off"
      autocomplete="off"
      value=${draft}
      onInput=${(/** @type {InputEvent} */ event) => setDraft(event.currentTarget.value)}
      onChange=${(/** @type {InputEvent} */ event) => onChange({ [name]: event.currentTarget.value.trim() })}
    />
    ${options.length > 0 && html`<datalist id=${list}>${options.map((option) => html`<option value=${option}></option>`)}</datalist>`}
  </label>`;
}

/** @param {{ params: Params, onChange: Change }} props */
function Seconds({ params, onChange }) {
  const ms = Number(params["min_ms"]) || 0;
  const [draft, setDraft] = useDraft(ms ? String(ms / 1_000) : "");
  /** @param {InputEvent} event */
  const change = ({ currentTarget: { value } }) => {
    const seconds = Math.max(0, Number(value) || 0);
    onChange({ min_ms: seconds > 0 ? String(Math.round(seconds * 1_000)) : "" });
  };
  return html`<label class="field">
    Seconds at least
    <input type="number" min="0" step="any" inputmode="decimal" placeholder="Any" value=${draft} onInput=${(/** @type {InputEvent} */ event) => setDraft(event.currentTarget.value)} onChange=${change} />
  </label>`;
}
