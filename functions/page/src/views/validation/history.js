/** The verdicts of one model, of one category or all of them: the newest first, with what was wrong. */
import { api } from "../../api/routes.js";
import { rateText } from "../../components/badges.js";
import { counted, dollars, duration } from "../../format.js";
import { html, useState } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { CATEGORIES } from "./categories.js";
import { Panel } from "./side-panel.js";
import { usePages } from "./paginated-list.js";
import { VerdictPages } from "./verdicts.js";

/** @typedef {import("./heat-map-rows.js").Status} Status */

const PAGE = 100;

/**
 * @param {{ model: string, category: string, status: Status | undefined, focus: boolean, onClose: () => void }} props
 * `category` is empty for all of them; `focus` when a person has just opened it
 */
export function History({ model, category, status, focus, onClose }) {
  const [wrongOnly, setWrongOnly] = useState(false);
  const known = CATEGORIES.find((each) => each.name === category);
  const pages = usePages(
    async (cursor, signal) => {
      const { records, cursor: following } = await api.history(model, { limit: PAGE, cursor, signal });
      return { items: records, cursor: following };
    },
    [model],
  );
  useShortcuts([{ keys: "Escape", label: "close the verdicts", run: onClose }]);
  const rate = known ? status?.categories?.[known.name] : status?.rate;
  return html`
    <${Panel} title=${`${known ? known.title : "All verdicts"} · ${model}`} focus=${focus} onClose=${onClose}>
      ${known && html`<p>Tries: ${known.tries}.</p>`}
      ${status?.demo && html`<p class="notice">! These are verdicts of the demo model: they say nothing about a real model.</p>`}
      ${rate && html`<p>${rate.successes} of ${counted(rate.tests, "test")} passed, ${rateText(rate)}.</p>`}
      ${!known && status && html`<${Means} status=${status} />`}
      <${VerdictPages}
        pages=${pages}
        label=${`Verdicts of ${model}`}
        wanted=${(/** @type {import("./live-verdicts.js").Verdict} */ verdict) => !known || verdict.category === known.name}
        wrongOnly=${wrongOnly}
        onWrongOnly=${setWrongOnly}
      />
    <//>
  `;
}

/** What a case takes on the average, and what was not counted. @param {{ status: Status }} props */
function Means({ status }) {
  const facts = [
    typeof status.latency_ms === "number" && duration(status.latency_ms),
    typeof status.tokens === "number" && counted(Math.round(status.tokens), "token"),
    typeof status.cost_usd === "number" && dollars(status.cost_usd),
  ].filter(Boolean);
  const { by_hand } = status;
  const uncounted = [
    (status.errors ?? 0) > 0 && counted(status.errors ?? 0, "error"),
    (status.no_tool_calls ?? 0) > 0 && `${counted(status.no_tool_calls ?? 0, "plain test")} without a tool call`,
    by_hand && `${counted(by_hand.tests + by_hand.errors + by_hand.no_tool_calls, "test")} by hand`,
  ].filter(Boolean);
  return html`<p>
    ${facts.length > 0 && `A case takes ${facts.join(", ")} on average.`}
    ${uncounted.length > 0 && ` Not counted: ${uncounted.join(", ")}.`}
  </p>`;
}
