"""Estimates of tokens that a provider does not report; they count against limits as well."""

from collections.abc import Sequence
from typing import Final

from flexchat.errors import ModelErrorType
from flexchat.messages import Completion, Message
from flexchat.sessions import message_tokens

_CHARGED_ERRORS: Final[frozenset[ModelErrorType]] = frozenset({"timeout", "invalid_response"})
"""Errors of calls that a model processed, and a provider charges without reporting usage."""


def unreported_tokens(sent: Sequence[Message], completion: Completion) -> int:
    """Return the estimated tokens missing in the usage of `completion`: of its input, its output, or both."""
    usage = completion.usage
    tokens = 0 if usage.input_tokens else _tokens(sent)
    return tokens if usage.output_tokens else tokens + message_tokens(completion.message)


def tokens_of_failure(sent: Sequence[Message], error: ModelErrorType) -> int:
    """Return the estimated input tokens of a failed call; 0 where no model processed it."""
    return _tokens(sent) if error in _CHARGED_ERRORS else 0


def _tokens(messages: Sequence[Message]) -> int:
    return sum(map(message_tokens, messages))
