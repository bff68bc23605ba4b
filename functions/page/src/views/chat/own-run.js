/** The last run that this tab has started, also before a reload. */

const KEY = "flexchat.run";

/** @param {string} run */
export function rememberRun(run) {
  sessionStorage.setItem(KEY, run);
}

/** @param {string} run */
export function isOwnRun(run) {
  return sessionStorage.getItem(KEY) === run;
}
