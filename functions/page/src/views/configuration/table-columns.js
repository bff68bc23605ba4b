/** Table columns of tools, LLMs and services. */
import { distance, duration } from "../../format.js";
import { html } from "../../html.js";
import { DemoBadge } from "../../components/badges.js";
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
  none: "No tools are configured.",
  columns: /** @type {ReadonlyArray<import("./entry-table.js").Column<Schemas["ConfiguredToolView"]>>} */ ([
    { title: "Type", cell: (tool) => tool.type },
    { title: "Timeout", number: true, cell: (tool) => (tool.timeout_ms ? duration(tool.timeout_ms) : "") },
    { title: "Idempotent", cell: (tool) => yesOrNo(tool.idempotent) },
    { title: "Repeatable", cell: (tool) => yesOrNo(tool.repeatable) },
    { title: "Sequential", cell: (tool) => yesOrNo(tool.sequential) },
    { title: "Per caller", cell: (tool) => yesOrNo(tool.per_principal) },
  ]),
};

export const LLMS = {
  caption: "LLMs",
  none: "No LLMs are configured, so chats fail.",
  columns: /** @type {ReadonlyArray<import("./entry-table.js").Column<Schemas["ConfiguredLlmView"]>>} */ ([
    { title: "Type", cell: (llm) => html`${llm.type}${llm.demo && html` <${DemoBadge} />`}` },
    { title: "Endpoint", cell: (llm) => llm.host ?? llm.region ?? (llm.type ? "provider default" : "") },
    { title: "Key", cell: (llm) => yesOrNo(llm.has_key) },
    {
      title: "Models",
      cell: (llm) => html`<${Names} names=${llm.models} none=${llm.type ? "listed by the provider" : ""} />`,
    },
    { title: "Fallbacks", cell: (llm) => html`<${Names} names=${llm.fallbacks} none=${llm.type ? "none" : ""} />` },
  ]),
};

export const SERVICES = {
  caption: "Retrieval services",
  none: "No retrieval services are configured.",
  columns: /** @type {ReadonlyArray<import("./entry-table.js").Column<Schemas["ConfiguredServiceView"]>>} */ ([
    { title: "Type", cell: (service) => service.type },
    {
      title: "Endpoint",
      cell: (service) => service.host ?? service.region ?? (service.type === "internal" ? "this stack" : ""),
    },
    {
      title: "Collections",
      cell: (service) =>
        html`<${Names} names=${service.collections} none=${service.type === "internal" ? "all" : ""} />`,
    },
    { title: "Match", number: true, cell: (service) => near(service.match_threshold) },
    { title: "Partial", number: true, cell: (service) => near(service.partial_threshold) },
    { title: "Farthest", number: true, cell: (service) => near(service.max_distance) },
    { title: "Passages", number: true, cell: (service) => service.top_k },
  ]),
};
