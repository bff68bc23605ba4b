"""Candidate models of a chat: the model of its rule and the fallbacks for provider failures."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, FallbackReason, ModelError, ModelErrorType
from flexchat.messages import Completion, Message, Text
from flexchat.observability import logger
from functions.chat.providers.attachments import LIMITS, readable
from functions.chat.providers.base import ChatOptions, OnDelta, Provider, report_completion
from functions.chat.providers.profiles import ModelProfile
from functions.chat.providers.thinking import TextFilter, with_reasoning, with_tags
from functions.chat.providers.tool_calls import with_text_calls

RETRYABLE_ERRORS: frozenset[ModelErrorType] = frozenset(
    {
        "overloaded",
        "rate_limit",
        "timeout",
        "network",
        "server_error",
        "malformed_tool_call",
        "invalid_format",
    }
)
"""Errors that start a fallback. A refused key or request needs the operator and must remain visible."""

PRIMARY_TIME_SHARE = 0.5
"""Share of the remaining time of a model while others are left."""


class Candidate(Struct, frozen=True):
    """Model that may answer, with its provider and profile."""

    provider: Provider
    model: str
    profile: ModelProfile

    @property
    def name(self) -> str:
        return f"{self.provider.name}:{self.model}"

    def generate_chat(
        self, messages: Sequence[Message], options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        """Return the model's next message, with its deltas in `on_delta`. Raises ModelError."""
        messages = readable(messages, self.profile, LIMITS[self.provider.type])
        sent = with_tags(messages if self.profile.system_text else _without_system(messages), self.name)
        if not (self.profile.text_tool_calls and options.tools):
            return self._generate(sent, options, on_delta)
        # Also with `tool_choice` "none": such a call is answered as not run and never shown as the answer. Its text is
        # not streamed, since any of it may be a call.
        completion = with_text_calls(self._generate(sent, options, None), messages, options.tools)
        return completion if on_delta is None else report_completion(completion, on_delta)

    def _generate(self, sent: Sequence[Message], options: ChatOptions, on_delta: OnDelta | None) -> Completion:
        if on_delta is None:
            return with_reasoning(self.provider.generate_chat(sent, self.model, options), self.name)
        shown = TextFilter(on_delta)
        completion = self.provider.generate_chat(sent, self.model, options, shown)
        shown.finish()
        return with_reasoning(completion, self.name)


def _without_system(messages: Sequence[Message]) -> list[Message]:
    """Return the conversation with the system text at the head of the first user message."""
    rules = "\n\n".join(message.text for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    first = next((position for position, message in enumerate(rest) if message.role == "user"), None)
    if rules and first is not None:
        rest[first] = Message("user", (Text(f"{rules}\n\n"), *rest[first].parts))
    return rest


class Fallback(Struct, frozen=True):
    """Record of a fallback: the replaced model and its error."""

    instead_of: str
    reason: FallbackReason


def models_of(rule: ResponseRule, llms: Mapping[str, LlmConfig]) -> tuple[ModelName, ...]:
    """Return the rule's model, then its fallbacks: those of the rule, else of its llm.

    A name without a usable llm, such as one whose key is not stored, is left out with a warning.
    """
    listed = rule.fallbacks
    if listed is None:
        listed = llms[rule.llm].fallbacks if rule.llm in llms else ()
    names = [ModelName(rule.llm, rule.model)]
    for text in listed:
        try:
            names.append(model_name(text, llms))
        except ValueError as exc:
            logger.warning("fallback rejected", model=text, problems=[str(exc)])
    return tuple(dict.fromkeys(names))


class Candidates:
    """Candidate models of one chat, in order.

    A fallback remains until the chat ends. `make` returns the candidate of a name or raises ConfigError; it is called
    when the candidate is needed. `fallback` is the record of a model that the first candidate already replaces.
    """

    def __init__(
        self, names: Sequence[ModelName], make: Callable[[ModelName], Candidate], *, fallback: Fallback | None = None
    ) -> None:
        self._make = make
        self._waiting = list(names[1:])
        self.current = make(names[0])
        self.fallback = fallback

    @property
    def is_last(self) -> bool:
        """Return whether no fallback is left."""
        return not self._waiting

    def due(self, deadline: Deadline) -> Deadline:
        """Return the deadline of the current model, which leaves half of the remaining time to the next."""
        return deadline.within(deadline.remaining() * PRIMARY_TIME_SHARE) if self._waiting else deadline

    def replace(
        self, error: ModelError, *, in_tool_loop: bool, has_pictures: bool = False, restarts: bool = False
    ) -> bool:
        """Replace the current model after `error`; return whether another one is left.

        In a tool loop, models without tools are skipped: they could not continue the conversation. So are models
        without vision where the user's messages have pictures. After a part of the
        answer was streamed, no model follows, unless the text `restarts`.
        """
        if (error.after_output and not restarts) or error.type not in RETRYABLE_ERRORS:
            return False
        failed = self.current
        while self._waiting:
            name = self._waiting.pop(0)
            try:
                candidate = self._make(name)
            except ConfigError as exc:
                problems = [str(problem) for problem in exc.problems]
                logger.warning("fallback rejected", model=str(name), problems=problems)
                continue
            is_blind = has_pictures and candidate.profile.vision is False
            if is_blind or (in_tool_loop and not candidate.profile.tools):
                logger.warning("fallback skipped", model=candidate.name)
                continue
            logger.warning("fallback used", model=candidate.name, instead_of=failed.name, error_type=error.type)
            self.current = candidate
            self.fallback = self.fallback or Fallback(instead_of=failed.name, reason=error.type)
            return True
        return False
