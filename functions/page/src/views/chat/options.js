/** What is chosen beside the message: where to look things up, how to be answered, what the rules should know. */
import { useCollections, useIsOperator } from "../../api/cached-queries.js";
import { Fold } from "../../components/collapsible.js";
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { counted } from "../../format.js";
import { html, useId } from "../../html.js";
import { deadlineProblem, longest } from "./request.js";

/** @typedef {import("./request.js").Options} OptionsData */
/** @typedef {{ options: OptionsData, onChange: (change: Partial<OptionsData>) => void }} Props */
/** @typedef {{ currentTarget: HTMLInputElement }} InputEvent */

/** @param {Props} props */
export function Options({ options, onChange }) {
  const operator = useIsOperator();
  const toggle = (/** @type {"background" | "explain"} */ name) => () => onChange({ [name]: !options[name] });
  return html`
    <label class="check">
      <input type="checkbox" checked=${options.background} onChange=${toggle("background")} />
      Answer in the background, for up to 15 minutes
    </label>
    ${
      operator &&
      html`<label class="check">
        <input type="checkbox" checked=${options.explain} onChange=${toggle("explain")} />
        Explain the answer
      </label>`
    }
    <${Deadline} options=${options} onChange=${onChange} />
    <${Fold} summary="More">
      <${Text} label="Intent" name="intent" options=${options} onChange=${onChange} />
      <${Text} label="Service" name="service" options=${options} onChange=${onChange} />
      <small>Fields of the profile that response rules match on.</small>
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
        max=${longest(options)}
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
  const toggled = (name) =>
    options.collections.includes(name)
      ? options.collections.filter((each) => each !== name)
      : [...options.collections, name];
  if (error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!data && loading) return html`<${Skeleton} lines=${2} what="the collections" />`;
  if (!data?.collections.length) {
    return html`<small>There is no collection. The view Retrieval says how to fill one.</small>`;
  }
  return html`
    <fieldset class="chat-collections">
      <legend>Search first in</legend>
      ${data.collections.map(
        ({ name, metadata, documents }) => html`
          <label class="check" key=${name}>
            <input
              type="checkbox"
              checked=${options.collections.includes(name)}
              onChange=${() => onChange({ collections: toggled(name) })}
            />
            <span>${metadata.display_name || name} <small>${counted(documents, "document")}</small></span>
          </label>
        `,
      )}
    </fieldset>
  `;
}
