"""PDF: the text of its pages; passages are cited by their page."""

import io

from pypdf import PdfReader
from pypdf.errors import DependencyError, PdfReadError

from functions.retrieval.ingest.documents import Document, LoadError, Section, SourceFile
from functions.retrieval.ingest.text import checked, cleaned, stem

MAX_PAGES = 5_000


def load_pdf(file: SourceFile) -> Document:
    """Return a PDF, titled by its properties, else by its file's name. Raises LoadError."""
    try:
        reader = PdfReader(io.BytesIO(file.content))
        _open(reader)
        title = cleaned(str(reader.metadata.title or "")).strip() if reader.metadata else ""
        pages = _pages(reader)
    except LoadError:
        raise
    except Exception as exc:  # the library raises nearly any exception for a broken file
        raise LoadError(f"the PDF is broken ({type(exc).__name__}); open it and save it again") from exc
    text = "\n".join(pages)
    if not text.strip():
        raise LoadError("the PDF has only images of its text; recognize the text (OCR) first")
    title = title or stem(file.name)
    return Document(
        id=file.name,
        title=title,
        source=file.name,
        text=checked(text),
        sections=_cited(title, file.name, pages),
    )


def _open(reader: PdfReader) -> None:
    """Raise LoadError for a PDF that requires a password; many have an empty one and just forbid printing."""
    if not reader.is_encrypted:
        return
    try:
        opened = reader.decrypt("")
    except (DependencyError, NotImplementedError, PdfReadError) as exc:
        raise LoadError("the PDF is encrypted; save it without a password") from exc
    if not opened:
        raise LoadError("the PDF is encrypted; save it without a password")


def _pages(reader: PdfReader) -> tuple[str, ...]:
    count = len(reader.pages)
    if count > MAX_PAGES:
        raise LoadError(f"the PDF has {count} pages, at most {MAX_PAGES} are accepted; split it")
    return tuple(cleaned(page.extract_text()).strip() for page in reader.pages)


def _cited(title: str, source: str, pages: tuple[str, ...]) -> tuple[Section, ...]:
    found: list[Section] = []
    offset = 0
    for number, page in enumerate(pages, start=1):
        found.append(Section(offset, title, f"{source}#page={number}"))
        offset += len(page) + 1
    return tuple(found)
