/** Uploads of this visit, each with its progress and its result in words. */
import { Outcome } from "../../components/badges.js";
import { percent, size } from "../../format.js";
import { html } from "../../html.js";
import { isOpen } from "./use-uploads.js";

/** @typedef {import("./use-uploads.js").Upload} Upload */

/** @type {Readonly<Record<import("./use-uploads.js").UploadState, { tone: import("../../components/badges.js").Tone, text: string }>>} */
const STATES = {
  waiting: { tone: "plain", text: "waiting" },
  uploading: { tone: "plain", text: "uploading" },
  processing: { tone: "plain", text: "processing" },
  indexed: { tone: "good", text: "indexed" },
  failed: { tone: "bad", text: "failed" },
  exists: { tone: "warn", text: "not added" },
  cancelled: { tone: "warn", text: "cancelled" },
};

/** @param {{ uploads: ReturnType<typeof import("./use-uploads.js").useUploads> }} props */
export function UploadList({ uploads }) {
  const { uploads: all } = uploads;
  if (all.length === 0) return null;
  return html`
    <section aria-label="Uploads">
      <div class="row">
        <h3>Uploads</h3>
        ${all.some((each) => !isOpen(each)) && html`<button type="button" class="quiet" onClick=${uploads.clear}>Clear finished</button>`}
      </div>
      <ul class="ret-uploads">
        ${all.map(
          (each) => html`<${Row}
            key=${each.id}
            upload=${each}
            onCancel=${() => uploads.cancel(each.id)}
            onRetry=${(/** @type {boolean} */ replace) => uploads.retry(each.id, { replace })}
          />`,
        )}
      </ul>
    </section>
  `;
}

/** @param {{ upload: Upload, onCancel: () => void, onRetry: (replace: boolean) => void }} props */
function Row({ upload, onCancel, onRetry }) {
  const { file, state, share, note, warnings, collection } = upload;
  const { tone, text } = STATES[state];
  return html`
    <li>
      <div class="row">
        <strong class="ret-name">${file.name}</strong>
        <small>${size(file.size)} · to ${collection}</small>
        <span role="status"><${Outcome} tone=${tone}>${text}${state === "uploading" ? ` ${percent(share)}` : ""}<//></span>
        ${state === "uploading" && html`<progress max="1" value=${share} aria-label=${`Upload of ${file.name}`}></progress>`}
        ${isOpen(upload) && html`<button type="button" class="quiet" aria-label=${`Cancel ${file.name}`} onClick=${onCancel}>Cancel</button>`}
        ${
          (state === "failed" || state === "cancelled") &&
          file.size > 0 &&
          html`<button type="button" class="quiet" aria-label=${`Upload ${file.name} again`} onClick=${() => onRetry(upload.replace)}>Try again</button>`
        }
        ${
          state === "exists" &&
          html`<button type="button" class="quiet" aria-label=${`Replace ${file.name}`} onClick=${() => onRetry(true)}>Replace</button>`
        }
      </div>
      ${note && html`<p>${note}</p>`}
      ${warnings.map((warning) => html`<p><${Outcome} tone="warn">${warning}<//></p>`)}
    </li>
  `;
}
