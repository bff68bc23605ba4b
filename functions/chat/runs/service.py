"""Background runs of callers: start, get and cancel."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any, Final, Literal, Protocol
from uuid import uuid4

from msgspec import Struct, convert, to_builtins
from pydantic import Field

from flexchat.api import ApiModel, ChatRequest, ChatResponse, ErrorResponse, StepView
from flexchat.api.runs import RunView
from flexchat.aws.blobs import Blobs
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, RequestError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.limits.counting import Reservation
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from flexchat.runs import RUN_TTL_SECONDS, Run, RunKey, WallClock
from flexchat.trace_context import TraceContext, current_trace
from functions.chat.generation.events import Emit, Event, IterationFinished, ModelDelta, ModelFinished


class StoredRun(Struct, frozen=True):
    """A run with its steps in the order they finished, each the JSON text that was stored."""

    run: Run
    steps: tuple[str, ...]


class ChatRunRecords(Protocol):
    """Storage of runs, such as a `RunStore`; a change returns None when it does not apply to the run's state."""

    def add(self, run: Run, *, deadline: Deadline) -> None: ...

    def read(self, key: RunKey, *, now: float, deadline: Deadline) -> StoredRun | None: ...

    def head(self, key: RunKey, *, now: float, deadline: Deadline) -> Run | None: ...

    def add_events(self, run: Run, sort_key: str, events: str, *, deadline: Deadline) -> None: ...

    def events(self, key: RunKey, *, first: str, deadline: Deadline) -> Iterator[str]: ...

    def claim(self, key: RunKey, *, worker: str, now: float, seconds: float, deadline: Deadline) -> Run | None: ...

    def renew(self, key: RunKey, *, worker: str, now: float, deadline: Deadline) -> Run | None: ...

    def add_steps(self, run: Run, steps: Sequence[str], *, first: int, deadline: Deadline) -> None: ...

    def succeed(
        self, key: RunKey, *, worker: str, answer: str, now: float, deadline: Deadline, waits: bool = False
    ) -> Run | None: ...

    def fail(self, key: RunKey, *, worker: str, failure: str, now: float, deadline: Deadline) -> Run | None: ...

    def fail_queued(self, key: RunKey, *, failure: str, now: float, deadline: Deadline) -> Run | None: ...

    def fail_lost(self, key: RunKey, *, failure: str, now: float, deadline: Deadline) -> Run | None: ...

    def cancel(self, key: RunKey, *, now: float, deadline: Deadline) -> Run | None: ...

    def renew_client(self, key: RunKey, *, now: float, deadline: Deadline) -> Run | None: ...

    def request_cancel(self, key: RunKey, *, expires_at: int, deadline: Deadline) -> None: ...

    def is_cancel_requested(self, key: RunKey, *, deadline: Deadline) -> bool: ...


def not_accepted(request_id: str) -> ErrorResponse:
    """Return the error of a run that Lambda did not accept."""
    return _unfinished("unavailable", "the run could not be started; send the request again", request_id)


def report(run: Run, error: ErrorResponse) -> None:
    """Log a failed run and count it in the metric `RunsFailed`."""
    logger.error("run failed", run=run.key.id, error=error.error, request_id=error.request_id, worker=run.worker)
    emit_metrics(dimension=("error", error.error), counts={"RunsFailed": 1})


def read_settled(store: ChatRunRecords, key: RunKey, *, now: WallClock, deadline: Deadline) -> StoredRun | None:
    """Return a run; one whose worker has lost its lease is failed first."""
    stored = store.read(key, now=now(), deadline=deadline)
    if stored is None or not stored.run.is_lost(now=now()):
        return stored
    error = _lost(stored.run)
    failed = store.fail_lost(key, failure=error.model_dump_json(), now=now(), deadline=deadline)
    if failed:
        report(failed, error)
    return store.read(key, now=now(), deadline=deadline)


def _lost(run: Run) -> ErrorResponse:
    if run.status == "queued":
        return _unfinished("not_started", "the run was never started; send the request again", run.request_id)
    return _unfinished("interrupted", "the run was interrupted before its end; send the request again", run.request_id)


