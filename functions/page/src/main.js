/** Start of the page: renders it into the document. */
import { App } from "./shell/app.js";
import { html, render } from "./html.js";

// Chromium fetches the icon again after a navigation, relative to the new path.
for (const link of document.querySelectorAll("link")) link.setAttribute("href", link.href);

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
