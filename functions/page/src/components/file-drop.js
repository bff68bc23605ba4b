/** Field for files: chosen in a dialog, or dropped. */
import { html, useRef, useState } from "../html.js";

/**
 * @param {{ label: string, accept: string, disabled?: boolean, onFiles: (files: ReadonlyArray<File>) => void,
 *   children?: unknown }} props the children explain which files are accepted
 */
export function FileDrop({ label, accept, disabled = false, onFiles, children }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [over, setOver] = useState(false);
  /** @param {DragEvent} event */
  const handleDragOver = (event) => {
    event.preventDefault();
    setOver(!disabled);
  };
  /** @param {DragEvent} event */
  const handleDrop = (event) => {
    event.preventDefault();
    setOver(false);
    if (!disabled) onFiles([...(event.dataTransfer?.files ?? [])]);
  };
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const handleChange = ({ currentTarget }) => {
    const files = [...(currentTarget.files ?? [])];
    currentTarget.value = ""; // the same file may be chosen again
    if (files.length > 0) onFiles(files);
  };
  return html`
    <div
      class="file-drop"
      data-over=${over}
      onDragOver=${handleDragOver}
      onDragLeave=${() => setOver(false)}
      onDrop=${handleDrop}
    >
      <div class="row">
        <button type="button" class="primary" disabled=${disabled} onClick=${() => field.current?.click()}>${label}</button>
        <span>or drop files here</span>
      </div>
      <input ref=${field} type="file" multiple hidden aria-label=${label} accept=${accept} onChange=${handleChange} />
      <small>${children}</small>
    </div>
  `;
}
