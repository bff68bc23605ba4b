/** Button and dialog that save a test as a validation case. */
import { parseJson } from "../../exact-json.js";
import { useTask } from "../../api/hooks.js";
import { saveCase } from "../../api/save-case.js";
import { CaseForm } from "../../components/case-form.js";
import { Dialog } from "../../components/dialog.js";
import { html, useState } from "../../html.js";
import { caseIdOf, categoryOf, expectationOf, mocksOf } from "./case.js";

/** @typedef {import("./case.js").Call} Call */
/** @typedef {import("./case.js").Tool} Tool */
/** @typedef {import("./result-summary.js").Answer} Answer */
/** @typedef {import("./results.js").TestRequest} TestRequest */
/** @typedef {import("../../components/case-form.js").Draft} Draft */

const FEW_TOOLS = 20;

/** @param {{ request: TestRequest, answer: Answer, tools: ReadonlyArray<Tool> }} props */
export function SaveCase({ request, answer, tools }) {
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState(/** @type {Draft | undefined} */ (undefined));
  const [saved, setSaved] = useState("");
  const task = useTask();

  const openDialog = () => {
    setDraft((last) => last ?? draftOf(request, answer, tools));
    setSaved("");
    setOpen(true);
  };
  /** @param {Draft} submitted */
  const save = (submitted) =>
    task.run(async (signal) => {
      await saveCase(submitted.suite, caseAndMocks(submitted, request, answer, tools), signal);
      setSaved(`saved as ${submitted.id} in ${submitted.suite} ✓`);
      setOpen(false);
    });
  return html`
    <button type="button" onClick=${openDialog} disabled=${tools.length === 0}>Save as validation case</button>
    <span role="status">${saved}</span>
    <${Dialog} title="Save as validation case" open=${open} onClose=${() => setOpen(false)}>
      ${draft && html`<${CaseForm} draft=${draft} task=${task} onChange=${setDraft} onSave=${save} />`}
    <//>
  `;
}

/** @param {TestRequest} request @param {Answer} answer @param {ReadonlyArray<Tool>} tools @returns {Draft} */
function draftOf({ query }, { tool_calls: calls }, tools) {
  const offer = tools.length <= FEW_TOOLS || calls.length === 0 ? "all" : "called";
  const offered = offer === "all" ? tools.length : calledTools(tools, calls).length;
  return {
    suite: "",
    id: caseIdOf(query),
    category: categoryOf(calls, offered),
    offer,
    expect: JSON.stringify(expectationOf(calls), null, 2),
  };
}

/** @param {ReadonlyArray<Tool>} tools @param {ReadonlyArray<Call>} calls */
function calledTools(tools, calls) {
  return tools.filter((tool) => calls.some((call) => call.tool === tool.name));
}

/** @param {Draft} draft @param {TestRequest} request @param {Answer} answer @param {ReadonlyArray<Tool>} tools */
function caseAndMocks(draft, request, { tool_calls: calls }, tools) {
  const mocks = mocksOf(draft.offer === "all" ? tools : calledTools(tools, calls), calls);
  /** @type {import("./case.js").Case} */
  const added = {
    id: draft.id,
    category: /** @type {import("./case.js").Case["category"]} */ (draft.category),
    description: `Recorded from ${request.model}.`,
    message: request.query,
    tools: mocks.map((mock) => mock.name),
    expect: parseJson(draft.expect),
  };
  return { added, mocks };
}
