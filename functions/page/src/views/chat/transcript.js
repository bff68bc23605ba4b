/** Turns of a session, newest last. */
import { Problem } from "../../components/problem.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { html, useMemo, useRef } from "../../html.js";
import { Turn } from "./turn.js";

/** @typedef {import("./turns.js").Turn} TurnData */

/**
 * `busy`: the last turn is being answered. `usedTokens`: resume tokens that were used or rejected. `resumable` is the number
 * of the turn whose partial answer can be continued.
 * @param {{ session: string, list: { current: HTMLElement | null }, turns: ReadonlyArray<TurnData>, from: number, busy: boolean, usedTokens: ReadonlyArray<string>,
 *   earlier: ReturnType<typeof import("./use-conversation.js").useConversation>["earlier"],
 *   actions: import("./turn-actions.js").TurnActions, resumable: number,
 *   onToggle: (event: Event) => void, onResume: (answer: import("./turns.js").Answer) => void, children?: unknown }} props
 */
export function Transcript({
  session,
  list,
  turns,
  from,
  busy,
  usedTokens,
  earlier,
  actions,
  resumable,
  onToggle,
  onResume,
  children,
}) {
  const latest = useRef({ onResume, actions });
  latest.current = { onResume, actions };
  const { busy: disabled, editing } = actions;
  // Memoized: typing a message must not render the turns again.
  const shown = useMemo(() => {
    const last = turns.at(-1);
    /** @type {import("./turn-actions.js").TurnActions} */
    const shownActions = {
      busy: disabled,
      editing,
      edit: (turn, text) => latest.current.actions.edit(turn, text),
      sendEdit: (turn, text) => latest.current.actions.sendEdit(turn, text),
      endEdit: (turn) => latest.current.actions.endEdit(turn),
      regenerate: (turn) => latest.current.actions.regenerate(turn),
      show: (turn) => latest.current.actions.show(turn),
    };
    return turns.map((turn) => {
      const { received, number } = turn;
      const isLast = turn === last && (number === undefined || number === resumable);
      return html`
        <${Turn}
          key=${turn.key}
          session=${session}
          turn=${turn}
          open=${busy && turn === last}
          tokenUsed=${usedTokens.includes(received?.resume_token ?? "")}
          actions=${shownActions}
          onResume=${received && isLast && !busy ? () => latest.current.onResume(received) : undefined}
        />
      `;
    });
  }, [session, turns, busy, usedTokens, disabled, editing, resumable]);
  return html`
    ${
      from > 1 &&
      html`<div class="row">
        <button type="button" disabled=${earlier.busy} onClick=${earlier.show}>Show earlier messages</button>
        ${earlier.busy && html`<${BusyIndicator} label="Loading earlier messages" since=${earlier.since} />`}
      </div>`
    }
    ${earlier.error && html`<${Problem} error=${earlier.error} onRetry=${earlier.show} />`}
    <div class="chat-turns" ref=${list} onClickCapture=${onToggle}>
      ${shown} ${children}
    </div>
  `;
}
