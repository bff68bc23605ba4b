/** The response rules in the order in which they are tried. */
import { DemoMark } from "../../components/badges.js";
import { counted } from "../../format.js";
import { html } from "../../html.js";
import { shortened } from "../../waterfall.js";
import { conditionsOf } from "./entries.js";
import { EntryTable, Names } from "./entry-table.js";

/** @typedef {import("../../api/routes.js").Schemas["ConfiguredRuleView"]} Rule */

const VALUE_CHARACTERS = 300;

/** @param {ReadonlySet<string>} demo @returns {ReadonlyArray<import("./entry-table.js").Column<Rule>>} */
const columnsOf = (demo) => [
  { title: "Answers when", cell: (rule) => html`<${Conditions} rule=${rule} />` },
  { title: "Model", cell: (rule) => html`<${Models} rule=${rule} demo=${demo} />` },
  { title: "Tools", cell: (rule) => html`<${Tools} rule=${rule} />` },
];

/**
 * @param {{ rules: ReadonlyArray<Rule>, demo: ReadonlySet<string>,
 *   stateOf: (rule: Rule) => import("./entries.js").State }} props `demo` are the llms that the demo model answers for
 */
export function Rules({ rules, demo, stateOf }) {
  return html`<${EntryTable}
    caption="Rules, in the order in which they are tried"
    none="There is no rule: no chat can be answered."
    entries=${rules}
    columns=${columnsOf(demo)}
    stateOf=${stateOf}
  />`;
}

/** @param {{ rule: Rule }} props */
function Conditions({ rule: { match, fallback } }) {
  if (fallback) return "no other rule does";
  return conditionsOf(match ?? {}).map(
    ({ field, relation, value }, index) => html`
      <div>${index > 0 && "and "}<code>${field}</code> ${relation} <code>${shortened(value, VALUE_CHARACTERS)}</code></div>
    `,
  );
}

/** @param {{ rule: Rule, demo: ReadonlySet<string> }} props */
function Models({ rule, demo }) {
  if (!rule.llm) return null;
  return html`
    <code>${rule.llm}:${rule.model}</code>${demo.has(rule.llm) && html` <${DemoMark} />`}
    ${rule.fallbacks.length > 0 && html`<div><small>then</small> <${Names} names=${rule.fallbacks} /></div>`}
    ${rule.require_validated && html`<div><small>only while validated</small></div>`}
  `;
}

/** @param {{ rule: Rule }} props */
function Tools({ rule: { llm, allowed_tools: tools, max_iterations: turns, max_tool_calls: calls } }) {
  if (!llm) return null;
  if (!turns) return "none";
  return html`
    ${tools === null ? "all" : html`<${Names} names=${tools} none="none" />`}
    <div><small>${counted(turns, "turn")} and ${counted(calls ?? 0, "call")} at most</small></div>
  `;
}
