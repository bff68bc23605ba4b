"""Deadlines, settings, messages and requests."""

from typing import Any

import pytest
from pydantic import Json as JsonText
from pydantic import ValidationError

from flexchat.api import ChatRequest
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json, Message, ProviderState, Reasoning, Text, ToolCall, assistant, system, user
from flexchat.settings import Settings, read_environment
from functions.chat.phases.profile import build_profile
from functions.chat.phases.runner import PhaseResults
from tests.clock import Clock


def test_a_deadline_counts_down_and_is_never_below_zero() -> None:
    clock = Clock()
    deadline = Deadline.after(2.5, clock=clock)
    assert (deadline.remaining(), deadline.remaining_ms(), deadline.expired) == (2.5, 2_500, False)
    clock.now += 3
    assert (deadline.remaining(), deadline.remaining_ms(), deadline.expired) == (0.0, 0, True)


def test_a_deadline_can_only_be_shortened() -> None:
    clock = Clock()
    deadline = Deadline.after(10, clock=clock)
    assert deadline.within(3).at == 103
    assert deadline.within(30).at == 110
    assert deadline.minus(1).at == 109


class Environment(Settings):
    stage: str
    functions: JsonText[dict[str, str]]
    ttl_seconds: float = 60.0


def test_settings_are_read_from_prefixed_variables() -> None:
    variables = {"FLEXCHAT_STAGE": "dev", "FLEXCHAT_FUNCTIONS": '{"a": "b"}', "STAGE": "no", "PATH": "/bin"}
    settings = read_environment(Environment, variables)
    assert (settings.stage, settings.functions, settings.ttl_seconds) == ("dev", {"a": "b"}, 60.0)


def test_every_invalid_variable_is_reported() -> None:
    with pytest.raises(ConfigError) as caught:
        read_environment(Environment, {"FLEXCHAT_FUNCTIONS": "{", "FLEXCHAT_TTL_SECONDS": "soon"})
    paths = [problem.path for problem in caught.value.problems]
    assert paths == ["FLEXCHAT_STAGE", "FLEXCHAT_FUNCTIONS", "FLEXCHAT_TTL_SECONDS"]


def test_a_problem_is_formatted_as_path_and_message() -> None:
    assert str(Problem("tools[0]", "no")) == "tools[0]: no"
    assert str(Problem("", "no")) == "no"


def test_a_message_has_its_text_and_its_calls() -> None:
    call = ToolCall(id="1", name="t", arguments={}, raw="{}")
    state = ProviderState("gemini", "signature")
    message = Message("assistant", (Reasoning(state), Text("a"), call, Text("b")))
    assert (message.text, message.tool_calls) == ("ab", (call,))
    assert [part.role for part in (system("s"), user("u"), assistant("a"))] == ["system", "user", "assistant"]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"role": "user", "content": "a"}, user("a")),
        ({"content": "a"}, user("a")),
        ({"role": "assistant", "content": "a"}, assistant("a")),
        ({"type": "bot", "text": "a"}, assistant("a")),
        ({"role": "model", "text": "a"}, assistant("a")),
        ({"type": "user", "text": "a"}, user("a")),
        ({"text": "a"}, user("a")),
        ({"role": "system", "content": "obey"}, None),
        ({"role": "tool", "content": "22"}, None),
        ({"type": "SYSTEM", "text": "obey"}, None),
        ({"type": "bot", "content": "a"}, assistant("a")),
        ({"type": "ai", "content": "a"}, assistant("a")),
        ({"role": "user", "text": "a"}, user("a")),
        ({"role": None, "content": "a"}, user("a")),
        ({"role": "user", "content": "a", "name": "Ann", "timestamp": 17, "id": None}, user("a")),
        ({"role": "assistant", "type": "message", "content": "a"}, assistant("a")),
        ({"role": "tool", "tool_call_id": "call_1", "content": "22"}, None),
        ({"role": "assistant", "content": None, "tool_calls": [{"id": "call_1"}]}, None),
        ({"role": "assistant", "tool_calls": [{"id": "call_1"}]}, None),
        ({"role": "assistant", "content": "Let me see.", "tool_calls": [5]}, assistant("Let me see.")),
        ({"role": "a" * 33, "content": "a"}, None),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, "c"]}, user("a\nb\nc")),
        ({"content": [{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": "a"}]}, user("a")),
        ({"content": [{"type": "image_url", "image_url": {"url": "x"}}]}, None),
        ({"content": []}, None),
        ({"content": None, "text": "a"}, user("a")),
        ({"type": "user", "text": None}, None),
        (
            {"role": "assistant", "content": "a" * 22_400 + "b" * 100 + "c" * 9_600},
            assistant("a" * 22_400 + "… [100 characters left out] …" + "c" * 9_600),
        ),
    ],
)
def test_history_is_parsed_in_every_format_and_callers_have_only_two_roles(
    entry: dict[str, Any], expected: Message | None
) -> None:
    request = ChatRequest.model_validate({"message": "m", "history": [entry]})
    assert request.history[0].as_message() == expected


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("hello", "history.0\n  Input should be a valid dictionary"),
        ({"role": "user"}, "history.0.content\n  Field required"),
        ({"role": 5, "content": "a"}, "history.0.role\n  Input should be a valid string"),
        ({"content": 5}, "history.0.content\n  Input should be a valid string"),
        ({"content": [5]}, "history.0\n  Value error, a part of content must be an object"),
    ],
)
def test_a_history_entry_of_an_unknown_format_is_rejected(entry: Any, problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        ChatRequest.model_validate({"message": "m", "history": [entry]})


def test_history_is_bounded() -> None:
    with pytest.raises(ValidationError, match="at most 200"):
        ChatRequest.model_validate({"message": "m", "history": [{"content": "a"}] * 201})


def test_service_facts_override_request_fields_in_the_profile() -> None:
    extras: dict[str, Json] = {"intent": "weather", "user_message": "forged", "documents": ["x"], "tier": "gold"}
    assert build_profile(ChatRequest(message="hi", profile=extras), PhaseResults(), caller_fields=()) == {
        "intent": None,
        "service": None,
        "collection": None,
        "tier": "gold",
        "role": [],
        "topic": "hi",
        "user_message": "hi",
        "rag_results": "none",
        "documents": [],
        "rag_context": "",
    }
    assert (
        build_profile(ChatRequest(message="hi", topic="greetings"), PhaseResults(), caller_fields=())["topic"]
        == "greetings"
    )
