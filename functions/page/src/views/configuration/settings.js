/** Global settings: tools, phases, sessions, scheduled validation. */
import { DemoBadge, Outcome } from "../../components/badges.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html } from "../../html.js";
import { demoLlms } from "./entries.js";
import { Names } from "./entry-table.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {[name: string, value: unknown]} Fact */

/** @param {{ configuration: import("./entries.js").Configuration }} props */
export function Settings({ configuration }) {
  const { tool_settings: tools, phases, sessions, validation, caller_fields: callerFields } = configuration;
  const { openai_api: openaiApi, choices } = configuration;
  const demo = demoLlms(configuration);
  return html`
    <div class="conf-settings">
      <${FactSection}
        title="Tools"
        facts=${[
          ["Enabled", tools.enabled ? "yes" : html`<${Outcome} tone="warn">no: models are offered no tools<//>`],
          ["Iterations per chat", `${count(tools.max_iterations)} by default`],
          ["Calls per iteration", `${count(tools.max_calls_per_turn)} by default`],
          ["Calls per chat", `${count(tools.max_tool_calls)} by default`],
          ["Timeout", `${duration(tools.default_timeout_ms)} by default`],
          ["Parallel calls", count(tools.max_parallel)],
          ["Disabled types", html`<${Names} names=${tools.disabled_types} none="none" />`],
        ]}
      />
      <${FactSection} title="Topic" facts=${phaseFacts(phases.topic, demo)} problems=${phases.topic?.problems} />
      <${FactSection} title="Intent" facts=${phaseFacts(phases.intent, demo)} problems=${phases.intent?.problems} />
      <${FactSection}
        title="Profile"
        facts=${[["Fields set by callers", html`<${Names} names=${callerFields} none="none" />`]]}
      />
      <${FactSection}
        title="Sessions"
        facts=${[
          ["Retention", `${counted(sessions.ttl_days, "day")} after the last message`],
          ["History sent to models", `at most ${counted(sessions.max_history_tokens, "token")}`],
        ]}
      />
      <${FactSection}
        title="OpenAI-compatible API"
        facts=${[
          ["Rules", html`<${Names} names=${openaiApi.rules} none="none" />`],
          ["Models", html`<${Names} names=${openaiApi.models} none="none" />`],
          ["Embeddings", openaiApi.embedding_model ? html`<code>${openaiApi.embedding_model}</code>` : "none"],
        ]}
      />
      <${FactSection}
        title="Choice in the chat"
        facts=${[
          ["Rules", html`<${Names} names=${choices.rules} none="none" />`],
          ["Models", html`<${Names} names=${choices.models} none="none" />`],
          ["Roles", choices.roles.join(", ")],
        ]}
      />
      <${FactSection} title="Scheduled validation" facts=${validationFacts(validation)} problems=${validation.problems} />
    </div>
  `;
}

/**
 * @param {Schemas["ConfiguredPhaseView"] | null | undefined} phase
 * @param {ReadonlySet<string>} demo the llms that the demo model answers for
 * @returns {Fact[]}
 */
function phaseFacts(phase, demo) {
  if (!phase) return [["Detected", "no: not configured"]];
  if (!phase.enabled) return [["Detected", "no: disabled"]];
  return [
    ["Detected", "yes"],
    [
      "Model",
      phase.model &&
        html`<code>${phase.model}</code>${demo.has(phase.model.split(":")[0] ?? "") && html` <${DemoBadge} />`}`,
    ],
    ...(phase.intents.length > 0 ? [/** @type {Fact} */ (["Intents", html`<${Names} names=${phase.intents} />`])] : []),
  ];
}

/** @param {Schemas["ValidationSettingsView"]} validation @returns {Fact[]} */
function validationFacts({ models, suite, repeats, stop_early: stopsEarly, budget }) {
  const limits = [
    typeof budget.calls === "number" && counted(budget.calls, "chat"),
    typeof budget.tokens === "number" && counted(budget.tokens, "token"),
    typeof budget.usd === "number" && dollars(budget.usd),
  ].filter(Boolean);
  return [
    ["Models", html`<${Names} names=${models} none="none" />`],
    ["Suite", suite],
    ["Repeats", count(repeats)],
    ["Early stopping", stopsEarly ? "yes" : "no"],
    ["Budget", limits.length > 0 ? limits.join(", ") : "no limit"],
  ];
}

/** @param {{ title: string, facts: ReadonlyArray<Fact>, problems?: ReadonlyArray<string> | undefined }} props */
function FactSection({ title, facts, problems = [] }) {
  return html`
    <section class="stack" aria-label=${title}>
      <h3>${title}</h3>
      ${problems.map((problem) => html`<p><${Outcome} tone="warn">${problem}<//></p>`)}
      <dl class="conf-facts">
        ${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
      </dl>
    </section>
  `;
}
