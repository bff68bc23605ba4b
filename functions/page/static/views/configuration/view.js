import { Empty } from "../../components/states.js";
import { html } from "../../html.js";

export function View() {
  return html`<${Empty} title="configuration" />`;
}
