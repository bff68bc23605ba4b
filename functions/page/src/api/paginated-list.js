/** Hook: a list loaded page by page. */
import { useTask } from "./hooks.js";
import { useCallback, useEffect, useRef, useState } from "../html.js";
import { useSignInKey } from "../token.js";

/**
 * @template T
 * @typedef {{ items: ReadonlyArray<T>, cursor?: string | null | undefined }} PageOfItems
 */

/**
 * @template T
 * @param {(cursor: string | undefined, signal: AbortSignal) => Promise<PageOfItems<T>>} load
 * @param {ReadonlyArray<unknown>} [inputs] reload the list when they change, compared as JSON
 * @returns {{ items: ReadonlyArray<T>, isLoaded: boolean, more: boolean, next: () => void, restart: () => void,
 *   task: import("./hooks.js").Task }} `isLoaded` after the first page, `more` if another page exists
 */
export function usePaginatedList(load, inputs = []) {
  const signIn = useSignInKey();
  const latestLoad = useRef(load);
  latestLoad.current = load;
  const task = useTask();
  const { run } = task;
  const [state, setState] = useState(
    /** @type {{ items: ReadonlyArray<T>, cursor: string | undefined, isLoaded: boolean }} */ (noItems()),
  );
  const key = JSON.stringify(inputs);

  const restart = useCallback(
    () =>
      void run(async (signal) => {
        const page = await latestLoad.current(undefined, signal);
        setState({ items: page.items, cursor: page.cursor ?? undefined, isLoaded: true });
      }),
    [run],
  );
  useEffect(() => {
    setState(noItems());
    restart();
  }, [key, signIn, restart]);

  const next = () =>
    void run(async (signal) => {
      const page = await latestLoad.current(state.cursor, signal);
      setState((last) => ({ items: [...last.items, ...page.items], cursor: page.cursor ?? undefined, isLoaded: true }));
    });
  return {
    items: state.items,
    isLoaded: state.isLoaded,
    more: state.cursor !== undefined,
    next: state.isLoaded ? next : restart,
    restart,
    task,
  };
}

function noItems() {
  return { items: [], cursor: undefined, isLoaded: false };
}
