/** What is told of each tool, llm and service, as columns of a table. */
import { distance, duration } from "../../format.js";
import { html } from "../../html.js";
import { DemoMark } from "../../components/badges.js";
import { Names } from "./entry-table.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/** @param {boolean | null | undefined} value */
function yesOrNo(value) {
  if (typeof value !== "boolean") return "";
  return value ? "yes" : "no";
}

/** @param {number | null | undefined} value */
function near(value) {
  return typeof value === "number" ? distance(value) : "";
}

export const TOOLS = {
  caption: "Tools",
  none: "No tool is configured: the models answer without.",
  columns: /** @type {ReadonlyArray<import("./entry-table.js").Column<Schemas["ConfiguredToolView"]>>} */ ([
    { title: "Type", cell: (tool) => tool.type },
    { title: "Timeout", number: true, cell: (tool) => (tool.timeout_ms ? duration(tool.timeout_ms) : "") },
    { title: "Idempotent", cell: (tool) => yesOrNo(tool.idempotent) },
    { title: "Repeatable", cell: (tool) => yesOrNo(tool.repeatable) },
    { title: "Sequential", cell: (tool) => yesOrNo(tool.sequential) },
  ]),
};

export const LLMS = {
  caption: "LLMs",
  none: "No LLM is configured: no chat can be answered.",
  columns: /** @type {ReadonlyArray<import("./entry-table.js").Column<Schemas["ConfiguredLlmView"]>>} */ ([
    { title: "Type", cell: (llm) => html`${llm.type}${llm.demo && html` <${DemoMark} />`}` },
    { title: "Where", cell: (llm) => llm.host ?? llm.region ?? (llm.type ? "the provider’s own address" : "") },
    { title: "Key", cell: (llm) => yesOrNo(llm.has_key) },
    {
      title: "Models",
      cell: (llm) => html`<${Names} names=${llm.models} none=${llm.type ? "as the provider lists them" : ""} />`,
    },
    { title: "Fallbacks", cell: (llm) => html`<${Names} names=${llm.fallbacks} none=${llm.type ? "none" : ""} />` },
  ]),
};

export const SERVICES = {
  caption: "Services, which are searched",
  none: "No service is configured: nothing is searched before a model is asked.",
  columns: /** @type {ReadonlyArray<import("./entry-table.js").Column<Schemas["ConfiguredServiceView"]>>} */ ([
    { title: "Type", cell: (service) => service.type },
    {
      title: "Where",
      cell: (service) => service.host ?? service.region ?? (service.type === "internal" ? "this stack" : ""),
    },
    {
      title: "Collections",
      cell: (service) =>
        html`<${Names} names=${service.collections} none=${service.type === "internal" ? "all that are stored" : ""} />`,
    },
    { title: "Match", number: true, cell: (service) => near(service.match_threshold) },
    { title: "Partial", number: true, cell: (service) => near(service.partial_threshold) },
    { title: "Farthest", number: true, cell: (service) => near(service.max_distance) },
    { title: "Passages", number: true, cell: (service) => service.top_k },
  ]),
};
