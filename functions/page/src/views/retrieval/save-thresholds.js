/** Operator actions: save the adjusted thresholds, or recalibrate them. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Problem } from "../../components/problem.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { html, useState } from "../../html.js";

/** @typedef {import("./thresholds.js").Schemas} Schemas */

/**
 * @param {{ collection: Schemas["CollectionInfo"], thresholds: import("./thresholds.js").Thresholds,
 *   onChanged: (updated: Schemas["CollectionInfo"], action: "saved" | "recalibrated") => void }} props
 */
export function SaveThresholds({ collection, thresholds, onChanged }) {
  const task = useTask();
  const [saved, setSaved] = useState("");
  const { metadata, name } = collection;
  const unchanged = metadata.match_threshold === thresholds.match && metadata.partial_threshold === thresholds.partial;
  const isSet = typeof metadata.match_threshold === "number" || typeof metadata.partial_threshold === "number";
  const isManual = isSet && typeof collection.calibrated_passages !== "number";

  /** @param {number | null} match @param {number | null} partial @param {"saved" | "recalibrated"} action */
  const change = (match, partial, action) => {
    setSaved("");
    task.run(async () => {
      const updated = await api.changeCollection(name, {
        metadata: { match_threshold: match, partial_threshold: partial },
      });
      setSaved(`${action} ✓`);
      onChanged(updated, action);
    });
  };
  return html`
    <button type="button" disabled=${unchanged || task.busy} onClick=${() => change(thresholds.match, thresholds.partial, "saved")}>
      Save thresholds
    </button>
    ${
      isManual &&
      html`<button type="button" class="quiet" disabled=${task.busy} onClick=${() => change(null, null, "recalibrated")}>
        Recalibrate thresholds
      </button>`
    }
    ${task.busy && html`<${BusyIndicator} label="Updating the collection" since=${task.since} />`}
    <small role="status">${saved}</small>
    ${task.error && html`<${Problem} error=${task.error} />`}
  `;
}
