"""HTML: the title and the visible text, with its headings as sections."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from functions.retrieval.ingest.documents import Document, LoadError, SourceFile
from functions.retrieval.ingest.sections import Heading, sections
from functions.retrieval.ingest.text import checked, cleaned, decoded, stem

MAX_OPEN_ELEMENTS = 5_000
"""Maximum nesting, since parsing takes quadratic time in it; real pages are below a hundred."""

MAX_HEADING_CHARACTERS = 1_000
MAX_HEADING_NODES = 200

_UNSEEN = re.compile(
    "audio|button|canvas|datalist|embed|head|iframe|input|math|noscript|object|script|select|style|svg|template|"
    "textarea|title|video"
)
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLOCK = re.compile(
    "address|article|aside|blockquote|body|caption|details|dialog|div|dl|fieldset|figure|footer|form|h[1-6]|header|hr|"
    "main|nav|ol|p|pre|section|summary|table|tbody|tfoot|thead|ul"
)
_LINE = re.compile("br|dd|dt|figcaption|li|tr")
_CELL = re.compile("td|th")
_HEADING = re.compile("h[1-6]")

_OPENED = re.compile(r"<(/?)([a-z][a-z0-9-]*)", re.IGNORECASE)
_NEED_NO_END = re.compile("area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|source|t[dhr]|track|wbr")

_GAPS = ("", " ", "\n", "\n\n")
"""Separators of texts, the widest last."""


def load_html(file: SourceFile) -> Document:
    """Return an HTML page, titled by its `title`, else by its first heading. Raises LoadError."""
    markup = cleaned(decoded(file.content))
    _check_depth(markup)
    parser = LexborHTMLParser(markup)
    page = _Page()
    page.read(parser.root)
    headings = tuple(page.headings)
    title = parser.css_first("head > title")
    titles = (" ".join(title.text().split()) if title else "", *(heading.text for heading in headings))
    named = next(filter(None, titles), None) or stem(file.name)

    def cite(heading: Heading) -> str:
        return f"{file.name}#{heading.anchor}" if heading.anchor else file.name

    return Document(
        id=file.name,
        title=named,
        source=file.name,
        text=checked(page.text()),
        sections=sections(named, headings, cite=cite),
    )


def _check_depth(markup: str) -> None:
    """Reject a page with thousands of unclosed elements, by a cheap count."""
    depth = 0
    for opened in _OPENED.finditer(markup):
        if not _NEED_NO_END.fullmatch(opened[2].lower()):
            depth = max(0, depth - 1) if opened[1] else depth + 1
            if depth > MAX_OPEN_ELEMENTS:
                raise LoadError(f"more than {MAX_OPEN_ELEMENTS} of its elements are open at once; close them")


class _Page:
    """Text of a page, written block by block."""

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self._parts: list[str] = []
        self._length = 0
        self._gap = ""
        self._exact = 0

    def text(self) -> str:
        return "".join(self._parts)

    def read(self, root: LexborNode | None) -> None:
        """Write the visible text under `root`. Without recursion: pages may be nested deeply."""
        steps = [(root, False)] if root else []
        while steps:
            node, leaving = steps.pop()
            if leaving:
                self._leave(node)
            elif node.is_text_node:
                self._write(node.text_content or "")
            elif node.is_element_node and _is_seen(node):
                self._enter(node)
                steps.append((node, True))
                steps += [(child, False) for child in reversed([*node.iter(include_text=True)])]

    def _enter(self, node: LexborNode) -> None:
        tag = node.tag or ""
        self._separate(tag)
        self._exact += tag == "pre"
        if _HEADING.fullmatch(tag):
            text = _heading_text(node)
            offset = self._length + (len(self._gap) if self._parts else 0)
            self.headings.append(Heading(offset, int(tag[1]), text, node.id or ""))
        elif tag == "li":
            self._append("- ")

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        self._separate(tag)
        self._exact -= tag == "pre"

    def _separate(self, tag: str) -> None:
        if _BLOCK.fullmatch(tag):
            self._widen("\n\n")
        elif _LINE.fullmatch(tag):
            self._widen("\n")
        elif _CELL.fullmatch(tag):
            self._widen(" ")

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
            nodes += reversed([*node.iter(include_text=True)])
    return " ".join("".join(parts).split())[:MAX_HEADING_CHARACTERS]


def _is_seen(node: LexborNode) -> bool:
    attributes = node.attributes
    return not (
        _UNSEEN.fullmatch(node.tag or "")
        or "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or _HIDING_STYLE.search(attributes.get("style") or "")
    )
