/** Button and dialog that save a trace as a validation case. */
import { parseJson } from "../../exact-json.js";
import { useTask } from "../../api/hooks.js";
import { saveCase } from "../../api/save-case.js";
import { traceApi } from "../../api/trace-routes.js";
import { CaseForm } from "../../components/case-form.js";
import { Dialog } from "../../components/dialog.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { html, useState } from "../../html.js";

/** @typedef {import("../../components/case-form.js").Draft} Draft */
/** @typedef {import("../../api/trace-types.js").CaseSuite} CaseSuite */

/** @param {{ trace: import("../../api/trace-types.js").Trace }} props */
export function SaveTraceCase({ trace }) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState(/** @type {CaseSuite | undefined} */ (undefined));
  const [draft, setDraft] = useState(/** @type {Draft | undefined} */ (undefined));
  const [saved, setSaved] = useState("");
  const loading = useTask();
  const saving = useTask();

  const load = () =>
    loading.run(async (signal) => {
      const suite = await traceApi.case(trace.id, signal);
      setMade(suite);
      setDraft(draftOf(suite));
    });
  const openDialog = () => {
    setSaved("");
    setOpen(true);
    if (!made) load();
  };
  /** @param {Draft} submitted */
  const save = (submitted) =>
    saving.run(async (signal) => {
      if (!made) return;
      await saveCase(submitted.suite, caseAndMocks(submitted, made, trace.tools), signal);
      setSaved(`saved as ${submitted.id} in ${submitted.suite} ✓`);
      setOpen(false);
    });
  return html`
    <button type="button" disabled=${!trace.has_content} title=${trace.has_content ? undefined : "The trace has no content"} onClick=${openDialog}>Save as case</button>
    <span role="status">${saved}</span>
    <${Dialog} title="Save as validation case" open=${open} onClose=${() => setOpen(false)}>
      ${loading.busy && html`<${BusyIndicator} label="Making the case" since=${loading.since} />`}
      ${loading.error && html`<${Problem} error=${loading.error} onRetry=${load} />`}
      ${draft && html`<${CaseForm} draft=${draft} task=${saving} onChange=${setDraft} onSave=${save} />`}
    <//>
  `;
}

/** @param {CaseSuite} suite @returns {Draft | undefined} */
function draftOf({ cases: [first] }) {
  return (
    first && {
      suite: "",
      id: first.id,
      category: first.category,
      offer: "all",
      expect: JSON.stringify(first.expect, null, 2),
    }
  );
}

/** @param {Draft} draft @param {CaseSuite} suite @param {ReadonlyArray<string>} called names of the called tools */
function caseAndMocks(draft, { tools, cases: [first] }, called) {
  const mocks = draft.offer === "all" ? tools : tools.filter(({ name }) => called.includes(name));
  const added = {
    ...first,
    id: draft.id,
    category: draft.category,
    tools: mocks.map(({ name }) => name),
    expect: parseJson(draft.expect),
  };
  return { added, mocks };
}
