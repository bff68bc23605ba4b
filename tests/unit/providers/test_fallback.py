"""Fallback models: order, errors and time limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import pytest

from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, ModelError, ModelErrorType, Problem
from flexchat.messages import Completion, Message, Text, ToolOutput, Usage, assistant, system, user
from functions.chat.providers.base import ChatOptions, ListedModel, OnDelta
from functions.chat.providers.fallback import Candidate, Candidates, Fallback, models_of
from functions.chat.providers.profiles import ModelProfile

MAIN, SPARE, LAST = ModelName("main", "m"), ModelName("spare", "s"), ModelName("last", "l")


@dataclass
class Listener:
    """Provider that records its requests."""

    name: str
    type: ProviderType = "openai"
    adapted: list[list[Message]] = field(default_factory=list[list[Message]])

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        self.adapted.append(list(messages))
        return Completion(assistant("ok"), "stop", Usage(), model)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        return ()


@dataclass
class CandidateFactory:
    """Makes candidates by name; those in `broken` cannot be made."""

    profiles: Mapping[str, ModelProfile] = field(default_factory=dict[str, ModelProfile])
    broken: tuple[str, ...] = ()
    made: list[str] = field(default_factory=list[str])

    def make(self, name: ModelName) -> Candidate:
        self.made.append(name.llm)
        if name.llm in self.broken:
            raise ConfigError((Problem(f"llms.{name.llm}.type", "no adapter"),))
        return Candidate(Listener(name.llm), name.model, self.profiles.get(name.llm, ModelProfile()))


def failure(kind: ModelErrorType = "overloaded") -> ModelError:
    return ModelError("because", type=kind, provider="main")


def test_only_errors_of_one_provider_start_a_fallback() -> None:
    taken = {
        kind
        for kind in get_args(ModelErrorType)
        if Candidates((MAIN, SPARE), CandidateFactory().make).replace(failure(kind), in_tool_loop=False)
    }

    assert taken == {
        "overloaded",
        "rate_limit",
        "timeout",
        "network",
        "server_error",
        "malformed_tool_call",
        "invalid_format",
    }


def test_fallbacks_are_tried_in_order_and_the_first_error_is_raised() -> None:
    models = Candidates((MAIN, SPARE, LAST), CandidateFactory().make)

    assert models.fallback is None
    assert models.replace(failure("rate_limit"), in_tool_loop=False)
    assert models.current.name == "spare:s"
    assert models.replace(failure("network"), in_tool_loop=False)
    assert models.current.name == "last:l"
    assert models.fallback == Fallback(instead_of="main:m", reason="rate_limit")
    assert not models.replace(failure(), in_tool_loop=False)
    assert models.current.name == "last:l"


def test_a_fallback_is_created_only_when_needed() -> None:
    makers = CandidateFactory()
    models = Candidates((MAIN, SPARE, LAST), makers.make)
    assert makers.made == ["main"]

    models.replace(failure(), in_tool_loop=False)

    assert makers.made == ["main", "spare"]


def test_an_unusable_fallback_is_skipped() -> None:
    models = Candidates((MAIN, SPARE, LAST), CandidateFactory(broken=("spare",)).make)

    assert models.replace(failure(), in_tool_loop=False)
    assert models.current.name == "last:l"


def test_an_unusable_model_of_the_rule_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"llms\.main\.type"):
        Candidates((MAIN, SPARE), CandidateFactory(broken=("main",)).make)


@pytest.mark.parametrize(("in_tool_loop", "current"), [(True, "last:l"), (False, "spare:s")])
def test_a_model_without_tools_cannot_continue_a_tool_loop(in_tool_loop: bool, current: str) -> None:
    models = Candidates((MAIN, SPARE, LAST), CandidateFactory({"spare": ModelProfile(tools=False)}).make)

    assert models.replace(failure(), in_tool_loop=in_tool_loop)
    assert models.current.name == current


def test_half_of_the_remaining_time_is_reserved_for_later_fallbacks_and_the_last_gets_all() -> None:
    now = 100.0
    deadline = Deadline.after(28, clock=lambda: now)
    models = Candidates((MAIN, SPARE, LAST), CandidateFactory().make)

    assert models.due(deadline).remaining() == 14
    models.replace(failure(), in_tool_loop=False)
    now = 114.0
    assert models.due(deadline).remaining() == 7
    models.replace(failure(), in_tool_loop=False)
    now = 121.0
    assert models.due(deadline) == deadline


def rule(**fields: object) -> ResponseRule:
    return ResponseRule.model_validate({"llm": "main", "model": "m", "prompt": "", **fields})


LLMS = {
    "main": LlmConfig(type="openai", fallbacks=("spare:s", "main:m", "main:mini")),
    "spare": LlmConfig(type="ollama"),
}


@pytest.mark.parametrize(
    ("fallbacks", "names"),
    [
        (None, [MAIN, SPARE, ModelName("main", "mini")]),
        ([], [MAIN]),
        (["spare:s", "spare:s"], [MAIN, SPARE]),
        (["missing:x", "spare:s:1"], [MAIN, ModelName("spare", "s:1")]),
    ],
)
def test_fallbacks_of_a_rule_override_those_of_its_llm(fallbacks: list[str] | None, names: list[ModelName]) -> None:
    assert list(models_of(rule(fallbacks=fallbacks), LLMS)) == names


def test_a_rule_with_a_missing_llm_uses_its_own_model() -> None:
    assert models_of(rule(llm="gone"), LLMS) == (ModelName("gone", "m"),)


def adapted(profile: ModelProfile, messages: Sequence[Message]) -> list[Message]:
    provider = Listener("main")
    Candidate(provider, "m", profile).generate_chat(messages, ChatOptions(Deadline.after(1)))
    return provider.adapted[0]


TOOL_MESSAGE = Message("tool", (ToolOutput("1", "t", "4"),))


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (
            [system("Rules."), user("Hello"), assistant("Hi"), user("Why?")],
            [Message("user", (Text("Rules.\n\n"), Text("Hello"))), assistant("Hi"), user("Why?")],
        ),
        (
            [system("Rules."), assistant("Hi"), user("Why?"), TOOL_MESSAGE],
            [assistant("Hi"), Message("user", (Text("Rules.\n\n"), Text("Why?"))), TOOL_MESSAGE],
        ),
        ([system(""), user("Hello")], [user("Hello")]),
        ([system("Rules.")], []),
    ],
)
def test_a_model_without_system_messages_gets_their_text_in_the_first_user_message(
    messages: list[Message], expected: list[Message]
) -> None:
    assert adapted(ModelProfile(system_text=False), messages) == expected
    assert adapted(ModelProfile(), messages) == messages