def _unfinished(code: str, message: str, request_id: str) -> ErrorResponse:
    return ErrorResponse(error=code, message=message, request_id=request_id)


ALIAS: Final = "live"
"""Alias that runs are invoked by. The function's role may invoke no other, and the template's retries, age and failure
queue of asynchronous events are the alias's."""

_ALIAS_FIELD: Final = 7
"""Position of the alias in a function's ARN, which has none when the function itself was invoked."""


def own_alias(invoked: str) -> str:
    """Return the ARN of the alias; `invoked` is that of the current invocation, of any alias or version or of none."""
    return ":".join((*invoked.split(":")[:_ALIAS_FIELD], ALIAS))


type RunKind = Literal["chat", "response", "approval"]


class BackgroundRunEvent(ApiModel, extra="ignore"):
    """Id and caller of a run, with the reservations by which its request was admitted and the request's trace context.

    The request is not part of it: it is stored with the run, which expires. `kind` is the API of the request, or
    `approval` for a run that continues a chat whose tool calls are decided: its request is the id of the approval.
    Unknown
    keys are ignored: after a rollback, the event may be that of a later version.
    """

    id: str
    kind: Annotated[RunKind, Field(exclude_if=lambda kind: kind == "chat")] = "chat"
    principal: str
    roles: tuple[str, ...]
    request_id: str
    reservations: Annotated[tuple[Reservation, ...], Field(exclude_if=lambda counted: not counted)] = ()
    trace: Annotated[dict[str, Json] | None, Field(exclude_if=lambda trace: trace is None)] = None

    @classmethod
    def parse(cls, payload: Mapping[str, Any]) -> "BackgroundRunEvent":
        """Return the event of a payload. Raises pydantic's ValidationError for a payload of another form."""
        return cls.model_validate(payload["run"])

    def payload(self) -> dict[str, Json]:
        return {"run": self.model_dump(mode="json")}

    @property
    def key(self) -> RunKey:
        return RunKey(self.principal, self.id)

    @property
    def caller(self) -> Caller:
        return Caller(self.principal, frozenset(self.roles))

    @property
    def trace_context(self) -> TraceContext:
        """Return the trace context of the request; another one in an event of an earlier version."""
        if self.trace is None:
            return TraceContext.of_request(self.request_id)
        return convert(self.trace, TraceContext)


_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

_REQUEST_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{1,12}){4,5}")
"""Form of the ids of API Gateway's requests, which no id of a run has."""

CANCEL_TTL_SECONDS: Final = 3_600
"""Lifetime of the mark of a cancelled request, longer than any streamed response."""

CHECK_SECONDS: Final = 2.0
"""Seconds before the first check, and between two checks, whether a chat without a run was cancelled: each is one read
of half a kilobyte, and a short chat has none."""

READ_SECONDS: Final = 2.0


class CancelWatch:
    """Receiver of the events of the chat of `key`, a request without a run."""

    def __init__(self, store: ChatRunRecords, key: RunKey, *, now: WallClock) -> None:
        self._store = store
        self._key = key
        self._now = now
        self._checked = now()

    def observe(self, event: Event) -> None:
        """Raise RequestError (409) if the client has cancelled the chat; an unreadable mark counts as none."""
        is_step = isinstance(event, ModelDelta | ModelFinished | IterationFinished)
        if not is_step or self._now() < self._checked + CHECK_SECONDS:
            return
        self._checked = self._now()
        try:
            cancelled = self._store.is_cancel_requested(self._key, deadline=Deadline.after(READ_SECONDS))
        except FlexchatError as error:
            logger.warning("cancellation not read", reason=str(error))
            return
        if cancelled:
            logger.info("chat cancelled", request=self._key.id)
            raise RequestError("the chat was cancelled", status=HTTPStatus.CONFLICT, code="cancelled")


class Background(Protocol):
    """Invokes a function asynchronously. Raises UnavailableError."""

    def invoke(self, function: str, payload: dict[str, Json], *, deadline: Deadline) -> None: ...


