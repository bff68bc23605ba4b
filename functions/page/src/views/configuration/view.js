/** Configuration: what is live, what is wrong with it, and which rule would answer for a profile. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Split, useReveal } from "../../components/split-layout.js";
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { html, useEffect, useMemo, useState } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { go } from "../../router.js";
import { demoLlms, faultyEntries } from "./entries.js";
import { NeedsOperator, PublicPart } from "./operator-required.js";
import { INTENT_ID, ProfileForm } from "./profile-form.js";
import { Live } from "./active-version.js";
import { Match } from "./match.js";
import { draftOf, isTried, profileOf, withProfile } from "./profile.js";
import { Sections } from "./tabs.js";
import { useMatch } from "./use-match.js";

/** @typedef {import("../../router.js").Params} Params */

const FIRST_TAB = "Rules";

/** @param {{ place: import("../../router.js").Place }} props */
export function View({ place: { params } }) {
  const live = useLoad((signal) => api.configuration(signal));
  const forbidden = live.error?.kind === "forbidden";
  const [draft, setDraft] = useDraft(params);
  const { profile, problem } = profileOf(draft);
  const tried = isTried(params) && !forbidden ? profileOf(draftOf(params)).profile : undefined;
  const match = useMatch(tried);
  const { section, reveal } = useReveal(match.busy);

  const run = () => {
    if (profile === undefined || match.busy) return;
    reveal();
    if (JSON.stringify(profile) === match.asked) match.match();
    else go("configuration", withProfile(params, draft));
  };
  useShortcuts([
    { keys: "/", label: "write the intent", run: () => document.getElementById(INTENT_ID)?.focus() },
    { keys: "mod+Enter", label: "try the rules", run },
    { keys: "Escape", label: "cancel the trial", run: match.cancel },
  ]);

  if (forbidden) {
    return html`<${Split} title="Configuration" choose=${html`<${NeedsOperator} />`}><${PublicPart} /><//>`;
  }
  const choose = html`<${ProfileForm}
    draft=${draft}
    problem=${problem}
    busy=${match.busy}
    intents=${live.data?.phases.intent?.intents ?? []}
    services=${live.data?.services.map(({ name }) => name) ?? []}
    onDraft=${setDraft}
    onRun=${run}
    onCancel=${match.cancel}
  />`;
  return html`
    <${Split} title="Configuration" choose=${choose} section=${section}>
      ${tried && html`<${Match} match=${match} demo=${demoLlms(live.data)} onClose=${() => go("configuration", withProfile(params, undefined))} />`}
      ${live.error && html`<${Problem} error=${live.error} onRetry=${live.reload} />`}
      ${!live.data && !live.error && html`<${Skeleton} lines=${8} what="the configuration" />`}
      ${live.data && html`<${Shown} live=${live} data=${live.data} params=${params} />`}
    <//>
  `;
}

/**
 * @param {{ live: import("../../api/hooks.js").Loaded<import("./entries.js").Configuration>,
 *   data: import("./entries.js").Configuration, params: Params }} props
 */
function Shown({ live, data, params }) {
  const faulty = useMemo(() => faultyEntries(data), [data]);
  /** @param {string} tab */
  const choose = (tab) => go("configuration", { ...params, tab: tab === FIRST_TAB ? "" : tab }, { replace: true });
  return html`
    <${Live} configuration=${data} faulty=${faulty} loading=${live.loading} onReload=${live.reload} />
    <${Sections} configuration=${data} faulty=${faulty} chosen=${params["tab"] || FIRST_TAB} onChoose=${choose} />
  `;
}

/**
 * The profile that is being written; the URL takes its place whenever it says something else.
 * @param {Params} params
 * @returns {[import("./profile.js").Draft, (changes: Partial<import("./profile.js").Draft>) => void]}
 */
function useDraft(params) {
  const said = JSON.stringify(draftOf(params));
  const [draft, setDraft] = useState(() => draftOf(params));
  useEffect(() => setDraft(JSON.parse(said)), [said]);
  return [draft, (changes) => setDraft((last) => ({ ...last, ...changes }))];
}
