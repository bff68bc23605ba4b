"""Which model answers a chat: the rule's own, or another one while its provider is in trouble."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, FallbackReason, ModelError, ModelErrorType
from flexchat.messages import Completion, Message, Text
from flexchat.observability import logger
from functions.chat.providers.base import ChatOptions, Provider
from functions.chat.providers.inline_tool_calls import with_text_calls
from functions.chat.providers.profiles import ModelProfile

TROUBLE: frozenset[ModelErrorType] = frozenset({"overloaded", "rate_limit", "timeout", "network", "server_error"})
"""What another provider may survive. A refused key or request is for the operator to mend, and not to be hidden."""

SHARE = 0.5
"""The part of the time left that a model may use up while others wait behind it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One model that may answer, with what it can do."""

    provider: Provider
    model: str
    profile: ModelProfile

    @property
    def name(self) -> str:
        return f"{self.provider.name}:{self.model}"

    def generate_chat(self, messages: Sequence[Message], options: ChatOptions) -> Completion:
        """The model's next message. Raises ModelError."""
        told = messages if self.profile.system_text else _without_system(messages)
        completion = self.provider.generate_chat(told, self.model, options)
        if self.profile.text_tool_calls and options.tools:
            # Read where no tool may be called, too: such a call is answered as not run, and never shown as the answer.
            return with_text_calls(completion, messages, options.tools)
        return completion


def _without_system(messages: Sequence[Message]) -> list[Message]:
    """The conversation for a model that knows no system text: it stands at the head of the first user message."""
    rules = "\n\n".join(message.text for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    first = next((position for position, message in enumerate(rest) if message.role == "user"), None)
    if rules and first is not None:
        rest[first] = Message("user", (Text(f"{rules}\n\n"), *rest[first].parts))
    return rest


@dataclass(frozen=True, slots=True)
class Fallback:
    """That another model took over: whose place it took, and what was wrong there."""

    instead_of: str
    reason: FallbackReason


def models_of(rule: ResponseRule, llms: Mapping[str, LlmConfig]) -> tuple[ModelName, ...]:
    """The rule's own model, then those that may take over: the rule's fallbacks, else those of its llm.

    What names no usable llm, such as one whose key is not stored, is left out with a warning.
    """
    listed = rule.fallbacks
    if listed is None:
        listed = llms[rule.llm].fallbacks if rule.llm in llms else ()
    names = [ModelName(rule.llm, rule.model)]
    for text in listed:
        try:
            names.append(model_name(text, llms))
        except ValueError as exc:
            logger.warning("fallback cannot be used", model=text, problems=[str(exc)])
    return tuple(dict.fromkeys(names))


class Candidates:
    """The models that may answer one chat, in order. One that has taken over stays until the chat ends.

    `make` gives the candidate of a name, or raises ConfigError; it is called when the candidate's turn has come.
    `fallback` says whose place the first of them takes, where that is not its own.
    """

    def __init__(
        self, names: Sequence[ModelName], make: Callable[[ModelName], Candidate], *, fallback: Fallback | None = None
    ) -> None:
        self._make = make
        self._waiting = list(names[1:])
        self.current = make(names[0])
        self.fallback = fallback

    def due(self, deadline: Deadline) -> Deadline:
        """When the current model must have answered: while others wait, half of what is left is theirs."""
        return deadline.within(deadline.remaining() * SHARE) if self._waiting else deadline

    def replace(self, error: ModelError, *, in_tool_loop: bool) -> bool:
        """Whether another model takes over from the current one, which failed with `error`.

        In a tool loop, models without tools are passed over: they could not go on with the conversation.
        """
        if error.type not in TROUBLE:
            return False
        failed = self.current
        while self._waiting:
            name = self._waiting.pop(0)
            try:
                candidate = self._make(name)
            except ConfigError as exc:
                problems = [str(problem) for problem in exc.problems]
                logger.warning("fallback cannot be used", model=str(name), problems=problems)
                continue
            if in_tool_loop and not candidate.profile.tools:
                logger.warning("fallback takes no tools", model=candidate.name)
                continue
            logger.warning("fallback takes over", model=candidate.name, instead_of=failed.name, error_type=error.type)
            self.current = candidate
            self.fallback = self.fallback or Fallback(instead_of=failed.name, reason=error.type)
            return True
        return False
