"""Trials: one chat with a given model and given tools, sent straight to the function or made by the testing page."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api.trials import TrialOutcome
from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError, UnavailableError
from flexchat.http_api.deadline import API_SECONDS
from flexchat.messages import Completion, Message, system, user
from flexchat.validation.records import ItemKey, Tally, ValidationRecord
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.model_listing import ListedModel
from functions.tools.builtin.app import lambda_handler as builtin_handler
from tests.functional.chat.harness import (
    CALCULATE,
    Answer,
    Chat,
    InProcessLambdas,
    LambdaContext,
    configuration,
    deploy,
    mock_tool,
    serve,
)
from tests.functional.chat.scripted_provider import ScriptedProvider, Step, call_turn, text_turn
from tests.unit.validation.world import TABLE, empty_table

MODEL = "openai:gpt-4o"
WEATHER = ("get_weather", {"location": "Bern"})
SUM = ("calculate", {"expression": "2 + 3"})


def trial(**changes: Any) -> dict[str, Any]:
    """The event of a trial with a tool of its own."""
    fields = {"model": MODEL, "message": "Weather in Bern?", "prompt": "You have tools.", "tools": [mock_tool()]}
    return {"trial": {**fields, **changes}}


def failed(kind: Any = "overloaded") -> ModelError:
    return ModelError("because", type=kind, provider="openai")


def offered(model: ScriptedProvider, turn: int = 0) -> list[Any]:
    entries: Any = model.options[turn].tools
    return [entry["function"]["name"] for entry in entries]


def no_provider(_name: str, _config: LlmConfig) -> ScriptedProvider:
    raise AssertionError("no model is asked")


def error(outcome: Mapping[str, Any]) -> tuple[str, str]:
    (told,) = outcome.values()
    return told["error"], told["message"]


def test_trial_uses_its_prompt_history_and_tools() -> None:
    chat = deploy([call_turn(WEATHER), text_turn("22 degrees")], configuration(tools=[CALCULATE]))
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
        Message("assistant", text_turn("Hello!").message.parts),
        user("Weather in Bern?"),
    )
    assert offered(chat.model) == ["get_weather"]
    assert (chat.model.options[0].max_tokens, chat.model.options[0].temperature) == (500, 0.5)


def test_trial_prompt_has_the_profile_of_the_documents() -> None:
    chat = deploy([text_turn("ok")], configuration())

    chat.direct(trial(prompt="{{topic}}: {{user_message}}, {{intent}}"))

    assert chat.model.seen[0][0] == system("tool_testing: Weather in Bern?, {{intent}}")


def test_trial_tools_are_offered_despite_disabled_tools() -> None:
    config = configuration(tools=[CALCULATE], enabled=False, disabled_types=["mock"], max_result_size=100)
    chat = deploy([call_turn(WEATHER), text_turn("22 degrees")], config)

    outcome = chat.direct(trial())

    assert outcome["answer"]["tool_calls"][0]["result"]["success"] is True


def test_trial_without_tools_uses_the_configured_tools_and_iterations() -> None:
    chat = deploy([call_turn(SUM, turn=turn) for turn in range(3)], configuration(tools=[CALCULATE], max_iterations=2))

    answer = chat.direct(trial(tools=None))["answer"]

    assert offered(chat.model) == ["calculate"]
    assert (len(chat.model.seen), answer["max_iterations_reached"]) == (2, True)


@pytest.mark.parametrize("tools", [None, [mock_tool()]], ids=["configured", "own"])
def test_tool_calls_of_a_trial_are_marked(tools: Any) -> None:
    chat = deploy([call_turn(WEATHER), text_turn("22 degrees")], configuration(tools=[mock_tool()]))

    chat.direct(trial(tools=tools))

    assert [call["trial"] for call in chat.lambdas.executed] == [True]


def test_tool_calls_of_a_chat_are_not_marked() -> None:
    chat = deploy([call_turn(WEATHER), text_turn("22 degrees")], configuration(tools=[mock_tool()]))

    chat.post({"message": "Weather in Bern?"})

    assert ["trial" in call for call in chat.lambdas.executed] == [False]


def test_trial_has_separate_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    chat = deploy([call_turn(WEATHER), text_turn("22 degrees")], configuration())

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
    ]


def test_trial_can_set_its_iteration_limit() -> None:
    chat = deploy([call_turn(WEATHER)], configuration(max_iterations=5))

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
        ([{**mock_tool(), "enabled": False}], "tools.get_weather", "switched off in the configuration"),
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

    answer = deploy([text_turn("ok")], config).direct(trial(model=text))["answer"]

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
    chat = deploy([failed(), text_turn("never asked")], config)

    outcome = chat.direct(trial())

    assert error(outcome) == ("model_overloaded", "the provider is overloaded; try again later (openai: because)")
    assert len(chat.model.seen) == 1


def test_model_failure_in_a_trial_returns_its_calls_without_a_resume_token() -> None:
    answer = deploy([call_turn(WEATHER), failed()], configuration()).direct(trial())["answer"]

    assert (answer["status"], answer["error"]["type"]) == ("partial", "overloaded")
    assert len(answer["tool_calls"]) == 1
    assert "resume_token" not in answer


def test_trial_ends_before_its_deadline_and_the_function_timeout() -> None:
    chat = deploy([text_turn("ok"), text_turn("ok")], configuration())

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


TOOLS = (CALCULATE, mock_tool(), mock_tool("breaks", error="no such place"))


def service(script: Sequence[Step], dynamodb: Any, *, table: str = TABLE, **config: Any) -> Chat:
    priced = configuration(tools=TOOLS, **config)
    priced["llms"]["openai"]["profiles"] = {"*": {"input_price": 2.5, "output_price": 10}}
    return deploy(script, priced, dynamodb=dynamodb, validation_table=table)


def ask(chat: Chat, *, roles: str = "user", **changes: Any) -> Answer:
    body = {"query": "What is 2 + 3?", "model": MODEL, **changes}
    sent = {name: value for name, value in body.items() if value is not ...}
    return chat.post(sent, path="/api/tools/test", roles=roles)


def counted(chat: Chat, **changes: Any) -> Answer:
    return ask(chat, roles="operator", count=True, **changes)


def recorded(client: DynamoDBClient) -> tuple[Tally, list[ValidationRecord]]:
    tracker, soon = ModelValidationTracker(client, TABLE), Deadline.after(20)
    return tracker.tallies(MODEL, deadline=soon).total, list(tracker.history(MODEL, limit=10, deadline=soon).records)


def by_hand(client: DynamoDBClient) -> dict[str, Tally]:
    return dict(ModelValidationTracker(client, TABLE).by_hand(deadline=Deadline.after(20)))


def test_operator_test_can_be_counted(table: DynamoDBClient) -> None:
    chat = service([call_turn(SUM), text_turn("It is 5.")], table)

    answer = counted(chat)

    assert (answer.status, answer.body["content"]) == (200, "It is 5.")
    assert answer.body["tool_calls"][0]["result"]["result"] == {"result": 5}
    assert chat.model.seen[0] == (
        system("You are a helpful assistant with access to tools. Use them when appropriate."),
        user("What is 2 + 3?"),
    )
    assert offered(chat.model) == ["calculate", "get_weather", "breaks"]
    assert chat.model.options[0].max_tokens == 500
    tally, (record,) = recorded(table)
    request_id = answer.body["request_id"]
    assert replace(record, at=0, latency_ms=0) == ValidationRecord(
        key=ItemKey(request_id, MODEL, "plain"),
        suite="",
        category=None,
        result="passed",
        reasons=(),
        at=0,
        latency_ms=0,
        input_tokens=20,
        output_tokens=10,
        cost_micros=150,
        request_id=request_id,
    )
    items: list[Any] = table.scan(TableName=TABLE, FilterExpression="attribute_exists(run)")["Items"]
    assert [int(item["expires_at"]["N"]) for item in items] == [int(record.at) + 90 * 86_400]
    assert record.latency_ms == answer.body["timings"]["total_ms"]
    assert (tally.tests, tally.successes, tally.cost_micros) == (1, 1, 150)
    assert by_hand(table) == {}


ENDINGS: list[Any] = [
    ([call_turn(SUM), text_turn("5")], "passed", (1, 1, 0, 0)),
    ([text_turn("5, I think.")], "no_tool_call", (0, 0, 1, 0)),
    ([call_turn(("breaks", {"location": "Bern"})), text_turn("It broke.")], "failed", (1, 0, 0, 0)),
    ([call_turn(SUM), failed("server_error")], "error", (0, 0, 0, 1)),
]


def four(tally: Tally) -> tuple[int, int, int, int]:
    return tally.tests, tally.successes, tally.no_tool_calls, tally.errors


@pytest.mark.parametrize("roles", ["user", "operator"])
@pytest.mark.parametrize(("script", "result", "counts"), ENDINGS)
def test_manual_test_is_recorded_but_not_counted(
    table: DynamoDBClient, script: Sequence[Step], result: str, counts: Any, roles: str
) -> None:
    assert ask(service(script, table), roles=roles).status == 200

    tally, (record,) = recorded(table)
    assert (record.result, record.counted, tally) == (result, False, Tally())
    assert {model: four(tally) for model, tally in by_hand(table).items()} == {MODEL: counts}


@pytest.mark.parametrize(("script", "result", "counts"), ENDINGS[:-1])
def test_counted_test_is_counted_by_its_result(
    table: DynamoDBClient, script: Sequence[Step], result: str, counts: Any
) -> None:
    assert counted(service(script, table)).status == 200

    tally, (record,) = recorded(table)
    assert (record.result, record.counted, four(tally)) == (result, True, counts)
    assert by_hand(table) == {}


def test_counted_test_with_an_error_is_not_counted(table: DynamoDBClient) -> None:
    counted(service([call_turn(SUM), failed("server_error")], table))

    tally, (record,) = recorded(table)
    assert (record.result, record.counted, tally) == ("error", False, Tally())


@dataclass
class Clock:
    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_test_at_its_deadline_is_not_counted(table: DynamoDBClient) -> None:
    clock = Clock()

    def slow(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        clock.now += API_SECONDS - 0.95
        return call_turn(SUM)

    model, lambdas = ScriptedProvider([slow]), InProcessLambdas({"builtin": builtin_handler})
    catalog = Catalog(Configuration.model_validate(configuration(tools=[CALCULATE])), (), "1")
    function = serve(
        lambdas,
        catalog=lambda: catalog,
        provider=lambda _name, _config: model,
        dynamodb=table,
        validation_table=TABLE,
        clock=clock,
    )

    answer = counted(Chat(function, model, lambdas))

    assert (answer.status, answer.body["status"]) == (200, "partial")
    tally, (record,) = recorded(table)
    assert (record.result, record.reasons, record.counted) == ("error", ("the time of the test ran out",), False)
    assert tally == Tally()


def test_user_test_cannot_be_counted(table: DynamoDBClient) -> None:
    answer = ask(service([], table), count=True)

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert recorded(table) == (Tally(), [])


def with_rules(*rules: Mapping[str, Any], script: Sequence[Step] = (), **llm: Any) -> Chat:
    config = configuration(tools=TOOLS)
    config["llms"] = {"openai": {"type": "openai", "models": ["gpt-4o", "spare", "mini", "unused"], **llm}}
    config["responses"] = [{"llm": "openai", "prompt": "You help.", **rule} for rule in rules]
    return deploy(script, config)


CALCULATES = {"enabled": True, "allowed_tools": ["calculate"]}
WEATHERS = {"enabled": True, "allowed_tools": ["get_weather", "gone"]}


@pytest.mark.parametrize(
    ("roles", "model", "tools"),
    [
        ("user", "openai:gpt-4o", ["calculate", "get_weather"]),
        ("user", "openai:spare", ["get_weather"]),
        ("operator", "openai:spare", ["calculate", "get_weather", "breaks"]),
        ("operator", "openai:unused", ["calculate", "get_weather", "breaks"]),
    ],
)
def test_users_test_with_the_tools_of_their_rules_and_operators_with_all(
    roles: str, model: str, tools: list[str]
) -> None:
    chat = with_rules(
        {"model": "gpt-4o", "match": {"topic": "sums"}, "tools": CALCULATES},
        {"model": "gpt-4o", "tools": WEATHERS, "fallbacks": ["openai:spare"]},
        script=[text_turn("5")],
    )

    assert ask(chat, roles=roles, model=model).status == 200
    assert offered(chat.model) == tools


def test_user_tests_without_tools_if_the_rule_allows_none() -> None:
    chat = with_rules({"model": "gpt-4o", "tools": {"enabled": False}}, script=[text_turn("5")])

    assert ask(chat).status == 200
    assert chat.model.options[0].tools == ()


def test_user_cannot_test_a_model_without_a_rule() -> None:
    answer = ask(with_rules({"model": "gpt-4o", "tools": WEATHERS}), model="openai:unused")

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert answer.body["message"] == (
        "no response rule names 'openai:unused'; testing it needs a token with the role 'operator'"
    )
    assert answer.body["details"] == [{"path": "model", "message": "open to users: openai:gpt-4o"}]


@pytest.mark.parametrize(
    ("roles", "known"),
    [("user", "openai:gpt-4o"), ("operator", "openai:gpt-4o, openai:listed, openai:mini, openai:spare, openai:unused")],
)
def test_unlisted_model_is_not_found_and_not_recorded(table: DynamoDBClient, roles: str, known: str) -> None:
    chat = with_rules({"model": "gpt-4o", "tools": WEATHERS})
    chat.model.listed = [ListedModel("listed")]

    answer = ask(chat, roles=roles, model="openai:gpt-4p")

    assert (answer.status, answer.body["error"]) == (404, "model_not_found")
    assert answer.body["message"] == (
        "no model 'openai:gpt-4p' is configured or listed by its provider; did you mean 'openai:gpt-4o'?"
    )
    assert answer.body["details"] == [{"path": "model", "message": f"known: {known}"}]
    assert recorded(table) == (Tally(), [])


def test_operator_can_test_a_model_listed_by_its_provider_only() -> None:
    chat = with_rules({"model": "gpt-4o"}, script=[text_turn("5")])
    chat.model.listed = [ListedModel("listed")]

    assert ask(chat, roles="operator", model="openai:listed").status == 200


def test_test_ended_by_the_iteration_limit_has_failed(table: DynamoDBClient) -> None:
    counted(service([call_turn(SUM)], table, max_iterations=1))

    assert [record.result for record in recorded(table)[1]] == ["failed"]


def test_test_with_an_exception_is_recorded_but_not_counted(table: DynamoDBClient) -> None:
    answer = counted(service([failed()], table))

    assert (answer.status, answer.body["error"]) == (503, "model_overloaded")
    tally, (record,) = recorded(table)
    assert replace(record, at=0, latency_ms=0) == ValidationRecord(
        key=ItemKey(answer.body["request_id"], MODEL, "plain"),
        suite="",
        category=None,
        result="error",
        reasons=("the provider failed: overloaded: because",),
        at=0,
        latency_ms=0,
        request_id=answer.body["request_id"],
        counted=False,
    )
    assert tally == Tally()
    assert {model: four(tally) for model, tally in by_hand(table).items()} == {MODEL: (0, 0, 0, 1)}


def test_unexpected_error_of_a_test_is_recorded_without_its_text(table: DynamoDBClient) -> None:
    def breaks(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        raise LookupError("a secret text")

    answer = ask(service([breaks], table))

    assert answer.status == 500
    assert [record.reasons for record in recorded(table)[1]] == [("the test failed (LookupError)",)]


@pytest.mark.parametrize(
    "changes", [{"query": ...}, {"model": ...}, {"query": ""}, {"model": "  "}, {"query": None}, {"model": None}]
)
def test_test_without_query_or_model_is_rejected_with_the_documented_error(changes: Mapping[str, Any]) -> None:
    answer = ask(deploy([], configuration()), **changes)

    assert answer.status == 400
    assert answer.body == {
        "error": "Missing query or model",
        "message": 'send both, as {"query": "What is 15% of 45?", "model": "openai:gpt-4o"}',
        "request_id": answer.body["request_id"],
    }


def test_test_of_an_unknown_model_is_rejected() -> None:
    answer = ask(deploy([], configuration()), model="opnai:gpt-4o")

    assert answer.status == 400
    assert answer.body["message"] == "model: no llm named 'opnai' among 'openai'; did you mean 'openai'?"


def test_failing_table_adds_a_warning_to_the_answer(table: DynamoDBClient, caplog: pytest.LogCaptureFixture) -> None:
    answer = ask(service([call_turn(SUM), text_turn("5")], table, table="flexchat-gone"))

    assert (answer.status, answer.body["content"]) == (200, "5")
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING] == [
        "test not recorded"
    ]
    assert recorded(table) == (Tally(), [])


def test_test_is_answered_without_a_table(caplog: pytest.LogCaptureFixture) -> None:
    answer = ask(deploy([call_turn(SUM), text_turn("5")], configuration(tools=TOOLS)))

    assert (answer.status, answer.body["content"]) == (200, "5")
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
