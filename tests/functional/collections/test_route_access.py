"""Routes of collections: roles, invalid requests and storage errors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from flexchat.aws.clients import s3
from functions.retrieval.index.store import index_key
from functions.retrieval.ingest.documents import Format
from functions.retrieval.routes import MAX_DOCUMENTS_BYTES
from tests.functional.collections.harness import BUCKET, Api, open_api

pytestmark = pytest.mark.slow

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
    ("POST", "/api/collections/handbook/reindex", {}),
    ("DELETE", "/api/collections/handbook/documents/a", None),
    ("POST", "/api/collections/handbook/calibrate", {}),
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
    ("/handbook/documents", {"documents": [{}]}, {"documents[0]": "one of text, content_base64 and file_id"}),
    (
        "/handbook/documents",
        {"documents": [{"text": "a", "content_base64": "YQ=="}]},
        {"documents[0]": "one of text, content_base64 and file_id"},
    ),
    ("/handbook/documents", {"documents": [{"content_base64": "YQ=="}]}, {"documents[0]": "needs a format"}),
    (
        "/handbook/documents",
        {"documents": [{"text": "a", "format": "odt"}]},
        {"documents[0].format": f"{', '.join(map(repr, get_args(Format)[:-1]))} or 'epub'"},
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
    problems = {detail["path"]: detail["message"] for detail in answer.body["details"]}
    assert problems.keys() == details.keys()
    assert all(says in problems[place] for place, says in details.items())


@pytest.mark.parametrize(
    ("path", "example"),
    [("", "handbook"), ("/a/documents", "documents"), ("/a/query", "query"), ("/a/calibrate", "questions")],
)
def test_empty_body_gets_an_error_with_the_correct_form(api: Api, path: str, example: str) -> None:
    status, code, message = api.send("POST", f"/api/collections{path}", "").refusal
    assert (status, code) == (400, "invalid_request")
    assert f'{{"{example}"' in message or f'"{example}"' in message


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
