/** Text field with line numbers and the problems of its lines. */
import { Outcome } from "../../../components/badges.js";
import { html, useEffect, useId, useRef } from "../../../html.js";

/** @typedef {{ line: number, severity: "error" | "warning", text: string }} LineProblem */

const MIN_LINES = 4;
const MAX_LINES = 32;

/**
 * @param {{ label: string, value: string, problems: ReadonlyArray<LineProblem>, readOnly?: boolean, wrap?: boolean,
 *   onValue: (value: string) => void }} props with `wrap` long lines are wrapped, and lines have no numbers
 */
export function CodeField({ label, value, problems, readOnly = false, wrap = false, onValue }) {
  const id = useId();
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const gutter = useRef(/** @type {HTMLElement | null} */ (null));
  const lines = value.split("\n");
  const rows = Math.min(MAX_LINES, Math.max(MIN_LINES, lines.length + 1));
  const faulty = new Map(problems.map(({ line, severity }) => [line, severity]));
  const scroll = () => {
    if (gutter.current && field.current) gutter.current.scrollTop = field.current.scrollTop;
  };
  useEffect(scroll, [value]);

  /** @param {number} line */
  const show = (line) => {
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    field.current?.focus();
    field.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  };
  return html`
    <div class="field code-entry">
      <label for=${id}>${label}</label>
      <div class="code-field">
        ${
          !wrap &&
          html`<pre class="code-lines" aria-hidden="true" ref=${gutter} style=${{ height: `${rows * 18 + 10}px` }}>${lines.map(
            (_, at) => html`<span data-severity=${faulty.get(at + 1)}>${faulty.has(at + 1) ? "!" : ""}${at + 1}</span>`,
          )}</pre>`
        }
        <textarea
          id=${id}
          ref=${field}
          class="code-text"
          data-wrap=${wrap}
          rows=${rows}
          wrap=${wrap ? "soft" : "off"}
          spellcheck=${wrap}
          autocomplete="off"
          autocapitalize="off"
          readonly=${readOnly}
          aria-invalid=${problems.some(({ severity }) => severity === "error")}
          aria-describedby=${problems.length > 0 ? `${id}-problems` : undefined}
          value=${value}
          onScroll=${scroll}
          onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => onValue(event.currentTarget.value)}
        ></textarea>
      </div>
      ${
        problems.length > 0 &&
        html`<ul class="code-problems" id=${`${id}-problems`}>
          ${problems.map(
            ({ line, severity, text }) => html`<li>
              <button type="button" class="quiet" onClick=${() => show(line)}>
                <${Outcome} tone=${severity === "error" ? "bad" : "warn"}>${wrap ? "" : `Line ${line}: `}${text}<//>
              </button>
            </li>`,
          )}
        </ul>`
      }
    </div>
  `;
}
