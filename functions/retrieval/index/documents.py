"""What is put into a collection's index, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flexchat.retrieval import MetadataValue


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """A document cut into passages, each its text with its offset in the document, in characters.

    `hash` is that of all that the document's passages are made from: a document of the same id and hash is the same.
    `vectors` holds one vector per passage where the collection has an embedding model; a lexical collection learns its
    own and takes none. `cites` holds title and source of each passage where they are not just the document's, such as
    the way to a section or a page.
    """

    id: str
    title: str
    source: str
    hash: str
    metadata: Mapping[str, MetadataValue]
    passages: tuple[tuple[str, int], ...]
    vectors: tuple[Sequence[float], ...] = ()
    cites: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class AddReport:
    """How many documents were new, took the place of another version, or were there already."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
