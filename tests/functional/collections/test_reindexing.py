"""Re-indexing: another embedding model, passages of another size, and changes of other writers."""

from pathlib import Path
from typing import Any

import pytest

from flexchat.errors import RetrievalError
from flexchat.retrieval import LEXICAL, CollectionMetadata, SearchQuery
from functions.retrieval.collections import Collections
from functions.retrieval.ingest.chunker import Chunking, chunking_of
from functions.retrieval.ingest.documents import Document, Section, SourceFile
from functions.retrieval.ingest.indexing import indexed
from functions.retrieval.ingest.load import load
from functions.retrieval.ingest.rechunking import rechunked
from tests.functional.collections.commands import done, json_output, write
from tests.functional.collections.documents import HANDBOOK, add, documents, soon
from tests.functional.collections.harness import MODEL, Api, Embedders, text_of

METADATA = CollectionMetadata()


def test_documents_are_embedded_again_by_another_model(collections: Collections, embedders: Embedders) -> None:
    collections.create(HANDBOOK, CollectionMetadata(description="kept"))
    add(collections, *documents("river", "forest"))
    before = collections.documents(HANDBOOK)

    info = collections.reindex(HANDBOOK, embedding_model=MODEL, deadline=soon())

    assert (info.metadata.embedding_model, info.metadata.description) == (MODEL, "kept")
    assert info.calibrated_passages is None
    assert len(embedders.model.texts) == info.passages == 2
    assert collections.documents(HANDBOOK) == before
    assert collections.query(HANDBOOK, SearchQuery("river"), deadline=soon()).hits
    report = add(collections, *documents("river", "forest"))
    assert (report.unchanged, report.replaced) == (2, 0)

    info = collections.reindex(HANDBOOK, embedding_model=LEXICAL, deadline=soon())
    assert (info.metadata.embedding_model, info.calibrated_passages) == (LEXICAL, 2)
    assert collections.query(HANDBOOK, SearchQuery("river"), deadline=soon()).result == "match"


def test_a_failed_model_changes_nothing(collections: Collections, embedders: Embedders) -> None:
    collections.create(HANDBOOK, METADATA)
    add(collections, *documents("river"))
    before = collections.get(HANDBOOK)

    def fail() -> None:
        raise RetrievalError("the embedding model does not answer", code="unavailable")

    embedders.model.before = fail
    with pytest.raises(RetrievalError, match="does not answer"):
        collections.reindex(HANDBOOK, embedding_model=MODEL, deadline=soon())
    assert collections.get(HANDBOOK) == before
    assert collections.query(HANDBOOK, SearchQuery("river"), deadline=soon()).result == "match"


def test_a_document_that_is_added_meanwhile_is_part_of_the_new_index(
    collections: Collections, embedders: Embedders
) -> None:
    collections.create(HANDBOOK, METADATA)
    add(collections, *documents("river"))
    added = False

    def add_once() -> None:
        nonlocal added
        if not added:
            added = True
            add(collections, *documents("forest"))

    embedders.model.before = add_once
    assert collections.reindex(HANDBOOK, embedding_model=MODEL, deadline=soon()).documents == 2


def test_constant_changes_end_the_re_indexing(collections: Collections, embedders: Embedders) -> None:
    collections.create(HANDBOOK, METADATA)
    add(collections, *documents("river"))
    names = iter(range(100))
    embedders.model.before = lambda: add(collections, *documents(f"topic{next(names)}")) and None
    with pytest.raises(RetrievalError, match="changed during the re-indexing") as raised:
        collections.reindex(HANDBOOK, embedding_model=MODEL, deadline=soon())
    assert raised.value.code == "conflict"
    assert collections.get(HANDBOOK).metadata.embedding_model == LEXICAL


def test_an_empty_collection_only_changes_its_model(collections: Collections) -> None:
    collections.create(HANDBOOK, METADATA)
    assert collections.reindex(HANDBOOK, embedding_model=MODEL, deadline=soon()).metadata.embedding_model == MODEL


@pytest.mark.parametrize("size", [80, 300, 5_000])
def test_passages_of_another_size_are_those_of_the_file(size: int) -> None:
    text = text_of("river", 30) + "\n" + text_of("delta", 30)
    (document,) = load(SourceFile("plain.txt", text.encode()))
    assert isinstance(document, Document)
    stored = indexed(document, chunking=Chunking(), metadata=METADATA)
    wanted = indexed(document, chunking=chunking_of(size), metadata=METADATA)

    found = rechunked(stored, chunking_of(size))

    assert [text.split() for text, _ in found.passages] == [text.split() for text, _ in wanted.passages]
    assert [offset for _, offset in found.passages] == [offset for _, offset in wanted.passages]


