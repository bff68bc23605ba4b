"""Deployed retrieval function: settings from the environment, collections in S3, services from SSM."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from moto import mock_aws

import functions.retrieval.app as app
from cli.configuration import push_configuration
from flexchat.aws.clients import dynamodb, s3, ssm
from flexchat.aws.objects import ObjectStore
from flexchat.aws.parameters import ParameterStore
from flexchat.errors import ConfigError
from flexchat.messages import Json
from flexchat.retrieval import CollectionInfo, CollectionMetadata
from flexchat.settings import read_environment
from functions.retrieval.app import RetrievalFunction, RetrievalSettings
from functions.retrieval.index.schema import IndexedDocument
from functions.retrieval.index.store import IndexStore, collection_key
from tests.aws import create_table
from tests.functional.retrieval.memory_services import call, implementation_of

pytestmark = pytest.mark.slow

EVENTS = Path(__file__).parents[3] / "events"
BUCKET = "flexchat-test-collections"
CHATS = "flexchat-test-chats"
MOMENT = "2026-11-01T12:00:00Z"


@pytest.fixture
def objects(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ObjectStore]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    variables = {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "FLEXCHAT_STAGE": "test",
        "FLEXCHAT_COLLECTIONS_BUCKET": BUCKET,
        "FLEXCHAT_CHATS_TABLE": CHATS,
        "FLEXCHAT_CATALOG_TTL_SECONDS": "0",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    cached = (dynamodb, ssm, s3, app.retrieval_function)
    for each in cached:
        each.cache_clear()
    with mock_aws():
        s3().create_bucket(Bucket=BUCKET)
        create_table(dynamodb(), CHATS, "pk", "sk")
        configure()
        yield ObjectStore(s3(), BUCKET)
    for each in cached:
        each.cache_clear()


def configure(**services: Json) -> None:
    push_configuration(
        {"rag_services": dict(services)},
        stage="test",
        store=ParameterStore(ssm()),
        secrets={"OPENAI_KEY": "a-test-key"},
    )


def fill(objects: ObjectStore, cache: Path, name: str, texts: Mapping[str, str], **metadata: Any) -> None:
    """Create a collection with a document of one passage per title."""
    info = CollectionInfo(name=name, metadata=CollectionMetadata(**metadata), created_at=MOMENT, updated_at=MOMENT)
    objects.put(collection_key(name), info.model_dump_json().encode(), if_absent=True)
    documents = [
        IndexedDocument(id=title, title=title, source=f"{title}.md", hash=text, metadata={}, passages=((text, 0),))
        for title, text in texts.items()
    ]
    IndexStore(objects, cache).update(name, lambda writer: writer.add(documents))


def function(cache: Path) -> RetrievalFunction:
    settings = read_environment(RetrievalSettings, os.environ)
    return RetrievalFunction(settings, cache_folder=cache)


def event(arguments: dict[str, Json], **implementation: Json) -> dict[str, Json]:
    return {
        **json.loads(call(arguments).as_json()),
        "implementation": {"type": "internal", "handler": "rag_query", **implementation},
    }


@dataclass(frozen=True)
class LambdaContext:
    aws_request_id: str = "request-1"
    function_name: str = "flexchat-test-retrieval"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-retrieval"

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


def posted(path: str, body: Json) -> dict[str, Any]:
    """Return a REST API event for another route than the chat's."""
    request = json.loads((EVENTS / "chat-http.json").read_text())
    request["body"] = json.dumps(body)
    request["path"] = request["requestContext"]["resourcePath"] = request["resource"] = path
    return request


def test_tool_call_finds_a_passage_of_a_collection_in_s3(objects: ObjectStore, tmp_path: Path) -> None:
    fill(objects, tmp_path / "w", "docs", {"tools": "A tool is a Lambda function.", "cats": "Cats sleep all day."})

    reply: Any = app.lambda_handler(event({"query": "lambda tool"}), None)

    assert reply["ok"] is True
    assert reply["result"]["results"][0]["source"] == "tools.md"
    assert reply["result"]["searched"] == ["docs"]


def test_unknown_handler_is_rejected_with_the_documented_error(objects: ObjectStore) -> None:
    reply: Any = app.lambda_handler(event({"query": "x"}, handler="x"), None)

    assert reply["error"]["message"] == "Internal handler 'x' not found"


def test_configuration_defines_the_searchable_collections(objects: ObjectStore, tmp_path: Path) -> None:
    for name in ("docs", "secret"):
        fill(objects, tmp_path / "w", name, {"tools": "A tool is a Lambda function."})
    configure(docs={"type": "internal", "collections": ["docs"]})

    result = function(tmp_path).search_tool(call({"query": "tool"}), implementation_of())

    assert result["searched"] == ["docs"]


def test_result_has_the_collection_metadata_with_an_inline_service(objects: ObjectStore, tmp_path: Path) -> None:
    fill(objects, tmp_path / "w", "docs", {"tools": "A tool."}, match_threshold=0.6, partial_threshold=0.9)
    implementation = implementation_of({"service": {"name": "own", "type": "internal"}})

    result: Any = function(tmp_path).search_tool(call({"query": "tool", "collection": "docs"}), implementation)

    assert result["collection_metadata"]["match_threshold"] == 0.6
    assert result["collection_metadata"]["partial_threshold"] == 0.9


