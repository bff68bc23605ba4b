"""Word documents (.docx): their text, with headings as sections."""

import io

import mammoth

from functions.retrieval.ingest.archive import Archive, broken
from functions.retrieval.ingest.documents import Document, SourceFile, stem
from functions.retrieval.ingest.html import read_page
from functions.retrieval.ingest.markdown import anchored


def load_docx(file: SourceFile) -> Document:
    """Return a Word document, titled by its properties, else by its first heading. Raises LoadError."""
    archive = Archive(file.content)
    title = archive.title()
    page = read_page(_html(file.content))
    named = title or page.title or stem(file.name)
    return Document(
        id=file.name,
        title=named,
        source=file.name,
        text=page.text,
        sections=anchored(named, file.name, page.headings),
    )


def _no_image(_: object) -> dict[str, str]:
    return {}


def _html(content: bytes) -> str:
    """Return the document as HTML, without its images. Raises LoadError."""
    try:
        return mammoth.convert_to_html(
            io.BytesIO(content),
            convert_image=mammoth.images.img_element(_no_image),
            include_embedded_style_map=False,
            external_file_access=False,
        ).value
    except MemoryError:
        raise
    except Exception as exc:  # the package raises errors of any kind for a broken document
        raise broken(exc) from exc
