/** Shared conversation, read-only. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { RelativeTime } from "../../components/badges.js";
import { Skeleton } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { counted } from "../../format.js";
import { html, useMemo } from "../../html.js";
import { sharedSecret } from "../../router.js";
import { Turn } from "../chat/turn.js";
import { buildTurns } from "../chat/turns.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

const MESSAGES = 100;

/** @param {{ route: import("../../router.js").Route }} props */
export function View({ route }) {
  const secret = sharedSecret();
  const loaded = useLoad((signal) => readAll(route.id, secret, signal), [route.id, secret]);
  const { data, error } = loaded;
  const turns = useMemo(() => buildTurns(data?.messages ?? [], []), [data]);
  return html`
    <div class="shared-session">
      <div>
        <h1>${data?.title || "Shared conversation"}</h1>
        ${
          data &&
          html`<small>Read-only, ${counted(data.turns, "turn")}, shared <${RelativeTime} at=${data.shared_at} />, link
            expires <${RelativeTime} at=${data.expires_at} />${data.tool_calls ? "" : ", without tool calls"}</small>`
        }
      </div>
      ${error && html`<${Problem} error=${error} onRetry=${error.status === 404 ? undefined : loaded.reload} />`}
      ${!data && !error && html`<${Skeleton} lines=${8} label="the conversation" />`}
      <div class="chat-turns">
        ${turns.map((turn) => html`<${Turn} key=${turn.key} session="" turn=${turn} open=${false} tokenUsed=${false} />`)}
      </div>
    </div>
  `;
}

/**
 * @param {string} share
 * @param {string} secret
 * @param {AbortSignal} signal
 * @returns {Promise<Schemas["SharedSession"]>}
 */
async function readAll(share, secret, signal) {
  const first = await api.sharedSession(share, secret, { limit: MESSAGES, signal });
  const messages = [...first.messages];
  for (let { cursor } = first; cursor;) {
    const page = await api.sharedSession(share, secret, { limit: MESSAGES, cursor, signal });
    messages.push(...page.messages);
    cursor = page.cursor;
  }
  return { ...first, messages };
}
