"""Estimated tokens of model calls whose provider reports none: they count against the limits all the same."""

from collections.abc import Sequence
from typing import Final

from flexchat.errors import ModelErrorType
from flexchat.messages import Completion, Message
from flexchat.sessions import message_tokens

_AT_WORK: Final[frozenset[ModelErrorType]] = frozenset({"timeout", "invalid_response"})
"""Errors of calls that a model read, and that are charged though no usage came back."""


def unreported_tokens(sent: Sequence[Message], completion: Completion) -> int:
    """Return the estimate of what `completion` does not report: of its input, its output, or both."""
    usage = completion.usage
    tokens = 0 if usage.input_tokens else _tokens(sent)
    return tokens if usage.output_tokens else tokens + message_tokens(completion.message)


def tokens_of_failure(sent: Sequence[Message], error: ModelErrorType) -> int:
    """Return the estimate of the input of a call that ended in an error; 0 where no model read it."""
    return _tokens(sent) if error in _AT_WORK else 0


def _tokens(messages: Sequence[Message]) -> int:
    return sum(map(message_tokens, messages))
