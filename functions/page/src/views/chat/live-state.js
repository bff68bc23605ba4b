/** State of an answer while it arrives: a reducer of the events of its stream. */

/** @typedef {import("../../api/chat-events.js").ChatEvent} ChatEvent */

/**
 * Step of the answer; `ms` is missing while it runs.
 * @typedef {{ key: string, kind: "phase" | "rule" | "tool" | "reasoning", name: string, detail: string,
 *   status: "running" | "done" | "failed", ms: number | undefined, error: string }} LiveStep
 */

/**
 * `text` is that of the current model turn, `remarks` are the texts of earlier turns. `attempt` is the number of the
 * attempt to connect again, 0 while connected. `request` is the id of the request.
 * @typedef {{ run: string, request: string, model: string, iteration: number, text: string, remarks: ReadonlyArray<string>,
 *   steps: ReadonlyArray<LiveStep>, warnings: ReadonlyArray<string>, attempt: number }} LiveState
 */

/** @type {LiveState} */
export const INITIAL_LIVE = {
  run: "",
  request: "",
  model: "",
  iteration: 0,
  text: "",
  remarks: [],
  steps: [],
  warnings: [],
  attempt: 0,
};

const DETAIL_CHARACTERS = 120;

/** @param {LiveState} state @param {ChatEvent} event @returns {LiveState} */
export function reduceEvent(state, event) {
  const connected = state.attempt === 0 ? state : { ...state, attempt: 0 };
  switch (event.name) {
    case "accepted":
      return { ...connected, run: event.data.run_id, request: event.data.request_id };
    case "phase":
      return addStep(connected, phaseStep(event.data));
    case "rule":
      return event.data.rule ? addStep(connected, { kind: "rule", name: event.data.rule, status: "done" }) : connected;
    case "model_started":
      return { ...startTurn(connected, event.data.iteration), model: event.data.model };
    case "delta":
      return addText(startTurn(connected, event.data.iteration), event.data.text);
    case "reasoning":
      return addStep(connected, { kind: "reasoning", name: "reasoning", detail: event.data.text, status: "done" });
    case "tool_started":
      return addStep(connected, {
        key: callKey(event.data),
        kind: "tool",
        name: event.data.tool,
        detail: compact(event.data.arguments),
        status: "running",
      });
    case "tool_finished":
      return finishTool(connected, event.data);
    case "warning":
      return { ...connected, warnings: [...connected.warnings, event.data.message] };
    default:
      return connected;
  }
}

/**
 * True if the service keeps the turn of an answer that is stopped now: after its first text or its first complete step.
 * @param {LiveState} state
 */
export function hasBegun({ text, remarks, steps }) {
  return (
    text.trim() !== "" ||
    remarks.length > 0 ||
    steps.some(({ kind, status }) => kind === "tool" && status !== "running")
  );
}

/** @param {LiveState} state @param {number} attempt @returns {LiveState} */
export function markLost(state, attempt) {
  return { ...state, attempt };
}

/** @param {Extract<ChatEvent, { name: "phase" }>["data"]} data @returns {Partial<LiveStep> & Pick<LiveStep, "kind" | "name" | "status">} */
function phaseStep({ phase, name = "", duration_ms: ms, ok }) {
  return { kind: "phase", name: phase, detail: name, status: ok === false ? "failed" : "done", ms };
}

/** Begin the text of another model turn. @param {LiveState} state @param {number} iteration @returns {LiveState} */
function startTurn(state, iteration) {
  if (iteration === state.iteration) return state;
  const remarks = state.text.trim() === "" ? state.remarks : [...state.remarks, state.text];
  return { ...state, iteration, text: "", remarks };
}

/** @param {LiveState} state @param {string} text @returns {LiveState} */
function addText(state, text) {
  return { ...state, text: state.text + text };
}

/** @param {LiveState} state @param {Partial<LiveStep> & Pick<LiveStep, "kind" | "name" | "status">} step @returns {LiveState} */
function addStep(state, step) {
  const key = step.key ?? `step ${state.steps.length}`;
  return { ...state, steps: [...state.steps, { detail: "", error: "", ms: undefined, ...step, key }] };
}

/** @param {LiveState} state @param {Extract<ChatEvent, { name: "tool_finished" }>["data"]} data @returns {LiveState} */
function finishTool(state, data) {
  const key = callKey(data);
  const status = data.ok ? /** @type {const} */ ("done") : /** @type {const} */ ("failed");
  const end = { status, ms: data.duration_ms, error: data.error ?? "" };
  if (!state.steps.some((step) => step.key === key)) {
    return addStep(state, { key, kind: "tool", name: data.tool, ...end });
  }
  return { ...state, steps: state.steps.map((step) => (step.key === key ? { ...step, ...end } : step)) };
}

/** Call ids are unique only within an iteration. @param {{ iteration: number, call_id: string }} call */
function callKey({ iteration, call_id: id }) {
  return `call ${iteration} ${id}`;
}

/** @param {unknown} value */
function compact(value) {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > DETAIL_CHARACTERS ? `${text.slice(0, DETAIL_CHARACTERS)}…` : text;
}
