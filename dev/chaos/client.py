"""Requests to the chat function in the form of API Gateway and Lambda, with checks of every response."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from dev.chaos.clock import CpuWait
from dev.chaos.functions import Context
from dev.chaos.mutants import Event, Handle
from dev.chaos.outcome import Outcome
from dev.chaos.processes import Answer, Invocation, Processes
from dev.chaos.receiving import ReceivingStream
from flexchat.api import ChatResponse, ErrorResponse
from flexchat.api.runs import RunView

INVOCATION_MS = 30_000
RUN_INVOCATION_MS = 900_000

EVENTS: Mapping[str, str] = {"Accept": "text/event-stream"}

INTERNAL_ERRORS = frozenset({"internal", "internal_error", "configuration", "model_invalid_request", "invalid_request"})
"""Errors that no fault of a model, a tool or an AWS service explains."""

_EVENT = json.loads((Path(__file__).parents[2] / "events" / "chat-http.json").read_text())


@dataclass(frozen=True, slots=True)
class Reply:
    """A response with a body of the documented form."""

    status: int
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def outcome(self) -> str:
        """`complete`, `partial`, the status of a run, or the name of the error."""
        return str(self.body.get("error" if self.status >= 400 else "status"))


@dataclass(frozen=True, slots=True)
class Pending:
    """A request that runs in a separate process."""

    invocation: Invocation
    body: Mapping[str, Any]
    request_id: str


class ChaosClient:
    """Client for the requests of one chat. The id of each begins with `prefix`, which identifies its tool calls."""

    def __init__(
        self, handle: Handle, outcome: Outcome, processes: Processes | None = None, wait: CpuWait | None = None
    ) -> None:
        self._handle = handle
        self._outcome = outcome
        self._processes = processes
        self.wait = wait or CpuWait()
        self._requests = 0
        self.prefix = f"chat-{outcome.plan.number}-"

    @property
    def request_id(self) -> str:
        """The id of the latest request."""
        return f"{self.prefix}{self._requests}"

    def post(self, body: Mapping[str, Any], *, headers: Mapping[str, str] | None = None) -> Reply:
        """Post a chat; the response must arrive before the body's deadline."""
        event = self._event("POST", "/api/chat", json.dumps(body), headers or {}, {})
        started, waited = time.monotonic(), self.wait.total()
        reply = self._reply(event, self._handled(event))
        self._check_time(time.monotonic() - started, self.wait.total() - waited, body)
        return self._checked_chat(reply)

    def post_for_events(self, body: Mapping[str, Any], stream: ReceivingStream) -> Reply | str:
        """Post a chat whose response is streamed; return the received events, or another response."""
        event = self._event("POST", "/api/chat", json.dumps(body), EVENTS, {})
        started, waited = time.monotonic(), self.wait.total()
        answer = self._handled(event, stream)
        self._check_time(time.monotonic() - started, self.wait.total() - waited, body)
        if stream.started is None or answer.response is None:
            return self._reply(event, answer)
        return str(answer.response["body"])

    def events(self, path: str, headers: Mapping[str, str], *, later_seconds: float | None) -> str:
        """Return the events of a run, by an environment whose clock is ahead by `later_seconds`, if they are given."""
        event = self._event("GET", path, None, {**EVENTS, **headers}, {})
        if later_seconds is None:
            answer = self._handled(event)
        else:
            context = Context(self.request_id, INVOCATION_MS)
            answer = self._other().start(event, context, later_seconds=later_seconds).proceed() or _died()
        if answer.response is None or answer.response["statusCode"] != 200:
            self._outcome.violation(f"the events of a run cannot be read: {answer.raised or answer.response}")
            return ""
        return str(answer.response["body"])

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Reply:
        return self._sent(self._event("GET", path, None, {}, query or {}))

    def delete(self, path: str) -> Reply:
        return self._sent(self._event("DELETE", path, None, {}, {}))

    def deliver(self, order: Event) -> bool:
        """Deliver a run's event as Lambda does; return true when the attempt succeeded."""
        self._requests += 1
        try:
            self._handle(order, Context(self.request_id, RUN_INVOCATION_MS))
        except Exception as error:  # noqa: BLE001 (Lambda treats any exception as a failed attempt)
            self._check_run_error(f"{type(error).__name__}: {error}")
            return False
        return True

    def start(
        self,
        body: Mapping[str, Any],
        *,
        headers: Mapping[str, str] | None = None,
        stop_at: int | None = None,
        after: bool = False,
        later_seconds: float = 0.0,
    ) -> Pending:
        """Post a chat in a separate process."""
        event = self._event("POST", "/api/chat", json.dumps(body), headers or {}, {})
        context = Context(self.request_id, INVOCATION_MS)
        started = self._other().start(event, context, stop_at=stop_at, after=after, later_seconds=later_seconds)
        return Pending(started, body, self.request_id)

    def start_order(self, order: Event, *, stop_at: int | None = None, after: bool = False) -> Pending:
        """Deliver a run's event to a separate process."""
        self._requests += 1
        context = Context(self.request_id, RUN_INVOCATION_MS)
        return Pending(self._other().start(order, context, stop_at=stop_at, after=after), {}, self.request_id)

    def finish(self, pending: Pending) -> Reply | None:
        """Resume a process, and return its checked response; None when it died or has completed a run."""
        answer = pending.invocation.proceed()
        if answer is None:
            return None
        self._outcome.violations += answer.violations
        if not pending.body:
            if answer.raised is not None:
                self._check_run_error(answer.raised)
            return None
        self._check_time(answer.seconds, answer.waited, pending.body)
        return self._checked_chat(self._reply(pending.invocation.job.event, answer))

    def later(self, method: str, path: str, *, seconds: float) -> Reply:
        """Send a request without a body to an environment whose clock is ahead by `seconds`."""
        event = self._event(method, path, None, {}, {})
        context = Context(self.request_id, INVOCATION_MS)
        answer = self._other().start(event, context, later_seconds=seconds).proceed()
        return self._reply(event, answer or _died())

    def _other(self) -> Processes:
        assert self._processes is not None  # noqa: S101 (only the first chats of an environment have none)
        return self._processes

    def _sent(self, event: Event) -> Reply:
        return self._reply(event, self._handled(event))

    def _handled(self, event: Event, stream: ReceivingStream | None = None) -> Answer:
        try:
            response = self._handle(event, Context(self.request_id, INVOCATION_MS, stream))
        except Exception as error:  # noqa: BLE001 (no exception may reach a caller)
            return Answer(None, f"{type(error).__name__}: {error}", 0.0, 0.0, ())
        return Answer(response, None, 0.0, 0.0, ())

    def _event(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str], query: Mapping[str, str]
    ) -> Event:
        self._requests += 1
        event = json.loads(json.dumps(_EVENT))
        event.update(httpMethod=method, path=path, resource=path, body=body)
        event["queryStringParameters"] = dict(query) or None
        event["multiValueQueryStringParameters"] = {name: [value] for name, value in query.items()} or None
        event["headers"].update(headers)
        event["multiValueHeaders"].update({name: [value] for name, value in headers.items()})
        event["requestContext"].update(requestId=self.request_id, httpMethod=method, resourcePath=path)
        return event

    def _reply(self, event: Event, answer: Answer) -> Reply:
        response = answer.response
        if response is None:
            self._outcome.violation(f"{event['httpMethod']} {event['path']} raised {answer.raised}")
            return Reply(500, {"error": "raised"})
        headers = {name.lower(): values[0] for name, values in response["multiValueHeaders"].items()}
        reply = Reply(response["statusCode"], json.loads(response["body"] or "{}"), headers)
        if reply.status >= 400:
            self._check_form(ErrorResponse, reply.body)
        if reply.outcome in INTERNAL_ERRORS and reply.status >= 400:
            self._outcome.violation(f"HTTP {reply.status} {reply.outcome}: {reply.body.get('message')}")
        return reply

    def _checked_chat(self, reply: Reply) -> Reply:
        if reply.status == 200:
            self._check_form(ChatResponse, reply.body)
        elif reply.status == 202:
            self._check_form(RunView, reply.body)
        return reply

    def _check_time(self, seconds: float, waited: float, body: Mapping[str, Any]) -> None:
        """Check a response's time: it may exceed the deadline only by the thread's wait for a processor."""
        self._outcome.seconds += seconds
        self.check_margin("an answer", body["deadline_ms"] / 1000 - seconds, waited)

    def check_margin(self, what: str, margin: float, waited: float) -> None:
        """Report a late response: `margin` is the remaining time in seconds."""
        self._outcome.margin = min(self._outcome.margin, margin)
        self._outcome.waited = max(self._outcome.waited, waited)
        if margin + waited < 0:
            self._outcome.violation(f"{what} came {-margin:.3f} s after its deadline")

    def _check_form(self, model: type[BaseModel], body: Any) -> None:
        try:
            model.model_validate(body)
        except ValidationError as error:
            self._outcome.violation(f"a response is no {model.__name__}: {error.errors()[:2]}")

    def _check_run_error(self, raised: str) -> None:
        if not raised.startswith("RunFailedError"):
            self._outcome.violation(f"a run raised {raised}")


def moment(text: str) -> float:
    """Return a time of a response in seconds since the epoch."""
    return datetime.fromisoformat(text).timestamp()


def _died() -> Answer:
    return Answer(None, "nothing: its process died", 0.0, 0.0, ())
