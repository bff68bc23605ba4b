/** Table that scrolls on narrow screens. */
import { html } from "../html.js";

/**
 * @param {{ label: string, caption: string, columns: ReadonlyArray<string>, numbers?: ReadonlyArray<string>,
 *   children?: unknown }} props `numbers` are the columns with right-aligned numbers; `children` are the rows
 */
export function DataTable({ label, caption, columns, numbers = [], children }) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${label}>
      <table>
        <caption>${caption}</caption>
        <thead>
          <tr>${columns.map((title) => html`<th scope="col" class=${numbers.includes(title) && "number"}>${title}</th>`)}</tr>
        </thead>
        <tbody>${children}</tbody>
      </table>
    </div>
  `;
}
