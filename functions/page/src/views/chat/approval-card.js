/** Tool calls that wait for the approval of a person, with the buttons of the decision. */
import { Outcome } from "../../components/badges.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { Value } from "../../components/value.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { html, useId, useState } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas["ApprovalView"]} Approval */
/** @typedef {import("../../api/routes.js").Schemas["ApprovalCallView"]} Call */

const REASON_CHARACTERS = 500;

/** @type {Readonly<Record<"approved" | "denied", { tone: "good" | "bad", sign: string }>>} */
const DECISIONS = { approved: { tone: "good", sign: "✓" }, denied: { tone: "bad", sign: "✗" } };

/**
 * @param {{ approval: Approval, disabled?: boolean, onDecided?: (approval: Approval) => void }} props `onDecided`
 * receives the approval after each decision, with the run that goes on after the last one
 */
export function ApprovalCard({ approval: asked, disabled = false, onDecided }) {
  const [latest, setLatest] = useState(/** @type {Approval | undefined} */ (undefined));
  const task = useTask();
  const approval = latest?.id === asked.id ? latest : asked;
  /** @param {Call} call @param {boolean} approve @param {string} reason */
  const decide = ({ call_id, digest }, approve, reason) =>
    void task.run(async () => {
      const decided = await api.decide(approval.id, [{ call_id, digest, approve, reason }]);
      setLatest(decided);
      onDecided?.(decided);
    });
  const { calls, status } = approval;
  return html`
    <section class="approval" aria-label="Approval of tool calls">
      <p><strong>${status === "pending" ? "These actions wait for your decision." : headline(approval)}</strong></p>
      ${calls.map(
        (call) =>
          html`<${CallDecision} key=${call.call_id} call=${call} open=${status === "pending"} busy=${disabled || task.busy} onDecide=${decide} />`,
      )}
      ${task.busy && html`<${BusyIndicator} label="Saving the decision" since=${task.since} />`}
      ${task.error && html`<${Problem} error=${task.error} />`}
    </section>
  `;
}

/** @param {Approval} approval */
function headline({ status }) {
  return status === "decided"
    ? "Every action is decided; the chat goes on."
    : "The time for a decision is over. Send the message again.";
}

/**
 * @param {{ call: Call, open: boolean, busy: boolean,
 *   onDecide: (call: Call, approve: boolean, reason: string) => void }} props
 */
function CallDecision({ call, open, busy, onDecide }) {
  const field = useId();
  const [reason, setReason] = useState("");
  const { tool, decision, approvers = [] } = call;
  return html`
    <div class="approval-call" role="group" aria-label=${`Call of ${tool}`}>
      <div class="row">
        <strong class="mono">${tool}</strong>
        ${decision && html`<${Outcome} tone=${DECISIONS[decision].tone} sign=${DECISIONS[decision].sign}>${decision}<//>`}
        ${approvers.length > 0 && html`<small>decided by the role ${approvers.join(" or ")}</small>`}
      </div>
      ${
        call.is_tainted &&
        html`<p><${Outcome} tone="warn" sign="!">The conversation has read private data and untrusted content, which may be behind this call.<//></p>`
      }
      <${Value} value=${call.arguments} label=${`Arguments of ${tool}`} />
      ${call.reason && html`<p>Reason: ${call.reason}</p>`}
      ${
        open &&
        !decision &&
        html`<div class="row">
          <button type="button" class="primary" aria-label=${`Approve ${tool}`} disabled=${busy} onClick=${() => onDecide(call, true, "")}>Approve</button>
          <button type="button" aria-label=${`Deny ${tool}`} disabled=${busy} onClick=${() => onDecide(call, false, reason.trim())}>Deny</button>
          <label class="hidden" for=${field}>Reason of a denial, which the model receives</label>
          <input
            id=${field}
            type="text"
            maxlength=${REASON_CHARACTERS}
            placeholder="Reason of a denial (optional)"
            value=${reason}
            onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setReason(event.currentTarget.value)}
          />
        </div>`
      }
    </div>
  `;
}
