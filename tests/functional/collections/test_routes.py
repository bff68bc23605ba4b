"""Routes of collections: creation, metadata, emptying and deletion."""

from typing import Any

import pytest

from flexchat.aws.clients import s3
from tests.functional.collections.harness import BUCKET, MODEL, Api


def test_created_collection_is_empty_and_returned_completely(api: Api) -> None:
    created = api.create(display_name="Handbook", description="How we work", match_threshold=0.2, title_field="heading")

    assert created == {
        "name": "handbook",
        "metadata": {
            "display_name": "Handbook",
            "description": "How we work",
            "match_threshold": 0.2,
            "partial_threshold": None,
            "embedding_model": "lexical",
            "title_field": "heading",
            "source_field": None,
        },
        "documents": 0,
        "passages": 0,
        "bytes": 0,
        "calibrated_passages": None,
        "created_at": created["created_at"],
        "updated_at": created["created_at"],
    }
    assert api.show() == created
    api.create("another")
    listed = api.send("GET", "/api/collections").body["collections"]
    assert [info["name"] for info in listed] == ["another", "handbook"]


def test_list_is_empty_without_collections(api: Api) -> None:
    assert api.send("GET", "/api/collections").body == {"collections": []}


@pytest.mark.parametrize("name", ["", "Handbook", "a b", "-a", "a/b", "../x", "a" * 64, "ä", "a\n"])
def test_invalid_name_is_rejected(api: Api, name: str) -> None:
    status, code, message = api.send("POST", "/api/collections", {"name": name}).refusal

    assert (status, code) == (400, "collection_invalid")
    assert "a-z" in message


def test_existing_name_is_a_conflict(api: Api) -> None:
    api.create()
    assert api.send("POST", "/api/collections", {"name": "handbook"}).refusal == (
        409,
        "collection_exists",
        "the collection 'handbook' already exists",
    )


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("PATCH", "", {"metadata": {}}),
        ("DELETE", "", None),
        ("POST", "/documents", {"documents": [{"text": "a"}]}),
        ("DELETE", "/documents", None),
        ("POST", "/query", {"query": "a"}),
        ("POST", "/calibrate", {}),
    ],
)
def test_missing_collection_is_a_404_with_the_nearest_name(api: Api, method: str, path: str, body: Any) -> None:
    api.create()
    assert api.send(method, f"/api/collections/handbok{path}", body).refusal == (
        404,
        "collection_not_found",
        "collection 'handbok' not found; the collections are: 'handbook'",
    )


def test_patched_metadata_changes_only_the_sent_fields(api: Api) -> None:
    api.create(display_name="Handbook", description="How we work", match_threshold=0.2)

    changed = api.send(
        "PATCH", "/api/collections/handbook", {"metadata": {"description": "New", "match_threshold": None}}
    )

    assert changed.status == 200
    metadata = changed.body["metadata"]
    assert (metadata["display_name"], metadata["description"], metadata["match_threshold"]) == ("Handbook", "New", None)
    assert api.show() == changed.body


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ({"match_threshold": 0.9, "partial_threshold": 0.3}, "match must be the smaller one"),
        ({"match_threshold": 1.0}, "match must be the smaller one"),
        ({"embedding_model": "main:unknown"}, "'main:unknown' cannot be used"),
    ],
)
def test_invalid_metadata_is_rejected_on_creation_and_change(api: Api, metadata: dict[str, Any], reason: str) -> None:
    wrong = api.send("POST", "/api/collections", {"name": "handbook", "metadata": metadata})
    assert wrong.refusal[:2] == (400, "collection_invalid")
    assert reason in wrong.refusal[2]
    api.create()
    assert reason in api.send("PATCH", "/api/collections/handbook", {"metadata": metadata}).refusal[2]


def test_embedding_model_can_change_only_while_a_collection_is_empty(api: Api) -> None:
    api.create()
    api.add({"text": "something"})
    change = {"metadata": {"embedding_model": MODEL}}

    status, code, message = api.send("PATCH", "/api/collections/handbook", change).refusal

    assert (status, code) == (400, "collection_invalid")
    assert "'lexical'; re-index it with `flexchat collections reindex handbook --embedding-model" in message
    assert api.send("DELETE", "/api/collections/handbook/documents").body["passages"] == 0
    assert api.send("PATCH", "/api/collections/handbook", change).body["metadata"]["embedding_model"] == MODEL
    assert api.add({"text": "something"})["added"] == 1


def test_emptied_collection_remains_and_accepts_documents(api: Api) -> None:
    api.create(description="stays")
    api.add({"text": "some words"})

    emptied = api.send("DELETE", "/api/collections/handbook/documents")

    assert (emptied.status, emptied.body["documents"], emptied.body["metadata"]["description"]) == (200, 0, "stays")
    assert api.query("words")["hits"] == []
    assert api.add({"text": "some words"})["added"] == 1


def test_collection_without_documents_can_be_emptied_searched_and_deleted(api: Api) -> None:
    api.create()

    assert api.query("words") == {
        "result": "none",
        "hits": [],
        "thresholds": {"match": 0.65, "partial": 0.99},
        "explanation": {
            "code": "empty_collection",
            "sentence": "The collection 'handbook' has no documents; add some first.",
            "unknown_words": [],
            "excluded": [],
        },
    }
    assert api.send("DELETE", "/api/collections/handbook/documents").body["documents"] == 0
    assert api.send("DELETE", "/api/collections/handbook").body == {"deleted": "handbook"}


def test_deleted_collection_and_its_documents_do_not_exist(api: Api) -> None:
    api.create()
    api.add({"text": "old words"})

    assert api.send("DELETE", "/api/collections/handbook").body == {"deleted": "handbook"}

    assert api.send("GET", "/api/collections/handbook").status == 404
    assert s3().list_objects_v2(Bucket=BUCKET).get("Contents", []) == []
    api.create()
    assert api.query("words")["hits"] == []
