/** Editor of the configuration: a draft in this browser, checked as you type, and its publication. */
import { configurationApi } from "../../../api/configuration-routes.js";
import { useLoad, useTask } from "../../../api/hooks.js";
import { Outcome, RelativeTime } from "../../../components/badges.js";
import { EmptyState, Skeleton } from "../../../components/loading-states.js";
import { Problem } from "../../../components/problem.js";
import { SplitLayout } from "../../../components/split-layout.js";
import { Tabs } from "../../../components/tabs.js";
import { html, useEffect, useMemo, useState } from "../../../html.js";
import { navigate } from "../../../router.js";
import { useShortcuts } from "../../../shortcuts.js";
import { ModeSwitch } from "../mode-switch.js";
import { draftOf, isChanged, pathOf, sentDraft, storedDraft, storeDraft } from "./draft.js";
import { EntryChanges } from "./entry-changes.js";
import { EntryEditor, isBelow } from "./entry-editor.js";
import { EntryList } from "./entry-list.js";
import { MatchPreview } from "./match-preview.js";
import { merged } from "./merge.js";
import { PublishPanel } from "./publish-panel.js";
import { sidesOfContent } from "./sides.js";
import { useCheck } from "./use-check.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("../../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ConfigurationSource"]} Source */
/** @typedef {Schemas["DraftProblem"]} DraftProblem */

/** @type {ReadonlyArray<DraftProblem>} */
const NO_PROBLEMS = [];

/** @param {{ params: import("../../../router.js").Params }} props */
export function EditView({ params }) {
  const source = useLoad((signal) => configurationApi.source(signal));
  if (!source.data) {
    return html`<${SplitLayout} title="Edit the configuration" controls=${html`<${ModeSwitch} mode="edit" />`}>
      ${source.error ? html`<${Problem} error=${source.error} onRetry=${source.reload} />` : html`<${Skeleton} lines=${8} label="the configuration" />`}
    <//>`;
  }
  return html`<${Editor} source=${source.data} params=${params} onReload=${source.reload} />`;
}

