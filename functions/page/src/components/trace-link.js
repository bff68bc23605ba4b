/** Link to the permalink of a trace. */
import { html } from "../html.js";
import { navigate, tracePath, urlOf } from "../router.js";

/** @param {{ id: string, params?: import("../router.js").Params, children?: unknown }} props `id` is the id of the request */
export function TraceLink({ id, params = {}, children }) {
  /** @param {MouseEvent} event */
  const open = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(tracePath(id), params);
    scrollTo(0, 0);
  };
  return html`<a href=${urlOf(tracePath(id), params)} onClick=${open}>${children ?? "Open trace"}</a>`;
}
