/** Choice of the model and the response rule of the next messages. */
import { useChoices } from "../../api/cached-queries.js";
import { html, useId } from "../../html.js";

/**
 * @param {{ choice: import("./chat-route.js").Choice,
 *   onChange: (changes: Partial<import("./chat-route.js").Choice>) => void }} props
 */
export function Choice({ choice, onChange }) {
  const { models, rules } = useChoices();
  return html`
    <${Select} label="Model" name="model" names=${models} choice=${choice} onChange=${onChange} />
    <${Select} label="Response rule" name="rule" names=${rules} choice=${choice} onChange=${onChange} />
  `;
}

/**
 * @param {{ label: string, name: "model" | "rule", names: ReadonlyArray<string>,
 *   choice: import("./chat-route.js").Choice,
 *   onChange: (changes: Partial<import("./chat-route.js").Choice>) => void }} props
 */
function Select({ label, name, names, choice, onChange }) {
  const id = useId();
  const value = choice[name];
  if (names.length === 0 && value === "") return null;
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <select
        id=${id}
        value=${value}
        onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ event) => onChange({ [name]: event.currentTarget.value })}
      >
        <option value="">Selected by the service</option>
        ${value !== "" && !names.includes(value) && html`<option value=${value}>${value} · not offered</option>`}
        ${names.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}
      </select>
    </div>
  `;
}
