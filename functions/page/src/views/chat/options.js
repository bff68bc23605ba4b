/** Options of a chat: choice of model and rule, collections, background, explanation, deadline, profile fields. */
import { useCollections, useIsOperator } from "../../api/cached-queries.js";
import { Collapsible } from "../../components/collapsible.js";
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { counted } from "../../format.js";
import { choiceOf, choose } from "./chat-route.js";
import { Choice } from "./choice.js";
import { html, useId } from "../../html.js";
import { useRoute } from "../../router.js";
import { deadlineProblem, maxDeadline } from "./request.js";

/** @typedef {import("./request.js").Options} OptionsData */
/** @typedef {{ options: OptionsData, onChange: (change: Partial<OptionsData>) => void }} Props */
/** @typedef {{ currentTarget: HTMLInputElement }} InputEvent */

/** @param {Props} props */
export function Options({ options, onChange }) {
  const operator = useIsOperator();
  const toggle = (/** @type {"background" | "explain"} */ name) => () => onChange({ [name]: !options[name] });
  return html`
    <${Choice} choice=${choiceOf(useRoute().params)} onChange=${choose} />
    <label class="check">
      <input type="checkbox" checked=${options.background} onChange=${toggle("background")} />
      Run in the background, up to 15 minutes
    </label>
    ${
      operator &&
      html`<label class="check">
        <input type="checkbox" checked=${options.explain} onChange=${toggle("explain")} />
        Include an explanation
      </label>`
    }
    <${Deadline} options=${options} onChange=${onChange} />
    <${Collapsible} summary="Profile fields">
      <${Text} label="Intent" name="intent" options=${options} onChange=${onChange} />
      <${Text} label="Service" name="service" options=${options} onChange=${onChange} />
      <small>Matched by response rules.</small>
    <//>
  `;
}

/** @param {Props} props */
function Deadline({ options, onChange }) {
  const id = useId();
  const problem = deadlineProblem(options);
  return html`
    <label class="field">
      Deadline in seconds
      <input
        type="number"
        inputmode="decimal"
        min="1"
        max=${maxDeadline(options)}
        step="any"
        placeholder=${options.background ? "600" : "28"}
        aria-invalid=${problem ? "true" : undefined}
        aria-describedby=${problem ? id : undefined}
        value=${options.seconds}
        onInput=${(/** @type {InputEvent} */ event) => onChange({ seconds: event.currentTarget.value })}
      />
    </label>
    ${problem && html`<p id=${id} class="problem-text" role="alert">✕ ${problem}</p>`}
  `;
}

/** @param {Props & { label: string, name: "intent" | "service" }} props */
function Text({ label, name, options, onChange }) {
  return html`
    <label class="field">
      ${label}
      <input
        value=${options[name]}
        spellcheck=${false}
        autocomplete="off"
        onInput=${(/** @type {InputEvent} */ event) => onChange({ [name]: event.currentTarget.value })}
      />
    </label>
  `;
}

/** @param {Props} props */
export function Collections({ options, onChange }) {
  const { data, error, loading, reload } = useCollections();
  /** @param {string} name */
  const toggleCollection = (name) =>
    options.collections.includes(name)
      ? options.collections.filter((each) => each !== name)
      : [...options.collections, name];
  if (error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!data && loading) return html`<${Skeleton} lines=${2} label="the collections" />`;
  if (!data?.collections.length) {
    return html`<small>No collections. See the Retrieval view to create one.</small>`;
  }
  return html`
    <fieldset class="chat-collections">
      <legend>Collections to search</legend>
      ${data.collections.map(
        ({ name, metadata, documents }) => html`
          <label class="check" key=${name}>
            <input
              type="checkbox"
              checked=${options.collections.includes(name)}
              onChange=${() => onChange({ collections: toggleCollection(name) })}
            />
            <span>${metadata.display_name || name} <small>${counted(documents, "document")}</small></span>
          </label>
        `,
      )}
    </fieldset>
  `;
}
