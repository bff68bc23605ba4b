"""Does a run in the background: once, however often Lambda delivers its order, and never failing in silence."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol
from uuid import uuid4

from flexchat.api import ChatRequest, ChatResponse
from flexchat.aws.blobs import Blobs
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.runs import HEARTBEAT_SECONDS, RUN_SECONDS, Run, RunStatus, WallClock
from functions.chat.api.errors import http_error
from functions.chat.aws.runs import RunStore
from functions.chat.generation.events import Emit
from functions.chat.generation.trace import Trace
from functions.chat.runs.events import RunOrder
from functions.chat.runs.failures import read_settled, report
from functions.chat.runs.heartbeat import Heartbeat
from functions.chat.runs.recorder import RunLostError, StepRecorder
from functions.chat.runs.view import answer_text

END_SECONDS = 10.0
"""Kept back from the invocation's end, to write the answer or why there is none."""

MARGIN_SECONDS = 1.0
STORE_SECONDS = 5.0
"""How long one change of the run may take; with the margin, two of them fit into what is kept back."""


class RunFailedError(Exception):
    """A run has failed, and its record says so. For Lambda alone, which delivers the order again and in the end to the
    dead-letter queue; no FlexchatError, so that no door takes it for an answer."""


class Context(Protocol):
    """What is used of Lambda's context."""

    @property
    def aws_request_id(self) -> str: ...

    def get_remaining_time_in_millis(self) -> int: ...


RunChat = Callable[[ChatRequest, Caller, Deadline, str, Emit], ChatResponse]
"""Answers a request of a caller by a deadline; the text is the id of the request that asked for the run."""


class BackgroundRuns:
    """Does the runs that the function was sent an order for."""

    def __init__(
        self,
        *,
        store: RunStore,
        blobs: Blobs,
        now: WallClock,
        clock: Clock = time.monotonic,
        heartbeat: Callable[[Callable[[], bool]], Heartbeat] = Heartbeat,
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._now = now
        self._clock = clock
        self._heartbeat = heartbeat

    def execute(self, payload: Mapping[str, Any], context: Context, run_chat: RunChat) -> dict[str, Json]:
        """Do the run that `payload` orders, and return how it stands.

        Raises RunFailedError when the run has failed, now or at an earlier delivery, or could not be begun.
        """
        order = RunOrder.read(payload)
        end = Deadline.after(context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS, clock=self._clock)
        worker = f"{context.aws_request_id}/{uuid4().hex}"  # Lambda delivers again under the same request id
        with logger.append_context_keys(run=order.id, request_id=order.request_id):
            try:
                run = self._claim(order, worker, end)
                status = self._again(order, end) if run is None else self._do(run, order, worker, end, run_chat)
            except FlexchatError as error:
                raise RunFailedError(f"run {order.id!r}: {error}") from error
        return {"run": order.id, "status": status}

    def _claim(self, order: RunOrder, worker: str, end: Deadline) -> Run | None:
        seconds = min(RUN_SECONDS, end.minus(END_SECONDS).remaining())
        deadline = end.within(STORE_SECONDS)
        return self._store.claim(order.key, worker=worker, now=self._now(), seconds=seconds, deadline=deadline)

    def _again(self, order: RunOrder, end: Deadline) -> RunStatus:
        """How a run stands that is somebody else's to do, or was: delivered twice, it runs once."""
        deadline = end.within(STORE_SECONDS)
        stored = read_settled(self._store, order.key, now=self._now, deadline=deadline)
        if stored is None or stored.run.status == "failed":
            raise RunFailedError(f"run {order.id!r} {'does not exist' if stored is None else 'has failed'}")
        logger.info("run left alone", status=stored.run.status)
        return stored.run.status

    def _do(self, run: Run, order: RunOrder, worker: str, end: Deadline, run_chat: RunChat) -> RunStatus:
        def beat() -> bool:
            deadline = end.within(HEARTBEAT_SECONDS)
            return self._store.renew(run.key, worker=worker, now=self._now(), deadline=deadline) is not None

        with self._heartbeat(beat) as heartbeat:
            recorder = StepRecorder(
                store=self._store,
                run=run,
                worker=worker,
                trace=Trace(clock=self._clock),
                now=self._now,
                lost=lambda: heartbeat.lost,
                deadline=lambda: end.within(STORE_SECONDS),
            )
            try:
                response = run_chat(
                    self._request(run, end), order.caller, self._due(run, end), order.request_id, recorder.emit
                )
                ended = self._succeed(run, worker, response, end)
            except RunLostError:
                ended = None
            except Exception as error:  # noqa: BLE001 (the door of a run: whatever fails it is told in its record)
                ended = self._fail(run, order, worker, error, end)
        return ended.status if ended else self._again(order, end)

    def _request(self, run: Run, end: Deadline) -> ChatRequest:
        content = self._blobs.get(run.request, now=self._now(), deadline=end.within(STORE_SECONDS))
        if content is None:
            raise UnavailableError(f"the request of run {run.key.id!r} is not there")
        return ChatRequest.model_validate_json(content)

    def _due(self, run: Run, end: Deadline) -> Deadline:
        """When the chat must have its answer."""
        wanted = RUN_SECONDS if run.deadline_at is None else run.deadline_at - self._now()
        return end.minus(END_SECONDS).within(max(0.0, wanted))

    def _succeed(self, run: Run, worker: str, response: ChatResponse, end: Deadline) -> Run | None:
        answer = f"run/{run.key.principal}/{run.key.id}/answer"
        deadline = end.within(STORE_SECONDS)
        content = answer_text(response).encode()
        self._blobs.put(answer, content, expires_at=run.expires_at, deadline=deadline)
        return self._store.succeed(run.key, worker=worker, answer=answer, now=self._now(), deadline=deadline)

    def _fail(self, run: Run, order: RunOrder, worker: str, cause: Exception, end: Deadline) -> Run | None:
        """Say that the run has failed, or None when it was over for others before."""
        error = http_error(cause, order.request_id).body
        failure, deadline = error.model_dump_json(), end.within(STORE_SECONDS)
        try:
            failed = self._store.fail(run.key, worker=worker, failure=failure, now=self._now(), deadline=deadline)
        except FlexchatError as unwritten:
            logger.error("failure of a run not written", reason=str(unwritten))
            failed = run
        if failed is None:
            return None
        report(failed, error)
        raise RunFailedError(f"run {order.id!r} failed: {error.error}") from cause
