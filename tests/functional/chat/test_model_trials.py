"""Trials: chats with a given model and given tools, as direct invocations."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api.trials import TrialOutcome
from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.errors import UnavailableError
from flexchat.messages import Message, system, user
from tests.functional.chat.harness import (
    CALCULATE,
    InProcessLambdas,
    LambdaContext,
    configuration,
    deploy,
    mock_tool,
    serve,
)
from tests.functional.chat.scripted_provider import ScriptedProvider, call_completion, text_completion
from tests.functional.chat.trial_chat import MODEL, SUM, error, failed, offered
from tests.unit.validation.harness import empty_table

WEATHER = ("get_weather", {"location": "Bern"})


def trial(**changes: Any) -> dict[str, Any]:
    """Return the event of a trial with its own tool."""
    fields = {"model": MODEL, "message": "Weather in Bern?", "prompt": "You have tools.", "tools": [mock_tool()]}
    return {"trial": {**fields, **changes}}


def no_provider(_name: str, _config: LlmConfig) -> ScriptedProvider:
    raise AssertionError("no model is called")


def test_trial_uses_its_prompt_history_and_tools() -> None:
    chat = deploy([call_completion(WEATHER), text_completion("22 degrees")], configuration(tools=[CALCULATE]))
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello!"}]

    outcome = chat.direct(trial(history=history, temperature=0.5))

    TrialOutcome.model_validate(outcome)
    answer = outcome["answer"]
    assert list(outcome) == ["answer"]
    assert (answer["content"], answer["service"], answer["model"]) == ("22 degrees", "openai", "gpt-4o")
    assert [(call["tool"], call["params"], call["result"]["result"]) for call in answer["tool_calls"]] == [
        ("get_weather", {"location": "Bern"}, {"temperature": 22})
    ]
    assert (answer["request_id"], answer["usage"]["total_tokens"]) == ("direct-request", 30)
    assert not answer.keys() & {"rule", "topic", "session", "resume_token", "fallback"}
    assert chat.model.seen[0] == (
        system("You have tools."),
        user("Hello"),
        Message("assistant", text_completion("Hello!").message.parts),
        user("Weather in Bern?"),
    )
    assert offered(chat.model) == ["get_weather"]
    assert (chat.model.options[0].max_tokens, chat.model.options[0].temperature) == (500, 0.5)


def test_trial_prompt_has_the_profile_of_the_documents() -> None:
    chat = deploy([text_completion("ok")], configuration())

    chat.direct(trial(prompt="{{topic}}: {{user_message}}, {{intent}}"))

    assert chat.model.seen[0][0] == system("tool_testing: Weather in Bern?, {{intent}}")


def test_trial_tools_are_offered_despite_disabled_tools() -> None:
    config = configuration(tools=[CALCULATE], enabled=False, disabled_types=["mock"], max_result_size=100)
    chat = deploy([call_completion(WEATHER), text_completion("22 degrees")], config)

    outcome = chat.direct(trial())

    assert outcome["answer"]["tool_calls"][0]["result"]["success"] is True


def test_trial_without_tools_uses_the_configured_tools_and_iterations() -> None:
    chat = deploy(
        [call_completion(SUM, turn=turn) for turn in range(3)], configuration(tools=[CALCULATE], max_iterations=2)
    )

    answer = chat.direct(trial(tools=None))["answer"]

    assert offered(chat.model) == ["calculate"]
    assert (len(chat.model.seen), answer["max_iterations_reached"]) == (2, True)


@pytest.mark.parametrize("tools", [None, [mock_tool()]], ids=["configured", "own"])
def test_tool_calls_of_a_trial_are_marked(tools: Any) -> None:
    chat = deploy([call_completion(WEATHER), text_completion("22 degrees")], configuration(tools=[mock_tool()]))

    chat.direct(trial(tools=tools))

    assert [call["trial"] for call in chat.lambdas.executed] == [True]


def test_tool_calls_of_a_chat_are_not_marked() -> None:
    chat = deploy([call_completion(WEATHER), text_completion("22 degrees")], configuration(tools=[mock_tool()]))

    chat.post({"message": "Weather in Bern?"})

    assert ["trial" in call for call in chat.lambdas.executed] == [False]


def test_trial_has_separate_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    chat = deploy([call_completion(WEATHER), text_completion("22 degrees")], configuration())

    chat.direct(trial())

    counted = [line for line in map(json.loads, capsys.readouterr().out.splitlines()) if "_aws" in line]
    assert [line["_aws"]["CloudWatchMetrics"][0]["Metrics"] for line in counted] == [
        [
            {"Name": "TrialToolCalls", "Unit": "Count"},
            {"Name": "TrialToolFaults", "Unit": "Count"},
            {"Name": "TrialToolDuration", "Unit": "Milliseconds"},
        ],
        [
            {"Name": "Trials", "Unit": "Count"},
            {"Name": "TrialTokens", "Unit": "Count"},
            {"Name": "TrialDuration", "Unit": "Milliseconds"},
        ],
        [{"Name": "Cost", "Unit": "None"}],  # of chats and trials
    ]


def test_trial_can_set_its_iteration_limit() -> None:
    chat = deploy([call_completion(WEATHER)], configuration(max_iterations=5))

    assert chat.direct(trial(max_iterations=1))["answer"]["max_iterations_reached"] is True


def test_trial_tools_cannot_reach_services() -> None:
    chat = deploy([], configuration(tools=[CALCULATE]))

    outcome = chat.direct(trial(tools=[mock_tool(), CALCULATE, mock_tool("post", type="http")]))

    assert outcome == {
        "error": {
            "error": "invalid_request",
            "message": "a trial's own tools are of type 'mock'",
            "request_id": "direct-request",
            "details": [
                {"path": "tools[1].implementation.type", "message": "'builtin' is not 'mock'"},
                {"path": "tools[2].implementation.type", "message": "'http' is not 'mock'"},
            ],
        }
    }
    assert chat.model.seen == []


@pytest.mark.parametrize(
    ("tools", "path", "message"),
    [
        ([mock_tool(), mock_tool()], "tools.get_weather", "Tool get_weather already registered"),
        ([{**mock_tool(), "enabled": False}], "tools.get_weather", "disabled in the configuration"),
    ],
)
def test_unusable_tools_are_reported(tools: Sequence[Any], path: str, message: str) -> None:
    outcome = deploy([], configuration()).direct(trial(tools=tools))

    assert error(outcome) == ("invalid_request", "the trial's tools cannot be offered")
    assert outcome["error"]["details"] == [{"path": path, "message": message}]


def test_unusable_schema_is_reported() -> None:
    broken = {**mock_tool(), "parameters": {"type": "object", "properties": {"location": {"type": "txet"}}}}

    outcome = deploy([], configuration()).direct(trial(tools=[broken]))

    assert [detail["path"] for detail in outcome["error"]["details"]] == ["tools.get_weather"]


def several_llms(**llms: Any) -> dict[str, Any]:
    return {**configuration(), "llms": {"openai": {"type": "openai"}, "local": {"type": "ollama"}, **llms}}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("local:llama3.2:3b", "local:llama3.2:3b"),
        ("llama3.2:3b", "edge:llama3.2:3b"),
        ("openai:not-listed", "openai:not-listed"),
    ],
)
def test_model_name_has_the_format_of_the_api(text: str, name: str) -> None:
    config = several_llms(edge={"type": "ollama", "models": ["llama3.2:3b"]})

    answer = deploy([text_completion("ok")], config).direct(trial(model=text))["answer"]

    assert f"{answer['service']}:{answer['model']}" == name


def test_model_of_an_unknown_llm_is_rejected_with_the_available_llms() -> None:
    outcome = deploy([], several_llms()).direct(trial(model="gpt-4o"))

    assert error(outcome) == ("invalid_request", "model: no llm named 'gpt-4o' among 'openai', 'local'")
    assert outcome["error"]["details"][0]["path"] == "model"


def test_llm_without_its_key_has_a_distinct_error() -> None:
    catalog = Catalog(
        Configuration.model_validate(configuration()),
        (DisabledEntry("llm", "claude", ("secret 'K' is not stored",)),),
        "1",
        unusable_llms={"claude": LlmConfig(type="anthropic", api_key="${K}")},
    )
    function = serve(InProcessLambdas({}), catalog=lambda: catalog, provider=no_provider)

    code, message = error(function.handle(trial(model="claude:sonnet", tools=None), LambdaContext()))

    assert code == "configuration"
    assert message.endswith("llms.claude: Provider claude not found: secret 'K' is not stored")


def test_trial_uses_no_fallback_model() -> None:
    config = several_llms(openai={"type": "openai", "fallbacks": ["local:qwen3"]})
    chat = deploy([failed(), text_completion("not called")], config)

    outcome = chat.direct(trial())

    assert error(outcome) == ("model_overloaded", "the provider is overloaded; try again later (openai: because)")
    assert len(chat.model.seen) == 1


def test_model_failure_in_a_trial_returns_its_calls_without_a_resume_token() -> None:
    answer = deploy([call_completion(WEATHER), failed()], configuration()).direct(trial())["answer"]

    assert (answer["status"], answer["error"]["type"]) == ("partial", "overloaded")
    assert len(answer["tool_calls"]) == 1
    assert "resume_token" not in answer


def test_trial_ends_before_its_deadline_and_the_function_timeout() -> None:
    chat = deploy([text_completion("ok"), text_completion("ok")], configuration())

    chat.direct(trial(deadline_ms=5_000))
    chat.direct(trial(deadline_ms=50_000), remaining_ms=21_000)

    left = [options.deadline.remaining() for options in chat.model.options]
    assert 0 < left[0] < 5 - 0.89
    assert 10 < left[1] < 20 - 0.89


@pytest.mark.parametrize(
    ("event", "path"),
    [
        (trial(message=""), "trial.message"),
        (trial(suite="default"), "trial.suite"),
        ({**trial(), "message": "Hello"}, "message"),
        ({"trial": None}, "trial"),
    ],
)
def test_invalid_event_is_reported_with_its_field(event: dict[str, Any], path: str) -> None:
    outcome = deploy([], configuration()).direct(event)

    assert [detail["path"] for detail in outcome["error"]["details"]] == [path]


def test_trial_without_a_configuration_is_rejected() -> None:
    def nothing() -> Catalog:
        raise UnavailableError("no parameters")

    function = serve(InProcessLambdas({}), catalog=nothing, provider=no_provider)

    assert error(function.handle(trial(), LambdaContext()))[0] == "unavailable"


def test_trial_cannot_be_sent_over_http() -> None:
    answer = deploy([], configuration()).post(trial())

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_table(monkeypatch) as client:
        yield client
