"""Searches for the only passage with a number, a name, a version and the like, among a thousand similar ones."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from flexchat.retrieval import SearchQuery
from tests.unit.retrieval.known_items import KINDS, KnownItems
from tests.unit.retrieval.samples import document, written

FIRST = 0.98
"""Minimum share of queries whose passage is the first hit."""

SEEDS = (101, 102, 103)
"""Seeds that were not used while the ranking was developed."""


def no_vectors(_text: str) -> tuple[Sequence[float], ...]:
    return ()


def first_hits(path: Path, items: KnownItems, vector: Callable[[str], tuple[Sequence[float], ...]]) -> float:
    """Return the share of queries whose passage is first. `vector` returns the vector of a text, if any."""
    notes = (document(name, text, vectors=vector(text)) for name, text in items.notes.items())
    index = written(path, *notes)
    found = [
        hit.passage.document_id == expected
        for query, expected in items.queries
        for hit in index.search(SearchQuery(query, top_k=1), *vector(query))
    ]
    return sum(found) / len(items.queries)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_known_item_is_first_with_the_lexical_embedding(path: Path, kind: str) -> None:
    shares = [first_hits(path.with_stem(f"{seed}"), KnownItems.generated(kind, seed), no_vectors) for seed in SEEDS]

    assert min(shares) >= FIRST, shares


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_known_item_is_first_with_an_embedding_that_does_not_know_it(path: Path, kind: str) -> None:
    """Embedding models place numbers and names almost at random; here all texts have random vectors."""

    def shares_of(seed: int) -> float:
        generator = np.random.default_rng(seed)
        return first_hits(
            path.with_stem(f"{seed}"),
            KnownItems.generated(kind, seed),
            lambda _text: (generator.standard_normal(64).tolist(),),
        )

    shares = [shares_of(seed) for seed in SEEDS]

    assert min(shares) >= FIRST, shares


@pytest.mark.parametrize("kind", KINDS)
def test_a_known_item_is_first_among_a_hundred_notes(path: Path, kind: str) -> None:
    generator = np.random.default_rng(0)
    items = KnownItems.generated(kind, 104, notes=100, cases=10)

    assert first_hits(path, items, lambda _text: (generator.standard_normal(64).tolist(),)) == 1


def test_items_and_notes_depend_on_the_seed_alone() -> None:
    once, again, other = (KnownItems.generated("version", seed, notes=50, cases=5) for seed in (1, 1, 2))

    assert once == again
    assert once != other
    assert len(set(once.notes.values())) == 50
