/** The view that the URL names: its modules are loaded when it is first opened. */
import { Problem } from "../components/problem.js";
import { Skeleton } from "../components/states.js";
import { ApiError } from "../api/client.js";
import { html, useEffect, useState } from "../html.js";

/** @typedef {import("../location.js").Place} Place */
/** @typedef {(props: { place: Place }) => unknown} ViewComponent */

/** @type {Readonly<Record<import("../location.js").ViewName, () => Promise<{ View: ViewComponent }>>>} */
const MODULES = {
  "tools-testing": () => import("../views/tools-testing/view.js"),
  chat: () => import("../views/chat/view.js"),
  validation: () => import("../views/validation/view.js"),
  retrieval: () => import("../views/retrieval/view.js"),
  configuration: () => import("../views/configuration/view.js"),
};

/** @param {{ place: Place }} props */
export function View({ place }) {
  const [component, setComponent] = useState(/** @type {ViewComponent | undefined} */ (undefined));
  const [error, setError] = useState(/** @type {ApiError | undefined} */ (undefined));
  useEffect(() => {
    MODULES[place.view]().then(
      (module) => setComponent(() => module.View),
      () =>
        setError(
          new ApiError(
            "offline",
            "This view could not be loaded. Check that the stack runs, then load the page again.",
          ),
        ),
    );
  }, [place.view]);
  if (error) return html`<${Problem} error=${error} onRetry=${() => location.reload()} retry="Load the page again" />`;
  if (!component) return html`<${Skeleton} lines=${6} what="the view" />`;
  return html`<${component} place=${place} />`;
}
