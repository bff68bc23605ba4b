"""HTML: the title and the visible text, with its headings as sections."""

import re

from msgspec import Struct

from flexchat.html_text import HtmlPage, parse_html
from functions.retrieval.ingest.documents import Document, LoadError, SourceFile, checked, cleaned, decoded, stem
from functions.retrieval.ingest.markdown import Heading, counted, sections

_SOFT_HYPHEN = re.compile(r"\xad|&(?:shy|#173|#x0*ad);", re.IGNORECASE)


class ReadPage(Struct, frozen=True):
    """Visible text of a page, its headings, and its title, else its first heading."""

    text: str
    headings: tuple[Heading, ...]
    title: str


def load_html(file: SourceFile) -> Document:
    """Return an HTML page, titled by its `title`, else by its first heading. Raises LoadError."""
    page = read_page(cleaned(decoded(file.content, is_markup=True)))
    named = page.title or stem(file.name)

    def cite(heading: Heading) -> str:
        return f"{file.name}#{heading.anchor}" if heading.anchor else file.name

    return Document(
        id=file.name,
        title=named,
        source=file.name,
        text=page.text,
        sections=sections(named, page.headings, cite=cite),
    )


def read_page(markup: str, *, empty: bool = False) -> ReadPage:
    """Return the content of cleaned markup, without soft hyphens, which would divide words.

    Raises LoadError for a page without text unless `empty`.
    """
    try:
        parser = parse_html(_SOFT_HYPHEN.sub("", markup))
    except ValueError as exc:
        raise LoadError(str(exc)) from exc
    page = HtmlPage()
    page.read(parser.root)
    headings = counted(Heading(found.offset, found.level, found.text, found.anchor) for found in page.headings)
    title = parser.css_first("head > title")
    titles = (" ".join(title.text().split()) if title else "", *(heading.text for heading in headings))
    text = cleaned(page.text())
    return ReadPage(text if empty else checked(text), headings, next(filter(None, titles), ""))
