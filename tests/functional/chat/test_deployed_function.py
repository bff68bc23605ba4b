"""Deployed chat function: settings from the environment, configuration from SSM."""

import json
import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from moto import mock_aws

from cli.configuration import push_configuration, read_file
from flexchat.aws.clients import AwsClients, ssm
from flexchat.aws.parameters import ParameterStore
from flexchat.config.parameters import manifest_name
from flexchat.errors import ConfigError
from flexchat.settings import read_environment
from functions.chat.app import ChatFunction, chat_function, lambda_handler
from functions.chat.settings import ChatSettings
from tests.functional.chat.harness import (
    EVENTS,
    Chat,
    InProcessLambdas,
    LambdaContext,
    builtin_handler,
    mock_handler,
    set_environment,
)
from tests.functional.chat.scripted_provider import ScriptedProvider, call_completion, text_completion

CONFIGURATION = Path(__file__).parents[3] / "config"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[ParameterStore]:
    set_environment(monkeypatch, FLEXCHAT_TOOL_FUNCTIONS='{"mock": "mock", "builtin": "builtin"}')
    ssm.cache_clear()
    chat_function.cache_clear()
    with mock_aws():
        yield ParameterStore(ssm())
    ssm.cache_clear()
    chat_function.cache_clear()


def deployed(script: list[Any]) -> Chat:
    """Return the function on the configuration of SSM, with a scripted model and tools in process."""
    settings = read_environment(ChatSettings, os.environ)
    model = ScriptedProvider(script)
    functions: Any = InProcessLambdas({"mock": mock_handler, "builtin": builtin_handler})
    function = ChatFunction(settings, AwsClients(lambdas=functions), provider=lambda _name, _config: model)
    return Chat(function, model, functions)


def test_default_configuration_answers_with_both_kinds_of_tools(store: ParameterStore) -> None:
    push_configuration(
        read_file(CONFIGURATION / "flexchat.json"), stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"}
    )
    chat = deployed(
        [
            call_completion(("calculate", {"expression": "15% of 45"}), ("get_weather", {"location": "Paris"})),
            text_completion("6.75, and 22 degrees."),
        ]
    )
    body = chat.post({"message": "What is 15% of 45, and the weather in Paris?"}).body
    assert [call["result"]["result"] for call in body["tool_calls"]] == [
        {"result": 6.75},
        {"temperature": 22, "condition": "sunny", "humidity": 65},
    ]
    offered = {tool["function"]["name"] for tool in chat.model.options[0].tools}  # type: ignore[index,call-overload]
    assert {"calculate", "get_weather"} <= offered
    assert "search_documents" not in offered


