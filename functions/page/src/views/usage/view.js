/** Usage view: tokens, chats, tool calls and cost by day, model, caller, tool or rule. */
import { useIsOperator } from "../../api/cached-queries.js";
import { useLoad } from "../../api/hooks.js";
import { traceApi } from "../../api/trace-routes.js";
import { DataTable } from "../../components/data-table.js";
import { EmptyState, Skeleton } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { SplitLayout } from "../../components/split-layout.js";
import { count, counted } from "../../format.js";
import { html } from "../../html.js";
import { currentRoute, navigate } from "../../router.js";
import { useShortcuts } from "../../shortcuts.js";
import { Controls, GROUP_ID } from "./controls.js";
import { UsagePlot } from "./plot.js";
import { dailyValues, MEASURES, money, periodOf, totalOf, totalsByName, valueOf } from "./totals.js";

/** @typedef {import("../../router.js").Params} Params */
/** @typedef {import("../../api/trace-types.js").UsageReport} UsageReport */
/** @typedef {import("./totals.js").Measure} Measure */
/** @typedef {import("./totals.js").Totals} Totals */

const GROUPS = new Set(["day", "model", "caller", "tool", "rule"]);

/** Change parameters of the view's URL. @param {Params} params */
function change(params) {
  navigate("usage", { ...currentRoute().params, ...params }, { replace: true });
}

/** @param {{ route: import("../../router.js").Route }} props */
export function View({ route: { params } }) {
  const operator = useIsOperator();
  const inUrl = params["group"] ?? "";
  // The service groups the usage of a user by day alone.
  const group = operator && GROUPS.has(inUrl) ? inUrl : "day";
  const measure = /** @type {Measure} */ (
    Object.hasOwn(MEASURES, params["measure"] ?? "") ? params["measure"] : "tokens"
  );
  const { since, until } = periodOf(params);
  const { data, error, reload } = useLoad(
    (signal) => traceApi.usage({ group, since, until }, signal),
    [group, since, until],
  );
  useShortcuts([
    { keys: "/", label: "Choose the group", run: () => document.getElementById(GROUP_ID)?.focus() },
    { keys: "r", label: "Refresh the usage", run: reload },
  ]);
  const controls = html`<${Controls} params=${params} group=${group} measure=${measure} onChange=${change} />`;
  return html`
    <${SplitLayout} title="Usage" controls=${controls}>
      ${error && html`<${Problem} error=${error} onRetry=${reload} />`}
      ${!data && !error && html`<${Skeleton} lines=${10} label="the usage" />`}
      ${data && data.rows.length === 0 && html`<${NoUsage} onRefresh=${reload} />`}
      ${data && data.rows.length > 0 && html`<${Report} report=${data} measure=${measure} onRefresh=${reload} />`}
    <//>
  `;
}

/** @param {{ report: UsageReport, measure: Measure, onRefresh: () => void }} props */
function Report({ report, measure, onRefresh }) {
  const format = measure === "cost" ? money : count;
  const total = totalOf(report.rows, "Total");
  return html`
    <div class="row spread">
      <p class="tt-status">${summaryText(report, total)}</p>
      <button type="button" onClick=${onRefresh}>Refresh</button>
    </div>
    ${total.unpriced_tokens > 0 && html`<p class="notice">! The cost lacks ${counted(total.unpriced_tokens, "token")} of models without a price. Add their prices to the configuration to count later chats.</p>`}
    <${UsagePlot} values=${dailyValues(report.rows, report, measure)} title=${MEASURES[measure]} format=${format} />
    <${UsageTable} report=${report} total=${total} />
  `;
}

/** Counters of tools have calls alone, those of models no chats. @param {UsageReport} report @param {Totals} total */
function summaryText({ group }, total) {
  const parts = [
    group !== "tool" && total.chats > 0 && counted(total.chats, "chat"),
    total.failed > 0 && `${count(total.failed)} failed`,
    total.tool_calls > 0 && counted(total.tool_calls, "tool call"),
    valueOf(total, "tokens") > 0 && counted(valueOf(total, "tokens"), "token"),
    (total.cost_usd > 0 || total.unpriced_tokens > 0) && costText(total),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** Cost; what is without a price is missing, not free. @param {Totals} total */
function costText({ cost_usd: cost, unpriced_tokens: unpriced }) {
  if (unpriced === 0) return money(cost);
  return cost > 0 ? `${money(cost)} and more` : "no price";
}

const NUMBERS = [
  "Chats",
  "Failed",
  "Model calls",
  "Tool calls",
  "Input",
  "Cached",
  "Cache writes",
  "Output",
  "Reasoning",
  "Cost",
  "Without price",
];

/** @param {{ report: UsageReport, total: Totals }} props */
function UsageTable({ report: { group, rows }, total }) {
  const title = `${group.charAt(0).toUpperCase()}${group.slice(1)}`;
  return html`<div class="usage-table"><${DataTable} label=${`Usage by ${group}`} caption=${`Usage by ${group}; tokens by class`} columns=${[title, ...NUMBERS]} numbers=${NUMBERS}>
    ${totalsByName(rows, group).map((totals) => html`<${Row} key=${totals.name} totals=${totals} />`)}
    <${Row} totals=${total} />
  <//></div>`;
}

/** @param {{ totals: Totals }} props */
function Row({ totals }) {
  return html`<tr>
    <th scope="row">${totals.name}</th>
    <td class="number">${count(totals.chats)}</td>
    <td class="number">${totals.failed > 0 ? html`<span class="problem-text">${count(totals.failed)}</span>` : "0"}</td>
    <td class="number">${count(totals.model_calls)}</td>
    <td class="number">${count(totals.tool_calls)}</td>
    <td class="number">${count(totals.input_tokens)}</td>
    <td class="number">${count(totals.cached_tokens)}</td>
    <td class="number">${count(totals.cache_write_tokens)}</td>
    <td class="number">${count(totals.output_tokens)}</td>
    <td class="number">${count(totals.reasoning_tokens)}</td>
    <td class="number">${costText(totals)}</td>
    <td class="number">${totals.unpriced_tokens > 0 ? counted(totals.unpriced_tokens, "token") : "–"}</td>
  </tr>`;
}

/** @param {{ onRefresh: () => void }} props */
function NoUsage({ onRefresh }) {
  return html`<${EmptyState} title="See what the chats use">
    <p>
      Each chat adds to the counters of its day: tokens by class, tool calls, failures and, where the configuration has
      prices, cost. Here you compare days, models, tools and rules.
    </p>
    <p>This period has no usage yet. Send a message in the Chat view, or select another period.</p>
    <p><button type="button" onClick=${onRefresh}>Refresh</button></p>
  <//>`;
}
