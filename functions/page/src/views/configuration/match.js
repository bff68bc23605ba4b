/** Matched rule of a profile: model and tools, or the reason for none. */
import { OfferedTools, RuleTrace } from "../../components/rule-trace.js";
import { Collapsible } from "../../components/collapsible.js";
import { DemoBadge, Outcome } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { html } from "../../html.js";
import { truncate } from "../../waterfall.js";

/** @typedef {import("../../api/routes.js").Schemas["RuleMatchView"]} Answer */

const PROFILE_CHARACTERS = 300;

/**
 * @param {{ match: ReturnType<typeof import("./use-match.js").useMatch>, demo: ReadonlySet<string>,
 *   onClose: () => void }} props `demo`: LLMs served by the demo model
 */
export function Match({ demo, match: { busy, since, error, cancelled, profileJson, result, match }, onClose }) {
  return html`
    <section class="conf-match stack" aria-label="Matched rule">
      <div class="row spread">
        <h2>Matched rule</h2>
        <button type="button" class="quiet" onClick=${onClose}>Close</button>
      </div>
      <p><code>${truncate(profileJson, PROFILE_CHARACTERS)}</code></p>
      ${busy && html`<p><${BusyIndicator} label="Testing the rules" since=${since} /></p>`}
      ${error && html`<${Problem} error=${error} onRetry=${match} />`}
      ${
        cancelled &&
        html`<div class="notice stack" role="status">
          <p>! Test cancelled.</p>
          <div class="row"><button type="button" onClick=${match}>Try again</button></div>
        </div>`
      }
      <div role="status">${result && html`<${MatchedRule} answer=${result.answer} demo=${demo} />`}</div>
      ${result && html`<${MatchDetails} key=${result.profileJson} answer=${result.answer} />`}
    </section>
  `;
}

/** @param {{ answer: Answer, demo: ReadonlySet<string> }} props */
function MatchedRule({ answer: { rule, llm, model, fallback, problem }, demo }) {
  return html`
    ${
      rule &&
      html`<p class="conf-matched-rule">
        <${Outcome} tone=${problem ? "warn" : "good"}>Rule <strong>${rule}</strong> matches<//>, model <code>${llm}:${model}</code>${demo.has(llm ?? "") && html` <${DemoBadge} />`}
      </p>`
    }
    ${fallback && html`<p><${Outcome} tone="warn">instead of<//> <code>${fallback.instead_of}</code>: ${fallback.reason}</p>`}
    ${problem && html`<p><${Outcome} tone="bad">A chat fails:<//> ${problem}</p>`}
  `;
}

/** @param {{ answer: Answer }} props */
function MatchDetails({ answer: { rule, rules, tools } }) {
  const offered = tools.filter((tool) => tool.offered).length;
  return html`
    <${RuleTrace} rules=${rules} />
    ${
      rule &&
      html`<${Collapsible} open summary=${`${offered} of ${tools.length} tools offered`}>
        <${OfferedTools} tools=${tools} />
      <//>`
    }
  `;
}
