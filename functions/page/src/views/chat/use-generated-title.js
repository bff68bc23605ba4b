/** Title that a model writes after the first answer: the session is read again until it has it. */
import { api } from "../../api/routes.js";
import { useEffect, useRef } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */

const WAITS_MS = [1_000, 2_000, 3_000, 5_000, 8_000];

/**
 * @param {ReadonlyArray<import("./turns.js").ReceivedAnswer>} received answers of this visit
 * @param {Session | undefined} shown the open session
 * @param {(session: Session) => void} update
 * @param {(session: Session) => void} add
 */
export function useGeneratedTitle(received, shown, update, add) {
  const session = received.at(-1)?.answer.session;
  const id = session?.title_pending ? session.id : "";
  const before = session?.title ?? "";
  const latest = useRef(shown);
  latest.current = shown;
  useEffect(() => {
    if (id === "") return undefined;
    const controller = new AbortController();
    const read = async () => {
      for (const wait of WAITS_MS) {
        await new Promise((resolve) => setTimeout(resolve, wait));
        if (controller.signal.aborted) return;
        const now = await api.session(id, controller.signal);
        // A title of the user, given while this was read, is newer.
        if (latest.current?.id === id && latest.current.title !== before) return;
        if (now.title !== before) {
          update(now);
          add(now);
          return;
        }
      }
    };
    // Without the title, the beginning of the message stays.
    read().catch(() => undefined);
    return () => controller.abort();
  }, [id, before, update, add]);
}
