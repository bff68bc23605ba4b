"""Secrets of services and tools: resolved by the function that uses them, absent from payloads and logs."""

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from moto import mock_aws

from cli.configuration import push_configuration
from cli.secret_hosts import bind_secret
from flexchat.aws.catalog import CatalogSource
from flexchat.aws.clients import AwsClients, ssm
from flexchat.aws.parameters import ParameterStore
from flexchat.deadline import Deadline
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.retrieval import Retriever
from flexchat.secret_references import secret_name
from flexchat.settings import read_environment
from flexchat.stage_secrets import StageSecrets
from flexchat.tool_runtime import tool_handler
from functions.chat.app import ChatFunction, chat_function
from functions.chat.settings import ChatSettings
from functions.retrieval.implementation import Implementation
from functions.retrieval.retrievers.factory import Retrievers
from functions.retrieval.search import Search, search_handler
from functions.retrieval.services import SearchServices, ServiceSecrets
from functions.retrieval.tool import SearchTool
from tests.functional.chat.harness import Chat, InProcessLambdas, set_environment
from tests.functional.chat.scripted_provider import ScriptedProvider, call_completion, text_completion

CANARY = "c4n4ry-of-the-docs"
HOST = "docs.example.com"
URL = f"https://{HOST}/search"
SERVICE: dict[str, Json] = {
    "type": "http",
    "url": URL,
    "headers": {"Authorization": "Bearer ${DOCS_KEY}", "X-Team": "a"},
    "collections": ["faq"],
}
PASSAGE: Json = {"title": "Refunds", "source": "refunds.md", "text": "Refunds take 14 days.", "distance": 0.1}


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[ParameterStore]:
    set_environment(
        monkeypatch, FLEXCHAT_TOOL_FUNCTIONS='{"internal": "retrieval"}', FLEXCHAT_RETRIEVAL_FUNCTION="retrieval"
    )
    ssm.cache_clear()
    chat_function.cache_clear()
    level = logger.log_level
    logger.setLevel("DEBUG")
    with mock_aws():
        yield ParameterStore(ssm())
    logger.setLevel(level)
    ssm.cache_clear()
    chat_function.cache_clear()


class DocsServer:
    """Remote search service that records the received headers."""

    def __init__(self) -> None:
        self.headers: list[httpx2.Headers] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.headers.append(request.headers)
        return httpx2.Response(200, json={"results": [PASSAGE]})

    @property
    def keys(self) -> list[str]:
        return [headers["authorization"] for headers in self.headers]


def retrieval_function(store: ParameterStore, server: Callable[[httpx2.Request], httpx2.Response]) -> Any:
    """Return the retrieval function on the stage's parameters, with `server` in place of the network."""

    def no_own_retriever(deadline: Deadline) -> Retriever:
        raise AssertionError("the deployment's own collections are not searched")

    create = Retrievers(
        own=no_own_retriever,
        embedders=lambda: pytest.fail("no embedder is needed"),
        secrets=ServiceSecrets(StageSecrets(store=store, stage="test", ttl_seconds=0), "test"),
        transport=httpx2.MockTransport(server),
    )
    catalog = CatalogSource(store=store, stage="test", ttl_seconds=0)
    search = Search(services=SearchServices(catalog=catalog.current, create=create))
    search_event, call_tool = search_handler(search), tool_handler(Implementation, SearchTool(search))

    def handler(event: dict[str, Any], context: Any) -> Any:
        return search_event(event, context) if "operation" in event else call_tool(event, context)

    return handler


def configuration(*tools: Json, services: Json = None) -> dict[str, Json]:
    return {
        "llms": {"main": {"type": "ollama"}},
        "rag_services": services or {},
        "responses": [{"llm": "main", "model": "m", "prompt": "{{rag_context}}", "tools": {"enabled": True}}],
        "tools": {"enabled": True, "registry": list(tools)},
    }


def search_tool(service: Json) -> dict[str, Json]:
    return {
        "name": "search",
        "description": "Search the documents",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
        "implementation": {"type": "internal", "handler": "rag_query", "service": service},
    }


def deployed(store: ParameterStore, server: DocsServer, *script: Any) -> Chat:
    model = ScriptedProvider([*script])
    functions: Any = InProcessLambdas({"retrieval": retrieval_function(store, server)})
    settings = read_environment(ChatSettings, os.environ)
    function = ChatFunction(settings, AwsClients(lambdas=functions), provider=lambda _name, _config: model)
    return Chat(function, model, functions)


