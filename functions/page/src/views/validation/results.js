/** Results: heat map, comparison of two models, verdicts of a cell. */
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { html, useRef } from "../../html.js";
import { Comparison } from "./comparison.js";
import { HeatMap } from "./heat-map.js";
import { History } from "./history.js";
import { parseNames, parseOrder, toggleModel, toolCallingModels, untestedModels } from "./heat-map-rows.js";
import { NoResults, UntestedModels } from "./untested-models.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/**
 * @param {{ params: import("./run-params.js").Params, change: typeof import("./view.js").change,
 *   statuses: import("../../api/hooks.js").Loaded<Schemas["StatusList"]>, rows: ReadonlyArray<import("./heat-map-rows.js").Status>,
 *   models: import("../../api/hooks.js").Loaded<Schemas["ModelList"]>, onFill: ((models: string) => void) | undefined }} props `onFill` is undefined if the caller may not start runs
 */
export function Results({ params, change, statuses, rows, models, onFill }) {
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
    ${!statuses.data && !statuses.error && html`<${Skeleton} lines=${6} label="the results" />`}
    ${statuses.data && rows.length === 0 && !run && html`<${NoResults} models=${models} first=${toolCallingModels(listed)[0]?.id} onFill=${onFill} />`}
    ${
      rows.length > 0 &&
      html`
        <h2>Results</h2>
        <${HeatMap}
          statuses=${rows}
          order=${parseOrder(params.sort)}
          onOrder=${(/** @type {string} */ sort) => change({ sort })}
          ticked=${parseNames(params.compare)}
          onTick=${(/** @type {string} */ name) => change({ compare: toggleModel(parseNames(params.compare), name).join(" ") })}
          open=${model && { model, category }}
          onOpen=${open}
        />
        <${SelectedComparison} names=${parseNames(params.compare)} rows=${rows} onClose=${() => change({ compare: "" })} />
        ${onFill && html`<${UntestedModels} models=${untestedModels(listed, rows)} onFill=${onFill} />`}
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
function SelectedComparison({ names, rows, onClose }) {
  const [a, b] = names.map((name) => rows.find((status) => status.model_id === name));
  if (a && b) return html`<${Comparison} a=${a} b=${b} onClose=${onClose} />`;
  return names.length === 1 && html`<p role="status">Select another model to compare with ${names[0]}.</p>`;
}
