"""Documents and passages of an index, reports and statistics, and the encoding of their metadata."""

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct

from flexchat.json import dumps
from flexchat.retrieval import MetadataValue, Passage


class IndexedDocument(Struct, frozen=True):
    """Document split into passages, each its text with its offset in the document, in characters.

    `hash` covers all inputs of the document's passages: a document of the same id and hash is the same. `vectors` has
    one vector per passage if the collection has an embedding model; a lexical collection computes its own. `cites` has
    title and source of each passage where they differ from the document's, such as the path to a section or a page.
    """

    id: str
    title: str
    source: str
    hash: str
    metadata: Mapping[str, MetadataValue]
    passages: tuple[tuple[str, int], ...]
    vectors: tuple[Sequence[float], ...] = ()
    cites: tuple[tuple[str, str], ...] = ()


class AddReport(Struct, frozen=True):
    """Numbers of added, replaced and unchanged documents."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0


class IndexStats(Struct, frozen=True):
    """Sizes of an index. `dimensions` are those of its vectors, which a `lexical` index computes itself."""

    documents: int
    passages: int
    bytes: int
    terms: int
    dimensions: int
    lexical: bool


class SampledPassage(Struct, frozen=True):
    """Passage for calibration, with its position in the index and its vector in a collection with a model."""

    position: int
    passage: Passage
    vector: list[float] | None


def attribute(value: MetadataValue) -> str:
    """Return a metadata value as text, equal exactly when the values are: `true` is not 1, and 1 is 1.0."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    return storable(repr(value) if isinstance(value, float) else dumps(value))


def storable(text: str) -> str:
    """Return `text` as valid UTF-8: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
