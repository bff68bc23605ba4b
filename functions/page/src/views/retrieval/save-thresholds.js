/** What an operator does with thresholds that were found: keep them, or have them told from the passages again. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Problem } from "../../components/problem.js";
import { Busy } from "../../components/loading-states.js";
import { html, useState } from "../../html.js";

/** @typedef {import("./thresholds.js").Schemas} Schemas */

/**
 * @param {{ collection: Schemas["CollectionInfo"], thresholds: import("./thresholds.js").Thresholds,
 *   onChanged: (now: Schemas["CollectionInfo"], by: "kept" | "told again") => void }} props
 */
export function Keep({ collection, thresholds, onChanged }) {
  const task = useTask();
  const [said, setSaid] = useState("");
  const { metadata, name } = collection;
  const kept = metadata.match_threshold === thresholds.match && metadata.partial_threshold === thresholds.partial;
  const has = typeof metadata.match_threshold === "number" || typeof metadata.partial_threshold === "number";
  const byHand = has && typeof collection.calibrated_passages !== "number";

  /** @param {number | null} match @param {number | null} partial @param {"kept" | "told again"} by */
  const change = (match, partial, by) => {
    setSaid("");
    task.run(async () => {
      const now = await api.changeCollection(name, {
        metadata: { match_threshold: match, partial_threshold: partial },
      });
      setSaid(`${by} ✓`);
      onChanged(now, by);
    });
  };
  return html`
    <button type="button" disabled=${kept || task.busy} onClick=${() => change(thresholds.match, thresholds.partial, "kept")}>
      Keep these
    </button>
    ${
      byHand &&
      html`<button type="button" class="quiet" disabled=${task.busy} onClick=${() => change(null, null, "told again")}>
        Have them told from the passages
      </button>`
    }
    ${task.busy && html`<${Busy} what="changing the collection" since=${task.since} />`}
    <small role="status">${said}</small>
    ${task.error && html`<${Problem} error=${task.error} />`}
  `;
}
