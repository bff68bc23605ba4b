"""Searches for the only passage with a number, a name, a version and the like, among a thousand similar ones."""

from collections.abc import Sequence

import numpy as np
import pytest

from dev.evals.known_items import KINDS, SEEDS, KnownItems, Vectors, first_hits

FIRST = 0.98
"""Minimum share of queries whose passage is the first hit."""


def random_vectors(seed: int) -> Vectors:
    """Return an embedding that knows nothing: models place numbers and names almost at random."""
    generator = np.random.default_rng(seed)

    def embed(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [generator.standard_normal(64).tolist() for _ in texts]

    return embed


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_known_item_is_first_with_the_lexical_embedding(kind: str, seed: int) -> None:
    assert first_hits(KnownItems.generated(kind, seed)) >= FIRST


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_known_item_is_first_with_an_embedding_that_does_not_know_it(kind: str, seed: int) -> None:
    assert first_hits(KnownItems.generated(kind, seed), random_vectors(seed)) >= FIRST


@pytest.mark.parametrize("kind", KINDS)
def test_a_known_item_is_first_among_a_hundred_notes(kind: str) -> None:
    assert first_hits(KnownItems.generated(kind, 104, notes=100, cases=10), random_vectors(0)) == 1


def test_items_and_notes_depend_on_the_seed_alone() -> None:
    once, again, other = (KnownItems.generated("version", seed, notes=50, cases=5) for seed in (1, 1, 2))

    assert once == again
    assert once != other
    assert len(set(once.notes.values())) == 50
