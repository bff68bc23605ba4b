"""Search with arbitrary text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexchat.retrieval import SearchQuery
from functions.retrieval.index.analysis import Analyzer, language_of
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.writer import IndexWriter
from tests.unit.retrieval.samples import document, two_subjects, written

TEXTS = [
    "",
    " ",
    '"',
    '" OR',
    '""""',
    "col:x",
    "terms:cat",
    "-b",
    "^cat*",
    "cat AND",
    "NEAR(cat dog, 2)",
    "cat + dog",
    "{terms} : cat",
    "(((",
    "'; DROP TABLE passages; --",
    "%s %d {0} ?1 :name @x $y",
    "🙂👩‍👩‍👧 cat",
    "cat\x00dog",
    "\x00",
    "\ud800 cat \udfff",
    "مرحبا بالعالم",
    "東京都 cat",
    "नमस्ते",
    "\u202ecat",
    "a" * 100_000,
    "cat " * 25_000,
    " ".join(f"word{at}" for at in range(12_000)),
    '"' * 100_000,
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> CollectionIndex:
    return written(tmp_path_factory.mktemp("index") / "index.sqlite", *two_subjects(), document("word", "OR AND NEAR"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:20]))
def test_user_text_of_every_kind_is_searchable(index: CollectionIndex, text: str) -> None:
    hits = index.search(SearchQuery(text))

    assert ("cat" in text.split()) <= bool(hits)
    assert all(0 <= hit.distance <= 2 for hit in hits)


@settings(max_examples=200)
@given(st.text(st.characters()))
def test_any_text_is_searchable(index: CollectionIndex, text: str) -> None:
    assert all(0 <= hit.distance <= 2 for hit in index.search(SearchQuery(text)))


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(['"', "cat", " ", "OR", "AND", "NOT", "NEAR", "(", ")", ":", "*", "^", "-", "+", "\x00"]))
)
def test_query_operators_in_user_text_are_escaped(index: CollectionIndex, parts: list[str]) -> None:
    hits = index.search(SearchQuery("".join(parts)))

    assert len(hits) <= 5


@pytest.mark.slow
@settings(max_examples=50)
@given(st.text(st.characters(), min_size=1))
def test_any_text_finds_itself(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("any") / "index.sqlite"

    index = written(path, document("a", text), document("b", "something else"))

    hits = index.search(SearchQuery(text))
    assert bool(hits) == bool(Analyzer().terms(text, language_of(text)))
    if hits:
        assert min(hit.distance for hit in hits) == pytest.approx(0, abs=1e-5)
    with IndexWriter(path) as writer:
        assert writer.delete_documents(["a"]) == 1
