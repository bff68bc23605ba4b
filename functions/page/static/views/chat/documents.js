/** What was found in the collections that were searched for an answer. */
import { Fold } from "../../components/fold.js";
import { Outcome } from "../../components/marks.js";
import { counted, distance } from "../../format.js";
import { html } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas["RagView"]} Rag */

/** @type {Readonly<Record<Rag["result"], import("../../components/marks.js").Tone>>} */
const TONES = { match: "good", partial: "warn", none: "plain" };

/** @param {{ rag: Rag }} props */
export function Documents({ rag }) {
  const { documents, skipped, result } = rag;
  const summary = html`
    ${counted(documents.length, "document")} · <${Outcome} tone=${TONES[result]}>${result === "none" ? "no match" : result}<//>
    ${skipped.length > 0 && html` · <${Outcome} tone="warn">${counted(skipped.length, "collection")} skipped<//>`}
  `;
  return html`
    <${Fold} summary=${summary}>
      ${documents.length > 0 && html`<${Table} documents=${documents} />`}
      ${documents.length === 0 && html`<p>Nothing in the selected collections was near enough.</p>`}
      ${skipped.map(({ collection, reason }) => html`<p>! <code>${collection}</code> was skipped: ${reason}</p>`)}
    <//>
  `;
}

/** @param {{ documents: Rag["documents"] }} props */
function Table({ documents }) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Documents">
      <table>
        <caption>Documents, as the model had them</caption>
        <thead>
          <tr>
            <th scope="col" class="number">Distance</th>
            <th scope="col">Title</th>
            <th scope="col">Source</th>
            <th scope="col">Collection</th>
          </tr>
        </thead>
        <tbody>
          ${documents.map(
            (document) => html`
              <tr>
                <td class="number">${distance(document.distance)}</td>
                <td>${document.title}</td>
                <td>${document.source}</td>
                <td>${document.service}/${document.collection}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
