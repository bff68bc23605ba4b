/** Retrieval view: distances of a collection's passages to a query, and its thresholds. */
import { useIsOperator } from "../../api/cached-queries.js";
import { SplitLayout, useReveal } from "../../components/split-layout.js";
import { html, useRef } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { navigate } from "../../router.js";
import { Tabs } from "../../components/tabs.js";
import { api } from "../../api/routes.js";
import { Documents } from "./documents.js";
import { NewCollection } from "./new-collection.js";
import { useUploads } from "./use-uploads.js";
import { useSelectedCollection } from "./selected-collection.js";
import { Collections } from "./collections.js";
import { SaveThresholds } from "./save-thresholds.js";
import { SearchForm, parseTopK } from "./search-form.js";
import { Results } from "./results.js";
import { useSearch } from "./use-search.js";
import { Sliders } from "./sliders.js";
import { useDraft, useAdjustedThresholds, withThresholds } from "./form-state.js";
import { scaleOf, thresholdsOf } from "./thresholds.js";

/** @param {{ route: import("../../router.js").Route }} props */
export function View({ route }) {
  const { params } = route;
  const query = params["query"] ?? "";
  const topK = parseTopK(params["top_k"]);
  const isDocuments = params["tab"] === "documents";
  const { collections, selected, collection, isEmpty, loading, replace, add, remove } = useSelectedCollection(
    params["collection"],
  );

  const [draft, setDraft] = useDraft(params);
  const [adjusted, setAdjusted] = useAdjustedThresholds(params);
  const search = useSearch({ collection: selected, query, topK });
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const operator = useIsOperator();
  const { section, reveal } = useReveal(search.busy);
  const evaluation = evaluate(collection, search.found?.answer, adjusted);

  const run = () => {
    reveal();
    const request = { ...params, collection: selected, query: draft.query, top_k: draft.topK };
    if (request.query === query && parseTopK(request.top_k) === topK) search.search();
    else navigate("retrieval", withThresholds(request, adjusted));
  };
  /** @param {string} name */
  const choose = (name) => {
    setAdjusted(undefined);
    navigate("retrieval", withThresholds({ ...params, collection: name }, undefined));
  };
  /** @param {import("./thresholds.js").Schemas["CollectionInfo"]} updated @param {"saved" | "recalibrated"} action */
  const handleSaved = (updated, action) => {
    replace(updated);
    if (action === "saved") return;
    setAdjusted(undefined);
    if (search.found) search.search();
  };
  const uploads = useUploads({
    onIndexed: (name) => void api.collection(name).then(replace, () => undefined),
  });
  /** @param {string} tab @param {string} [name] */
  const openTab = (tab, name = selected) =>
    navigate("retrieval", { ...params, collection: name, tab: tab === "Documents" ? "documents" : "" });
  /** @param {import("./thresholds.js").Schemas["CollectionInfo"]} created */
  const handleCreated = (created) => {
    add(created);
    openTab("Documents", created.name);
  };
  /** @param {string} name */
  const handleDeleted = (name) => {
    remove(name);
    openTab("Documents", "");
  };
  useShortcuts([
    { keys: "/", label: "Enter a test query", run: () => form.current?.querySelector("textarea")?.focus() },
    { keys: "mod+Enter", label: "Search", run: () => form.current?.requestSubmit() },
    { keys: "Escape", label: "Cancel the search", run: search.cancel },
  ]);

  const controls = html`
    <${Collections} collections=${collections} selected=${selected} onChoose=${choose} />
    ${operator && collections.data && html`<${NewCollection} key=${String(isEmpty)} open=${isEmpty} onCreated=${handleCreated} />`}
    ${
      !isEmpty &&
      !isDocuments &&
      html`<${SearchForm}
        draft=${draft}
        busy=${search.busy}
        form=${form}
        onDraft=${setDraft}
        onRun=${run}
        onCancel=${search.cancel}
      />`
    }
    ${
      evaluation &&
      !isDocuments &&
      html`<${Sliders} collection=${selected} ...${evaluation} onMove=${setAdjusted}>
        ${
          collection &&
          operator &&
          html`<${SaveThresholds} key=${selected} collection=${collection} thresholds=${evaluation.thresholds} onChanged=${handleSaved} />`
        }
      <//>`
    }
  `;
  const results = () => html`<${Results}
    isEmpty=${isEmpty}
    hasQuery=${query !== "" && (loading || selected !== "")}
    loading=${loading}
    search=${search}
    evaluation=${evaluation}
    onQuery=${(/** @type {string} */ text) => navigate("retrieval", withThresholds({ ...params, query: text }, adjusted))}
  />`;
  const documents = () =>
    collection &&
    html`<${Documents}
      collection=${collection}
      operator=${operator}
      uploads=${uploads}
      onChanged=${replace}
      onDeleted=${handleDeleted}
    />`;
  const tabs = [
    { name: "Search", content: results },
    { name: "Documents", content: documents },
  ];
  return html`
    <${SplitLayout} title="Retrieval" controls=${controls} section=${section}>
      ${isEmpty ? results() : html`<${Tabs} label="Collection" tabs=${tabs} chosen=${isDocuments ? "Documents" : "Search"} onChoose=${openTab} />`}
    <//>
  `;
}

/**
 * @param {import("./thresholds.js").Schemas["CollectionInfo"] | undefined} collection
 * @param {import("./thresholds.js").Schemas["AnswerView"] | undefined} answer
 * @param {import("./thresholds.js").Thresholds | undefined} adjusted
 * @returns {import("./classification.js").Evaluation | undefined} `undefined` until the collection or an answer tells thresholds
 */
function evaluate(collection, answer, adjusted) {
  const saved = thresholdsOf(collection?.metadata ?? {}, answer?.thresholds);
  if (saved === undefined) return undefined;
  const thresholds = adjusted ?? saved;
  const distances = (answer?.hits ?? []).map((hit) => hit.distance);
  return { saved, thresholds, scale: scaleOf([...distances, saved.match, saved.partial], thresholds) };
}
