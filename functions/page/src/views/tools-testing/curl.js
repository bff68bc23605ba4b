/** A run as a command for a shell, to be repeated elsewhere. */

/**
 * The token stays where it is: the command takes it from the environment.
 * @param {string} url of the route
 * @param {Readonly<Record<string, unknown>>} body
 */
export function curlText(url, body) {
  return [
    `curl -sS -X POST ${quoted(url)}`,
    `-H "Authorization: Bearer $FLEXCHAT_TOKEN"`,
    "-H 'Content-Type: application/json'",
    `--data-raw ${quoted(JSON.stringify(body))}`,
  ].join(" \\\n  ");
}

/** A text as one word of a POSIX shell: nothing is special within single quotes but themselves. @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
