/** Dialog of the limits of a token, which become a change of the configuration's draft. */
import { configurationApi } from "../../../api/configuration-routes.js";
import { useLoad } from "../../../api/hooks.js";
import { Dialog } from "../../../components/dialog.js";
import { Skeleton } from "../../../components/loading-states.js";
import { Problem } from "../../../components/problem.js";
import { html, useId, useState } from "../../../html.js";
import { navigate } from "../../../router.js";
import { draftOf, limitsKey, storedDraft, storeDraft, withLimits } from "../edit/draft.js";
import { choicesOf, limitName, limitText, textOf } from "./limits.js";

/** @typedef {import("../../../api/token-routes.js").TokenView} TokenView */
/** @typedef {import("./limits.js").Choice} Choice */
/** @typedef {import("../../../api/routes.js").Schemas["ConfigurationSource"]} Source */

const FALLBACK_NAMES = ["requests_per_minute", "tool_calls_per_minute", "tokens_per_day"];

/** @param {{ token: TokenView, onClose: () => void }} props */
export function LimitsDialog({ token, onClose }) {
  const source = useLoad((signal) => configurationApi.source(signal));
  return html`
    <${Dialog} title=${`Limits of “${token.name}”`} open onClose=${onClose}>
      ${source.error && html`<${Problem} error=${source.error} onRetry=${source.reload} />`}
      ${!source.data && !source.error && html`<${Skeleton} lines=${6} label="the limits" />`}
      ${source.data && html`<${Form} token=${token} source=${source.data} onClose=${onClose} />`}
    <//>
  `;
}

/** @param {{ token: TokenView, source: Source, onClose: () => void }} props */
function Form({ token, source, onClose }) {
  const [draft] = useState(() => storedDraft() ?? draftOf(source));
  const names = token.limits ? Object.keys(token.limits.effective) : FALLBACK_NAMES;
  const text = draft.content.entries.find(({ key }) => key === limitsKey(token.id))?.text ?? "";
  const [choices, setChoices] = useState(() => choicesOf(text, names));
  const [isFull, setFull] = useState(false);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const changed = withLimits(draft, token.id, textOf(text, choices));
    if (!storeDraft(changed)) {
      setFull(true);
      return;
    }
    onClose();
    navigate("configuration", { mode: "edit", entry: limitsKey(token.id) });
  };
  return html`
    <form class="stack" onSubmit=${submit}>
      ${names.map(
        (name) => html`<${LimitField}
          key=${name}
          name=${name}
          inherited=${token.limits?.inherited[name] ?? null}
          choice=${choices[name]}
          onChoice=${(/** @type {Choice} */ choice) => setChoices((last) => ({ ...last, [name]: choice }))}
        />`,
      )}
      <p><small>Limits are part of the configuration. They become a change of your draft, which you check and publish in <strong>Edit</strong>.</small></p>
      ${source.editing_problem && html`<p class="notice">! ${source.editing_problem}.</p>`}
      ${isFull && html`<p class="notice" role="alert">! This browser has no room for the draft.</p>`}
      <div class="row">
        <button type="submit" class="primary" disabled=${!source.editing}>Add to the draft</button>
        <button type="button" onClick=${onClose}>Cancel</button>
      </div>
    </form>
  `;
}

/**
 * @param {{ name: string, inherited: number | null, choice: Choice | undefined, onChoice: (choice: Choice) => void }} props
 */
function LimitField({ name, inherited, choice = { kind: "inherited", value: "" }, onChoice }) {
  const id = useId();
  const title = limitName(name);
  /** @param {string} kind */
  const kindOf = (kind) => (kind === "none" || kind === "own" ? kind : "inherited");
  return html`
    <div class="field">
      <label for=${id}>${title[0]?.toUpperCase()}${title.slice(1)}</label>
      <div class="token-limit">
        <select
          id=${id}
          value=${choice.kind}
          onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ event) => onChoice({ ...choice, kind: kindOf(event.currentTarget.value) })}
        >
          <option value="inherited">Inherited: ${inherited === null ? "no limit" : limitText(name, inherited)}</option>
          <option value="none">No limit</option>
          <option value="own">At most …</option>
        </select>
        ${
          choice.kind === "own" &&
          html`<input
            type="number"
            required
            min=${name.startsWith("usd_") ? "0.000001" : "1"}
            step=${name.startsWith("usd_") ? "any" : "1"}
            aria-label=${`Most ${title}`}
            value=${choice.value}
            onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => onChoice({ ...choice, value: event.currentTarget.value })}
          />`
        }
      </div>
    </div>
  `;
}
