/** What is known of the models: the map, two of them compared, and the verdicts behind a cell. */
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { html, useRef } from "../../html.js";
import { Comparison } from "./comparison.js";
import { HeatMap } from "./heat-map.js";
import { History } from "./history.js";
import { namesIn, orderOf, toggled, toolModels, untested } from "./heat-map-rows.js";
import { NothingYet, Untested } from "./untested-models.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/**
 * @param {{ params: import("./run-params.js").Params, change: typeof import("./view.js").change,
 *   statuses: import("../../api/hooks.js").Loaded<Schemas["StatusList"]>, rows: ReadonlyArray<import("./heat-map-rows.js").Status>,
 *   models: import("../../api/hooks.js").Loaded<Schemas["ModelList"]>, onFill: ((models: string) => void) | undefined }} props `onFill` is for who may start a run
 */
export function Known({ params, change, statuses, rows, models, onFill }) {
  const opener = useRef(/** @type {Element | null} */ (null));
  const listed = models.data?.models ?? [];
  const { model, category = "", run } = params;

  /** @param {import("./heat-map.js").Cell} cell */
  const open = (cell) => {
    opener.current = document.activeElement;
    change(cell, { replace: false });
  };
  const close = () => {
    change({ model: "", category: "" }, { replace: false });
    if (opener.current instanceof HTMLElement) opener.current.focus();
    opener.current = null;
  };
  return html`
    ${statuses.error && html`<${Problem} error=${statuses.error} onRetry=${statuses.reload} />`}
    ${!statuses.data && !statuses.error && html`<${Skeleton} lines=${6} what="what is known of the models" />`}
    ${statuses.data && rows.length === 0 && !run && html`<${NothingYet} models=${models} first=${toolModels(listed)[0]?.id} onFill=${onFill} />`}
    ${
      rows.length > 0 &&
      html`
        <h2>What is known</h2>
        <${HeatMap}
          statuses=${rows}
          order=${orderOf(params.sort)}
          onOrder=${(/** @type {string} */ sort) => change({ sort })}
          ticked=${namesIn(params.compare)}
          onTick=${(/** @type {string} */ name) => change({ compare: toggled(namesIn(params.compare), name).join(" ") })}
          open=${model && { model, category }}
          onOpen=${open}
        />
        <${Compared} names=${namesIn(params.compare)} rows=${rows} onClose=${() => change({ compare: "" })} />
        ${onFill && html`<${Untested} models=${untested(listed, rows)} onFill=${onFill} />`}
      `
    }
    ${
      model &&
      html`<${History}
        model=${model}
        category=${category}
        status=${rows.find((status) => status.model_id === model)}
        focus=${opener.current !== null}
        onClose=${close}
      />`
    }
  `;
}

/** @param {{ names: string[], rows: ReadonlyArray<import("./heat-map-rows.js").Status>, onClose: () => void }} props */
function Compared({ names, rows, onClose }) {
  const [a, b] = names.map((name) => rows.find((status) => status.model_id === name));
  if (a && b) return html`<${Comparison} a=${a} b=${b} onClose=${onClose} />`;
  return names.length === 1 && html`<p role="status">Tick another model to compare it with ${names[0]}.</p>`;
}
