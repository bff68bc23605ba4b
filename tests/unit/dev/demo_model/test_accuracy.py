"""Models of configured accuracy: success rates, and errors that the grader detects."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from dev.demo_model.accuracy import Accuracy, AccuracyModel, skill_of
from dev.demo_model.accuracy_plans import MISTAKES
from dev.demo_model.conversation import Conversation, OfferedTool, Parameter, PlannedCall, Reply, ToolReport
from dev.evals.skilled import Validator
from flexchat.validation.cases import Suite
from flexchat.validation.suites import built_in_suites
from tests.unit.dev.demo_model.openai_client import Demo, answered, called, success, tool, user

DEFAULT = built_in_suites()["default"]


def mock(name: str, **parameters: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": parameters, "required": [*parameters]}
    return {"name": name, "description": name, "parameters": schema, "implementation": {"type": "mock"}}


def case(id: str, message: str = "Weather in Oslo?", **changes: Any) -> dict[str, Any]:
    expect: dict[str, Any] = {}
    return {"id": id, "category": "single", "message": message, "tools": ["weather"], "expect": expect} | changes


def calls(*wanted: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    expected = [{"tool": name, "arguments": {key: [value] for key, value in given.items()}} for name, given in wanted]
    return {"turns": [{"calls": expected}]}


def suite(*cases: dict[str, Any]) -> Suite:
    tools = [mock("weather", city={"type": "string"}), mock("news", limit={"type": "integer"}), mock("ping")]
    return Suite.model_validate({"name": "small", "tools": tools, "cases": cases})


WEATHER = OfferedTool("weather", (Parameter("city", required=True),))
NEWS = OfferedTool("news", (Parameter("limit", "integer", required=True), Parameter("about")))
PING = OfferedTool("ping")
OSLO = ("weather", {"city": "Oslo"})


def first_turn(of: Suite, model: str, *tools: OfferedTool, message: str = "Weather in Oslo?") -> Reply | None:
    return AccuracyModel(lambda: (of,)).reply(Conversation(model, message, tools=tools))


def first_turns(of: Suite, *tools: OfferedTool) -> Iterator[tuple[PlannedCall, ...]]:
    """Yield the first tool calls of a model with accuracy 0, one tuple for each seed."""
    for seed in range(40):
        turn = first_turn(of, f"skill-0-seed-{seed}", *tools)
        assert turn is not None
        yield turn.calls


def distinct(turns: Iterator[tuple[PlannedCall, ...]]) -> set[str]:
    return {json.dumps([[call.tool, call.arguments] for call in turn]) for turn in turns}


@pytest.fixture(scope="module")
def validator() -> Validator:
    return Validator(DEFAULT)


def test_a_perfect_model_passes_every_case_of_the_default_suite(validator: Validator) -> None:
    failed = {case.id: verdict.reasons for case, verdict in validator.verdicts("skill-100") if verdict.reasons}

    assert failed == {}


@pytest.mark.parametrize("seed", range(8))
def test_a_model_without_any_skill_fails_every_case_of_the_default_suite(seed: int, validator: Validator) -> None:
    verdicts = validator.verdicts(f"skill-0-seed-{seed}")

    assert [case.id for case, verdict in verdicts if verdict.result != "failed"] == []


@pytest.mark.parametrize("percent", [95, 80, 60])
def test_the_success_rate_of_a_model_equals_that_in_its_name(percent: int) -> None:
    skill = Accuracy(percent, "1")
    right = sum(skill.mistake("a case", number) is None for number in range(20_000))

    assert right / 200 == pytest.approx(percent, abs=1)


def test_every_kind_of_mistake_is_made() -> None:
    assert {Accuracy(0, "1").mistake("a case", number) for number in range(40)} == set(MISTAKES)


def test_the_same_seed_fails_the_same_cases_and_another_seed_others(validator: Validator) -> None:
    first, other = ([*validator.verdicts(model)] for model in ("skill-60", "skill-60-seed-7"))
    again = [*Validator(DEFAULT).verdicts("skill-60-seed-0")]

    assert first == again
    assert first != other


def test_a_repeated_case_can_have_another_outcome(validator: Validator) -> None:
    assert [*validator.verdicts("skill-70")] != [*validator.verdicts("skill-70")]


@pytest.mark.parametrize(
    ("model", "skill"),
    [
        ("skill-95", Accuracy(95, "0")),
        ("skill-60-seed-7", Accuracy(60, "7")),
        ("skill-5:latest", Accuracy(5, "0")),
        ("anthropic.skill-100-v1:0", Accuracy(100, "0")),
        ("demo", None),
        ("skill-", None),
        ("skilled-95", None),
    ],
)
def test_the_success_rate_is_parsed_from_the_name(model: str, skill: Accuracy | None) -> None:
    assert skill_of(model) == skill


def test_other_models_and_messages_are_unchanged() -> None:
    one_case = suite(case("one", expect=calls(OSLO)))

    assert first_turn(one_case, "demo", WEATHER) is None
    assert first_turn(one_case, "skill-95", WEATHER, message="Weather in Oslo, please?") is None


def test_a_message_shared_by_cases_selects_the_case_with_the_offered_tools() -> None:
    one_case = suite(case("one", expect=calls(OSLO)), case("two", tools=["ping"], expect=calls(("ping", {}))))

    calls_ping = first_turn(one_case, "skill-100", PING)
    calls_others = first_turn(one_case, "skill-100", WEATHER, NEWS)

    assert calls_ping == Reply(calls=(PlannedCall("ping", {}),), finish="tool_calls")
    assert calls_others == Reply(calls=(PlannedCall(*OSLO),), finish="tool_calls")


def test_a_case_without_a_list_of_tools_offers_all() -> None:
    one_case = suite(case("all", tools=None, expect=calls(("ping", {}))), case("one", expect=calls(OSLO)))

    turn = first_turn(one_case, "skill-100", WEATHER, NEWS, PING)

    assert turn == Reply(calls=(PlannedCall("ping", {}),), finish="tool_calls")


def test_each_mistake_is_visible_in_the_first_turn() -> None:
    wrong = {"city": "something else entirely"}

    assert distinct(first_turns(suite(case("one", expect=calls(OSLO))), WEATHER, NEWS)) == {
        json.dumps([["weather", wrong]]),
        json.dumps([]),
        json.dumps([["weather", {"city": "Oslo"}], ["weather", wrong]]),
        json.dumps([["news", {"limit": 1}]]),
    }


@pytest.mark.parametrize(
    ("right", "wrong"),
    [(True, False), (3, 100_006), (1.5, 100_004.5), (["a"], ["a", "a", "something else entirely"])],
)
def test_a_wrong_argument_keeps_its_type(right: Any, wrong: Any) -> None:
    one_case = suite(case("one", expect=calls(("weather", {"city": right}))))

    assert json.dumps([["weather", {"city": wrong}]]) in distinct(first_turns(one_case, WEATHER))


def test_without_arguments_or_other_tools_the_mistake_is_a_missing_call() -> None:
    one_case = suite(case("one", tools=["ping"], expect=calls(("ping", {}))))

    assert distinct(first_turns(one_case, PING)) == {"[]"}


def test_in_a_case_without_calls_the_mistake_is_a_call() -> None:
    none, any_call = suite(case("none")), suite(case("any", expect={"any_call": True}))

    assert distinct(first_turns(none, NEWS)) == {json.dumps([["news", {"limit": 1}]])}
    assert first_turn(none, "skill-100", NEWS) == Reply("(demo model) That is done.")
    assert distinct(first_turns(any_call, NEWS)) == {"[]"}
    assert first_turn(any_call, "skill-100", NEWS) == Reply(
        calls=(PlannedCall("news", {"limit": 1}),), finish="tool_calls"
    )


def test_a_request_without_tools_gets_the_expected_answer_of_the_case() -> None:
    chat_body = suite(case("one", category="clarification"))
    saying = suite(case("one", expect=calls(OSLO) | {"answer_contains": ["snow", "sleet"]}))

    assert first_turn(chat_body, "skill-0") == Reply("(demo model) Could you tell me what is missing, please?")
    assert first_turn(saying, "skill-100") == Reply("(demo model) snow")


def test_a_case_without_possible_mistakes_has_no_failed_try() -> None:
    one_case = suite(case("one", category="error_recovery", expect=calls(OSLO) | {"failed_calls": 1}))

    assert first_turn(one_case, "skill-100", WEATHER) == Reply(calls=(PlannedCall(*OSLO),), finish="tool_calls")


def test_concurrent_chats_about_the_same_case_are_independent() -> None:
    expect = {"turns": [*calls(("ping", {}))["turns"], *calls(("news", {"limit": 2}))["turns"]]}
    one_case = suite(case("two", tools=["ping", "news"], expect=expect))
    model = AccuracyModel(lambda: (one_case,))

    def turn(name: str, *reports: ToolReport) -> tuple[PlannedCall, ...]:
        conversation = Conversation(name, "Weather in Oslo?", tools=(PING, NEWS), reports=reports, turns=len(reports))
        reply = model.reply(conversation)
        assert reply is not None
        return reply.calls

    pinged, wrong = ToolReport("ping", {}, "pong"), ToolReport("news", {"limit": 1}, "none")
    earlier_turns = [turn("skill-100"), turn("skill-100")]
    after = [turn("skill-100", pinged), turn("skill-100", pinged), turn("skill-100", wrong)]
    at_the_end = turn("skill-100", pinged, ToolReport("news", {"limit": 2}, "none"))

    assert earlier_turns == [(PlannedCall("ping", {}),)] * 2
    assert after == [(PlannedCall("news", {"limit": 2}),)] * 2 + [()]
    assert at_the_end == ()


def test_a_case_of_the_default_suite_is_run_over_http() -> None:
    demo, question = Demo(), user("What is the name of customer 5512?")
    tools = [tool("get_customer", customer_id={"type": "integer"})]
    tools.append(tool("get_archived_customer", customer_id={"type": "integer"}))

    first = demo.turn([question], tools, model="skill-100")
    moved = [question, first, *answered(first, "Error: moved to the archive")]
    second = demo.turn(moved, tools, model="skill-100")
    last = demo.turn([*moved, second, *answered(second, success({}))], tools, model="skill-100")

    assert called(first) == [("get_customer", {"customer_id": 1})]
    assert called(second) == [("get_archived_customer", {"customer_id": 5512})]
    assert last["content"] == "(demo model) Brightwater"


def test_models_with_a_success_rate_answer_other_messages_like_the_demo_model() -> None:
    assert Demo().answer_text("Hello", model="skill-95") == Demo().answer_text("Hello")


def test_a_model_without_a_suite_is_not_validated_silently(validator: Validator) -> None:
    with pytest.raises(ValueError, match="'demo' does not know the case"):
        next(validator.verdicts("demo"))
