/** What holds for everything: tools, the phases before an answer, sessions, the schedule of validations. */
import { DemoMark, Outcome } from "../../components/badges.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html } from "../../html.js";
import { demoLlms } from "./entries.js";
import { Names } from "./entry-table.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {[name: string, value: unknown]} Fact */

/** @param {{ configuration: import("./entries.js").Configuration }} props */
export function Settings({ configuration }) {
  const { tool_settings: tools, phases, sessions, validation, caller_fields: callerFields } = configuration;
  const demo = demoLlms(configuration);
  return html`
    <div class="conf-settings">
      <${Facts}
        title="Tools"
        facts=${[
          ["Switched", tools.enabled ? "on" : html`<${Outcome} tone="warn">off: no model is offered any tool<//>`],
          ["Turns of a chat", `${count(tools.max_iterations)} unless the rule says otherwise`],
          ["Calls of a turn", `${count(tools.max_calls_per_turn)} unless the rule says otherwise`],
          ["Calls of a chat", `${count(tools.max_tool_calls)} unless the rule says otherwise`],
          ["Timeout", `${duration(tools.default_timeout_ms)} unless the tool says otherwise`],
          ["At the same time", counted(tools.max_parallel, "call")],
          ["Types switched off", html`<${Names} names=${tools.disabled_types} none="none" />`],
        ]}
      />
      <${Facts} title="Topic" facts=${phaseFacts(phases.topic, demo)} problems=${phases.topic?.problems} />
      <${Facts} title="Intent" facts=${phaseFacts(phases.intent, demo)} problems=${phases.intent?.problems} />
      <${Facts}
        title="Profile"
        facts=${[["Callers steer rules by", html`<${Names} names=${callerFields} none="no field" />`]]}
      />
      <${Facts}
        title="Sessions"
        facts=${[
          ["Kept", `${counted(sessions.ttl_days, "day")} after the last message`],
          ["Sent to a model", `${counted(sessions.max_history_tokens, "token")} of history at most`],
        ]}
      />
      <${Facts} title="Scheduled validation" facts=${validationFacts(validation)} problems=${validation.problems} />
    </div>
  `;
}

/**
 * @param {Schemas["ConfiguredPhaseView"] | null | undefined} phase
 * @param {ReadonlySet<string>} demo the llms that the demo model answers for
 * @returns {Fact[]}
 */
function phaseFacts(phase, demo) {
  if (!phase) return [["Detected", "no: it has no section in the configuration"]];
  if (!phase.enabled) return [["Detected", "no: switched off"]];
  return [
    ["Detected", "yes"],
    [
      "Model",
      phase.model &&
        html`<code>${phase.model}</code>${demo.has(phase.model.split(":")[0] ?? "") && html` <${DemoMark} />`}`,
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
    ["Models", html`<${Names} names=${models} none="none: the schedule validates nothing" />`],
    ["Suite", suite],
    ["Repeats", count(repeats)],
    ["Stops early", stopsEarly ? "yes" : "no"],
    ["Budget", limits.length > 0 ? limits.join(", ") : "no limit"],
  ];
}

/** @param {{ title: string, facts: ReadonlyArray<Fact>, problems?: ReadonlyArray<string> | undefined }} props */
function Facts({ title, facts, problems = [] }) {
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
