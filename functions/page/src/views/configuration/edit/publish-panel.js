/** Publication of a draft: state of the checks, comment, publish, discard. */
import { Outcome } from "../../../components/badges.js";
import { Dialog } from "../../../components/dialog.js";
import { BusyIndicator } from "../../../components/loading-states.js";
import { Problem } from "../../../components/problem.js";
import { counted } from "../../../format.js";
import { html, useId, useState } from "../../../html.js";

/** @typedef {import("./use-check.js").Check} Check */

const COMMENT_CHARACTERS = 500;

/**
 * @param {{ check: Check, changed: boolean, outdated: boolean, editingProblem: string,
 *   publishing: import("../../../api/hooks.js").Task, onPublish: (comment: string) => Promise<void>, onDiscard: () => void }} props
 */
export function PublishPanel({ check, changed, outdated, editingProblem, publishing, onPublish, onDiscard }) {
  const [comment, setComment] = useState("");
  const { errors } = numbersOf(check);
  const checked = check.result !== undefined && !check.checking && errors === 0;
  const ready = changed && !outdated && editingProblem === "" && checked && !publishing.busy;
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (!ready) return;
    await onPublish(comment.trim());
    setComment("");
  };
  return html`
    <form class="stack conf-publish" aria-label="Publish" onSubmit=${submit}>
      <p role="status">${changed ? html`<${CheckState} check=${check} />` : "The draft has no changes."}</p>
      ${check.error && html`<${Problem} error=${check.error} />`}
      ${editingProblem && html`<p class="notice">! ${editingProblem}.</p>`}
      ${changed && html`<${Comment} value=${comment} onValue=${setComment} />`}
      ${
        changed &&
        html`<div class="row">
          <button type="submit" class="primary" disabled=${!ready}>Publish</button>
          <${Discard} busy=${publishing.busy} onDiscard=${onDiscard} />
          ${publishing.busy && html`<${BusyIndicator} label="Publishing" since=${publishing.since} />`}
        </div>`
      }
      ${publishing.error && publishing.error.code !== "configuration_changed" && html`<${Problem} error=${publishing.error} />`}
    </form>
  `;
}

/** @param {Check} check */
function numbersOf({ result }) {
  const problems = result?.problems ?? [];
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: problems.length - errors };
}

/** @param {{ check: Check }} props */
function CheckState({ check }) {
  const { errors, warnings } = numbersOf(check);
  if (check.checking) return "Checking the draft …";
  if (!check.result) return null;
  const warned = warnings > 0 ? counted(warnings, "warning") : "no problems";
  if (errors > 0) {
    return html`<${Outcome} tone="bad">${counted(errors, "error")}${warnings > 0 && `, ${warned}`}<//>`;
  }
  return html`<${Outcome} tone=${warnings > 0 ? "warn" : "good"}>${counted(check.result.changes.length, "change")}, ${warned}<//>`;
}

/** Field of a comment for the history. @param {{ value: string, onValue: (value: string) => void }} props */
export function Comment({ value, onValue }) {
  const field = useId();
  return html`<div class="field">
    <label for=${field}>Comment</label>
    <input
      id=${field}
      type="text"
      maxlength=${COMMENT_CHARACTERS}
      placeholder="Why, for the history"
      value=${value}
      onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => onValue(event.currentTarget.value)}
    />
  </div>`;
}

/** @param {{ busy: boolean, onDiscard: () => void }} props */
function Discard({ busy, onDiscard }) {
  const [open, setOpen] = useState(false);
  const discard = () => {
    setOpen(false);
    onDiscard();
  };
  return html`
    <button type="button" disabled=${busy} onClick=${() => setOpen(true)}>Discard draft</button>
    <${Dialog} title="Discard the draft?" open=${open} onClose=${() => setOpen(false)}>
      <p>Its changes are deleted from this browser. The published configuration stays.</p>
      <div class="row">
        <button type="button" class="primary" onClick=${discard}>Discard changes</button>
        <button type="button" autofocus onClick=${() => setOpen(false)}>Keep draft</button>
      </div>
    <//>
  `;
}
