/** Form that compares a trace with another one by its id. */
import { html, useId, useState } from "../../html.js";
import { navigate, tracePath } from "../../router.js";

/** @param {{ id: string }} props */
export function CompareForm({ id }) {
  const field = useId();
  const [other, setOther] = useState("");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (other.trim() !== "") navigate(tracePath(id), { with: other.trim() });
  };
  return html`<form class="row trace-compare" onSubmit=${submit}>
    <label class="hidden" for=${field}>Request id of another trace</label>
    <input
      id=${field}
      type="text"
      placeholder="Request id of another trace"
      spellcheck=${false}
      autocomplete="off"
      value=${other}
      onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setOther(event.currentTarget.value)}
    />
    <button type="submit" disabled=${other.trim() === ""}>Compare</button>
  </form>`;
}
