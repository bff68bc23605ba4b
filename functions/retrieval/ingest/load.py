"""Conversion of a file to documents, by its format."""

from collections.abc import Callable, Iterator
from copy import replace
from pathlib import PurePosixPath
from typing import assert_never

import msgspec

from flexchat.bounded_reading import MAX_WAIT_SECONDS, BoundedReader, ReadError
from functions.retrieval.ingest.documents import (
    MAX_FILE_BYTES,
    Document,
    Failure,
    Format,
    LoadError,
    SourceFile,
    load_text,
)
from functions.retrieval.ingest.markdown import load_markdown
from functions.retrieval.ingest.records import FieldSchema, load_json, load_jsonl

FORMATS: dict[str, Format] = {
    ".txt": "text",
    ".text": "text",
    ".rst": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".pdf": "pdf",
    ".docx": "docx",
    ".docm": "docx",
    ".pptx": "pptx",
    ".pptm": "pptx",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".epub": "epub",
}
"""Formats by extension."""

DEFAULT_SCHEMA = FieldSchema()


def load(file: SourceFile, schema: FieldSchema = DEFAULT_SCHEMA) -> Iterator[Document | Failure]:
    """Load the documents of a file; an unreadable one is a Failure. Raises nothing."""
    try:
        yield from _loaded(file, schema)
    except LoadError as exc:
        yield Failure(file.name, str(exc))


def load_bounded(
    file: SourceFile, schema: FieldSchema = DEFAULT_SCHEMA, *, seconds: float = MAX_WAIT_SECONDS
) -> Iterator[Document | Failure]:
    """Load the documents of a foreign file like `load`, within the limits of a `BoundedReader`.

    The readers of plain text, Markdown and JSON take linear time and memory, and read it in this process.
    """
    try:
        reader = _READERS.get(_format(file))
        if reader is None:
            for found in _loaded(file, schema):
                yield _sized(found, file)
        else:
            loaded = reader(msgspec.msgpack.encode(file), seconds=seconds)
            yield _sized(msgspec.msgpack.decode(loaded, type=Document), file)
    except (LoadError, ReadError) as exc:
        yield Failure(file.name, str(exc))


def _sized[D: Document | Failure](loaded: D, file: SourceFile) -> D:
    """Return a document with the size of its file; a record of JSON is a part of it."""
    if isinstance(loaded, Document) and _format(file) not in ("json", "jsonl"):
        return replace(loaded, bytes=len(file.content))
    return loaded


# Each module, and the library of its format, is imported for the first file of that format.


def _html_loader() -> Callable[[SourceFile], Document]:
    from functions.retrieval.ingest.html import load_html

    return load_html


def _pdf_loader() -> Callable[[SourceFile], Document]:
    from functions.retrieval.ingest.pdf import load_pdf

    return load_pdf


def _csv_loader() -> Callable[[SourceFile], Document]:
    from functions.retrieval.ingest.tables import load_csv

    return load_csv


def _xlsx_loader() -> Callable[[SourceFile], Document]:
    from functions.retrieval.ingest.tables import load_xlsx

    return load_xlsx


def _docx_loader() -> Callable[[SourceFile], Document]:
    from functions.retrieval.ingest.word import load_docx

    return load_docx


def _pptx_loader() -> Callable[[SourceFile], Document]:
    from functions.retrieval.ingest.slides import load_pptx

    return load_pptx


def _epub_loader() -> Callable[[SourceFile], Document]:
    from functions.retrieval.ingest.epub import load_epub

    return load_epub


_LOADERS: dict[Format, Callable[[], Callable[[SourceFile], Document]]] = {
    "html": _html_loader,
    "csv": _csv_loader,
    "pdf": _pdf_loader,
    "docx": _docx_loader,
    "pptx": _pptx_loader,
    "xlsx": _xlsx_loader,
    "epub": _epub_loader,
}


def _reader(loader: Callable[[], Callable[[SourceFile], Document]], *, expansion: int = 1) -> BoundedReader:
    def read(request: bytes) -> bytes:
        try:
            return msgspec.msgpack.encode(loader()(msgspec.msgpack.decode(request, type=SourceFile)))
        except LoadError as exc:
            raise ReadError(str(exc)) from exc

    return BoundedReader(read, preload=loader, expansion=expansion)


_UNPACKED = 4
"""Bytes of a packed file count as this many for its limits of time and memory."""

_READERS: dict[Format, BoundedReader] = {
    "html": _reader(_html_loader),
    "csv": _reader(_csv_loader),
    "pdf": _reader(_pdf_loader),
    "docx": _reader(_docx_loader, expansion=_UNPACKED),
    "pptx": _reader(_pptx_loader, expansion=_UNPACKED),
    "xlsx": _reader(_xlsx_loader, expansion=_UNPACKED),
    "epub": _reader(_epub_loader, expansion=_UNPACKED),
}


def _format(file: SourceFile) -> Format:
    """Return the format of a file that may be read. Raises LoadError."""
    if len(file.content) > MAX_FILE_BYTES:
        raise LoadError(f"the file has {len(file.content)} bytes, at most {MAX_FILE_BYTES} are accepted; split it")
    return file.format or format_of(file.name)


def _loaded(file: SourceFile, schema: FieldSchema) -> Iterator[Document | Failure]:
    wanted = _format(file)
    match wanted:
        case "text":
            yield load_text(file)
        case "markdown":
            yield load_markdown(file)
        case "json":
            yield from load_json(file, schema)
        case "jsonl":
            yield from load_jsonl(file, schema)
        case "html" | "csv" | "pdf" | "docx" | "pptx" | "xlsx" | "epub":
            yield _LOADERS[wanted]()(file)
        case _:
            assert_never(wanted)


def format_of(name: str) -> Format:
    """Return the format of a file name by its extension. Raises LoadError for an unknown one."""
    ending = PurePosixPath(name).suffix.lower()
    if ending not in FORMATS:
        known = ", ".join(FORMATS)
        raise LoadError(f"the format is unknown for {ending or 'a name without ending'!r}: {known}; or set the format")
    return FORMATS[ending]
