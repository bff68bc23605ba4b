"""Conversion of a file to documents, by its format."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import assert_never

from functions.retrieval.ingest.documents import (
    MAX_FILE_BYTES,
    Document,
    Failure,
    Format,
    LoadError,
    SourceFile,
)
from functions.retrieval.ingest.markdown import load_markdown
from functions.retrieval.ingest.records import FieldSchema, load_json, load_jsonl
from functions.retrieval.ingest.text import load_text

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
    ".pdf": "pdf",
}
"""Formats by extension."""

DEFAULT_SCHEMA = FieldSchema()


def load(file: SourceFile, schema: FieldSchema = DEFAULT_SCHEMA) -> Iterator[Document | Failure]:
    """Load the documents of a file; an unreadable one is a Failure. Raises nothing."""
    try:
        yield from _loaded(file, schema)
    except LoadError as exc:
        yield Failure(file.name, str(exc))


def _loaded(file: SourceFile, schema: FieldSchema) -> Iterator[Document | Failure]:
    if len(file.content) > MAX_FILE_BYTES:
        raise LoadError(f"the file has {len(file.content)} bytes, at most {MAX_FILE_BYTES} are accepted; split it")
    wanted = file.format or format_of(file.name)
    match wanted:
        case "text":
            yield load_text(file)
        case "markdown":
            yield load_markdown(file)
        case "html":
            from functions.retrieval.ingest.html import load_html  # imported for HTML only

            yield load_html(file)
        case "json":
            yield from load_json(file, schema)
        case "jsonl":
            yield from load_jsonl(file, schema)
        case "pdf":
            from functions.retrieval.ingest.pdf import load_pdf  # imported for PDF only

            yield load_pdf(file)
        case _:
            assert_never(wanted)


def format_of(name: str) -> Format:
    """Return the format of a file name by its extension. Raises LoadError for an unknown one."""
    ending = PurePosixPath(name).suffix.lower()
    if ending not in FORMATS:
        known = ", ".join(FORMATS)
        raise LoadError(f"the format is unknown for {ending or 'a name without ending'!r}: {known}; or set the format")
    return FORMATS[ending]
