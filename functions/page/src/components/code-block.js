/** Block of code: its language, a button that copies it, and syntax colors. */
import { html, useMemo } from "../html.js";
import { useModule } from "../on-demand.js";
import { CopyButton } from "./copy-button.js";

/** Longer texts have no colors. */
const COLORED_CHARACTERS = 50_000;
const PLAIN = new Set(["", "text", "txt", "plain", "plaintext", "none", "output"]);

/** `open` while the text is still being written: it is colored once it is complete. @param {{ language: string, text: string, open: boolean }} props */
export function CodeBlock({ language, text, open }) {
  return html`
    <div class="md-code">
      <div class="md-code-head">
        <small>${language || "text"}</small>
        <${CopyButton} text=${text} label="Copy code" />
      </div>
      <pre tabindex="0" role="region" aria-label=${`Code ${language}`.trim()}><code><${Colored} language=${language} text=${text} open=${open} /></code></pre>
    </div>
  `;
}

/** @param {{ language: string, text: string, open: boolean }} props */
function Colored({ language, text, open }) {
  const needed = !open && !PLAIN.has(language.toLowerCase()) && text.length <= COLORED_CHARACTERS;
  const { module } = useModule("highlight", needed);
  const tokens = useMemo(
    () => (needed ? module?.highlight(text, language) : undefined),
    [needed, module, text, language],
  );
  if (tokens === undefined) return text;
  return tokens.map(([part, name], at) => (name ? html`<span key=${at} class=${name}>${part}</span>` : part));
}
