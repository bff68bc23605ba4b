"""Execution of background runs: once, however often Lambda delivers the event, with every failure recorded."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol
from uuid import uuid4

from flexchat.api import ChatResponse
from flexchat.aws.blobs import Blobs
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.runs import RUN_SECONDS, Run, RunStatus, WallClock
from functions.chat.errors import RunLostError, to_http_error
from functions.chat.generation.events import Emit
from functions.chat.response import answer_text
from functions.chat.runs.service import BackgroundRunEvent, ChatRunRecords, read_settled, report

END_SECONDS = 10.0
"""Reserved before the end of the invocation, to write the answer or the error."""

MARGIN_SECONDS = 1.0
STORE_SECONDS = 5.0
"""Limit of one write to the table; two of them and the margin fit into the reserved time."""


class RunFailedError(Exception):
    """A run has failed, and its record has the error. Lambda delivers the event again and in the end to the dead-letter
    queue; it is no FlexchatError, so that no handler makes a response of it."""


class RunContext(Protocol):
    """Used part of the Lambda context."""

    @property
    def aws_request_id(self) -> str: ...

    def get_remaining_time_in_millis(self) -> int: ...


type RunChat[Request] = Callable[[Request, Caller, Deadline, str, Emit], ChatResponse]
"""Answers a request of a caller before a deadline; the text is the id of the request that started the run."""

type ParseRequest[Request] = Callable[[bytes], Request]
"""Parses the stored request of a run."""


type ObserveRun = Callable[[Run, str, Callable[[], Deadline]], AbstractContextManager[Emit]]
"""Opens the observer of the chat of a worker's run, which stores steps and events and renews the lease.

The last argument limits each write. The receiver raises RunLostError when the run was cancelled or has failed.
"""


class BackgroundRuns:
    """Executes the runs that the function was invoked for."""

    def __init__(
        self,
        *,
        store: ChatRunRecords,
        blobs: Blobs,
        now: WallClock,
        observe: ObserveRun,
        clock: Clock = time.monotonic,
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._now = now
        self._clock = clock
        self._observe = observe

    def execute[Request](
        self,
        event: BackgroundRunEvent,
        context: RunContext,
        run_chat: RunChat[Request],
        *,
        parse: ParseRequest[Request],
    ) -> dict[str, Json]:
        """Execute the run of `event`, and return its id and status.

        Raises RunFailedError when the run has failed, now or at an earlier delivery, or could not be started.
        """
        end = Deadline.after(context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS, clock=self._clock)
        worker = f"{context.aws_request_id}/{uuid4().hex}"  # Lambda delivers again under the same request id
        with logger.append_context_keys(run=event.id, request_id=event.request_id):
            try:
                run = self._claim(event, worker, end)
                status = (
                    self._status(event, end) if run is None else self._answer(run, event, worker, end, run_chat, parse)
                )
            except FlexchatError as error:
                raise RunFailedError(f"run {event.id!r}: {error}") from error
        return {"run": event.id, "status": status}

    def _claim(self, event: BackgroundRunEvent, worker: str, end: Deadline) -> Run | None:
        seconds = min(RUN_SECONDS, end.minus(END_SECONDS).remaining())
        deadline = end.within(STORE_SECONDS)
        return self._store.claim(event.key, worker=worker, now=self._now(), seconds=seconds, deadline=deadline)

    def _status(self, event: BackgroundRunEvent, end: Deadline) -> RunStatus:
        """Return the status of a run that another delivery executes or has executed."""
        deadline = end.within(STORE_SECONDS)
        stored = read_settled(self._store, event.key, now=self._now, deadline=deadline)
        if stored is None or stored.run.status == "failed":
            raise RunFailedError(f"run {event.id!r} {'does not exist' if stored is None else 'has failed'}")
        logger.info("run already claimed", status=stored.run.status)
        return stored.run.status

    def _answer[Request](
        self,
        run: Run,
        event: BackgroundRunEvent,
        worker: str,
        end: Deadline,
        run_chat: RunChat[Request],
        parse: ParseRequest[Request],
    ) -> RunStatus:
        try:
            with self._observe(run, worker, lambda: end.within(STORE_SECONDS)) as emit:
                request = parse(self._request(run, end))
                response = run_chat(request, event.caller, self._due(run, end), event.request_id, emit)
            ended = self._succeed(run, worker, response, end)
        except RunLostError:
            ended = None
        except Exception as error:  # noqa: BLE001 (every failure of a run is recorded)
            ended = self._fail(run, event, worker, error, end)
        return ended.status if ended else self._status(event, end)

    def _request(self, run: Run, end: Deadline) -> bytes:
        content = self._blobs.get(run.request, now=self._now(), deadline=end.within(STORE_SECONDS))
        if content is None:
            raise UnavailableError(f"the request of run {run.key.id!r} is missing")
        return content

    def _due(self, run: Run, end: Deadline) -> Deadline:
        """Return the deadline of the chat."""
        wanted = RUN_SECONDS if run.deadline_at is None else run.deadline_at - self._now()
        return end.minus(END_SECONDS).within(max(0.0, wanted))

    def _succeed(self, run: Run, worker: str, response: ChatResponse, end: Deadline) -> Run | None:
        answer = f"run/{run.key.principal}/{run.key.id}/answer"
        deadline = end.within(STORE_SECONDS)
        content = answer_text(response).encode()
        self._blobs.put(answer, content, expires_at=run.expires_at, deadline=deadline)
        waits = response.outcome == "waiting"
        return self._store.succeed(
            run.key, worker=worker, answer=answer, now=self._now(), deadline=deadline, waits=waits
        )

    def _fail(self, run: Run, event: BackgroundRunEvent, worker: str, cause: Exception, end: Deadline) -> Run | None:
        """Record the failure and raise RunFailedError; None when the run had ended before."""
        error = to_http_error(cause, event.request_id).body
        failure, deadline = error.model_dump_json(), end.within(STORE_SECONDS)
        try:
            failed = self._store.fail(run.key, worker=worker, failure=failure, now=self._now(), deadline=deadline)
        except FlexchatError as unwritten:
            logger.error("run failure not stored", reason=str(unwritten))
            failed = run
        if failed is None:
            return None
        report(failed, error)
        raise RunFailedError(f"run {event.id!r} failed: {error.error}") from cause
