/** Which models call tools properly: runs of suites, and what is known of each model by them. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useIsOperator, useModels } from "../../api/cached-queries.js";
import { Split } from "../../components/split-layout.js";
import { html, useState } from "../../html.js";
import { currentPlace, go } from "../../router.js";
import { FORM_HEADING, RunForm } from "./run-form.js";
import { Known } from "./results.js";
import { hasEnded } from "./use-validation-run.js";
import { RunPanel } from "./run-panel.js";
import { Runs } from "./run-list.js";

/**
 * Change some of what the URL says of this view; without `replace` the back button comes back to what it said.
 * @param {import("./run-params.js").Params} params
 * @param {{ replace?: boolean }} [options]
 */
export function change(params, { replace = true } = {}) {
  const place = currentPlace();
  if (place.view === "validation") go("validation", { ...place.params, ...params }, { replace });
}

/** Put models into the form, and go there. @param {string} models their names */
function fillForm(models) {
  change({ models });
  document.getElementById(FORM_HEADING)?.focus();
}

/** @param {{ place: import("../../router.js").Place }} props */
export function View({ place: { params } }) {
  const statuses = useLoad((signal) => api.statuses(signal));
  const suites = useLoad((signal) => api.suites(signal));
  const models = useModels();
  const operator = useIsOperator();
  const [changed, setChanged] = useState(0);
  const rows = statuses.data?.validations.filter((status) => status.tested || status.errors > 0) ?? [];

  /** @param {import("./live-verdicts.js").Run} run */
  const moved = (run) => {
    setChanged((value) => value + 1);
    if (!hasEnded(run)) return;
    statuses.reload();
    models.reload();
  };
  /** @param {string} run its id, empty for none */
  const open = (run) => change({ run }, { replace: false });
  /** @param {import("./live-verdicts.js").Run} run */
  const started = (run) => {
    setChanged((value) => value + 1);
    open(run.id);
  };

  const choose = html`
    ${
      operator
        ? html`<${RunForm} params=${params} change=${change} suites=${suites} models=${models} statuses=${rows} onStarted=${started} />`
        : html`<p class="notice">Runs are started by tokens with the role <strong>operator</strong>. You see what they found.</p>`
    }
    <${Runs} open=${params.run ?? ""} changed=${changed} onOpen=${open} />
  `;
  return html`
    <${Split} title="Validation" choose=${choose}>
      ${params.run && html`<${RunPanel} key=${params.run} id=${params.run} operator=${operator} onStatus=${moved} onClose=${() => open("")} />`}
      <${Known} params=${params} change=${change} statuses=${statuses} rows=${rows} models=${models} onFill=${operator ? fillForm : undefined} />
    <//>
  `;
}
