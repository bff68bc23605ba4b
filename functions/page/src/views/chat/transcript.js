/** Turns of a session, newest last. */
import { Problem } from "../../components/problem.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { html, useMemo, useRef } from "../../html.js";
import { Turn } from "./turn.js";

/** @typedef {import("./turns.js").Turn} TurnData */

/**
 * `busy`: the last turn is being answered. `usedTokens`: resume tokens that were used or rejected.
 * @param {{ session: string, list: { current: HTMLElement | null }, turns: ReadonlyArray<TurnData>, from: number, busy: boolean, usedTokens: ReadonlyArray<string>,
 *   earlier: ReturnType<typeof import("./use-conversation.js").useConversation>["earlier"],
 *   onToggle: (event: Event) => void, onResume: (answer: import("./turns.js").Answer) => void, children?: unknown }} props
 */
export function Transcript({ session, list, turns, from, busy, usedTokens, earlier, onToggle, onResume, children }) {
  const resume = useRef(onResume);
  resume.current = onResume;
  // Memoized: typing a message must not render the turns again.
  const shown = useMemo(() => {
    const last = turns.at(-1);
    return turns.map((turn) => {
      const { received } = turn;
      return html`
        <${Turn}
          key=${turn.key}
          session=${session}
          turn=${turn}
          open=${busy && turn === last}
          tokenUsed=${usedTokens.includes(received?.resume_token ?? "")}
          onResume=${received && turn === last && !busy ? () => resume.current(received) : undefined}
        />
      `;
    });
  }, [session, turns, busy, usedTokens]);
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
