/** Entry point: renders the page into the document. */
import { App } from "./shell/app.js";
import { html, render } from "./html.js";

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
