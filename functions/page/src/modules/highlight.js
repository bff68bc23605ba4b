/** Syntax colours, loaded on demand: the tokens of a source text, line by line, so that each text takes linear time. */
import * as modes from "../vendor/syntax.js";

/** Token with its class, which is empty for a plain one. @typedef {readonly [text: string, name: string]} Token */
/** @typedef {import("@codemirror/streamparser").StreamParser<unknown>} Mode */

const TAB = 4;
const INDENT = 2;
/** Longer lines are plain: data or minified code. */
const LINE_CHARACTERS = 2_000;
/** Time for one text; the rest of it is plain. */
const LONGEST_MS = 100;
/** A mode may return without a token to change its state. */
const EMPTY_READS = 10;

const PHP_KEYWORDS =
  "abstract and array as break callable case catch class clone const continue declare default die do echo else elseif " +
  "empty enum extends final finally fn for foreach function global goto if implements include include_once instanceof " +
  "insteadof interface isset list match namespace new or print private protected public readonly require require_once " +
  "return static switch throw trait try unset use var while xor yield";

const php = /** @type {Mode} */ (
  modes.clike({
    name: "php",
    keywords: words(PHP_KEYWORDS),
    blockKeywords: words("catch do else elseif for foreach if switch try while finally"),
    types: words("bool float int iterable mixed never object self string void"),
    atoms: words("true false null TRUE FALSE NULL"),
    multiLineStrings: true,
    hooks: {
      $: (/** @type {modes.StringStream} */ stream) => {
        stream.eatWhile(/[\w$]/);
        return "variable-2";
      },
      "#": (/** @type {modes.StringStream} */ stream) => {
        if (stream.peek() === "[") return "meta";
        stream.skipToEnd();
        return "comment";
      },
      "<": (/** @type {modes.StringStream} */ stream) => (stream.match("?php") || stream.match("?=") ? "meta" : false),
    },
  })
);

/** Mode by the names of its language. @type {ReadonlyMap<string, Mode>} */
const MODES = new Map(
  /** @type {ReadonlyArray<[unknown, string]>} */ ([
    [modes.c, "c h"],
    [modes.cpp, "cpp c++ cc cxx hpp arduino ino"],
    [modes.csharp, "csharp cs c#"],
    [modes.dart, "dart"],
    [modes.java, "java"],
    [modes.kotlin, "kotlin kt kts"],
    [modes.objectiveC, "objectivec objective-c objc m mm"],
    [modes.scala, "scala"],
    [modes.clojure, "clojure clj edn"],
    [modes.css, "css"],
    [modes.less, "less"],
    [modes.sCSS, "scss"],
    [modes.diff, "diff patch"],
    [modes.dockerFile, "dockerfile docker"],
    [modes.go, "go golang"],
    [modes.groovy, "groovy gradle"],
    [modes.haskell, "haskell hs"],
    [modes.html, "html htm xhtml vue svelte"],
    [modes.http, "http"],
    [modes.javascript, "javascript js jsx mjs cjs node"],
    [modes.json, "json json5 jsonc jsonl ndjson"],
    [modes.julia, "julia jl"],
    [modes.lua, "lua"],
    [modes.nginx, "nginx"],
    [modes.perl, "perl pl"],
    [php, "php"],
    [modes.powerShell, "powershell ps ps1 pwsh"],
    [modes.properties, "properties ini dotenv env conf cfg editorconfig"],
    [modes.protobuf, "protobuf proto"],
    [modes.python, "python py python3 py3 pycon ipython starlark"],
    [modes.r, "r"],
    [modes.ruby, "ruby rb"],
    [modes.rust, "rust rs"],
    [modes.shell, "shell sh bash zsh console shellsession shell-session terminal makefile make"],
    [modes.standardSQL, "sql mysql postgresql postgres sqlite plsql tsql"],
    [modes.stex, "latex tex"],
    [modes.swift, "swift"],
    [modes.toml, "toml"],
    [modes.typescript, "typescript ts tsx mts cts"],
    [modes.xml, "xml svg xsl xslt rss plist"],
    [modes.yaml, "yaml yml"],
  ]).flatMap(([mode, names]) => names.split(" ").map((name) => [name, /** @type {Mode} */ (mode)])),
);

/** Classes of the stylesheet with the styles of modes, in order of precedence. @type {ReadonlyArray<[string, RegExp]>} */
const CLASSES = [
  ["tok-comment", /comment|quote/],
  ["tok-inserted", /inserted/],
  ["tok-deleted", /deleted|error|invalid/],
  ["tok-string", /string|character|url|regexp/],
  ["tok-number", /number|atom|bool|null|unit|constant/],
  ["tok-keyword", /keyword|control|modifier|self/],
  ["tok-name", /def|function|builtin|standard|tag|heading|className|labelName/],
  ["tok-type", /type|attribute|property|meta|qualifier|annotation|macro|namespace/],
];

/** @param {string} text */
function words(text) {
  return Object.fromEntries(text.split(" ").map((word) => [word, true]));
}

/**
 * Tokens of a source text; their texts together are the text.
 * @param {string} text
 * @param {string} language name of a language, such as `python` or `py`
 * @returns {ReadonlyArray<Token> | undefined} `undefined` for an unknown language
 */
export function highlight(text, language) {
  const mode = MODES.get(language.toLowerCase());
  if (mode === undefined) return undefined;
  const state = mode.startState?.(INDENT) ?? {};
  /** @type {Token[]} */
  const tokens = [];
  const end = performance.now() + LONGEST_MS;
  text.split("\n").forEach((line, at) => {
    if (at > 0) add(tokens, "\n", "");
    if (line === "") mode.blankLine?.(state, INDENT);
    else if (line.length > LINE_CHARACTERS || performance.now() > end) add(tokens, line, "");
    else readLine(tokens, line, mode, state);
  });
  return tokens;
}

/** @param {Token[]} tokens @param {string} line @param {Mode} mode @param {unknown} state */
function readLine(tokens, line, mode, state) {
  const stream = new modes.StringStream(line, TAB, INDENT);
  for (let reads = 0; !stream.eol();) {
    stream.start = stream.pos;
    const name = mode.token(stream, state);
    reads = stream.pos === stream.start ? reads + 1 : 0;
    if (reads > EMPTY_READS) stream.next();
    if (stream.pos > stream.start) add(tokens, stream.current(), name ?? "");
  }
}

/** Add a token, to the one before it if they have the same class. @param {Token[]} tokens @param {string} text @param {string} style */
function add(tokens, text, style) {
  const name = classOf(style);
  const last = tokens.at(-1);
  if (last?.[1] === name) tokens[tokens.length - 1] = [last[0] + text, name];
  else tokens.push([text, name]);
}

/** Class of a style of a mode, such as `keyword` or `variableName.standard`. @param {string} style */
function classOf(style) {
  for (const [name, styles] of CLASSES) {
    if (styles.test(style)) return name;
  }
  return "";
}
