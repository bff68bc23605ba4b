/** A list that is read page by page, as far as a person wants. */
import { useTask } from "../../api/hooks.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { useToken } from "../../token.js";

/**
 * @template T
 * @typedef {{ items: ReadonlyArray<T>, cursor?: string | null | undefined }} ReadPage
 */

/**
 * @template T
 * @param {(cursor: string | undefined, signal: AbortSignal) => Promise<ReadPage<T>>} load
 * @param {ReadonlyArray<unknown>} [inputs] the list is read anew when one of them changes; they are compared as JSON
 * @returns {{ items: ReadonlyArray<T>, read: boolean, more: boolean, next: () => void, restart: () => void,
 *   task: import("../../api/hooks.js").Task }} `read` once a page has come, `more` when another one can be read
 */
export function usePages(load, inputs = []) {
  const token = useToken();
  const held = useRef(load);
  held.current = load;
  const task = useTask();
  const { run } = task;
  const [state, setState] = useState(
    /** @type {{ items: ReadonlyArray<T>, cursor: string | undefined, read: boolean }} */ (none()),
  );
  const key = JSON.stringify(inputs);

  const restart = useCallback(
    () =>
      void run(async (signal) => {
        const page = await held.current(undefined, signal);
        setState({ items: page.items, cursor: page.cursor ?? undefined, read: true });
      }),
    [run],
  );
  useEffect(() => {
    setState(none());
    restart();
  }, [key, token, restart]);

  const next = () =>
    void run(async (signal) => {
      const page = await held.current(state.cursor, signal);
      setState((last) => ({ items: [...last.items, ...page.items], cursor: page.cursor ?? undefined, read: true }));
    });
  return {
    items: state.items,
    read: state.read,
    more: state.cursor !== undefined,
    next: state.read ? next : restart,
    restart,
    task,
  };
}

function none() {
  return { items: [], cursor: undefined, read: false };
}
