"""Documents over HTTP: additions by operators, and searches by chats and tools."""

import json
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx2
import pytest

from cli.layout import Layout
from cli.local_stack import StackState
from dev.local_stack.documents import COLLECTION
from flexchat.api import ChatResponse, ToolSuccessView
from flexchat.json import dumps
from tests.e2e.commands import flexchat
from tests.e2e.conftest import ANSWER_SECONDS, AwsClients

REFUNDS = "A refund is paid back within fourteen days of the parcel's return to our warehouse in Utrecht."
OPENING = "The shop in Utrecht is open from nine to six, on Saturdays until four."
HANDBOOK = [
    {"id": "refunds", "title": "Refunds", "source": "handbook/refunds", "text": REFUNDS, "metadata": {"team": "pay"}},
    {"id": "opening", "title": "Opening hours", "source": "handbook/opening", "text": OPENING},
]


@pytest.fixture(scope="module")
def user(stack: StackState) -> Iterator[httpx2.Client]:
    """API client with a token of the role `user` only."""
    token = flexchat("tokens", "create", "--stage", "local", "--name", "e2e-user", "--role", "user").split()[-1]
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=stack.url, headers=headers, timeout=ANSWER_SECONDS, trust_env=False) as client:
        yield client
    flexchat("tokens", "revoke", token.split("_")[1], "--stage", "local")


@pytest.fixture
def handbook(api: httpx2.Client) -> Iterator[str]:
    """Name of a collection of two documents."""
    name = f"e2e-{secrets.token_hex(4)}"
    assert api.post("/api/collections", json={"name": name}).status_code == 201
    added = api.post(f"/api/collections/{name}/documents", json={"documents": HANDBOOK})
    assert (added.status_code, added.json()["added"]) == (200, 2)
    yield name
    api.delete(f"/api/collections/{name}")


def send_chat(api: httpx2.Client, message: str, collections: Sequence[str] = ()) -> ChatResponse:
    response = api.post("/api/chat", json={"message": message, "selected_collections": [*collections]})
    assert response.status_code == 200
    return ChatResponse.model_validate(response.json())


def test_model_searches_the_project_documents_and_cites_their_sources(api: httpx2.Client) -> None:
    answer = send_chat(api, "Search the docs for how to add a tool")

    (call,) = answer.tool_calls
    assert (call.tool, call.params) == ("search_documents", {"query": "how to add a tool"})
    assert isinstance(call.result, ToolSuccessView)
    assert isinstance(call.result.result, dict)
    found = call.result.result["results"]
    assert isinstance(found, list)
    assert {dumps(hit["collection"]) for hit in found if isinstance(hit, dict)} == {dumps(COLLECTION)}
    assert "docs/adding-a-tool.md#" in dumps(found)
    assert ".md#" in answer.content


def test_selected_collection_is_searched_before_the_model_is_called(api: httpx2.Client) -> None:
    answer = send_chat(api, "How do I revoke a token?", [COLLECTION])

    assert answer.rag is not None
    assert answer.rag.result in ("match", "partial")
    assert any(document.source.startswith("docs/") for document in answer.rag.documents)
    assert answer.timings.steps[0].step == "search"
    assert answer.timings.steps[0].name == f"docs/{COLLECTION}"
    assert answer.timings.steps[0].ok


def test_unrelated_question_matches_no_passage(api: httpx2.Client) -> None:
    answer = send_chat(api, "Which stretches help against back pain?", [COLLECTION])

    assert answer.rag is not None
    assert (answer.rag.result, answer.rag.documents, answer.rag.skipped) == ("none", (), ())


def test_unconfigured_collection_is_skipped_and_the_chat_continues(api: httpx2.Client, handbook: str) -> None:
    answer = send_chat(api, "How long does a refund take?", [handbook])

    assert answer.rag is not None
    assert [(entry.collection, entry.reason) for entry in answer.rag.skipped] == [
        (handbook, f"no service has a collection {handbook!r}; the configured collections are: 'docs/flexchat-docs'")
    ]
    assert answer.status == "complete"


@pytest.mark.usefixtures("default_configuration")
def test_new_collection_is_searched_by_chat_and_tool_after_configuration(
    api: httpx2.Client, layout: Layout, handbook: str, tmp_path: Path
) -> None:
    source = json.loads((layout.root / "config" / "flexchat.json").read_text())
    source["rag_services"] = {"shop": {"type": "internal", "collections": [handbook]}}
    config = tmp_path / "flexchat.json"
    config.write_text(json.dumps(source))
    flexchat("local", "up", "--config", str(config))

    answer = send_chat(api, "How long until a refund is paid back?", [f"shop/{handbook}"])
    searched = send_chat(api, "Search the documents for refunds paid back")

    assert answer.rag is not None
    assert (answer.rag.result, answer.rag.service, answer.rag.collection) == ("match", "shop", handbook)
    assert answer.rag.documents[0].title == "Refunds"
    assert REFUNDS[:40] in searched.content
    assert "(Refunds, handbook/refunds)" in searched.content


