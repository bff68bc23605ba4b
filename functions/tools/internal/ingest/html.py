"""HTML: the title and the text that a reader sees, with its headings as sections."""

import re
from collections.abc import Iterator
from typing import Literal

from bs4 import BeautifulSoup, NavigableString, PageElement, Tag
from bs4.element import CData
from bs4.exceptions import ParserRejectedMarkup

from functions.tools.internal.ingest.documents import Document, LoadError, SourceFile
from functions.tools.internal.ingest.sections import Heading, sections
from functions.tools.internal.ingest.text import checked, cleaned, decoded, stem

_UNSEEN = frozenset(
    "audio button canvas datalist embed head iframe input math noscript object script select style svg template "
    "textarea title video".split()
)
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_LINES = frozenset("br dd dt figcaption li option tr".split())
_BLOCKS = frozenset(
    "address article aside blockquote body caption details dialog div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 "
    "header hr main nav ol p pre section summary table tbody tfoot thead ul".split()
)
_CELLS = frozenset(("td", "th"))
_HEADING = re.compile(r"h[1-6]")

_Gap = Literal["", " ", "\n", "\n\n"]


def load_html(file: SourceFile) -> Document:
    """An HTML page, titled by its `title`, else by its first heading. Raises LoadError."""
    try:
        soup = BeautifulSoup(cleaned(decoded(file.content)), "html.parser")
    except ParserRejectedMarkup as exc:
        raise LoadError("its markup cannot be read as HTML") from exc
    page = _Page()
    page.read(soup)
    headings = tuple(page.headings)
    title = " ".join(soup.title.get_text().split()) if soup.title else ""
    title = title or next((heading.text for heading in headings if heading.text), "") or stem(file.name)

    def cite(heading: Heading) -> str:
        return f"{file.name}#{heading.anchor}" if heading.anchor else file.name

    return Document(
        id=file.name,
        title=title,
        source=file.name,
        text=checked(page.text()),
        sections=sections(title, headings, cite=cite),
    )


class _Page:
    """The text of a page as it is written, block by block."""

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self._parts: list[str] = []
        self._length = 0
        self._gap: _Gap = ""

    def text(self) -> str:
        return "".join(self._parts)

    def read(self, root: Tag) -> None:
        """Write what is visible under `root`. Without recursion: pages may be nested deeply, even on purpose."""
        open_tags: list[tuple[Tag, Iterator[PageElement]]] = [(root, iter(root.children))]
        pre = 0
        while open_tags:
            tag, children = open_tags[-1]
            child = next(children, None)
            if child is None:
                open_tags.pop()
                self._separate(tag)
                pre -= tag.name == "pre"
            elif isinstance(child, Tag):
                if _is_seen(child):
                    open_tags.append((child, iter(child.children)))
                    self._enter(child)
                    pre += child.name == "pre"
            elif type(child) in (NavigableString, CData):
                self._write(str(child), exact=pre > 0)

    def _enter(self, tag: Tag) -> None:
        self._separate(tag)
        if _HEADING.fullmatch(tag.name):
            text = " ".join(tag.get_text().split())
            self.headings.append(
                Heading(self._length + (len(self._gap) if self._parts else 0), int(tag.name[1]), text, _anchor(tag))
            )
        if tag.name == "li":
            self._write("- ", exact=True)

    def _separate(self, tag: Tag) -> None:
        if tag.name in _BLOCKS:
            self._widen("\n\n")
        elif tag.name in _LINES:
            self._widen("\n")
        elif tag.name in _CELLS:
            self._widen(" ")

    def _widen(self, gap: _Gap) -> None:
        if len(gap) > len(self._gap) or (gap == "\n" and self._gap == " "):
            self._gap = gap

    def _write(self, text: str, *, exact: bool) -> None:
        """Add `text` as it is, or with its white space as one space."""
        words = text.strip("\n") if exact else " ".join(text.split())
        if not exact and text[:1].isspace():
            self._widen(" ")
        if not words:
            return
        if self._parts:
            self._append(self._gap)
        self._gap = ""
        self._append(words)
        if not exact and text[-1:].isspace():
            self._widen(" ")

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _is_seen(tag: Tag) -> bool:
    return not (
        tag.name in _UNSEEN
        or tag.has_attr("hidden")
        or tag.get("aria-hidden") == "true"
        or _HIDING_STYLE.search(str(tag.get("style", "")))
    )


def _anchor(tag: Tag) -> str:
    return str(tag.get("id") or "")
