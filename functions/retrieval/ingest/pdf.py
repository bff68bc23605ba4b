"""PDF: the text of its pages; passages are cited by their page."""

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby

from pypdfium2 import PdfDocument, PdfiumError, PdfPage, PdfTextPage, raw

from functions.retrieval.ingest.documents import (
    MAX_DOCUMENT_CHARACTERS,
    Document,
    LoadError,
    Section,
    SourceFile,
    checked,
    cleaned,
    one_title,
    stem,
)
from functions.retrieval.ingest.pdf_lines import Glyph, needs_places, placed, written

MAX_PAGES = 5_000


def load_pdf(file: SourceFile) -> Document:
    """Return a PDF, titled by its properties, else by its file's name. Raises LoadError.

    Its warnings name the pages that have images or drawings, but no text.
    """
    try:
        with closing(PdfDocument(file.content)) as pdf:
            title = _title(pdf) or stem(file.name)
            raw_pages = tuple(_pages(pdf))
            scanned = [number for number, page in enumerate(raw_pages, start=1) if not page and _is_drawn(pdf, number)]
    except PdfiumError as exc:
        if exc.err_code == raw.FPDF_ERR_PASSWORD:
            raise LoadError("the PDF is encrypted; save it without a password") from exc
        raise LoadError("the PDF is broken; open it and save it again") from exc
    pages = [cleaned(page).strip() for page in written(raw_pages)]
    text = "\n".join(pages)
    if not text.strip():
        raise LoadError("the PDF has only images of its text; recognize the text (OCR) first")
    return Document(
        id=file.name,
        title=title,
        source=file.name,
        text=checked(text),
        sections=_cited(title, file.name, pages),
        warnings=_scanned_pages(scanned, len(pages)),
    )


def _scanned_pages(numbers: Sequence[int], count: int) -> tuple[str, ...]:
    """Return the warning about pages without text, with ranges such as `3-7`."""
    if not numbers:
        return ()
    ranges: list[str] = []
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        ranges.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    left_out = f"{len(numbers)} of {count} pages have only images, no text: {', '.join(ranges)}"
    return (f"{left_out}; recognize the text (OCR) to have it found",)


def _is_drawn(pdf: PdfDocument, number: int) -> bool:
    """Return true unless the page is blank."""
    with closing(pdf[number - 1]) as page:
        return next(page.get_objects(max_depth=1), None) is not None


def _title(pdf: PdfDocument) -> str:
    try:
        return one_title(pdf.get_metadata_value("Title"))
    except UnicodeDecodeError:  # half of a surrogate pair
        return ""


def _pages(pdf: PdfDocument) -> Iterator[str]:
    count = len(pdf)
    if count > MAX_PAGES:
        raise LoadError(f"the PDF has {count} pages, at most {MAX_PAGES} are accepted; split it")
    characters = 0
    for number in range(count):
        with closing(pdf[number]) as page, closing(page.get_textpage()) as text:
            found = _page_text(page, text)
        characters += len(found)
        if characters > MAX_DOCUMENT_CHARACTERS:
            raise LoadError(f"its text has more than {MAX_DOCUMENT_CHARACTERS} characters; split the file")
        yield found


def _page_text(page: PdfPage, text: PdfTextPage) -> str:
    """Return the visible text of a page, with PDFium's marks of hyphens at the end of a line."""
    found = text.get_text_bounded()
    if needs_places(found):
        left, bottom, right, top = page.get_bbox()
        found = placed(
            glyph
            for glyph, height in _glyphs(text)
            if glyph.text.isspace() or (left <= glyph.left <= right and bottom <= height <= top)
        )
    return found.replace("\r\n", "\n").strip()


def _glyphs(text: PdfTextPage) -> Iterator[tuple[Glyph, float]]:
    """Yield each character of a page with the height of its box, in points."""
    x, y = ctypes.c_double(), ctypes.c_double()
    for at in range(text.count_chars()):
        code = raw.FPDFText_GetUnicode(text, at)
        if code in (0, 0xFFFE, 0xFFFF) or code > 0x10FFFF:
            code = 2 if code == 0xFFFE else 0xFFFD
        raw.FPDFText_GetCharOrigin(text, at, x, y)
        left, bottom, right, _ = text.get_charbox(at)
        yield Glyph(chr(code), x.value, left, right), bottom


def _cited(title: str, source: str, pages: Sequence[str]) -> tuple[Section, ...]:
    found: list[Section] = []
    offset = 0
    for number, page in enumerate(pages, start=1):
        found.append(Section(offset, title, f"{source}#page={number}"))
        offset += len(page) + 1
    return tuple(found)