@pytest.mark.usefixtures("objects")
def test_missing_bucket_is_not_named_in_the_tool_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLEXCHAT_COLLECTIONS_BUCKET", "gone-bucket")

    reply: Any = app.lambda_handler(event({"query": "x"}), None)

    assert reply["error"]["type"] == "unavailable"
    assert "gone-bucket" not in str(reply)
    assert "gone-bucket" in capsys.readouterr().out


def test_all_collections_are_downloaded_into_one_folder(objects: ObjectStore, tmp_path: Path) -> None:
    for number in range(6):
        fill(objects, tmp_path / "w", f"c{number}", {"tools": f"Tool number {number}."})

    result: Any = function(tmp_path / "copies").search_tool(call({"query": "tool"}), implementation_of())

    assert result["searched"] == [f"c{number}" for number in range(6)]
    assert len(list((tmp_path / "copies").iterdir())) == 6


def test_http_query_finds_the_passage_of_a_collection(objects: ObjectStore, tmp_path: Path) -> None:
    fill(objects, tmp_path / "w", "docs", {"tools": "A tool is a Lambda function."})

    answer = app.lambda_handler(posted("/api/collections/docs/query", {"query": "tool"}), LambdaContext())

    assert answer["statusCode"] == 200
    assert json.loads(answer["body"])["hits"][0]["source"] == "tools.md"


@pytest.mark.parametrize(
    ("route", "body"),
    [("query", {"query": "tool"}), ("calibrate", {"questions": ["tool"]}), ("query", {"query": "tool", "top_k": 0})],
)
def test_searches_count_for_the_limits_of_their_caller(
    objects: ObjectStore, tmp_path: Path, route: str, body: dict[str, Json]
) -> None:
    fill(objects, tmp_path / "w", "docs", {"tools": "A tool is a Lambda function."})
    limits: dict[str, Json] = {"caller": {"requests_per_minute": 2}}
    push_configuration({"limits": limits}, stage="test", store=ParameterStore(ssm()), secrets={})

    def send(path: str, body: Json, principal: str = "k7m2p9qx4d") -> tuple[int, dict[str, Any]]:
        request = posted(f"/api/collections/docs/{path}", body)
        request["requestContext"]["authorizer"] = {"principal": principal, "roles": "operator"}
        answer = app.lambda_handler(request, LambdaContext())
        return answer["statusCode"], json.loads(answer["body"])

    send(route, body)
    assert send("query", {"query": "tool"})[0] == 200
    status, refused = send("query", {"query": "tool"})

    is_valid = body.get("top_k") != 0
    assert status == (429 if is_valid else 200)
    if is_valid:
        assert refused["error"] == "rate_limited"
        assert refused["limit"]["name"] == "requests_per_minute"
        assert send("calibrate", {})[0] == 429
    assert send("query", {"query": "tool"}, principal="another")[0] == 200


def test_tokens_of_questions_count_for_the_limit_of_a_day(objects: ObjectStore, tmp_path: Path) -> None:
    fill(objects, tmp_path / "w", "docs", {"tools": "A tool is a Lambda function."})
    limits: dict[str, Json] = {"caller": {"tokens_per_day": 1_000}, "reserved_tokens": 10}
    push_configuration({"limits": limits}, stage="test", store=ParameterStore(ssm()), secrets={})

    statuses = [
        app.lambda_handler(posted("/api/collections/docs/query", {"query": "tool " * 700}), LambdaContext())[
            "statusCode"
        ]
        for _ in range(3)
    ]

    [item] = dynamodb().scan(TableName=CHATS)["Items"]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    assert set(item) == {"pk", "sk", "expires_at", "tokens", "reserved"}


def test_searches_without_a_configuration_have_no_limits(
    objects: ObjectStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(objects, tmp_path / "w", "docs", {"tools": "A tool is a Lambda function."})
    store = ParameterStore(ssm())
    store.delete(store.names("/flexchat/test/chat"))

    answer = app.lambda_handler(posted("/api/collections/docs/query", {"query": "tool"}), LambdaContext())

    assert answer["statusCode"] == 200
    assert "limits not enforced" in capsys.readouterr().out


def test_missing_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLEXCHAT_COLLECTIONS_BUCKET", raising=False)

    with pytest.raises(ConfigError, match="FLEXCHAT_COLLECTIONS_BUCKET"):
        read_environment(RetrievalSettings, {"FLEXCHAT_STAGE": "test"})


def test_cold_start_imports_no_optional_libraries() -> None:
    heavy = "{'numpy', 'httpx2', 'pypdfium2', 'selectolax', 'regex'}"
    code = f"import sys, functions.retrieval.app; print(sorted({heavy} & sys.modules.keys()))"

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603

    assert ran.stdout == "[]\n"


def test_embedding_event_uses_the_llms_of_the_configuration(objects: ObjectStore) -> None:
    request: dict[str, Json] = json.loads((EVENTS / "retrieval-embed.json").read_text())

    assert app.lambda_handler(request, LambdaContext()) == {
        "version": 1,
        "vectors": [],
        "error": {
            "code": "configuration",
            "message": "the embedding model 'openai:text-embedding-3-small' cannot be used: no llm named 'openai'",
        },
    }
