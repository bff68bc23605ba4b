/** Formula in TeX: MathML, or its text where it cannot be shown. */
import { html, useLayoutEffect, useMemo, useRef } from "../html.js";
import { useModule } from "../on-demand.js";

/** Longer formulas stay text. */
const CHARACTERS = 5_000;

/** @type {{ element: Element | undefined, problem: string }} */
const NOTHING = { element: undefined, problem: "" };

/**
 * `source` is the text with its marks, such as `$x$`. `open` while it is still being written.
 * @param {{ tex: string, source: string, display: boolean, open?: boolean }} props
 */
export function Formula({ tex, source, display, open = false }) {
  const isTooLong = tex.length > CHARACTERS;
  const needed = !open && !isTooLong && tex.trim() !== "";
  const { module, failed } = useModule("math", needed);
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const { element, problem } = useMemo(
    () => (needed && module ? build(module, tex, display) : NOTHING),
    [needed, module, tex, display],
  );
  useLayoutEffect(() => {
    if (element) place.current?.replaceChildren(element);
  }, [element]);
  const reason = reasonOf({ problem, failed, isTooLong });
  // Elements with different keys: the one that has a formula has no children of its own.
  const shown = element
    ? html`<span key="formula" ref=${place} class="md-formula"></span>`
    : html`<code key="source" class="md-tex" title=${reason || undefined}>${source}</code>`;
  if (!display) return shown;
  return html`<span class="md-display" tabindex="0" role="group" aria-label="Formula">${shown}</span>`;
}

/** @param {import("../on-demand.js").Module<"math">} module @param {string} tex @param {boolean} display */
function build(module, tex, display) {
  try {
    return { element: module.formula(tex, display), problem: "" };
  } catch (error) {
    return { element: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** @param {{ problem: string, failed: boolean, isTooLong: boolean }} state */
function reasonOf({ problem, failed, isTooLong }) {
  if (isTooLong) return `Formulas of more than ${CHARACTERS} characters are shown as text`;
  if (problem !== "") return `Not shown as a formula: ${problem}`;
  return failed ? "Formulas could not be loaded. Reload the page." : "";
}
