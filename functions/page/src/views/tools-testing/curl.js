/** A test as a curl command. */

/**
 * The command reads the token from the environment.
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

/** Quote a text as one word of a POSIX shell. @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
