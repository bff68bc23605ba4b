/** Differences of two sequences, and of two texts by words. */

/** @typedef {"same" | "removed" | "added"} Change */

/** Longer sequences, in products of their lengths, are compared as a whole: the table would be too large. */
const MAX_CELLS = 4_000_000;

/**
 * Shortest edit from `a` to `b`: elements of both, removed ones of `a`, added ones of `b`.
 * @template T
 * @param {ReadonlyArray<T>} a
 * @param {ReadonlyArray<T>} b
 * @param {(item: T) => string} [keyOf] equal keys are equal elements
 * @returns {ReadonlyArray<{ change: Change, a: T | undefined, b: T | undefined }>}
 */
export function sequenceDiff(a, b, keyOf = String) {
  const [keysA, keysB] = [a.map(keyOf), b.map(keyOf)];
  let start = 0;
  while (start < a.length && start < b.length && keysA[start] === keysB[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && keysA[endA - 1] === keysB[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const middle = commonPairs(keysA.slice(start, endA), keysB.slice(start, endB));
  const pairs = [
    ...Array.from({ length: start }, (_, at) => /** @type {const} */ ([at, at])),
    ...middle.map(([x, y]) => /** @type {const} */ ([x + start, y + start])),
    ...Array.from({ length: a.length - endA }, (_, at) => /** @type {const} */ ([endA + at, endB + at])),
  ];
  return editsOf(a, b, pairs);
}

/**
 * @template T
 * @param {ReadonlyArray<T>} a
 * @param {ReadonlyArray<T>} b
 * @param {ReadonlyArray<readonly [number, number]>} pairs positions of equal elements, in order
 */
function editsOf(a, b, pairs) {
  /** @type {{ change: Change, a: T | undefined, b: T | undefined }[]} */
  const edits = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...pairs, /** @type {const} */ ([a.length, b.length])]) {
    for (; x < nextX; x += 1) edits.push({ change: "removed", a: a[x], b: undefined });
    for (; y < nextY; y += 1) edits.push({ change: "added", a: undefined, b: b[y] });
    if (x < a.length && y < b.length) edits.push({ change: "same", a: a[x], b: b[y] });
    x += 1;
    y += 1;
  }
  return edits;
}

/** Longest common subsequence, as pairs of positions. @param {ReadonlyArray<string>} a @param {ReadonlyArray<string>} b */
function commonPairs(a, b) {
  if (a.length * b.length > MAX_CELLS) return [];
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => lengths[x * width + y] ?? 0;
  for (let x = a.length - 1; x >= 0; x -= 1) {
    for (let y = b.length - 1; y >= 0; y -= 1) {
      lengths[x * width + y] = a[x] === b[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1));
    }
  }
  /** @type {[number, number][]} */
  const pairs = [];
  for (let [x, y] = [0, 0]; x < a.length && y < b.length;) {
    if (a[x] === b[y]) pairs.push([x++, y++]);
    else if (at(x + 1, y) >= at(x, y + 1)) x += 1;
    else y += 1;
  }
  return pairs;
}

/** White space alone is no difference. @param {string} word */
const trimmed = (word) => word.trim();

/**
 * Difference of two texts by words; adjacent words of one change are joined.
 * @param {string} a
 * @param {string} b
 * @returns {ReadonlyArray<{ change: Change, text: string }>}
 */
export function wordDiff(a, b) {
  /** @type {{ change: Change, text: string }[]} */
  const runs = [];
  for (const { change, a: old, b: added } of sequenceDiff(wordsOf(a), wordsOf(b), trimmed)) {
    const text = old ?? added ?? "";
    const last = runs.at(-1);
    if (last?.change === change) last.text += text;
    else runs.push({ change, text });
  }
  return runs;
}

/** Words with the white space after them. @param {string} text */
function wordsOf(text) {
  return text.match(/\s*\S+\s*|\s+/g) ?? [];
}

/**
 * Tool call of a trace, and what became of it in another one.
 * @template C
 * @typedef {{ change: Change | "changed", a: C | undefined, b: C | undefined }} CallChange
 */

/**
 * Calls of two traces: the same, removed, added, or with changed arguments, which is a removed and an added call of one
 * tool without an unchanged call between them.
 * @template {{ tool: string, params: unknown }} C
 * @param {ReadonlyArray<C>} a
 * @param {ReadonlyArray<C>} b
 * @returns {ReadonlyArray<CallChange<C>>}
 */
export function callDiff(a, b) {
  /** @type {CallChange<C>[]} */
  const changes = [];
  /** @type {CallChange<C>[]} */
  let removed = [];
  for (const edit of sequenceDiff(a, b, ({ tool, params }) => `${tool} ${canonical(params)}`)) {
    if (edit.change === "same") removed = [];
    const of = edit.change === "added" ? removed.find((each) => each.a?.tool === edit.b?.tool) : undefined;
    if (of) {
      Object.assign(of, { change: "changed", b: edit.b });
      removed = removed.filter((each) => each !== of);
    } else {
      const added = { ...edit };
      changes.push(added);
      if (edit.change === "removed") removed.push(added);
    }
  }
  return changes;
}

/** JSON with sorted keys. @param {unknown} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}
