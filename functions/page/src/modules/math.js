/** Formulas, loaded on demand: TeX as MathML elements, without links, files, ids and sizes that leave their line. */
import temml from "../vendor/temml.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** Largest size of a rule or a space: in em, and in points. @type {[number, number]} */
const MAX_SIZE = [40, 400];
const MAX_EXPANSIONS = 1_000;
/** Commands that define macros: a short text could expand to millions of characters. */
const DEFINITIONS =
  /\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet|definecolor|global|long)(?![a-zA-Z])/;
/** Lengths of attributes; a percentage is of the formula. */
const LENGTH = /(-?[\d.]+(?:e[-+]?\d+)?)(em|ex|px|pt|mu|cm|mm|in|pc|rem|vw|vh)\b/g;

/** Attributes of MathML that Temml writes; those with ids and addresses are not among them. */
const ATTRIBUTES = new Set(
  (
    "accent accentunder align class columnalign columnlines columnspacing depth display displaystyle encoding fence form " +
    "height largeop linethickness lspace mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace " +
    "scriptlevel separator stretchy style symmetric voffset width xmlns columnspan rowspan side dir intent arg"
  ).split(" "),
);

/**
 * A formula as an element, in the color of its text.
 * @param {string} tex
 * @param {boolean} display as a block
 * @returns {Element}
 * @throws {Error} for TeX that cannot be read; the message is the reason
 */
export function formula(tex, display) {
  const defined = DEFINITIONS.exec(tex);
  if (defined) throw new Error(`${defined[0]} is not supported: macros cannot be defined`);
  const made = document.createElement("span");
  try {
    temml.render(tex, made, {
      displayMode: display,
      throwOnError: true,
      strict: false,
      trust: false,
      wrap: display ? "none" : "tex",
      maxSize: MAX_SIZE,
      maxExpand: MAX_EXPANSIONS,
    });
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
  const math = made.firstElementChild;
  if (math === null || math.namespaceURI !== MATHML) throw new Error("no formula");
  for (const element of made.querySelectorAll("*")) clean(element);
  return math;
}

/** First sentence of an error of Temml, or a reason for one of the engine, such as too many levels. @param {unknown} error */
function reasonOf(error) {
  if (!(error instanceof Error) || error instanceof RangeError || error instanceof TypeError) {
    return "it is incomplete or too deep";
  }
  return error.message.replace(/^e?:? */, "").split(/ at (?:position|end)|:? *\n/, 1)[0] ?? "";
}

/** Remove what a formula must not have. @param {Element} element */
function clean(element) {
  if (element.namespaceURI !== MATHML && element.localName !== "span") {
    element.replaceWith(element.textContent ?? "");
    return;
  }
  for (const name of element.getAttributeNames()) {
    if (!ATTRIBUTES.has(name)) {
      element.removeAttribute(name);
    } else if (hasLargeLength(element.getAttribute(name) ?? "")) {
      throw new Error(`it has a size of more than ${MAX_SIZE[0]} em`);
    }
  }
  if (element.localName === "mspace" && element.hasAttribute("height")) {
    element.setAttribute("mathbackground", "currentcolor");
  }
  const { style } = /** @type {HTMLElement} */ (element);
  for (const name of ["color", "background", "background-color", "border-color"]) style.removeProperty(name);
}

/** @param {string} value of an attribute */
function hasLargeLength(value) {
  return [...value.matchAll(LENGTH)].some(([, length, unit]) => {
    const most = unit === "px" || unit === "pt" || unit === "mu" ? MAX_SIZE[1] : MAX_SIZE[0];
    return !(Math.abs(Number(length)) <= most);
  });
}
