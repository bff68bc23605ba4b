/** Button that copies a text to the clipboard and reports the result. */
import { html, useEffect, useState } from "../html.js";

const SHOWN_MS = 2_000;

/** @param {{ text: string | (() => string), label: string }} props */
export function CopyButton({ text, label }) {
  const [result, setResult] = useState("");
  useEffect(() => {
    if (result === "") return;
    const timer = setTimeout(() => setResult(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = () =>
    navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(
      () => setResult("copied ✓"),
      () => setResult("not copied: access denied by the browser"),
    );
  return html`<button type="button" class="quiet" onClick=${copy}>
    ${label}<span role="status">${result && html` · ${result}`}</span>
  </button>`;
}
