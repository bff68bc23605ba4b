"""Readable text of HTML. Only functions whose requirements name selectolax import this module."""

import re
from itertools import islice

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from flexchat.bounded_reading import BoundedReader

MAX_OPEN_ELEMENTS = 5_000
"""Maximum nesting, since parsing takes quadratic time in it; real pages are below a hundred."""

MAX_HEADING_CHARACTERS = 1_000
MAX_HEADING_NODES = 50

_UNSEEN = frozenset(
    {
        "audio",
        "button",
        "canvas",
        "datalist",
        "embed",
        "head",
        "iframe",
        "input",
        "math",
        "noscript",
        "object",
        "script",
        "select",
        "style",
        "svg",
        "template",
        "textarea",
        "title",
        "video",
    }
)
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = (
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "details",
    "dialog",
    "div",
    "dl",
    "fieldset",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "ul",
)
_LINES = ("br", "dd", "dt", "figcaption", "li", "tr")
_CELLS = ("td", "th")
_SEPARATORS = {
    **dict.fromkeys((*_HEADINGS, *_BLOCKS), "\n\n"),
    **dict.fromkeys(_LINES, "\n"),
    **dict.fromkeys(_CELLS, " "),
}
"""Separators before and after an element."""

_OPENED = re.compile(r"<(/?)([a-z][a-z0-9-]*)", re.IGNORECASE)
_NEED_NO_END = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "dd",
        "dt",
        "embed",
        "hr",
        "img",
        "input",
        "li",
        "link",
        "meta",
        "option",
        "p",
        "source",
        "td",
        "th",
        "tr",
        "track",
        "wbr",
    }
)

_GAPS = ("", " ", "\n", "\n\n")
"""Separators of texts, the widest last."""


class HtmlHeading(Struct, frozen=True):
    """Heading at a character `offset` of the text; `level` is from 1 to 6, `anchor` its id."""

    offset: int
    level: int
    text: str
    anchor: str


def parse_html(markup: str) -> LexborHTMLParser:
    """Return the parsed page. Raises ValueError for one that leaves thousands of elements open."""
    depth = 0
    for opened in _OPENED.finditer(markup):
        if opened[2].lower() not in _NEED_NO_END:
            depth = max(0, depth - 1) if opened[1] else depth + 1
            if depth > MAX_OPEN_ELEMENTS:
                raise ValueError(f"more than {MAX_OPEN_ELEMENTS} of its elements are open at once; close them")
    return LexborHTMLParser(markup)


class HtmlPage:
    """Text of a page, written block by block."""

    def __init__(self) -> None:
        self.headings: list[HtmlHeading] = []
        self._parts: list[str] = []
        self._length = 0
        self._gap = ""
        self._exact = 0

    def text(self) -> str:
        return "".join(self._parts)

    def read(self, root: LexborNode | None) -> None:
        """Write the visible text under `root`. Without recursion or lists: pages may be nested deeply, and wide."""
        levels = [iter((root,) if root else ())]
        opened: list[LexborNode] = []
        while levels:
            node = next(levels[-1], None)
            if node is None:
                levels.pop()
                if opened:
                    self._leave(opened.pop())
            elif node.is_text_node:
                self._write(node.text_content or "")
            elif node.is_element_node and _is_seen(node):
                self._enter(node)
                opened.append(node)
                levels.append(node.iter(include_text=True))

    def _enter(self, node: LexborNode) -> None:
        tag = node.tag or ""
        self._separate(tag)
        self._exact += tag == "pre"
        if tag in _HEADINGS:
            text = _heading_text(node)
            offset = self._length + (len(self._gap) if self._parts else 0)
            self.headings.append(HtmlHeading(offset, int(tag[1]), text, node.id or ""))
        elif tag == "li":
            self._append("- ")

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        self._separate(tag)
        self._exact -= tag == "pre"

    def _separate(self, tag: str) -> None:
        if separator := _SEPARATORS.get(tag):
            self._widen(separator)

    def _widen(self, gap: str) -> None:
        self._gap = max(self._gap, gap, key=_GAPS.index)

    def _write(self, text: str) -> None:
        """Add `text`, unchanged inside `pre`, else with its white space as one space."""
        if self._exact:
            self._append(text.strip("\n"))
            return
        if text[:1].isspace():
            self._widen(" ")
        if words := " ".join(text.split()):
            self._append(words)
            if text[-1].isspace():
                self._widen(" ")

    def _append(self, text: str) -> None:
        """Add `text` after the widest separator since the last text."""
        for part in (self._gap if self._parts else "", text):
            self._parts.append(part)
            self._length += len(part)
        self._gap = ""


def _heading_text(heading: LexborNode) -> str:
    """Return the words of a heading, of a long one the first: nested headings would each repeat the rest."""
    parts: list[str] = []
    nodes = [heading]
    for _ in range(MAX_HEADING_NODES):
        if not nodes:
            break
        node = nodes.pop()
        if node.is_text_node:
            parts.append((node.text_content or "")[:MAX_HEADING_CHARACTERS])
        else:
            nodes += reversed([*islice(node.iter(include_text=True), MAX_HEADING_NODES)])
    return " ".join("".join(parts).split())[:MAX_HEADING_CHARACTERS]


def _is_seen(node: LexborNode) -> bool:
    if node.tag in _UNSEEN:
        return False
    attributes = node.attributes
    return not attributes or not (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or _HIDING_STYLE.search(attributes.get("style") or "")
    )


def html_text(markup: str) -> str:
    """Return the visible text of a page. Raises ValueError for one that is nested too deeply."""
    page = HtmlPage()
    page.read(parse_html(markup).root)
    return page.text()


def bounded_html_text(markup: str, *, seconds: float) -> str:
    """Return the visible text of a foreign page. Raises ReadError for one that exceeds a limit, or after `seconds`."""
    return _reader(markup.encode("utf-8", "replace"), seconds=seconds).decode()


_reader = BoundedReader(lambda page: html_text(page.decode()).encode("utf-8", "replace"), preload=lambda: None)
