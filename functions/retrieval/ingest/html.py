"""HTML: the title and the visible text, with its headings as sections."""

from flexchat.html_text import HtmlPage, parse_html
from functions.retrieval.ingest.documents import Document, LoadError, SourceFile, checked, cleaned, decoded, stem
from functions.retrieval.ingest.markdown import Heading, counted, sections


def load_html(file: SourceFile) -> Document:
    """Return an HTML page, titled by its `title`, else by its first heading. Raises LoadError."""
    markup = cleaned(decoded(file.content, is_markup=True))
    try:
        parser = parse_html(markup)
    except ValueError as exc:
        raise LoadError(str(exc)) from exc
    page = HtmlPage()
    page.read(parser.root)
    headings = counted(Heading(found.offset, found.level, found.text, found.anchor) for found in page.headings)
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