def test_tool_functions_without_a_setting_are_invoked_by_the_names_of_the_table(
    store: ParameterStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FLEXCHAT_TOOL_FUNCTIONS")
    push_configuration(
        read_file(CONFIGURATION / "flexchat.json"), stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"}
    )
    model = ScriptedProvider([call_completion(("get_weather", {"location": "Paris"})), text_completion("22 degrees.")])
    functions: Any = InProcessLambdas({"flexchat-test-tool-mock:live": mock_handler})
    settings = read_environment(ChatSettings, os.environ)
    function = ChatFunction(settings, AwsClients(lambdas=functions), provider=lambda _name, _config: model)

    body = Chat(function, model, functions).post({"message": "What is the weather in Paris?"}).body

    assert [(call["tool"], call["result"]["success"]) for call in body["tool_calls"]] == [("get_weather", True)]


@pytest.mark.parametrize(
    ("example", "script", "profile", "tools"),
    [
        (
            "weather-assistant",
            [
                text_completion("current_weather"),
                call_completion(("get_weather", {"location": "Paris"})),
                text_completion("done"),
            ],
            {},
            ["get_weather"],
        ),
        ("documentation-assistant", [text_completion("done")], {"service": "technical_docs"}, []),
    ],
)
def test_documented_examples_load_and_answer(
    store: ParameterStore, example: str, script: list[Any], profile: dict[str, str], tools: list[str]
) -> None:
    source = read_file(CONFIGURATION / "examples" / f"{example}.json")
    push_configuration(source, stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"})
    body = deployed([*script]).post({"message": "Hello", "profile": profile}).body
    assert (body["content"], [call["tool"] for call in body["tool_calls"]]) == ("done", tools)


def test_configuration_without_a_tools_section_answers_without_tools(store: ParameterStore) -> None:
    source = read_file(CONFIGURATION / "flexchat.json")
    push_configuration(source, stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"})
    summary = push_configuration(
        {key: section for key, section in source.items() if key != "tools"}, stage="test", store=store
    )
    chat = deployed([text_completion("Plain.")])

    body = chat.post({"message": "How is the weather in Paris?"}).body

    assert {problem.message for problem in summary.warnings} == {"no tool is offered while tools.enabled is false"}
    assert (body["content"], body["rule"], body["tool_calls"]) == ("Plain.", "weather", [])
    assert not chat.model.options[0].tools


def test_rule_with_an_unknown_tool_is_published_and_offers_the_others(store: ParameterStore) -> None:
    source: dict[str, Any] = read_file(CONFIGURATION / "flexchat.json")
    source["responses"][-1]["tools"]["allowed_tools"] = ["calculate", "github/search"]
    summary = push_configuration(source, stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"})
    chat = deployed([text_completion("Hello.")])

    assert chat.post({"message": "Hello"}).status == 200
    assert [str(problem) for problem in summary.warnings] == [
        "responses[2].tools.allowed_tools[1]: no tool named 'github/search'"
    ]
    offered = {tool["function"]["name"] for tool in chat.model.options[0].tools}  # type: ignore[index,call-overload]
    assert offered == {"calculate"}


def test_tool_handler_is_used_if_its_implementation_has_none(store: ParameterStore) -> None:
    source: dict[str, Any] = read_file(CONFIGURATION / "flexchat.json")
    registry: dict[str, Any] = {tool["name"]: tool for tool in source["tools"]["registry"]}
    registry["calculate"] |= {"handler": "math_eval", "implementation": {"type": "builtin"}}
    push_configuration(source, stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"})
    chat = deployed(
        [
            call_completion(("calculate", {"expression": "6*7"}), ("get_weather", {"location": "Paris"})),
            text_completion("42, and sunny."),
        ]
    )

    body = chat.post({"message": "What is 6*7, and the weather in Paris?"}).body

    assert [call["result"]["success"] for call in body["tool_calls"]] == [True, True]
    # The calls run at the same time.
    assert sorted(event["handler"] for event in chat.lambdas.executed) == ["math_eval", "weather"]


def test_operator_sees_the_active_version_without_secrets(store: ParameterStore) -> None:
    source: dict[str, Any] = read_file(CONFIGURATION / "flexchat.json")
    push_configuration(source, stage="test", store=store, secrets={"OPENAI_API_KEY": "c4n4ry-key"})
    change = store.read((manifest_name("test"),)).changes[manifest_name("test")]
    chat = deployed([])

    body = chat.request("GET", "/api/config", roles="operator").body

    assert (body["stage"], body["revision"], len(body["version"])) == ("test", 1, 12)
    assert datetime.fromisoformat(body["changed_at"]).timestamp() == pytest.approx(change.at, abs=0.001)
    assert datetime.fromisoformat(body["read_at"]).tzinfo == UTC
    assert {llm["name"]: llm["has_key"] for llm in body["llms"]}["openai"] is True
    assert "c4n4ry" not in json.dumps(body)

    push_configuration({**source, "sessions": {"ttl_days": 3}}, stage="test", store=store)
    changed = chat.request("GET", "/api/config", roles="operator").body
    assert (changed["revision"], changed["sessions"]["ttl_days"]) == (2, 3)
    assert changed["version"] != body["version"]


def test_changed_configuration_is_served_without_a_new_environment(store: ParameterStore) -> None:
    source: dict[str, Any] = read_file(CONFIGURATION / "flexchat.json")
    push_configuration(source, stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"})
    chat = deployed([text_completion("one"), text_completion("two")])
    chat.post({"message": "Hello"})
    source["responses"][-1]["prompt"] = "You are changed."
    push_configuration(source, stage="test", store=store)
    chat.post({"message": "Hello"})
    assert [messages[0].text.startswith("You are changed.") for messages in chat.model.seen] == [False, True]


def test_llm_without_its_secret_is_named_in_the_answer(store: ParameterStore) -> None:
    push_configuration(read_file(CONFIGURATION / "flexchat.json"), stage="test", store=store)
    answer = deployed([]).post({"message": "Hello"})
    assert (answer.status, answer.body["error"]) == (500, "configuration")
    assert "flexchat secrets set OPENAI_API_KEY" in answer.body["message"]


@pytest.mark.usefixtures("store")
def test_handler_reads_its_settings_from_the_environment() -> None:
    event = json.loads((EVENTS / "chat-http.json").read_text())
    event |= {"httpMethod": "GET", "path": "/health", "resource": "/health", "body": None}
    response = lambda_handler(event, LambdaContext())
    assert (response["statusCode"], json.loads(response["body"])) == (200, {"status": "ok"})


@pytest.mark.usefixtures("store")
def test_stage_without_a_configuration_has_an_error_with_the_publish_command() -> None:
    body = lambda_handler({"message": "Hello"}, LambdaContext())
    assert body["error"] == "configuration"
    assert "flexchat config push" in body["message"]


@pytest.mark.usefixtures("store")
def test_handler_without_its_settings_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLEXCHAT_CHATS_TABLE")
    with pytest.raises(ConfigError, match="FLEXCHAT_CHATS_TABLE"):
        lambda_handler({"message": "Hello"}, LambdaContext())


class FailingClient:
    """AWS client that must not be called."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} is called before the snapshot")


def snapshot(clock: Callable[[], float], script: list[Any]) -> tuple[Chat, list[str]]:
    """Return the function after its preparation, and the names of the providers created by then."""
    made: list[str] = []
    model = ScriptedProvider(script)

    def provider(name: str, _config: object) -> ScriptedProvider:
        made.append(name)
        return model

    refusing: Any = FailingClient()
    functions: Any = InProcessLambdas({"mock": mock_handler, "builtin": builtin_handler})
    function = ChatFunction(
        read_environment(ChatSettings, os.environ),
        AwsClients(lambdas=functions, dynamodb=refusing, secretsmanager=refusing),
        provider=provider,
        now=clock,
    )
    function.prepare()
    return Chat(function, model, functions), made


def test_snapshot_has_the_configured_providers_and_no_signing_key(store: ParameterStore) -> None:
    push_configuration(
        read_file(CONFIGURATION / "flexchat.json"), stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"}
    )

    chat, made = snapshot(time.time, [text_completion("Hello.")])
    at_deploy = list(made)
    chat.function.renew()

    assert at_deploy == ["openai"]
    assert chat.post({"message": "Hello"}).body["content"] == "Hello."
    assert made == at_deploy


def test_secret_changed_after_the_snapshot_is_used(store: ParameterStore) -> None:
    source = read_file(CONFIGURATION / "flexchat.json")
    push_configuration(source, stage="test", store=store, secrets={"OPENAI_API_KEY": "the-old-key"})
    chat, made = snapshot(time.time, [text_completion("Hello.")])
    chat.function.renew()
    push_configuration(source, stage="test", store=store, secrets={"OPENAI_API_KEY": "the-new-key"})

    assert chat.post({"message": "Hello"}).status == 200
    assert made == ["openai", "openai"]


def test_snapshot_without_a_configuration_is_prepared(store: ParameterStore) -> None:
    chat, made = snapshot(time.time, [text_completion("Hello.")])
    chat.function.renew()
    assert made == []
    push_configuration(
        read_file(CONFIGURATION / "flexchat.json"), stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"}
    )

    assert chat.post({"message": "Hello"}).body["content"] == "Hello."
