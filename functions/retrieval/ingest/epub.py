"""E-books (.epub): the text of their chapters in reading order; passages are cited by their chapter."""

from collections.abc import Iterator

from functions.retrieval.ingest.archive import Archive, beside
from functions.retrieval.ingest.documents import (
    MAX_DOCUMENT_CHARACTERS,
    Document,
    LoadError,
    Section,
    SourceFile,
    checked,
    cleaned,
    decoded,
    one_title,
    stem,
)
from functions.retrieval.ingest.html import read_page
from functions.retrieval.ingest.markdown import Heading, sections

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_ROOT_FILE = "{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"
_OPF = "{http://www.idpf.org/2007/opf}"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_CHAPTER_TYPES = ("application/xhtml+xml", "text/html")


def load_epub(file: SourceFile) -> Document:
    """Return an e-book, titled by its metadata, else by its file's name. Raises LoadError."""
    archive = Archive(file.content)
    package = _package(archive)
    opf = archive.xml(package)
    title = one_title(opf.findtext(f".//{_TITLE}") or "") or stem(file.name)
    parts: list[str] = []
    found: list[Section] = []
    empty = 0
    offset = 0
    for number, name in enumerate(_chapters(archive, package), start=1):
        page = read_page(cleaned(decoded(archive.read(name), is_markup=True)), empty=True)
        if not page.text.strip():
            empty += 1
            continue
        source = f"{file.name}#chapter={number}"
        headings = [
            Heading(offset + heading.offset, heading.level, heading.text)
            for heading in page.headings or (Heading(0, 1, page.title),)
        ]
        found += sections(title, headings, cite=lambda _, source=source: source)
        parts.append(page.text.rstrip() + "\n\n")
        offset += len(parts[-1])
        if offset > MAX_DOCUMENT_CHARACTERS:
            raise LoadError(f"its text has more than {MAX_DOCUMENT_CHARACTERS} characters; split the file")
    if not parts and _ENCRYPTION in archive:
        raise LoadError("the book is encrypted; only books without copy protection can be read")
    return Document(
        id=file.name,
        title=title,
        source=file.name,
        text=checked("".join(parts)),
        sections=tuple(found),
    )


def _package(archive: Archive) -> str:
    root = next(archive.xml(_CONTAINER).iter(_ROOT_FILE), None)
    name = "" if root is None else root.get("full-path", "")
    if not name:
        raise LoadError("the book is broken: it names no list of its chapters")
    return name


def _chapters(archive: Archive, package: str) -> Iterator[str]:
    """Yield the names of the chapters in reading order."""
    opf = archive.xml(package)
    items = {item.get("id"): item for item in opf.iter(f"{_OPF}item")}
    for reference in opf.iter(f"{_OPF}itemref"):
        item = items.get(reference.get("idref"))
        if item is not None and item.get("media-type") in _CHAPTER_TYPES:
            yield beside(package, item.get("href", ""))
