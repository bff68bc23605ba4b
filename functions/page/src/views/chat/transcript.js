/** The turns of a session, the newest at the end, where the page begins. */
import { Problem } from "../../components/problem.js";
import { Busy } from "../../components/loading-states.js";
import { html, useMemo, useRef } from "../../html.js";
import { Turn } from "./turn.js";

/** @typedef {import("./turns.js").Turn} TurnData */

/**
 * `busy` says that the last turn is being answered, `used` has the tokens that are good for nothing more.
 * @param {{ list: { current: HTMLElement | null }, turns: ReadonlyArray<TurnData>, from: number, busy: boolean, used: ReadonlyArray<string>,
 *   earlier: ReturnType<typeof import("./use-conversation.js").useConversation>["earlier"],
 *   onUnfold: (event: Event) => void, onResume: (answer: import("./turns.js").Answer) => void, children?: unknown }} props
 */
export function Transcript({ list, turns, from, busy, used, earlier, onUnfold, onResume, children }) {
  const resume = useRef(onResume);
  resume.current = onResume;
  // The same nodes as long as nothing in them changes: a letter typed below costs nothing here.
  const shown = useMemo(() => {
    const last = turns.at(-1);
    return turns.map((turn) => {
      const { told } = turn;
      return html`
        <${Turn}
          key=${turn.key}
          turn=${turn}
          open=${busy && turn === last}
          spent=${used.includes(told?.resume_token ?? "")}
          onResume=${told && turn === last && !busy ? () => resume.current(told) : undefined}
        />
      `;
    });
  }, [turns, busy, used]);
  return html`
    ${
      from > 1 &&
      html`<div class="row">
        <button type="button" disabled=${earlier.busy} onClick=${earlier.show}>Show earlier messages</button>
        ${earlier.busy && html`<${Busy} what="reading earlier messages" since=${earlier.since} />`}
      </div>`
    }
    ${earlier.error && html`<${Problem} error=${earlier.error} onRetry=${earlier.show} />`}
    <div class="chat-turns" ref=${list} onClickCapture=${onUnfold}>
      ${shown} ${children}
    </div>
  `;
}
