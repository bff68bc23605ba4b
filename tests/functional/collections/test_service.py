"""Embedding of passages and thresholds of collections."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from flexchat.aws.clients import s3
from flexchat.aws.objects import ObjectStore
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.retrieval import CollectionInfo, CollectionMetadata, SearchQuery
from functions.retrieval.collections import EMBEDDED_AT_ONCE, Collections
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.store import IndexStore, index_key
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document, Section
from functions.retrieval.metadata_writer import CollectionMetadataWriter
from functions.retrieval.thresholds import FEW_LEXICAL, MIN_CALIBRATED, Thresholds, with_thresholds
from tests.functional.collections.documents import HANDBOOK, add, documents, soon
from tests.functional.collections.harness import BUCKET, MODEL, Embedders, text_of

pytestmark = pytest.mark.slow


def topics(first: int, last: int) -> list[Document]:
    return documents(*(f"topic{number}" for number in range(first, last)))


@pytest.fixture
def with_model(collections: Collections) -> Collections:
    """Service with a collection of an embedding model."""
    collections.create(HANDBOOK, CollectionMetadata(embedding_model=MODEL))
    return collections


def test_model_embeds_passages_with_their_titles_and_queries_unchanged(
    with_model: Collections, embedders: Embedders
) -> None:
    document = Document("a", "Guide", "a.md", "One.\n\nTwo.", sections=(Section(0, "Guide > One", "a.md#one"),))

    add(with_model, document, Document("b", "Plain", "b.txt", "Three."))
    answer = with_model.query(HANDBOOK, SearchQuery("Which?"), deadline=soon())

    assert embedders.model.texts == ["Guide > One\n\nOne.\n\nTwo.", "Plain\n\nThree.", "Which?"]
    assert set(embedders.purposes) == {"document", "query"}
    assert {hit.passage.source for hit in answer.hits} == {"a.md#one", "b.txt"}
    assert answer.thresholds == Thresholds(0.25, 0.5)


def test_only_new_passages_are_embedded(with_model: Collections, embedders: Embedders) -> None:
    add(with_model, *documents("a", "b"))
    embedders.model.texts.clear()

    report = add(with_model, *documents("a", "c"), Document("b", "b", "b.txt", "changed"))

    assert (report.added, report.replaced, report.unchanged) == (1, 1, 1)
    assert {text.partition("\n")[0] for text in embedders.model.texts} == {"b", "c"}


def test_a_document_of_another_origin_is_not_embedded(with_model: Collections, embedders: Embedders) -> None:
    add(with_model, Document("a", "a", "a.txt", "words", origin="one"))
    embedders.model.texts.clear()

    report = add(with_model, Document("a", "a", "a.txt", "new words", origin="two"), *documents("b"))

    assert (report.added, report.replaced, [each.source for each in report.failed]) == (1, 0, ["a"])
    assert {text.partition("\n")[0] for text in embedders.model.texts} == {"b"}


def test_progress_reports_the_number_of_embedded_passages(with_model: Collections) -> None:
    progress: list[tuple[int, int]] = []
    with_model.add(
        HANDBOOK,
        topics(0, 130),
        deadline=soon(),
        progress=lambda done, total: progress.append((done, total)),
    )
    assert progress == [(0, 130), (64, 130), (128, 130), (130, 130)]


def test_passages_embedded_before_a_model_error_are_stored(with_model: Collections, embedders: Embedders) -> None:
    long = Document("long", "long", "long.txt", text_of("river", 2 * EMBEDDED_AT_ONCE))
    size = Chunking(size=60, overlap=0)

    def gives_out() -> None:
        if len(embedders.model.texts) > EMBEDDED_AT_ONCE:
            raise RetrievalError("the model does not answer", code="unavailable")

    embedders.model.before = gives_out
    with pytest.raises(RetrievalError, match="does not answer"):
        with_model.add(HANDBOOK, [*_many_passages(), long], deadline=soon(), chunking=size)

    embedders.model.before = lambda: None
    embedders.model.texts.clear()
    report = with_model.add(HANDBOOK, _many_passages(), deadline=soon(), chunking=size)
    assert (report.added, report.unchanged, embedders.model.texts) == (0, 1, [])


def _many_passages() -> list[Document]:
    return [Document("many", "many", "many.txt", ("word " * 10 + "end.\n\n") * EMBEDDED_AT_ONCE)]


def test_unavailable_model_leaves_the_collection_unchanged(with_model: Collections, embedders: Embedders) -> None:
    add(with_model, *documents("a"))
    before = with_model.get(HANDBOOK)

    def fail() -> None:
        raise RetrievalError("the model does not answer", code="unavailable")

    embedders.model.before = fail
    with pytest.raises(RetrievalError, match="does not answer"):
        add(with_model, *documents("b"))
    assert with_model.get(HANDBOOK) == before


def test_calibration_embeds_only_the_sample_queries(with_model: Collections, embedders: Embedders) -> None:
    add(with_model, *topics(0, 12))
    embedders.model.texts.clear()
    proposal = with_model.calibrate(HANDBOOK, ["Which topic?"], deadline=soon())
    assert (proposal.given_questions, len(proposal.answered)) == (True, 1)
    assert embedders.model.texts == ["Which topic?"]


def test_collection_with_a_model_has_the_default_thresholds_of_models(with_model: Collections) -> None:
    add(with_model, *topics(0, 12))
    info = with_model.get(HANDBOOK)
    assert (info.metadata.match_threshold, info.calibrated_passages) == (None, None)


@pytest.fixture
def lexical(collections: Collections) -> Collections:
    """Service with a lexical collection."""
    collections.create(HANDBOOK, CollectionMetadata())
    return collections


def thresholds_of(collections: Collections) -> tuple[Thresholds, int | None]:
    info = collections.get(HANDBOOK)
    match, partial = info.metadata.match_threshold, info.metadata.partial_threshold
    assert match is not None
    assert partial is not None
    return Thresholds(match, partial), info.calibrated_passages


def test_thresholds_are_fixed_for_few_passages_and_calibrated_for_more(lexical: Collections) -> None:
    add(lexical, *topics(0, MIN_CALIBRATED - 1))
    assert thresholds_of(lexical) == (FEW_LEXICAL, MIN_CALIBRATED - 1)

    add(lexical, *topics(MIN_CALIBRATED - 1, MIN_CALIBRATED))

    thresholds, passages = thresholds_of(lexical)
    proposal = lexical.calibrate(HANDBOOK, deadline=soon())
    assert passages == MIN_CALIBRATED
    assert thresholds == Thresholds(proposal.match_threshold, proposal.partial_threshold)


def test_documents_are_added_without_a_calibration_that_has_no_time_and_the_next_change_has_it(
    lexical: Collections,
) -> None:
    report = lexical.add(HANDBOOK, topics(0, MIN_CALIBRATED), deadline=Deadline.after(0))

    info = lexical.get(HANDBOOK)
    assert (report.added, info.passages, info.calibrated_passages) == (MIN_CALIBRATED, MIN_CALIBRATED, None)
    add(lexical, *topics(MIN_CALIBRATED, MIN_CALIBRATED + 1))
    assert lexical.get(HANDBOOK).calibrated_passages == MIN_CALIBRATED + 1


def test_thresholds_are_recalibrated_when_a_collection_grows_or_shrinks_by_half(lexical: Collections) -> None:
    add(lexical, *topics(0, 60))
    assert thresholds_of(lexical)[1] == 60
    add(lexical, *topics(60, 89))
    assert thresholds_of(lexical)[1] == 60
    add(lexical, *topics(89, 90))
    assert thresholds_of(lexical)[1] == 90
    for number in range(60, 90):
        lexical.delete_document(HANDBOOK, f"topic{number}")
    assert thresholds_of(lexical)[1] == 60
    for number in range(MIN_CALIBRATED - 1, 60):
        lexical.delete_document(HANDBOOK, f"topic{number}")
    assert thresholds_of(lexical)[0] == FEW_LEXICAL


def test_thresholds_that_an_earlier_release_calibrated_from_few_passages_are_replaced(
    lexical: Collections, bucket: str
) -> None:
    add(lexical, *topics(0, 20))
    objects = ObjectStore(s3(), BUCKET)
    metadata_reader = CollectionMetadataReader(objects)
    CollectionMetadataWriter(objects, metadata_reader).change(
        HANDBOOK, lambda info: with_thresholds(info, Thresholds(0.3, 0.5), calibrated_passages=20)
    )

    add(lexical, *topics(20, 21))

    assert thresholds_of(lexical)[0] == FEW_LEXICAL


def test_threshold_of_an_operator_is_preserved_until_it_is_removed(lexical: Collections) -> None:
    lexical.change(HANDBOOK, CollectionMetadata(match_threshold=0.1))
    add(lexical, *topics(0, 12))
    info = lexical.get(HANDBOOK)
    assert (info.metadata.match_threshold, info.metadata.partial_threshold, info.calibrated_passages) == (
        0.1,
        None,
        None,
    )

    lexical.change(HANDBOOK, CollectionMetadata(match_threshold=None))

    assert thresholds_of(lexical)[1] == 12


def test_applied_thresholds_count_as_set_by_an_operator(lexical: Collections) -> None:
    add(lexical, *topics(0, 12))
    lexical.calibrate(HANDBOOK, ["topic1", "topic2"], apply=True, deadline=soon())
    thresholds, passages = thresholds_of(lexical)
    assert passages is None

    add(lexical, *topics(12, 40))

    assert thresholds_of(lexical) == (thresholds, None)


def test_description_change_preserves_calibrated_thresholds(lexical: Collections) -> None:
    add(lexical, *topics(0, 12))
    before = thresholds_of(lexical)
    changed = lexical.change(HANDBOOK, CollectionMetadata(description="new"))
    assert (thresholds_of(lexical), changed.metadata.description) == (before, "new")


def test_collection_has_its_counts_size_and_times(bucket: str, tmp_path: Path) -> None:
    objects = ObjectStore(s3(), BUCKET)
    metadata_reader = CollectionMetadataReader(objects)
    hours = iter(range(24))
    collections = Collections(
        records=CollectionMetadataWriter(objects, metadata_reader),
        metadata_reader=metadata_reader,
        indexes=IndexStore(objects, tmp_path),
        embedder=Embedders().named,
        now=lambda: datetime(2026, 1, 15, next(hours), tzinfo=UTC),
    )
    collections.create(HANDBOOK, CollectionMetadata())

    add(collections, *documents("a", "b"))

    size = s3().head_object(Bucket=BUCKET, Key=index_key(HANDBOOK))["ContentLength"]
    assert collections.get(HANDBOOK) == CollectionInfo(
        name=HANDBOOK,
        metadata=CollectionMetadata(match_threshold=FEW_LEXICAL.match, partial_threshold=FEW_LEXICAL.partial),
        documents=2,
        passages=2,
        bytes=size,
        calibrated_passages=2,
        created_at="2026-01-15T00:00:00.000+00:00",
        updated_at="2026-01-15T02:00:00.000+00:00",
    )
    (first, _) = collections.documents(HANDBOOK)
    assert first.added_at == datetime(2026, 1, 15, 1, tzinfo=UTC).timestamp()


def test_changes_within_a_second_are_told_apart(bucket: str, tmp_path: Path) -> None:
    """Callers that show a collection load its documents again when the time of its last change is another."""
    objects = ObjectStore(s3(), BUCKET)
    metadata_reader = CollectionMetadataReader(objects)
    start = datetime(2026, 1, 15, tzinfo=UTC)
    moments = (start + timedelta(milliseconds=each) for each in count())
    collections = Collections(
        records=CollectionMetadataWriter(objects, metadata_reader),
        metadata_reader=metadata_reader,
        indexes=IndexStore(objects, tmp_path),
        embedder=Embedders().named,
        now=lambda: next(moments),
    )
    created = collections.create(HANDBOOK, CollectionMetadata())

    add(collections, *documents("a"))

    assert collections.get(HANDBOOK).updated_at > created.updated_at
