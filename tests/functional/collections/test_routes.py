"""The collections' API from event to answer: every route, who may use it, and how refusals are told."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flexchat.aws.clients import s3
from functions.retrieval.index.store import index_key
from functions.retrieval.routes import MAX_DOCUMENTS_BYTES
from tests.functional.collections.harness import BUCKET, MODEL, Api, open_api, text_of

FILES = Path(__file__).parents[2] / "data" / "documents"


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
        "there is a collection 'handbook' already",
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
        "there is no collection 'handbok'; there are: 'handbook'",
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
    ("metadata", "says"),
    [
        ({"match_threshold": 0.9, "partial_threshold": 0.3}, "match must be the smaller one"),
        ({"match_threshold": 0.9}, "match must be the smaller one"),
        ({"embedding_model": "main:unknown"}, "'main:unknown' cannot be used"),
    ],
)
def test_invalid_metadata_is_rejected_on_creation_and_change(api: Api, metadata: dict[str, Any], says: str) -> None:
    wrong = api.send("POST", "/api/collections", {"name": "handbook", "metadata": metadata})
    assert wrong.refusal[:2] == (400, "collection_invalid")
    assert says in wrong.refusal[2]
    api.create()
    assert says in api.send("PATCH", "/api/collections/handbook", {"metadata": metadata}).refusal[2]


def test_embedding_model_can_change_only_while_a_collection_is_empty(api: Api) -> None:
    api.create()
    api.add({"text": "something"})
    change = {"metadata": {"embedding_model": MODEL}}

    status, code, message = api.send("PATCH", "/api/collections/handbook", change).refusal

    assert (status, code) == (400, "collection_invalid")
    assert "'lexical'; empty it before" in message
    assert api.send("DELETE", "/api/collections/handbook/documents").body["passages"] == 0
    assert api.send("PATCH", "/api/collections/handbook", change).body["metadata"]["embedding_model"] == MODEL
    assert api.add({"text": "something"})["added"] == 1


def test_added_document_is_found_and_cited(api: Api) -> None:
    api.create()

    report = api.add(
        {
            "id": "holidays",
            "source": "handbook/holidays.md",
            "format": "markdown",
            "text": "# Holidays\n\nEverybody has thirty days off.",
            "metadata": {"team": "people", "year": 2025, "draft": False},
        }
    )

    assert report == {"added": 1, "replaced": 0, "unchanged": 0, "failed": [], "passages": 1}
    answer = api.query("days off")
    (hit,) = answer["hits"]
    assert hit == {
        "title": "Holidays",
        "source": "handbook/holidays.md#holidays",
        "text": "# Holidays\n\nEverybody has thirty days off.",
        "distance": hit["distance"],
        "id": "holidays#0",
        "offset": 0,
        "metadata": {"team": "people", "year": 2025, "draft": False},
    }
    assert answer["result"] == "match"
    assert hit["distance"] < answer["thresholds"]["match"] < answer["thresholds"]["partial"]


def test_adding_a_document_again_changes_nothing(api: Api) -> None:
    api.create()
    document = {"source": "a.txt", "text": "some words"}
    api.add(document)
    before, etag = api.show(), s3().head_object(Bucket=BUCKET, Key=index_key("handbook"))["ETag"]

    assert api.add(document) == {"added": 0, "replaced": 0, "unchanged": 1, "failed": [], "passages": 1}

    assert api.show() == before
    assert s3().head_object(Bucket=BUCKET, Key=index_key("handbook"))["ETag"] == etag


def test_document_without_an_id_is_identified_by_its_content(api: Api) -> None:
    api.create()
    assert api.add({"text": "some words"}, {"text": "other words"})["added"] == 2
    assert api.add({"text": "some words"})["unchanged"] == 1


@pytest.mark.parametrize(
    "change",
    [{"text": "other words"}, {"title": "T"}, {"metadata": {"a": 1}}, {"source": "b.txt"}],
    ids=["text", "title", "metadata", "source"],
)
def test_changed_document_replaces_the_previous_version(api: Api, change: dict[str, Any]) -> None:
    api.create()
    document = {"id": "a", "source": "a.txt", "text": "some words"}
    api.add(document)

    report = api.add(document | change)

    assert report == {"added": 0, "replaced": 1, "unchanged": 0, "failed": [], "passages": 1}


@pytest.mark.parametrize(
    ("file", "format", "query", "source"),
    [
        ("deliveries.pdf", "pdf", "returned goods", "deliveries.pdf#page=3"),
        ("tides.html", "html", "spring tides", "tides.html#top"),
        ("bridges.jsonl", "jsonl", "suspension bridge", "bridges.jsonl#2"),
        ("elements.json", "json", "noble gas balloons", "elements.json#1"),
        ("bees.md", "markdown", "winter cluster", "bees.md#keeping-bees"),
        ("clock.txt", "text", "pendulum", "clock.txt"),
    ],
)
def test_file_of_every_format_is_added_as_base64(api: Api, file: str, format: str, query: str, source: str) -> None:
    api.create()
    content = base64.b64encode((FILES / file).read_bytes()).decode()

    report = api.add({"source": file, "content_base64": content, "format": format})

    assert report["failed"] == []
    assert api.query(query)["hits"][0]["source"] == source


def test_invalid_documents_are_reported_and_the_others_added(api: Api) -> None:
    api.create()
    encoded = base64.b64encode(b"\xff\xfe\x00").decode()

    report = api.add(
        {"source": "good.txt", "text": "good words"},
        {"source": "bad.txt", "content_base64": "%%%", "format": "text"},
        {"id": "no-base64", "content_base64": "é", "format": "text"},
        {"source": "utf16.txt", "content_base64": encoded, "format": "text"},
        {"source": "empty.txt", "text": "  \n"},
        {"source": "good.txt", "text": "the same source again"},
        {"source": "x.pdf", "content_base64": base64.b64encode(b"no pdf").decode(), "format": "pdf"},
    )

    assert (report["added"], report["passages"]) == (1, 1)
    reasons = {failure["source"]: failure["reason"] for failure in report["failed"]}
    assert {source: reason.partition(";")[0].partition(":")[0] for source, reason in reasons.items()} == {
        "bad.txt": "content_base64 is not base64",
        "no-base64": "content_base64 is not base64",
        "utf16.txt": "the file is UTF-16",
        "empty.txt": "there is no text in it",
        "good.txt": "another document of this import has the id 'good.txt'",
        "x.pdf": "the PDF is broken (PdfStreamError)",
    }


def test_each_record_is_a_separate_document(api: Api) -> None:
    api.create()
    records = [{"key": 7, "body": "red apples", "kind": "fruit"}, {"key": 8, "body": "green leeks", "kind": "root"}]
    document = {
        "format": "json",
        "text": json.dumps(records),
        "source": "store.json",
        "fields": {"text_fields": ["body"], "id_field": "key", "metadata_fields": ["kind"]},
        "metadata": {"shop": "north"},
    }

    assert api.add(document)["added"] == 2

    (hit,) = api.query("apples or leeks", filters={"kind": "root", "shop": "north"})["hits"]
    assert (hit["id"], hit["metadata"]) == ("8#0", {"kind": "root", "shop": "north"})
    assert api.query("apples or leeks", filters={"kind": "none"})["hits"] == []


def test_collection_defines_the_metadata_fields_of_titles_and_sources(api: Api) -> None:
    api.create(title_field="heading", source_field="url")
    metadata = {"heading": "Tides", "url": "https://example.com/tides"}

    api.add({"source": "a.md", "format": "markdown", "text": "# Sea\n\nThe water rises.", "metadata": metadata})

    (hit,) = api.query("water")["hits"]
    assert (hit["title"], hit["source"]) == ("Tides", "https://example.com/tides#sea")


def test_document_is_deleted_by_an_id_with_any_characters(api: Api) -> None:
    api.create()
    for name in ("docs/a b.md", "50%", "ä?x=1#y", "plain"):
        api.add({"id": name, "text": f"words of {name}"})
        assert api.show()["documents"] == 1

        answer = api.delete_document(name)

        assert (answer.status, answer.body["documents"], answer.body["passages"]) == (200, 0, 0)
        assert api.delete_document(name).refusal == (
            404,
            "collection_not_found",
            f"the collection 'handbook' has no document {name!r}",
        )


def test_emptied_collection_remains_and_accepts_documents(api: Api) -> None:
    api.create(description="stays")
    api.add({"text": "some words"})

    emptied = api.send("DELETE", "/api/collections/handbook/documents")

    assert (emptied.status, emptied.body["documents"], emptied.body["metadata"]["description"]) == (200, 0, "stays")
    assert api.query("words")["hits"] == []
    assert api.add({"text": "some words"})["added"] == 1


def test_collection_without_documents_can_be_emptied_searched_and_deleted(api: Api) -> None:
    api.create()

    assert api.query("words") == {"result": "none", "hits": [], "thresholds": {"match": 0.65, "partial": 0.73}}
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


@pytest.mark.parametrize(
    "text", ["", " ", '"', '" OR "', "col:x", "-b", "NEAR(", "*", "\u0000", "😀", "' --", "a" * 100_000, "日本語"]
)
def test_any_query_text_is_searched(api: Api, text: str) -> None:
    api.create()
    api.add({"text": "some words"})
    assert api.query(text)["result"] in ("match", "partial", "none")


def test_search_is_limited_by_count_and_distance(api: Api) -> None:
    api.create()
    api.add(*({"text": f"{text_of('river')} {text_of(f'topic{number}')}"} for number in range(4)))

    assert len(api.query("river", top_k=2)["hits"]) == 2
    hits = api.query("river")["hits"]
    nearest = min(hit["distance"] for hit in hits)
    assert api.query("river", max_distance=nearest / 2)["hits"] == []


def test_collection_thresholds_set_the_class_of_a_result(api: Api) -> None:
    api.create(match_threshold=0, partial_threshold=0)
    api.add({"text": "some words"})
    assert api.query("words")["result"] == "none"
    api.send("PATCH", "/api/collections/handbook", {"metadata": {"partial_threshold": 2}})
    assert api.query("words")["result"] == "partial"
    api.send("PATCH", "/api/collections/handbook", {"metadata": {"match_threshold": 2}})
    answer = api.query("words")
    assert (answer["result"], answer["thresholds"]) == ("match", {"match": 2, "partial": 2})


def test_calibration_proposes_thresholds_and_applies_them_on_request_only(api: Api) -> None:
    api.create(match_threshold=0.1, partial_threshold=0.2)
    api.add(*({"text": text_of(f"topic{number}", 4)} for number in range(12)))

    proposal = api.send("POST", "/api/collections/handbook/calibrate", {"questions": ["topic3", "topic5"]})

    assert proposal.status == 200
    assert 0 < proposal.body["match_threshold"] <= proposal.body["partial_threshold"] < 2
    assert (proposal.body["applied"], len(proposal.body["answered"])) == (False, 2)
    assert api.show()["metadata"]["match_threshold"] == 0.1

    applied = api.send("POST", "/api/collections/handbook/calibrate", {"apply": True}).body

    assert applied["applied"] is True
    shown = api.show()["metadata"]
    assert (shown["match_threshold"], shown["partial_threshold"]) == (
        applied["match_threshold"],
        applied["partial_threshold"],
    )


def test_calibration_with_too_few_passages_is_rejected(api: Api) -> None:
    api.create()
    assert api.send("POST", "/api/collections/handbook/calibrate", {}).refusal == (
        400,
        "collection_invalid",
        "the collection 'handbook' is empty; add documents first",
    )
    api.add({"text": "one"})
    assert "a calibration needs 8" in api.send("POST", "/api/collections/handbook/calibrate", {}).refusal[2]


READING: list[Any] = [
    ("GET", "/api/collections", None),
    ("GET", "/api/collections/handbook", None),
    ("POST", "/api/collections/handbook/query", {"query": "a"}),
]
WRITING: list[Any] = [
    ("POST", "/api/collections", {"name": "other"}),
    ("PATCH", "/api/collections/handbook", {"metadata": {}}),
    ("DELETE", "/api/collections/handbook", None),
    ("POST", "/api/collections/handbook/documents", {"documents": [{"text": "a"}]}),
    ("DELETE", "/api/collections/handbook/documents", None),
    ("DELETE", "/api/collections/handbook/documents/a", None),
    ("POST", "/api/collections/handbook/calibrate", {"apply": True}),
]


@pytest.mark.parametrize(("method", "path", "body"), READING)
def test_every_role_can_read_and_search(api: Api, method: str, path: str, body: Any) -> None:
    api.create()
    api.roles = "user"
    assert api.send(method, path, body).status == 200


@pytest.mark.parametrize("roles", ["user", "", "operators", "user, operator-ish"])
@pytest.mark.parametrize(("method", "path", "body"), WRITING)
def test_writing_requires_the_role_operator(api: Api, method: str, path: str, body: Any, roles: str) -> None:
    api.create()
    api.add({"id": "a", "text": "some words"})
    before = api.show()
    api.roles = roles

    status, code, message = api.send(method, path, body).refusal

    assert (status, code) == (403, "forbidden")
    assert "this needs a token with the role" in message
    api.roles = "operator"
    assert api.show() == before


def test_calibration_without_applying_requires_no_operator(api: Api) -> None:
    api.create()
    api.add(*({"text": text_of(f"topic{number}", 4)} for number in range(12)))
    api.roles = "user"
    assert api.send("POST", "/api/collections/handbook/calibrate", {}).status == 200


def test_event_without_an_authorizer_cannot_write(api: Api) -> None:
    context = {"requestId": "r"}
    answer = api.send("POST", "/api/collections", {"name": "a"}, requestContext=context)
    assert answer.refusal[:2] == (403, "forbidden")


WRONG_SHAPES: list[Any] = [
    ("", {}, {"name": "is required"}),
    (
        "",
        {"name": "a", "metadata": {"match_treshold": 1}},
        {"metadata.match_treshold": "did you mean 'match_threshold'?"},
    ),
    (
        "",
        {"name": "a", "metadata": {"match_threshold": 3}},
        {"metadata.match_threshold": "less than or equal to 2"},
    ),
    ("/handbook/documents", {"documents": []}, {"documents": "at least 1 item"}),
    ("/handbook/documents", {"documents": [{}]}, {"documents[0]": "either text or content_base64"}),
    (
        "/handbook/documents",
        {"documents": [{"text": "a", "content_base64": "YQ=="}]},
        {"documents[0]": "either text or content_base64"},
    ),
    ("/handbook/documents", {"documents": [{"content_base64": "YQ=="}]}, {"documents[0]": "needs a format"}),
    (
        "/handbook/documents",
        {"documents": [{"text": "a", "format": "docx"}]},
        {"documents[0].format": "'text', 'markdown', 'html', 'json', 'jsonl' or 'pdf'"},
    ),
    (
        "/handbook/documents",
        {"documents": [{"text": "[]", "format": "json", "id": "a"}]},
        {"documents[0]": "fields.id_field"},
    ),
    ("/handbook/query", {"query": "a", "top_k": 101}, {"top_k": "less than or equal to 100"}),
    ("/handbook/query", {"query": 5}, {"query": "must be text, not 5"}),
    ("/handbook/calibrate", {"questions": [""]}, {"questions[0]": "at least 1 character"}),
]


@pytest.mark.parametrize(("path", "body", "details"), WRONG_SHAPES)
def test_invalid_body_error_names_the_field(api: Api, path: str, body: Any, details: dict[str, str]) -> None:
    api.create()
    answer = api.send("POST", f"/api/collections{path}", body)
    assert answer.refusal[:2] == (400, "invalid_request")
    told = {detail["path"]: detail["message"] for detail in answer.body["details"]}
    assert told.keys() == details.keys()
    assert all(says in told[place] for place, says in details.items())


@pytest.mark.parametrize(
    ("path", "example"),
    [("", "handbook"), ("/a/documents", "documents"), ("/a/query", "query"), ("/a/calibrate", "questions")],
)
def test_empty_body_gets_an_error_with_the_correct_form(api: Api, path: str, example: str) -> None:
    status, code, message = api.send("POST", f"/api/collections{path}", "").refusal
    assert (status, code) == (400, "invalid_request")
    assert f'{{"{example}"' in message or f'"{example}"' in message


@pytest.mark.slow
def test_documents_can_exceed_the_limit_of_other_bodies_up_to_their_own(api: Api) -> None:
    api.create()
    text = "word " * (MAX_DOCUMENTS_BYTES // 16)
    assert api.add({"text": text})["added"] == 1
    assert api.send("POST", "/api/collections/handbook/query", {"query": text}).refusal[:2] == (
        413,
        "payload_too_large",
    )
    status, code, message = api.send(
        "POST", "/api/collections/handbook/documents", "[" * (MAX_DOCUMENTS_BYTES + 1)
    ).refusal
    assert (status, code) == (413, "payload_too_large")
    assert str(MAX_DOCUMENTS_BYTES) in message


def test_unsupported_content_type_is_a_415(api: Api) -> None:
    answer = api.send("POST", "/api/collections", "name=a", headers={"Content-Type": "text/plain"})
    assert answer.refusal[:2] == (415, "unsupported_media_type")


def test_unknown_route_is_a_404(api: Api) -> None:
    assert api.send("GET", "/api/collections/a/b/c").refusal[:2] == (404, "not_found")


def _truncated() -> None:
    body = s3().get_object(Bucket=BUCKET, Key=index_key("handbook"))["Body"].read()
    s3().put_object(Bucket=BUCKET, Key=index_key("handbook"), Body=body[: len(body) // 2])


def _without_bucket() -> None:
    for item in s3().list_objects_v2(Bucket=BUCKET).get("Contents", []):
        s3().delete_object(Bucket=BUCKET, Key=item.get("Key", ""))
    s3().delete_bucket(Bucket=BUCKET)


@pytest.mark.parametrize(
    ("harm", "refusal"),
    [(_truncated, (500, "collection_damaged")), (_without_bucket, (500, "configuration"))],
    ids=["truncated", "no bucket"],
)
def test_storage_error_is_returned_in_the_error_envelope(
    api: Api, tmp_path: Path, harm: Callable[[], None], refusal: tuple[int, str]
) -> None:
    api.create()
    api.add({"text": "some words"})
    harm()
    other = open_api(tmp_path / "other")
    answer = other.send("POST", "/api/collections/handbook/documents", {"documents": [{"text": "more"}]})
    assert answer.refusal[:2] == refusal


def test_cors_headers_are_sent_to_allowed_origins(bucket: str, tmp_path: Path) -> None:
    api = open_api(tmp_path, allowed_origins=("https://a.example",))
    headers = {"Origin": "https://a.example"}
    for answer in (
        api.send("GET", "/api/collections", headers=headers),
        api.send("POST", "/api/collections", "", headers=headers),
    ):
        assert answer.headers["access-control-allow-origin"] == "https://a.example"
