/** Which rule would answer, by which model and with which tools; or why none would. */
import { OfferedTools, RulesTried } from "../../components/rule-trace.js";
import { Fold } from "../../components/collapsible.js";
import { DemoMark, Outcome } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { Busy } from "../../components/loading-states.js";
import { html } from "../../html.js";
import { shortened } from "../../waterfall.js";

/** @typedef {import("../../api/routes.js").Schemas["RuleMatchView"]} Answer */

const PROFILE_CHARACTERS = 300;

/**
 * @param {{ match: ReturnType<typeof import("./use-match.js").useMatch>, demo: ReadonlySet<string>,
 *   onClose: () => void }} props `demo` are the llms that the demo model answers for
 */
export function Match({ demo, match: { busy, since, error, cancelled, asked, matched, match }, onClose }) {
  return html`
    <section class="conf-match stack" aria-label="The rule for this profile">
      <div class="row spread">
        <h2>The rule for this profile</h2>
        <button type="button" class="quiet" onClick=${onClose}>Close</button>
      </div>
      <p><code>${shortened(asked, PROFILE_CHARACTERS)}</code></p>
      ${busy && html`<p><${Busy} what="trying the rules" since=${since} /></p>`}
      ${error && html`<${Problem} error=${error} onRetry=${match} />`}
      ${
        cancelled &&
        html`<div class="notice stack" role="status">
          <p>! Cancelled.</p>
          <div class="row"><button type="button" onClick=${match}>Try the rules again</button></div>
        </div>`
      }
      <div role="status">${matched && html`<${Verdict} answer=${matched.answer} demo=${demo} />`}</div>
      ${matched && html`<${Reasons} key=${matched.asked} answer=${matched.answer} />`}
    </section>
  `;
}

/** @param {{ answer: Answer, demo: ReadonlySet<string> }} props */
function Verdict({ answer: { rule, llm, model, fallback, problem }, demo }) {
  return html`
    ${
      rule &&
      html`<p class="conf-verdict">
        <${Outcome} tone=${problem ? "warn" : "good"}>Rule <strong>${rule}</strong> ${problem ? "matches" : "answers"}<//>, by <code>${llm}:${model}</code>${demo.has(llm ?? "") && html` <${DemoMark} />`}
      </p>`
    }
    ${fallback && html`<p><${Outcome} tone="warn">instead of<//> <code>${fallback.instead_of}</code>: ${fallback.reason}</p>`}
    ${problem && html`<p><${Outcome} tone="bad">A chat would fail:<//> ${problem}</p>`}
  `;
}

/** @param {{ answer: Answer }} props */
function Reasons({ answer: { rule, rules, tools } }) {
  const offered = tools.filter((tool) => tool.offered).length;
  return html`
    <${RulesTried} rules=${rules} />
    ${
      rule &&
      html`<${Fold} open summary=${`${offered} of ${tools.length} tools would be offered`}>
        <${OfferedTools} tools=${tools} />
      <//>`
    }
  `;
}
