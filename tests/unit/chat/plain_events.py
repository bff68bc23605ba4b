"""Events of a chat without the messages of its model calls."""

from collections.abc import Iterable
from copy import replace

from functions.chat.generation.events import Event, ModelFinished, ModelStarted


def plain(events: Iterable[Event]) -> list[Event]:
    """Return `events` without the requests, the completions and the errors of model calls."""
    return [_plain(event) for event in events]


def _plain(event: Event) -> Event:
    match event:
        case ModelStarted():
            return replace(event, request=None)
        case ModelFinished():
            return replace(event, completion=None, failure=None)
        case _:
            return event
