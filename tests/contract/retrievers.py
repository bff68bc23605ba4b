"""Passages that the contract suite searches in every retriever, and the harness of a retriever."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from flexchat.retrieval import MetadataValue, Retriever

COLLECTION = "docs"


@dataclass(frozen=True, slots=True)
class Stored:
    """A passage in the collection `docs`."""

    text: str
    title: str
    source: str
    metadata: Mapping[str, MetadataValue]


STORED = (
    Stored(
        "A tool is a Lambda function of its own.", "Adding a tool", "docs/tools.md", {"language": "en", "year": 2024}
    ),
    Stored(
        "Ein Werkzeug ist eine Lambda Funktion.", "Werkzeuge", "docs/werkzeuge.md", {"language": "de", "year": 2024}
    ),
    Stored("The stage is deployed by one command.", "Deploying", "docs/deploy.md", {"language": "en", "year": 2023}),
    Stored("Tokens are revoked at once.", "Security", "docs/security.md", {"language": "en", "year": 2023}),
)
"""`lambda` is in the first two passages, `command` in the third only."""


class RetrieverHarness(Protocol):
    """A retriever with `STORED` in its collection `docs` that finds passages by common words."""

    def retriever(self) -> Retriever: ...

    def unreachable(self) -> Retriever:
        """Return a retriever whose dependency does not respond."""
        ...


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


VOCABULARY = sorted({word for stored in STORED for word in words(stored.text)})
"""Words that the fake services distinguish."""


def nearest(query_words: set[str], filters: Mapping[str, MetadataValue], top_k: int) -> list[tuple[Stored, float]]:
    """Return the nearest passages like a vector service: cosine distance by common words, filled up to `top_k`."""
    found = [
        (stored, 1 - len(query_words & words(stored.text)) / max(1, len(query_words) * len(words(stored.text))) ** 0.5)
        for stored in STORED
        if filters.items() <= stored.metadata.items()
    ]
    return sorted(found, key=lambda one: one[1])[:top_k]
