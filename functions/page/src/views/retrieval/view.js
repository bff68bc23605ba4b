/** Retrieval: how near a collection's passages are to a question, and what its thresholds make of that. */
import { useIsOperator } from "../../api/cached-queries.js";
import { Split, useReveal } from "../../components/split-layout.js";
import { html, useRef } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { go } from "../../router.js";
import { useChosen } from "./selected-collection.js";
import { Collections } from "./collections.js";
import { Keep } from "./save-thresholds.js";
import { QuestionForm, topKOf } from "./search-form.js";
import { Results } from "./results.js";
import { useSearch } from "./use-search.js";
import { Sliders } from "./sliders.js";
import { useDraft, useMoved, withThresholds } from "./form-state.js";
import { scaleOf, thresholdsOf } from "./thresholds.js";

/** @param {{ place: import("../../router.js").Place }} props */
export function View({ place }) {
  const { params } = place;
  const query = params["query"] ?? "";
  const topK = topKOf(params["top_k"]);
  const { loaded, chosen, collection, none, waits, replace } = useChosen(params["collection"]);

  const [draft, setDraft] = useDraft(params);
  const [moved, setMoved] = useMoved(params);
  const search = useSearch({ collection: chosen, query, topK });
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const operator = useIsOperator();
  const { section, reveal } = useReveal(search.busy);
  const judged = judgedBy(collection, search.found?.answer, moved);

  const run = () => {
    reveal();
    const asked = { ...params, collection: chosen, query: draft.query, top_k: draft.topK };
    if (asked.query === query && topKOf(asked.top_k) === topK) search.search();
    else go("retrieval", withThresholds(asked, moved));
  };
  /** @param {string} name */
  const choose = (name) => {
    setMoved(undefined);
    go("retrieval", withThresholds({ ...params, collection: name }, undefined));
  };
  /** @param {import("./thresholds.js").Schemas["CollectionInfo"]} now @param {"kept" | "told again"} by */
  const changed = (now, by) => {
    replace(now);
    if (by === "kept") return;
    setMoved(undefined);
    if (search.found) search.search();
  };
  useShortcuts([
    { keys: "/", label: "write the test query", run: () => form.current?.querySelector("textarea")?.focus() },
    { keys: "mod+Enter", label: "search", run: () => form.current?.requestSubmit() },
    { keys: "Escape", label: "cancel the search", run: search.cancel },
  ]);

  const left = html`
    <${Collections} loaded=${loaded} chosen=${chosen} onChoose=${choose} />
    ${
      !none &&
      html`<${QuestionForm}
        draft=${draft}
        busy=${search.busy}
        form=${form}
        onDraft=${setDraft}
        onRun=${run}
        onCancel=${search.cancel}
      />`
    }
    ${
      judged &&
      html`<${Sliders} collection=${chosen} ...${judged} onMove=${setMoved}>
        ${
          collection &&
          operator &&
          html`<${Keep} key=${chosen} collection=${collection} thresholds=${judged.thresholds} onChanged=${changed} />`
        }
      <//>`
    }
  `;
  return html`
    <${Split} title="Retrieval" choose=${left} section=${section}>
      <${Results} none=${none} asked=${query !== "" && (waits || chosen !== "")} waits=${waits} search=${search} judged=${judged} />
    <//>
  `;
}

/**
 * @param {import("./thresholds.js").Schemas["CollectionInfo"] | undefined} collection
 * @param {import("./thresholds.js").Schemas["AnswerView"] | undefined} answer
 * @param {import("./thresholds.js").Thresholds | undefined} moved
 * @returns {import("./classification.js").Judged | undefined} `undefined` until the collection or an answer tells thresholds
 */
function judgedBy(collection, answer, moved) {
  const own = thresholdsOf(collection?.metadata ?? {}, answer?.thresholds);
  if (own === undefined) return undefined;
  const thresholds = moved ?? own;
  const distances = (answer?.hits ?? []).map((hit) => hit.distance);
  return { own, thresholds, scale: scaleOf([...distances, own.match, own.partial], thresholds) };
}
