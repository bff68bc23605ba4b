/** Light or dark theme: the user's choice, else the system's preference. */
const KEY = "flexchat.theme";

/** @typedef {"light" | "dark"} Theme */

const dark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {Theme} */
export function currentTheme() {
  const chosen = localStorage.getItem(KEY);
  if (chosen === "light" || chosen === "dark") return chosen;
  return dark.matches ? "dark" : "light";
}

/** @param {Theme} theme */
export function chooseTheme(theme) {
  localStorage.setItem(KEY, theme);
  applyTheme();
}

export function applyTheme() {
  document.documentElement.dataset.theme = currentTheme();
}

dark.addEventListener("change", applyTheme);
