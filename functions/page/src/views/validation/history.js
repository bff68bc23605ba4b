/** Verdicts of one model, for one category or all, newest first. */
import { api } from "../../api/routes.js";
import { rateText } from "../../components/badges.js";
import { counted, dollars, duration } from "../../format.js";
import { html, useState } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { CATEGORIES } from "./categories.js";
import { SidePanel } from "./side-panel.js";
import { usePaginatedList } from "../../api/paginated-list.js";
import { VerdictPages } from "./verdicts.js";

/** @typedef {import("./heat-map-rows.js").Status} Status */

const PAGE = 100;

/**
 * @param {{ model: string, category: string, status: Status | undefined, focus: boolean, onClose: () => void }} props
 * `category` is empty for all; `focus` is true after the user opened it
 */
export function History({ model, category, status, focus, onClose }) {
  const [failedOnly, setFailedOnly] = useState(false);
  const selected = CATEGORIES.find((each) => each.name === category);
  const pages = usePaginatedList(
    async (cursor, signal) => {
      const { records, cursor: following } = await api.history(model, { limit: PAGE, cursor, signal });
      return { items: records, cursor: following };
    },
    [model],
  );
  useShortcuts([{ keys: "Escape", label: "Close the verdicts", run: onClose }]);
  const rate = selected ? status?.categories?.[selected.name] : status?.rate;
  return html`
    <${SidePanel} title=${`${selected ? selected.title : "All verdicts"} · ${model}`} focus=${focus} onClose=${onClose}>
      ${selected && html`<p>Tests: ${selected.description}.</p>`}
      ${status?.demo && html`<p class="notice">! Verdicts of the demo model are no evidence about a real model.</p>`}
      ${rate && html`<p>${rate.successes} of ${counted(rate.tests, "test")} passed, ${rateText(rate)}.</p>`}
      ${!selected && status && html`<${Averages} status=${status} />`}
      <${VerdictPages}
        pages=${pages}
        label=${`Verdicts of ${model}`}
        filter=${(/** @type {import("./live-verdicts.js").Verdict} */ verdict) => !selected || verdict.category === selected.name}
        failedOnly=${failedOnly}
        onFailedOnly=${setFailedOnly}
      />
    <//>
  `;
}

/** Averages per case, and uncounted tests. @param {{ status: Status }} props */
function Averages({ status }) {
  const facts = [
    typeof status.latency_ms === "number" && duration(status.latency_ms),
    typeof status.tokens === "number" && counted(Math.round(status.tokens), "token"),
    typeof status.cost_usd === "number" && dollars(status.cost_usd),
  ].filter(Boolean);
  const { by_hand } = status;
  const uncounted = [
    (status.errors ?? 0) > 0 && counted(status.errors ?? 0, "error"),
    (status.no_tool_calls ?? 0) > 0 && `${counted(status.no_tool_calls ?? 0, "plain test")} without a tool call`,
    by_hand && `${counted(by_hand.tests + by_hand.errors + by_hand.no_tool_calls, "test")} run manually`,
  ].filter(Boolean);
  return html`<p>
    ${facts.length > 0 && `Average per case: ${facts.join(", ")}.`}
    ${uncounted.length > 0 && ` Not counted: ${uncounted.join(", ")}.`}
  </p>`;
}
