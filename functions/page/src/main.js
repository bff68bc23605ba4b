/** Start of the page: renders it into the document. */
// First, before the address changes; the second one removes the response of the identity provider from the address.
import "./absolute-links.js";
import "./sign-in-return.js";
import { App } from "./shell/app.js";
import { html, render } from "./html.js";

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
