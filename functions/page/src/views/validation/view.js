/** Validation view: runs of suites, and results by model and category. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useMay, useModels } from "../../api/cached-queries.js";
import { SplitLayout } from "../../components/split-layout.js";
import { html, useState } from "../../html.js";
import { currentRoute, navigate } from "../../router.js";
import { FORM_HEADING, RunForm } from "./run-form.js";
import { Results } from "./results.js";
import { hasEnded } from "./use-validation-run.js";
import { RunPanel } from "./run-panel.js";
import { RunList } from "./run-list.js";

/**
 * Change parameters of the view's URL; without `replace` as a new history entry.
 * @param {import("./run-params.js").Params} params
 * @param {{ replace?: boolean }} [options]
 */
export function change(params, { replace = true } = {}) {
  const route = currentRoute();
  if (route.view === "validation") navigate("validation", { ...route.params, ...params }, { replace });
}

/** Select models in the form and focus it. @param {string} models space-separated ids */
function fillForm(models) {
  change({ models });
  document.getElementById(FORM_HEADING)?.focus();
}

/** @param {{ route: import("../../router.js").Route }} props */
export function View({ route: { params } }) {
  const statuses = useLoad((signal) => api.statuses(signal));
  const suites = useLoad((signal) => api.suites(signal));
  const models = useModels();
  const operator = useMay("validate");
  const [changed, setChanged] = useState(0);
  const rows =
    statuses.data?.validations.filter((status) => status.tested || status.errors > 0 || status.tests_by_provenance) ??
    [];

  /** @param {import("./live-verdicts.js").Run} run */
  const handleStatus = (run) => {
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

  const controls = html`
    ${
      operator
        ? html`<${RunForm} params=${params} change=${change} suites=${suites} models=${models} statuses=${rows} onStarted=${started} />`
        : null
    }
    <${RunList} open=${params.run ?? ""} changed=${changed} onOpen=${open} />
  `;
  return html`
    <${SplitLayout} title="Validation" controls=${controls}>
      ${params.run && html`<${RunPanel} key=${params.run} id=${params.run} operator=${operator} onStatus=${handleStatus} onClose=${() => open("")} />`}
      <${Results} params=${params} change=${change} statuses=${statuses} rows=${rows} models=${models} onFill=${operator ? fillForm : undefined} />
    <//>
  `;
}