class Runs:
    """Background runs by their callers; the run of another caller is not found.

    Every method raises UnavailableError when the table does not respond before the deadline.
    """

    def __init__(
        self,
        *,
        store: ChatRunRecords,
        blobs: Blobs,
        background: Background,
        now: WallClock,
        new_id: Callable[[], str] = lambda: uuid4().hex,
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._background = background
        self._now = now
        self._new_id = new_id

    def start(
        self,
        request: ChatRequest,
        *,
        caller: Caller,
        request_id: str,
        function: str,
        deadline: Deadline,
        reservations: tuple[Reservation, ...] = (),
    ) -> RunView:
        """Store `request` and invoke `function`, the ARN of this function, to answer it in the background.

        Raises UnavailableError also when Lambda does not accept the invocation; the run has failed then.
        """
        content = request.model_dump_json(exclude_unset=True).encode()
        seconds = None if request.deadline_ms is None else request.deadline_ms / 1000
        run = self._queue(self._new_id(), content, caller, request_id, deadline, seconds=seconds)
        return self._invoke(run, "chat", caller, function, deadline, reservations)

    def start_response(
        self,
        id: str,
        content: bytes,
        *,
        caller: Caller,
        request_id: str,
        function: str,
        deadline: Deadline,
        reservations: tuple[Reservation, ...] = (),
    ) -> RunView:
        """Store the request of a response, as `content`, as the run `id`, and start it as `start` does."""
        run = self._queue(id, content, caller, request_id, deadline)
        return self._invoke(run, "response", caller, function, deadline, reservations)

    def start_approved(
        self, id: str, approval: str, *, caller: Caller, request_id: str, function: str, deadline: Deadline
    ) -> RunView:
        """Start the run `id` that continues the chat of `approval`, as `start` does."""
        run = self._queue(id, approval.encode(), caller, request_id, deadline)
        return self._invoke(run, "approval", caller, function, deadline, ())

    @staticmethod
    def error_code(run: Run) -> str | None:
        """Return the code of the error of a failed run; None for another one."""
        return None if run.failure is None else ErrorResponse.model_validate_json(run.failure).error

    def _invoke(
        self,
        run: Run,
        kind: RunKind,
        caller: Caller,
        function: str,
        deadline: Deadline,
        reservations: tuple[Reservation, ...],
    ) -> RunView:
        event = BackgroundRunEvent(
            id=run.key.id,
            kind=kind,
            principal=caller.principal,
            roles=tuple(sorted(caller.roles)),
            request_id=run.request_id,
            reservations=reservations,
            trace=None if (trace := current_trace()) is None else to_builtins(trace),
        )
        try:
            self._background.invoke(function, event.payload(), deadline=deadline)
        except UnavailableError:
            run = self._rejected(run, deadline)
            if run.status == "failed":
                raise
        logger.info("run queued", run=run.key.id)
        return run_view(StoredRun(run, ()))

    def get(self, id: str, *, caller: Caller, deadline: Deadline) -> RunView:
        """Return a run; one whose worker has lost its lease has failed.

        Raises RequestError (404) for a run that the caller does not have.
        """
        return self._view(self._read(id, caller, deadline), deadline)

    def key_of(self, id: str, *, caller: Caller, deadline: Deadline) -> RunKey:
        """Return the key of a run. Raises RequestError (404) for a run that the caller does not have."""
        key = RunKey(caller.principal, id)
        if not _ID.fullmatch(id) or self._store.head(key, now=self._now(), deadline=deadline) is None:
            raise _not_found(id)
        return key

    def find(self, id: str, *, caller: Caller, deadline: Deadline) -> Run | None:
        """Return a run, without its steps, as `get` does; None for one that the caller does not have."""
        key = RunKey(caller.principal, id)
        run = self._store.head(key, now=self._now(), deadline=deadline)
        if run is not None and run.is_lost(now=self._now()):
            settled = read_settled(self._store, key, now=self._now, deadline=deadline)
            return settled and settled.run
        return run

    def renew_client(self, id: str, *, caller: Caller, deadline: Deadline) -> None:
        """Extend the lease of the client of a run; no-op for one without a lease, and for one that has ended.

        Raises RequestError (404) for a run that the caller does not have.
        """
        self._store.renew_client(self.key_of(id, caller=caller, deadline=deadline), now=self._now(), deadline=deadline)

    def watched(self, request_id: str, *, caller: Caller) -> Emit:
        """Return a receiver of the events of a chat without a run, which ends the chat when its client cancels it.

        It raises RequestError between the steps of the chat, and in the text of the model.
        """
        return CancelWatch(self._store, RunKey(caller.principal, request_id), now=self._now).observe

    def cancel(self, id: str, *, caller: Caller, deadline: Deadline) -> RunView | None:
        """Cancel a run that has not ended, and return it.

        Its worker stops before the next step. For the id of a request, the streamed chat of that request is cancelled
        if it has no run: None is returned, as it is not known whether it is active. Raises RequestError (404) for a run
        that the caller does not have.
        """
        key = RunKey(caller.principal, id)
        if _REQUEST_ID.fullmatch(id) and self._store.head(key, now=self._now(), deadline=deadline) is None:
            self._store.request_cancel(key, expires_at=int(self._now()) + CANCEL_TTL_SECONDS, deadline=deadline)
            return None
        run = self._read(id, caller, deadline).run
        if self._store.cancel(run.key, now=self._now(), deadline=deadline):
            logger.info("run cancelled", run=id)
        return self._view(self._read(id, caller, deadline), deadline)

    def _queue(
        self,
        id: str,
        content: bytes,
        caller: Caller,
        request_id: str,
        deadline: Deadline,
        *,
        seconds: float | None = None,
    ) -> Run:
        key, now = RunKey(caller.principal, id), self._now()
        run = Run(
            key=key,
            status="queued",
            request=f"run/{key.principal}/{key.id}/request",
            request_id=request_id,
            created_at=now,
            expires_at=int(now) + RUN_TTL_SECONDS,
            deadline_at=None if seconds is None else now + seconds,
        )
        self._blobs.put(run.request, content, expires_at=run.expires_at, deadline=deadline)
        self._store.add(run, deadline=deadline)
        return run

    def _rejected(self, run: Run, deadline: Deadline) -> Run:
        """Return the run after Lambda did not accept its invocation: failed, unless it was started nevertheless."""
        error = not_accepted(run.request_id)
        failure = error.model_dump_json()
        failed = self._store.fail_queued(run.key, failure=failure, now=self._now(), deadline=deadline)
        if failed:
            report(failed, error)
        stored = self._store.read(run.key, now=self._now(), deadline=deadline)
        return stored.run if stored else run

    def _read(self, id: str, caller: Caller, deadline: Deadline) -> StoredRun:
        key = RunKey(caller.principal, id)
        stored = read_settled(self._store, key, now=self._now, deadline=deadline) if _ID.fullmatch(id) else None
        if stored is None:
            raise _not_found(id)
        return stored

    def _view(self, stored: StoredRun, deadline: Deadline) -> RunView:
        answer = stored.run.answer
        if answer is None:
            return run_view(stored)
        return run_view(stored, self._blobs.get(answer, now=self._now(), deadline=deadline))


def run_view(stored: StoredRun, answer: bytes | None = None) -> RunView:
    """Return the view of a run with the answer of its blob; steps are ordered by their start."""
    run = stored.run
    steps = [StepView.model_validate_json(step) for step in stored.steps]
    return RunView(
        id=run.key.id,
        status=run.status,
        created_at=_moment(run.created_at),
        started_at=_optional(run.started_at),
        finished_at=_optional(run.finished_at),
        deadline_at=_optional(run.deadline_at),
        steps=tuple(sorted(steps, key=lambda step: step.start_ms)),
        answer=None if answer is None else ChatResponse.model_validate_json(answer),
        error=None if run.failure is None else ErrorResponse.model_validate_json(run.failure),
    )


def _not_found(id: str) -> RequestError:
    message = f"run {id!r} not found; a run is available for {RUN_TTL_SECONDS // 3600} hours, only to its caller"
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="not_found")


def _optional(seconds: float | None) -> datetime | None:
    return None if seconds is None else _moment(seconds)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)
