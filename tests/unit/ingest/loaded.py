"""Documents and errors of one file."""

from pathlib import Path

from functions.retrieval.ingest.documents import Document, Failure, Format, SourceFile
from functions.retrieval.ingest.load import load

FILES = Path(__file__).parents[2] / "data" / "documents"


def document(name: str, content: str | bytes, format: Format | None = None) -> Document:
    raw = content if isinstance(content, bytes) else content.encode()
    (loaded,) = load(SourceFile(name, raw, format))
    assert isinstance(loaded, Document), loaded
    return loaded


def failure(name: str, content: bytes, format: Format | None = None) -> str:
    (loaded,) = load(SourceFile(name, content, format))
    assert isinstance(loaded, Failure), loaded
    assert loaded.source == name
    return loaded.reason


def begins(loaded: Document) -> list[tuple[str, str, str]]:
    """Title and source of every section, with its first line."""
    return [
        (section.title, section.source, loaded.text[section.offset :].lstrip().partition("\n")[0])
        for section in loaded.sections
    ]