def test_service_secret_is_in_no_payload_and_no_log(store: ParameterStore, capsys: pytest.CaptureFixture[str]) -> None:
    push_configuration(
        configuration(services={"docs": SERVICE}), stage="test", store=store, secrets={"DOCS_KEY": CANARY}
    )
    server = DocsServer()
    chat = deployed(store, server, text_completion("Within 14 days."))

    body = chat.post({"message": "How long?", "selected_collections": ["docs/faq"]}).body

    assert (body["rag"]["result"], server.keys) == ("match", [f"Bearer {CANARY}"])
    assert server.headers[0]["x-team"] == "a"
    (event,) = chat.lambdas.executed
    assert event["scope"]["service"]["headers"] == SERVICE["headers"]
    output = capsys.readouterr()
    assert "collections searched" in output.out
    for text in (json.dumps(event), json.dumps(body), output.out, output.err):
        assert CANARY not in text


def test_inline_service_of_a_tool_can_reference_secrets(
    store: ParameterStore, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = search_tool({"name": "desk", **SERVICE})
    push_configuration(configuration(tool), stage="test", store=store, secrets={"DOCS_KEY": CANARY})
    server = DocsServer()
    chat = deployed(
        store, server, call_completion(("search", {"query": "refunds"})), text_completion("Within 14 days.")
    )

    body = chat.post({"message": "How long?"}).body

    assert body["tool_calls"][0]["result"]["success"] is True
    assert server.keys == [f"Bearer {CANARY}"]
    output = capsys.readouterr()
    for text in (json.dumps(chat.lambdas.executed), json.dumps(body), output.out, output.err):
        assert CANARY not in text


def test_tool_without_its_secret_is_disabled_with_the_secret_name(store: ParameterStore) -> None:
    summary = push_configuration(
        configuration(search_tool({"name": "desk", **SERVICE})), stage="test", store=store, secrets={}
    )
    chat = deployed(store, DocsServer(), text_completion("No tool."))

    body = chat.request("GET", "/api/tools/list").body

    assert summary.missing_secrets == ("DOCS_KEY",)
    assert body["disabled"] == [
        {
            "kind": "tool",
            "name": "search",
            "problems": ["secret 'DOCS_KEY' is not stored; run `flexchat secrets set DOCS_KEY --stage test`"],
        }
    ]
    assert chat.post({"message": "How long?"}).body["tool_calls"] == []
    assert not chat.model.options[0].tools


def test_secret_missing_at_call_time_is_named(store: ParameterStore) -> None:
    server = DocsServer()
    search = retrieval_function(store, server)
    event: dict[str, Any] = {
        "tool": "search",
        "arguments": {"query": "refunds", "collection": "faq"},
        "implementation": search_tool({"name": "desk", **SERVICE})["implementation"],
        "call_id": "call_1",
        "idempotency_key": "r:call_1",
        "request_id": "r",
        "timeout_ms": 5_000,
    }

    missing = search(event, None)
    store.put(secret_name("test", "DOCS_KEY"), CANARY, secret=True)
    unbound = search(event, None)
    bind_secret("DOCS_KEY", [HOST], stage="test", store=store)
    found = search(event, None)
    event["implementation"]["service"]["headers"] = {"Authorization": "${AWS_SECRET_ACCESS_KEY}"}
    reserved = search(event, None)

    assert (missing["error"]["type"], missing["error"]["message"]) == (
        "configuration",
        (
            "the collection 'faq' cannot be searched: secret 'DOCS_KEY' is not stored; "
            "run `flexchat secrets set DOCS_KEY --stage test`"
        ),
    )
    assert unbound["error"]["message"] == (
        f"the collection 'faq' cannot be searched: secret 'DOCS_KEY' is not bound to the host '{HOST}'; "
        f"run `flexchat secrets bind DOCS_KEY --stage test --host {HOST}`"
    )
    assert (found["ok"], server.keys) == (True, [f"Bearer {CANARY}"])
    assert (reserved["error"]["type"], reserved["error"]["message"]) == (
        "configuration",
        (
            "the collection 'faq' cannot be searched: secret 'AWS_SECRET_ACCESS_KEY' belongs to the function itself "
            "and cannot be named"
        ),
    )
