/** Tabs of the configuration. */
import { Tabs } from "../../components/tabs.js";
import { count } from "../../format.js";
import { html } from "../../html.js";
import { LLMS, SERVICES, TOOLS } from "./table-columns.js";
import { demoLlms, problemNote, entryStates } from "./entries.js";
import { McpServers } from "./mcp-servers.js";
import { Rules } from "./rules.js";
import { Settings } from "./settings.js";
import { EntryTable } from "./entry-table.js";

/**
 * @param {{ configuration: import("./entries.js").Configuration, faulty: ReadonlyArray<import("./entries.js").Faulty>,
 *   chosen: string, onChoose: (tab: string) => void }} props
 */
export function ConfigurationTabs({ configuration, faulty, chosen, onChoose }) {
  const { rules, tools, llms, services } = configuration;
  const states = entryStates(configuration);
  const demo = demoLlms(configuration);
  /** @param {string} kind */
  const stateOf = (kind) => (/** @type {{ name: string, problems: ReadonlyArray<string> }} */ entry) =>
    states(kind, entry);
  /** @param {ReadonlyArray<unknown>} entries @param {string} kind */
  const noteOf = (entries, kind) => `${count(entries.length)}${problemNote(faulty, [kind])}`;
  const tabs = [
    {
      name: "Rules",
      note: noteOf(rules, "rule"),
      content: () => html`<${Rules} rules=${rules} demo=${demo} stateOf=${stateOf("rule")} />`,
    },
    {
      name: "Tools",
      note: noteOf(tools, "tool"),
      content: () => html`<${EntryTable} ...${TOOLS} entries=${tools} stateOf=${stateOf("tool")} />`,
    },
    { name: "MCP servers", note: problemNote(faulty, ["mcp_server"]), content: () => html`<${McpServers} />` },
    {
      name: "LLMs",
      note: noteOf(llms, "llm"),
      content: () => html`<${EntryTable} ...${LLMS} entries=${llms} stateOf=${stateOf("llm")} />`,
    },
    {
      name: "Services",
      note: noteOf(services, "service"),
      content: () => html`<${EntryTable} ...${SERVICES} entries=${services} stateOf=${stateOf("service")} />`,
    },
    {
      name: "Settings",
      note: problemNote(faulty, ["phase", "schedule"]),
      content: () => html`<${Settings} configuration=${configuration} />`,
    },
  ];
  return html`<${Tabs} label="Configuration sections" tabs=${tabs} chosen=${chosen} onChoose=${onChoose} />`;
}