/** @param {{ source: Source, params: import("../../../router.js").Params, onReload: () => void }} props */
function Editor({ source, params, onReload }) {
  const editing = useEditing(source, onReload);
  const { draft, check, changed, outdated, publishing } = editing;
  const entries = draft.content.entries;
  const chosen = entries.find(({ key }) => key === params["entry"]) ?? entries[0];
  /** @param {string} key */
  const choose = (key) => navigate("configuration", { mode: "edit", entry: key }, { replace: true });
  const problems = check.result?.problems ?? NO_PROBLEMS;
  useShortcuts([{ keys: "/", label: "Choose an entry", run: focusEntries }]);

  const controls = html`
    <${ModeSwitch} mode="edit" />
    <${PublishPanel}
      check=${check}
      changed=${changed}
      outdated=${outdated}
      editingProblem=${source.editing_problem ?? ""}
      publishing=${publishing}
      onPublish=${editing.publish}
      onDiscard=${editing.discard}
    />
    <${EntryList} draft=${draft} chosen=${chosen?.key ?? ""} problems=${problems} onChoose=${choose} onDraft=${editing.change} />
  `;
  return html`
    <${SplitLayout} title="Edit the configuration" controls=${controls}>
      ${editing.published && html`<p role="status"><${Outcome} tone="good">Version ${editing.published.number} is published. Functions read it within a minute.<//></p>`}
      ${outdated && html`<${Outdated} source=${source} error=${publishing.error} busy=${publishing.busy} onMerge=${editing.merge} onDiscard=${editing.discard} />`}
      ${!editing.isStored && html`<p class="notice">! This browser has no room for the draft: it is lost when you close or reload the page.</p>`}
      <${OtherProblems} draft=${draft} problems=${problems} />
      <${DraftTabs} draft=${draft} chosen=${chosen} check=${check} onDraft=${editing.change} />
    <//>
  `;
}

function focusEntries() {
  /** @type {HTMLElement | null} */ (document.querySelector(".conf-entries li button"))?.focus();
}

/**
 * State of the draft, its checks and its publication.
 * @param {Source} source
 * @param {() => void} onReload
 */
function useEditing(source, onReload) {
  const [draft, setDraft] = useState(() => storedDraft() ?? draftOf(source));
  const [isStored, setStored] = useState(true);
  const [published, setPublished] = useState(/** @type {Schemas["ConfigurationVersion"] | undefined} */ (undefined));
  const publishing = useTask();
  const check = useCheck(draft);
  const changed = isChanged(draft);
  const conflict = publishing.error?.code === "configuration_changed";
  const outdated = changed && (conflict || draft.base !== source.version || check.result?.outdated === true);

  useEffect(() => setStored(storeDraft(draft)), [draft]);
  useEffect(() => {
    setDraft((last) => (isChanged(last) || last.base === source.version ? last : draftOf(source)));
  }, [source]);

  /** @param {Draft} next */
  const change = (next) => {
    setPublished(undefined);
    setDraft(next);
  };
  /** @param {(current: Source) => Draft} next */
  const reload = (next) =>
    publishing.run(async (signal) => {
      setDraft(next(await configurationApi.source(signal)));
      onReload();
    });
  /** @param {string} comment */
  const publish = (comment) =>
    publishing.run(async (signal) => {
      const answer = await configurationApi.publish(sentDraft(draft), comment, signal);
      setDraft(draftOf(await configurationApi.source(signal)));
      setPublished(answer.published);
      onReload();
    });
  return {
    draft,
    isStored,
    published,
    publishing,
    check,
    changed,
    outdated,
    change,
    publish,
    merge: () => reload((current) => merged(draft, current)),
    discard: () => reload(draftOf),
  };
}

/**
 * @param {{ draft: Draft, chosen: import("./draft.js").Entry | undefined, check: import("./use-check.js").Check,
 *   onDraft: (draft: Draft) => void }} props
 */
function DraftTabs({ draft, chosen, check, onDraft }) {
  const before = useMemo(() => sidesOfContent(draft.original), [draft.original]);
  const after = useMemo(() => sidesOfContent(draft.content), [draft.content]);
  const problems = check.result?.problems ?? NO_PROBLEMS;
  const tabs = [
    {
      name: "Entry",
      content: () =>
        chosen
          ? html`<${EntryEditor} key=${chosen.key} draft=${draft} entry=${chosen} problems=${problems} onDraft=${onDraft} />`
          : html`<${EmptyState} title="No entries"><p>Add a rule or a tool.</p><//>`,
    },
    {
      name: "Changes",
      note: check.result ? String(check.result.changes.length) : "",
      content: () => html`<${EntryChanges} before=${before} after=${after} none="The draft has no changes." />`,
    },
    { name: "Matched rules", content: () => html`<${MatchPreview} draft=${draft} />` },
  ];
  return html`<${Tabs} label="Draft" tabs=${tabs} />`;
}

/** Problems outside of the entries that a draft has. @param {{ draft: Draft, problems: ReadonlyArray<DraftProblem> }} props */
function OtherProblems({ draft: { content }, problems }) {
  const paths = content.entries.map((entry) => pathOf(content, entry));
  const others = problems.filter((problem) => !paths.some((path) => isBelow(problem.path, path)));
  if (others.length === 0) return null;
  return html`<ul class="conf-problems" aria-label="Other problems">
    ${others.map(({ path, message, severity }) => {
      const tone = severity === "error" ? "bad" : "warn";
      return html`<li data-tone=${tone}><${Outcome} tone=${tone}>${path && html`<code>${path}</code> `}${message}<//></li>`;
    })}
  </ul>`;
}

/**
 * @param {{ source: Source, error: import("../../../api/client.js").ApiError | undefined, busy: boolean,
 *   onMerge: () => void, onDiscard: () => void }} props
 */
function Outdated({ source, error, busy, onMerge, onDiscard }) {
  return html`
    <section class="problem" role="alert" aria-label="Newer version">
      <h3><span aria-hidden="true">!</span> The configuration was published again</h3>
      <p><${NewerVersion} source=${source} error=${error} /></p>
      <div class="row">
        <button type="button" class="primary" disabled=${busy} onClick=${onMerge}>Merge draft with it</button>
        <button type="button" disabled=${busy} onClick=${onDiscard}>Discard draft and reload</button>
      </div>
    </section>
  `;
}

/** @param {{ source: Source, error: import("../../../api/client.js").ApiError | undefined }} props */
function NewerVersion({ source: { published }, error }) {
  if (error?.code === "configuration_changed") return error.message;
  if (!published) return "Another writer published a version since your draft began.";
  return html`${published.by ?? "Another writer"} published version ${published.number}${published.comment && ` (“${published.comment}”)`} <${RelativeTime} at=${published.published_at} />.`;
}
