/** List of the pictures and files of a message. */
import { size as bytes } from "../../format.js";
import { html } from "../../html.js";
import { isPicture } from "./attachments.js";
import { StoredFile } from "./stored-file.js";

/** @typedef {import("./attachments.js").Shown} Shown */
/** @typedef {import("./attachments.js").Upload} Upload */

/**
 * Pictures and files in a row; with `onRemove` each has a button that removes it, with `onRetry` a failed upload one
 * that repeats it. `session` is that of stored ones.
 * @param {{ attachments: ReadonlyArray<Shown>, session?: string, onRemove?: (at: number) => void,
 *   onRetry?: (at: number) => void }} props
 */
export function Attachments({ attachments, session = "", onRemove, onRetry }) {
  if (attachments.length === 0) return null;
  return html`
    <ul class="chat-attachments" aria-label="Attachments">
      ${attachments.map((attachment, at) => {
        const { name, type, size, url, id, upload } = attachment;
        const label = name || type;
        return html`
          <li key=${at}>
            ${
              id && !url
                ? html`<${StoredFile} session=${session} id=${id} name=${label} size=${size} picture=${isPicture(type)} />`
                : html`<${Preview} attachment=${attachment} /><span>${label}</span><small>${bytes(size)}</small>`
            }
            ${upload && html`<${Progress} name=${label} size=${size} upload=${upload} />`}
            ${
              upload?.problem &&
              onRetry &&
              html`<button type="button" aria-label=${`Upload ${label} again`} onClick=${() => onRetry(at)}>Try again</button>`
            }
            ${
              onRemove &&
              html`<button type="button" class="quiet" aria-label=${upload && !upload.problem ? `Cancel the upload of ${label}` : `Remove ${label}`} onClick=${() => onRemove(at)}>✕</button>`
            }
          </li>
        `;
      })}
    </ul>
  `;
}

/** @param {{ attachment: Shown }} props */
function Preview({ attachment: { name, type, url } }) {
  if (url && isPicture(type)) return html`<img src=${url} alt=${name || "Picture"} />`;
  return html`<span aria-hidden="true">${type.startsWith("image/") ? "▣" : "▤"}</span>`;
}

/** @param {{ name: string, size: number, upload: Upload }} props */
function Progress({ name, size, upload: { sent, problem } }) {
  if (problem) return html`<small class="problem-text" role="alert">✕ ${problem}</small>`;
  return html`
    <progress max=${size} value=${sent} aria-label=${`Upload of ${name}`}></progress>
    <small class="number">${sent < size ? `${bytes(sent)} uploaded` : "finishing the upload"}</small>
  `;
}
