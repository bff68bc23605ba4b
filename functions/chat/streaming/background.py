"""Observer of a background run: its events are stored like those of a streamed chat."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from flexchat.runs import Run
from functions.chat.errors import RunLostError
from functions.chat.generation.events import Emit, Event, LimitReached, ModelFinished, PhaseFinished, TurnFinished
from functions.chat.streaming.conversion import json_of
from functions.chat.streaming.models import AcceptedEvent
from functions.chat.streaming.recorder import EventRecorder

_ENDS_OF_STEPS: Final = (PhaseFinished, ModelFinished, TurnFinished, LimitReached)
"""Events at which everything is stored before the chat continues, so that a cancelled run starts no further step."""


@contextmanager
def observed(recorder: EventRecorder, run: Run) -> Generator[Emit]:
    """Record the events of `run` and renew its lease while the block runs.

    The receiver of events raises RunLostError when the run was cancelled or has failed.
    """

    def emit(event: Event) -> None:
        recorder.record(event)
        if isinstance(event, _ENDS_OF_STEPS):
            recorder.flush()
            if recorder.lost:
                raise RunLostError

    recorder.add("accepted", json_of(AcceptedEvent(request_id=run.request_id, run_id=run.key.id)))
    recorder.start()
    try:
        yield emit
    finally:
        recorder.stop()
