"""Collection `flexchat-docs`: the documents of this project, for searches in the local stack."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.retrieval import CollectionMetadata
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document, Failure, SourceFile
from functions.retrieval.ingest.load import load

if TYPE_CHECKING:
    from functions.retrieval.collections import Collections, ImportReport

COLLECTION = "flexchat-docs"
METADATA = CollectionMetadata(
    display_name="Flexchat's documentation",
    description="How Flexchat is used, configured, extended and operated",
)
CHUNKING = Chunking(size=800, overlap=120)
"""Shorter than the default: paragraphs of reference pages differ in subject."""

SECONDS = 120.0


def fill(collections: "Collections", root: Path) -> "ImportReport":
    """Add README.md and docs/*.md of the checkout `root` to the collection, which is created if missing.

    Unchanged documents are not added again. Raises RetrievalError, ConfigError or UnavailableError.
    """
    try:
        collections.get(COLLECTION)
    except RetrievalError as error:
        if error.code != "not_found":
            raise
        collections.create(COLLECTION, METADATA)
    return collections.add(COLLECTION, documents_of(root), deadline=Deadline.after(SECONDS), chunking=CHUNKING)


EXCLUDED = ("docs/examples.md",)
"""Excluded documents, which quote questions of users of other services at length."""


def documents_of(root: Path) -> Iterator[Document | Failure]:
    """Documents of a checkout, cited by their paths in it."""
    for path in (root / "README.md", *sorted((root / "docs").glob("*.md"))):
        if path.relative_to(root).as_posix() in EXCLUDED:
            continue
        yield from load(SourceFile(path.relative_to(root).as_posix(), path.read_bytes()))
