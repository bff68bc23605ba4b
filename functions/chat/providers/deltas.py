"""Deltas of a completion that arrived in one piece."""

from flexchat.messages import Completion
from functions.chat.providers.base import CallDelta, OnDelta, TextDelta


def report_completion(completion: Completion, on_delta: OnDelta) -> Completion:
    """Report a whole completion in one piece, and return it."""
    message = completion.message
    if message.text:
        on_delta(TextDelta(message.text))
    for index, call in enumerate(message.tool_calls):
        on_delta(CallDelta(index, call.name))
    return completion
