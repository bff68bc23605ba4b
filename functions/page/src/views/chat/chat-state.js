/** What is being said, as data: the message in the field, the one that was sent, the answers that came. */

/** @typedef {import("./turns.js").Answer} Answer */

/**
 * What was last sent. `question` is empty where it goes on from the partial answer of the request `replaces`.
 * @typedef {{ session: string, question: string, background: boolean, replaces: string, token: string }} Sent
 */

/**
 * `sent` stays when it has ended, `waiting` says whether it has not; `used` are tokens that are good for nothing more.
 * @typedef {{ draft: string, sent: Sent | undefined, waiting: boolean, used: ReadonlyArray<string>,
 *   told: ReadonlyArray<import("./turns.js").Told> }} Said
 */

/** @type {Said} */
export const NOTHING = { draft: "", sent: undefined, waiting: false, used: [], told: [] };

/** An answer has come. @param {Said} said @param {string} session @param {Answer} answer @returns {Said} */
export function withAnswer(said, session, answer) {
  const { sent } = said;
  const own = sent?.session === session && said.waiting ? sent : undefined;
  const before = said.told.find((each) => each.answer.request_id === own?.replaces);
  const others = said.told.filter((each) => each !== before && each.answer.request_id !== answer.request_id);
  const question = before?.question ?? own?.question ?? "";
  return {
    ...said,
    waiting: own ? false : said.waiting,
    used: own?.token ? [...said.used, own.token] : said.used,
    told: [...others, { session, question, at: new Date().toISOString(), replaces: own?.replaces ?? "", answer }],
  };
}

/** What was sent in vain is back in the field, before what was written meanwhile. @param {Said} said @returns {Said} */
export function givenBack(said) {
  if (!said.waiting) return said;
  const draft = [said.sent?.question, said.draft].filter(Boolean).join("\n\n");
  return { ...said, waiting: false, draft };
}

/** A token is good for nothing more. @param {Said} said @param {string} token empty for none @returns {Said} */
export function withoutToken(said, token) {
  return token ? { ...said, used: [...said.used, token] } : said;
}
