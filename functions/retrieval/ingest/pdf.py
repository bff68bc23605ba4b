"""PDF: the text of its pages; passages are cited by their page."""

from collections.abc import Iterator
from contextlib import closing

from pypdfium2 import PdfDocument, PdfiumError, raw

from functions.retrieval.ingest.documents import (
    MAX_DOCUMENT_CHARACTERS,
    Document,
    LoadError,
    Section,
    SourceFile,
    checked,
    cleaned,
    stem,
)

MAX_PAGES = 5_000


def load_pdf(file: SourceFile) -> Document:
    """Return a PDF, titled by its properties, else by its file's name. Raises LoadError."""
    try:
        with closing(PdfDocument(file.content)) as pdf:
            title = _title(pdf) or stem(file.name)
            pages = tuple(_pages(pdf))
    except PdfiumError as exc:
        if exc.err_code == raw.FPDF_ERR_PASSWORD:
            raise LoadError("the PDF is encrypted; save it without a password") from exc
        raise LoadError("the PDF is broken; open it and save it again") from exc
    text = "\n".join(pages)
    if not text.strip():
        raise LoadError("the PDF has only images of its text; recognize the text (OCR) first")
    return Document(
        id=file.name,
        title=title,
        source=file.name,
        text=checked(text),
        sections=_cited(title, file.name, pages),
    )


def _title(pdf: PdfDocument) -> str:
    try:
        return cleaned(pdf.get_metadata_value("Title")).strip()
    except UnicodeDecodeError:  # half of a surrogate pair
        return ""


def _pages(pdf: PdfDocument) -> Iterator[str]:
    count = len(pdf)
    if count > MAX_PAGES:
        raise LoadError(f"the PDF has {count} pages, at most {MAX_PAGES} are accepted; split it")
    characters = 0
    for number in range(count):
        with closing(pdf[number]) as page, closing(page.get_textpage()) as text:
            found = cleaned(text.get_text_bounded()).strip()
        characters += len(found)
        if characters > MAX_DOCUMENT_CHARACTERS:
            raise LoadError(f"its text has more than {MAX_DOCUMENT_CHARACTERS} characters; split the file")
        yield found


def _cited(title: str, source: str, pages: tuple[str, ...]) -> tuple[Section, ...]:
    found: list[Section] = []
    offset = 0
    for number, page in enumerate(pages, start=1):
        found.append(Section(offset, title, f"{source}#page={number}"))
        offset += len(page) + 1
    return tuple(found)
