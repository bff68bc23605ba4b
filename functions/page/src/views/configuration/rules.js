/** Response rules in order of evaluation. */
import { DemoBadge } from "../../components/badges.js";
import { counted } from "../../format.js";
import { html } from "../../html.js";
import { truncate } from "../../waterfall.js";
import { describeConditions } from "./entries.js";
import { EntryTable, Names } from "./entry-table.js";

/** @typedef {import("../../api/routes.js").Schemas["ConfiguredRuleView"]} Rule */

const VALUE_CHARACTERS = 300;

/** @param {ReadonlySet<string>} demo @returns {ReadonlyArray<import("./entry-table.js").Column<Rule>>} */
const columnsOf = (demo) => [
  { title: "Conditions", cell: (rule) => html`<${Conditions} rule=${rule} />` },
  { title: "Model", cell: (rule) => html`<${Models} rule=${rule} demo=${demo} />` },
  { title: "Tools", cell: (rule) => html`<${Tools} rule=${rule} />` },
];

/**
 * @param {{ rules: ReadonlyArray<Rule>, demo: ReadonlySet<string>,
 *   stateOf: (rule: Rule) => import("./entries.js").State }} props `demo`: LLMs served by the demo model
 */
export function Rules({ rules, demo, stateOf }) {
  return html`<${EntryTable}
    caption="Rules in order of evaluation"
    none="No rules are configured, so chats fail."
    entries=${rules}
    columns=${columnsOf(demo)}
    stateOf=${stateOf}
  />`;
}

/** @param {{ rule: Rule }} props */
function Conditions({ rule: { match, fallback } }) {
  if (fallback) return "none: fallback rule";
  return describeConditions(match ?? {}).map(
    ({ field, relation, value }, index) => html`
      <div>${index > 0 && "and "}<code>${field}</code> ${relation} <code>${truncate(value, VALUE_CHARACTERS)}</code></div>
    `,
  );
}

/** @param {{ rule: Rule, demo: ReadonlySet<string> }} props */
function Models({ rule, demo }) {
  if (!rule.llm) return null;
  return html`
    <code>${rule.llm}:${rule.model}</code>${demo.has(rule.llm) && html` <${DemoBadge} />`}
    ${rule.fallbacks.length > 0 && html`<div><small>then</small> <${Names} names=${rule.fallbacks} /></div>`}
    ${rule.require_validated && html`<div><small>requires validation</small></div>`}
  `;
}

/** @param {{ rule: Rule }} props */
function Tools({ rule: { llm, allowed_tools: tools, max_iterations: turns, max_tool_calls: calls } }) {
  if (!llm) return null;
  if (!turns) return "none";
  return html`
    ${tools === null ? "all" : html`<${Names} names=${tools} none="none" />`}
    <div><small>at most ${counted(turns, "iteration")} and ${counted(calls ?? 0, "call")}</small></div>
  `;
}