@pytest.mark.parametrize("size", [300, 5_000])
def test_sections_stay_cited_in_passages_of_another_size(size: int) -> None:
    text = "# Rivers\n\n" + text_of("river", 30) + "\n\n## Deltas\n\n- one\n- two\n\n" + text_of("delta", 30)
    (document,) = load(SourceFile("guide.md", text.encode()))
    assert isinstance(document, Document)
    stored = indexed(document, chunking=Chunking(), metadata=METADATA)
    found = rechunked(stored, chunking_of(size))
    assert list(dict.fromkeys(found.cites)) == list(dict.fromkeys(stored.cites))


def test_characters_of_overlapping_passages_are_not_repeated() -> None:
    document = Document(
        id="a",
        title="a",
        source="a",
        text=" ".join(f"word{number}" for number in range(400)),
        sections=(Section(0, "A", "a#1"), Section(1_500, "B", "a#2")),
    )
    stored = indexed(document, chunking=chunking_of(300, 90), metadata=METADATA)
    whole = rechunked(stored, chunking_of(100_000))
    assert " ".join(text for text, _ in whole.passages).split() == document.text.split()


def test_the_route_divides_documents_again_and_keeps_what_the_list_shows(api: Api) -> None:
    api.create()
    api.add({"id": "river", "text": text_of("river", 40), "metadata": {"year": 2025}})
    (before,) = api.send("GET", "/api/collections/handbook/documents").body["documents"]
    assert before["bytes"] == before["characters"] == len(text_of("river", 40))
    assert before["added_at"].startswith("20")

    answer = api.send("POST", "/api/collections/handbook/reindex", {"passage_size": 200})

    assert (answer.status, answer.body["documents"]) == (200, 1)
    assert answer.body["passages"] > before["passages"]
    (after,) = api.send("GET", "/api/collections/handbook/documents").body["documents"]
    assert after == before | {"passages": answer.body["passages"]}
    assert api.query("river", filters={"year": 2025})["hits"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"passage_size": 10}, "a passage must have at least 60 characters"),
        ({"passage_size": 300, "overlap": 200}, "must be 0 to 100, not 200"),
        ({"overlap": 20}, "overlap needs a passage_size"),
        ({"embedding_model": "openai:unknown"}, "cannot be used"),
        ({"size": 3}, "size"),
    ],
)
def test_impossible_settings_are_rejected(api: Api, body: dict[str, Any], message: str) -> None:
    api.create()
    api.add({"text": "some words"})
    answer = api.send("POST", "/api/collections/handbook/reindex", body)
    assert answer.status == 400
    assert message in str(answer.body)


def test_a_collection_that_is_too_large_for_a_request_names_the_command(api: Api) -> None:
    api.create()
    api.add({"text": "some words"})

    def end() -> None:
        raise RetrievalError("the model did not answer in time", code="unavailable")

    api.embedders.model.before = end
    body = {"embedding_model": MODEL}
    assert api.send("POST", "/api/collections/handbook/reindex", body).status == 503

    api.remaining_ms = 0
    answer = api.send("POST", "/api/collections/handbook/reindex", body)
    command = "flexchat collections reindex handbook --stage STAGE"
    message = f"the collection 'handbook' is too large for the time of a request; run `{command}`"
    assert answer.refusal == (413, "collection_too_large", message)


@pytest.mark.usefixtures("stage")
def test_the_command_builds_the_index_again(tmp_path: Path) -> None:
    write({"a.txt": text_of("river", 40)})
    done("create", "handbook")
    done("add", "handbook", "a.txt")
    passages = json_output("show", "handbook")["passages"]

    output = done("reindex", "handbook", "--passage-size", "200", "--overlap", "20").stdout

    (document,) = json_output("documents", "list", "handbook")
    assert document["passages"] > passages
    assert output == f"'handbook' is indexed again: 1 document, {document['passages']} passages, embedding lexical.\n"
    (tmp_path / "a.txt").unlink()
    assert done("reindex", "handbook").exit_code == 0
