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
from functions.chat.phases.understanding import Understanding


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_deadline_counts_down_and_never_below_zero() -> None:
    clock = Clock()
    deadline = Deadline.after(2.5, clock=clock)
    assert (deadline.remaining(), deadline.remaining_ms(), deadline.expired) == (2.5, 2_500, False)
    clock.now += 3
    assert (deadline.remaining(), deadline.remaining_ms(), deadline.expired) == (0.0, 0, True)


def test_deadline_only_shrinks() -> None:
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


def test_every_wrong_variable_is_named() -> None:
    with pytest.raises(ConfigError) as caught:
        read_environment(Environment, {"FLEXCHAT_FUNCTIONS": "{", "FLEXCHAT_TTL_SECONDS": "soon"})
    paths = [problem.path for problem in caught.value.problems]
    assert paths == ["FLEXCHAT_STAGE", "FLEXCHAT_FUNCTIONS", "FLEXCHAT_TTL_SECONDS"]


def test_problem_reads_as_path_and_message() -> None:
    assert str(Problem("tools[0]", "no")) == "tools[0]: no"
    assert str(Problem("", "no")) == "no"


def test_message_gives_its_text_and_its_calls() -> None:
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
    ],
)
def test_history_is_understood_in_both_forms_and_only_two_roles_are_the_callers(
    entry: dict[str, Any], expected: Message | None
) -> None:
    request = ChatRequest.model_validate({"message": "m", "history": [entry]})
    assert request.history[0].as_message() == expected


def test_history_is_bounded() -> None:
    with pytest.raises(ValidationError, match="at most 200"):
        ChatRequest.model_validate({"message": "m", "history": [{"content": "a"}] * 201})


def test_profile_holds_the_requests_fields_under_the_facts_that_are_not_the_callers() -> None:
    extras: dict[str, Json] = {"intent": "weather", "user_message": "forged", "documents": ["x"], "tier": "gold"}
    assert build_profile(ChatRequest(message="hi", profile=extras), Understanding()) == {
        "intent": "weather",
        "service": None,
        "collection": None,
        "tier": "gold",
        "topic": "hi",
        "user_message": "hi",
        "rag_results": "none",
        "documents": [],
        "rag_context": "",
    }
    assert build_profile(ChatRequest(message="hi", topic="greetings"), Understanding())["topic"] == "greetings"
