"""Questions to this project's own documents, and questions about anything else, with the thresholds of a calibration.

The questions were written before the distance was chosen. `make up` fills a collection with the same documents.
"""

from pathlib import Path

import pytest

from dev.local_stack.documents import CHUNKING, documents_of
from flexchat.retrieval import CollectionMetadata, SearchQuery, classify
from functions.retrieval.index.calibration import calibrate
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.writer import IndexWriter
from functions.retrieval.ingest.documents import Document
from functions.retrieval.ingest.indexing import indexed

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
QUESTIONS = ROOT / "tests" / "data" / "questions"

FOUND = 0.85
"""The least share of the answered questions that must match at least partially."""


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Class of each question, by its file."""
    path = tmp_path_factory.mktemp("index") / "index.sqlite"
    documents = (document for document in documents_of(ROOT) if isinstance(document, Document))
    with IndexWriter(path) as writer:
        writer.add(indexed(document, chunking=CHUNKING, metadata=CollectionMetadata()) for document in documents)
    index = CollectionIndex(path)
    proposal = calibrate(index)

    def class_of(question: str) -> str:
        hits = index.search(SearchQuery(question))
        return classify(
            min((hit.distance for hit in hits), default=None),
            match_threshold=proposal.match_threshold,
            partial_threshold=proposal.partial_threshold,
        )

    return {
        name: {question: class_of(question) for question in (QUESTIONS / f"{name}.txt").read_text().splitlines()}
        for name in ("answered", "unanswered")
    }


def test_most_questions_answered_by_the_documents_are_found(classes: dict[str, dict[str, str]]) -> None:
    missed = [question for question, found in classes["answered"].items() if found == "none"]

    assert len(classes["answered"]) >= 20
    assert len(missed) <= (1 - FOUND) * len(classes["answered"]), missed


@pytest.mark.parametrize(
    "question",
    [
        "How do I add a tool?",
        "How do I revoke a token?",
        "How do I deploy to AWS?",
        "What does a session remember?",
    ],
)
def test_the_simplest_questions_are_found(classes: dict[str, dict[str, str]], question: str) -> None:
    assert classes["answered"][question] in ("match", "partial")


def test_unrelated_questions_find_nothing(classes: dict[str, dict[str, str]]) -> None:
    assert len(classes["unanswered"]) >= 20
    assert [question for question, found in classes["unanswered"].items() if found != "none"] == []
