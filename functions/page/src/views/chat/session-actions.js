/** Actions of the open session: export and share. */
import { useTask } from "../../api/hooks.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { html, useState } from "../../html.js";
import { exportedFile } from "./export-session.js";
import { ShareDialog } from "./share-dialog.js";

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */

/** `branch` is the last turn of the shown branch. @param {{ session: Session, branch: number | undefined }} props */
export function SessionActions({ session, branch }) {
  const [sharing, setSharing] = useState(false);
  const task = useTask();
  /** @param {"markdown" | "json"} format */
  const download = (format) =>
    void task.run(async (signal) => {
      save(
        await exportedFile(session.id, format, branch, signal),
        `${session.id}.${format === "json" ? "json" : "md"}`,
      );
    });
  return html`
    <div class="row" role="group" aria-label="Actions of this session">
      <button type="button" class="quiet" disabled=${task.busy} onClick=${() => download("markdown")}>Export Markdown</button>
      <button type="button" class="quiet" disabled=${task.busy} onClick=${() => download("json")}>Export JSON</button>
      <button type="button" class="quiet" onClick=${() => setSharing(true)}>Share</button>
      ${task.busy && html`<${BusyIndicator} label="Exporting the session" since=${task.since} />`}
    </div>
    ${task.error && html`<${Problem} error=${task.error} />`}
    <${ShareDialog} session=${session} branch=${branch} open=${sharing} onClose=${() => setSharing(false)} />
  `;
}

/** Offer a file for download. @param {Blob} file @param {string} name */
function save(file, name) {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
