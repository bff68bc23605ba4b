/** A button that puts a text on the clipboard and says whether it did. */
import { html, useEffect, useState } from "../html.js";

const SHOWN_MS = 2_000;

/** @param {{ text: string | (() => string), label: string }} props */
export function CopyButton({ text, label }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(
      () => setSaid("copied ✓"),
      () => setSaid("the browser refused"),
    );
  return html`<button type="button" class="quiet" onClick=${copy}>
    ${label}<span role="status">${said && html` · ${said}`}</span>
  </button>`;
}
