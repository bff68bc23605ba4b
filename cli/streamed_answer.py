"""Output of a streamed chat: its text and its steps as they arrive, then its answer."""

from collections.abc import Callable, Iterator, Mapping

from cli.chat_stream import ChatEvent, ChatStream
from cli.client import Client
from cli.console import Console
from cli.errors import ServiceError
from cli.follow_run import follow, show_interrupted
from cli.invocation import flexchat
from cli.render.live_answer import LiveAnswer
from cli.transport import event_error
from flexchat.messages import Json

REFUSALS = (400, 401)
"""Statuses after which polling the run would fail as well. API Gateway refuses the unknown route of a service without
events with 403."""


class StreamedAnswer:
    """Prints the text of one chat and its steps to `steps`; `is_shown` is true once all of its text was."""

    def __init__(self, client: Client, steps: Console, *, sleep: Callable[[float], object]) -> None:
        self.is_shown = False
        self._client = client
        self._steps = steps
        self._sleep = sleep
        self._live = LiveAnswer(steps)

    def send(self, request: Mapping[str, Json], *, idempotency_key: str | None = None) -> dict[str, Json]:
        """Return the answer to `request`. Raises ServiceError; an interrupt cancels the chat in the service."""
        stream = ChatStream(self._client, sleep=self._sleep, report=self._live.note)
        try:
            return self._answer(stream, stream.send(request, idempotency_key=idempotency_key))
        except KeyboardInterrupt:
            self._live.end_line()
            self._steps.print(_cancelled(self._client, stream.run), soft_wrap=True)
            raise

    def follow(self, run_id: str) -> dict[str, Json]:
        """Return the answer of a background run. Raises ServiceError; the run continues after an interrupt."""
        stream = ChatStream(self._client, sleep=self._sleep, report=self._live.note, run=run_id)
        self._live.note(f"run {run_id}")
        try:
            return self._answer(stream, stream.follow())
        except KeyboardInterrupt:
            self._live.end_line()
            show_interrupted(self._steps, run_id)
            raise

    def _answer(self, stream: ChatStream, events: Iterator[ChatEvent]) -> dict[str, Json]:
        try:
            last = self._last(events)
        except ServiceError as error:
            self._live.end_line()
            if not stream.run or error.status in REFUSALS:
                raise
            body = follow(self._client, stream.run, self._steps, sleep=self._sleep)
        else:
            self._live.end_line()
            if last.name == "error":
                raise event_error(last.data)
            body = dict(last.data)
        self.is_shown = self._live.is_final(str(body.get("content", "")))
        return body

    def _last(self, events: Iterator[ChatEvent]) -> ChatEvent:
        """Print all events but the last one, which is returned."""
        for event in events:
            if event.name in ("answer", "error"):
                return event
            self._live.show(event)
        raise AssertionError("a stream ends with an answer, an error or an exception")


def _cancelled(client: Client, run_id: str) -> str:
    """Cancel a run; return a sentence about the result."""
    if not run_id:
        return "Interrupted before the service had named its run: it may still complete the chat."
    again = flexchat("chat", "--follow", run_id)
    try:
        status = client.cancel_run(run_id).get("status")
    except ServiceError as error:
        return f"The run {run_id} could not be cancelled: {error}\nIts answer, if it continues: {again}"
    if status == "cancelled":
        return f"Cancelled: the service ended the run {run_id}."
    return f"The run {run_id} had already ended ({status}). Its answer: {again}"
