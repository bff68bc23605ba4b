/** Configuration view: active version, problems, and a rule test. */
import { parseJson } from "../../exact-json.js";
import { useMay } from "../../api/cached-queries.js";
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { SplitLayout, useReveal } from "../../components/split-layout.js";
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { html, useEffect, useMemo, useState } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { navigate } from "../../router.js";
import { EditView } from "./edit/view.js";
import { demoLlms, entriesWithProblems } from "./entries.js";
import { HistoryView } from "./history-view.js";
import { ModeSwitch, modeOf } from "./mode-switch.js";
import { OperatorRequired, PublicConfiguration } from "./operator-required.js";
import { INTENT_ID, ProfileForm } from "./profile-form.js";
import { ActiveVersion } from "./active-version.js";
import { Match } from "./match.js";
import { draftOf, hasProfile, profileOf, withProfile } from "./profile.js";
import { ConfigurationTabs } from "./tabs.js";
import { TokensView } from "./tokens/view.js";
import { useMatch } from "./use-match.js";

/** @typedef {import("../../router.js").Params} Params */

const FIRST_TAB = "Rules";

/** @param {{ route: import("../../router.js").Route }} props */
export function View({ route: { params } }) {
  const mode = useMay("configure") ? modeOf(params) : "";
  if (mode === "edit") return html`<${EditView} params=${params} />`;
  if (mode === "tokens") return html`<${TokensView} params=${params} />`;
  if (mode === "history") return html`<${HistoryView} params=${params} />`;
  return html`<${ActiveView} params=${params} />`;
}

/** @param {{ params: Params }} props */
function ActiveView({ params }) {
  const configuration = useLoad((signal) => api.configuration(signal));
  const forbidden = configuration.error?.kind === "forbidden";
  const [draft, setDraft] = useDraft(params);
  const { profile, problem } = profileOf(draft);
  const testedProfile = hasProfile(params) && !forbidden ? profileOf(draftOf(params)).profile : undefined;
  const match = useMatch(testedProfile);
  const { section, reveal } = useReveal(match.busy);

  const run = () => {
    if (profile === undefined || match.busy) return;
    reveal();
    if (JSON.stringify(profile) === match.profileJson) match.match();
    else navigate("configuration", withProfile(params, draft));
  };
  useShortcuts([
    { keys: "/", label: "Enter an intent", run: () => document.getElementById(INTENT_ID)?.focus() },
    { keys: "mod+Enter", label: "Test the rules", run },
    { keys: "Escape", label: "Cancel the test", run: match.cancel },
  ]);

  if (forbidden) {
    return html`<${SplitLayout} title="Configuration" controls=${html`<${OperatorRequired} />`}><${PublicConfiguration} /><//>`;
  }
  const controls = html`<${ModeSwitch} mode="" /><${ProfileForm}
    draft=${draft}
    problem=${problem}
    busy=${match.busy}
    intents=${configuration.data?.phases.intent?.intents ?? []}
    services=${configuration.data?.services.map(({ name }) => name) ?? []}
    onDraft=${setDraft}
    onRun=${run}
    onCancel=${match.cancel}
  />`;
  return html`
    <${SplitLayout} title="Configuration" controls=${controls} section=${section}>
      ${testedProfile && html`<${Match} match=${match} demo=${demoLlms(configuration.data)} onClose=${() => navigate("configuration", withProfile(params, undefined))} />`}
      ${configuration.error && html`<${Problem} error=${configuration.error} onRetry=${configuration.reload} />`}
      ${!configuration.data && !configuration.error && html`<${Skeleton} lines=${8} label="the configuration" />`}
      ${configuration.data && html`<${LoadedConfiguration} configuration=${configuration} data=${configuration.data} params=${params} />`}
    <//>
  `;
}

/**
 * @param {{ configuration: import("../../api/hooks.js").Loaded<import("./entries.js").Configuration>,
 *   data: import("./entries.js").Configuration, params: Params }} props
 */
function LoadedConfiguration({ configuration, data, params }) {
  const faulty = useMemo(() => entriesWithProblems(data), [data]);
  /** @param {string} tab */
  const controls = (tab) =>
    navigate("configuration", { ...params, tab: tab === FIRST_TAB ? "" : tab }, { replace: true });
  return html`
    <${ActiveVersion} configuration=${data} faulty=${faulty} loading=${configuration.loading} onReload=${configuration.reload} />
    <${ConfigurationTabs} configuration=${data} faulty=${faulty} chosen=${params["tab"] || FIRST_TAB} onChoose=${controls} />
  `;
}

/**
 * Draft of the profile; URL changes reset it.
 * @param {Params} params
 * @returns {[import("./profile.js").Draft, (changes: Partial<import("./profile.js").Draft>) => void]}
 */
function useDraft(params) {
  const urlDraft = JSON.stringify(draftOf(params));
  const [draft, setDraft] = useState(() => draftOf(params));
  useEffect(() => setDraft(parseJson(urlDraft)), [urlDraft]);
  return [draft, (changes) => setDraft((last) => ({ ...last, ...changes }))];
}