def test_documents_are_added_searched_filtered_and_deleted_over_http(api: httpx2.Client, handbook: str) -> None:
    path = f"/api/collections/{handbook}"

    again = api.post(f"{path}/documents", json={"documents": HANDBOOK}).json()
    found = api.post(f"{path}/query", json={"query": "refund parcel Utrecht"}).json()
    filtered = api.post(f"{path}/query", json={"query": "Utrecht", "filters": {"team": "pay"}}).json()
    taken = api.delete(f"{path}/documents/refunds")
    left = api.post(f"{path}/query", json={"query": "Utrecht"}).json()
    emptied = api.delete(f"{path}/documents")

    assert (again["added"], again["unchanged"]) == (0, 2)
    assert found["hits"][0]["source"] == "handbook/refunds"
    assert [hit["source"] for hit in filtered["hits"]] == ["handbook/refunds"]
    assert (taken.status_code, taken.json()["documents"]) == (200, 1)
    assert [hit["source"] for hit in left["hits"]] == ["handbook/opening"]
    assert (emptied.status_code, emptied.json()["documents"]) == (200, 0)


def test_collections_are_listed_changed_and_deleted_over_http(api: httpx2.Client, handbook: str) -> None:
    path = f"/api/collections/{handbook}"

    changed = api.patch(path, json={"metadata": {"display_name": "Handbook", "match_threshold": 0.3}})
    listed = api.get("/api/collections").json()["collections"]
    twice = api.post("/api/collections", json={"name": handbook})
    deleted = api.delete(path)
    missing = api.get(path)

    assert (changed.status_code, changed.json()["metadata"]["display_name"]) == (200, "Handbook")
    assert {COLLECTION, handbook} <= {info["name"] for info in listed}
    assert (twice.status_code, deleted.status_code, missing.status_code) == (409, 200, 404)


def test_user_can_read_and_search_but_not_change_collections(user: httpx2.Client, handbook: str) -> None:
    path = f"/api/collections/{handbook}"

    allowed = [
        user.get("/api/collections"),
        user.get(path),
        user.post(f"{path}/query", json={"query": "refund"}),
    ]
    refused = [
        user.post("/api/collections", json={"name": "mine"}),
        user.patch(path, json={"metadata": {}}),
        user.post(f"{path}/documents", json={"documents": HANDBOOK}),
        user.delete(f"{path}/documents/refunds"),
        user.delete(f"{path}/documents"),
        user.delete(path),
    ]

    assert [response.status_code for response in allowed] == [200] * len(allowed)
    assert [(response.status_code, response.json()["error"]) for response in refused] == [(403, "forbidden")] * 6


def test_collections_require_a_token(anonymous: httpx2.Client) -> None:
    assert anonymous.get("/api/collections").status_code == 401
    assert anonymous.post(f"/api/collections/{COLLECTION}/query", json={"query": "x"}).status_code == 401


@pytest.mark.parametrize("text", ['" OR', "col:x", "-b", "", "🦜" * 2_000, "\x00", "NEAR(a b)"])
def test_any_question_text_can_be_searched(api: httpx2.Client, text: str) -> None:
    response = api.post(f"/api/collections/{COLLECTION}/query", json={"query": text})

    assert response.status_code == 200
    assert set(response.json()) == {"result", "hits", "thresholds", "explanation"}


def test_retrieval_function_answers_a_tool_event(aws: AwsClients, layout: Layout) -> None:
    event = (layout.root / "events" / "retrieval-tool.json").read_bytes()
    response = aws.lambdas().invoke(FunctionName="flexchat-local-retrieval", Payload=event)

    reply = json.loads(response["Payload"].read())
    assert reply["ok"]
    assert reply["result"]["searched"] == [COLLECTION]


def test_retrieval_function_answers_an_http_event(aws: AwsClients, layout: Layout) -> None:
    event = (layout.root / "events" / "collections-http.json").read_bytes()
    response = aws.lambdas().invoke(FunctionName="flexchat-local-retrieval", Payload=event)

    answer = json.loads(response["Payload"].read())
    assert answer["statusCode"] == 200
    assert len(json.loads(answer["body"])["hits"]) == 3
