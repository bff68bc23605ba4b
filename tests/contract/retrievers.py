"""What every retriever is given to search in the contract suite, and how one is got."""

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
"""`lambda` stands in the first two, `command` in the third alone."""


class RetrieverHarness(Protocol):
    """A retriever whose collection `docs` holds `STORED`, and which finds passages by the words they share."""

    def retriever(self) -> Retriever: ...

    def unreachable(self) -> Retriever:
        """The same where what it depends on does not answer."""
        ...


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


VOCABULARY = sorted({word for stored in STORED for word in words(stored.text)})
"""What the services that stand behind the retrievers can tell apart."""


def nearest(asked: set[str], filters: Mapping[str, MetadataValue], top_k: int) -> list[tuple[Stored, float]]:
    """What a vector service would find, with cosine distances: by words in common, and whatever else comes after."""
    found = [
        (stored, 1 - len(asked & words(stored.text)) / max(1, len(asked) * len(words(stored.text))) ** 0.5)
        for stored in STORED
        if filters.items() <= stored.metadata.items()
    ]
    return sorted(found, key=lambda one: one[1])[:top_k]
