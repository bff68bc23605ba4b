/** How far an answer is that is waited for. */
import { Outcome } from "../../components/marks.js";
import { Busy } from "../../components/states.js";
import { duration } from "../../format.js";
import { html, useRef } from "../../html.js";
import { rowsOf } from "../../waterfall.js";

/** @typedef {import("./use-run.js").Run} Run */

/** What ended of a run, as it ends. @param {{ run: Run | undefined }} props */
export function RunProgress({ run }) {
  const since = useRef(performance.now());
  const began = run && performance.now() - (Date.now() - new Date(run.created_at).getTime());
  const rows = run ? rowsOf({ total_ms: 0, steps: run.steps }, []) : [];
  return html`
    <section class="chat-run stack" aria-label="Answer in the background">
      <${Busy} what=${told(run)} since=${began === undefined ? since.current : Math.min(began, performance.now())} />
      ${
        rows.length > 0 &&
        html`<ol>
          ${rows.map(
            (row) => html`
              <li key=${row.index}>
                ${row.name} ${row.detail && html`<small>${row.detail}</small>`}
                ${" "}<${Outcome} tone=${row.told.tone}>${row.told.word}<//>
                ${row.step && html` <small class="number">${duration(row.step.duration_ms)}</small>`}
                ${row.told.reason && html` <small>${row.told.reason}</small>`}
              </li>
            `,
          )}
        </ol>`
      }
      <small>It goes on when this page is closed; its address brings it back, for a day.</small>
    </section>
  `;
}

/** @param {Run | undefined} run */
function told(run) {
  if (run === undefined) return "asking how far the answer is";
  return run.status === "queued" ? "waiting for its turn in the background" : "being answered in the background";
}
