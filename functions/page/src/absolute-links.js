/**
 * Links of the document as absolute addresses. Chromium fetches the icon again after a navigation, relative to the new
 * path, and a changed address would make the links of the stylesheet others.
 */
for (const link of document.querySelectorAll("link")) link.setAttribute("href", link.href);
