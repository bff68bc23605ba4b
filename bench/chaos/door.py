"""The chat function as API Gateway and Lambda call it, with every answer checked for its form and its time."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from bench.chaos.functions import Context
from bench.chaos.outcome import Outcome
from bench.chaos.world import World
from flexchat.api import ChatResponse, ErrorResponse
from flexchat.api.runs import RunView

INVOCATION_MS = 30_000
RUN_INVOCATION_MS = 900_000

OUR_OWN_FAULTS = frozenset({"internal", "internal_error", "configuration", "model_invalid_request", "invalid_request"})
"""Errors that no fault of a model, a tool or a table accounts for."""

_SCHEDULING = Path("/proc/thread-self/schedstat")
_EVENT = json.loads((Path(__file__).parents[2] / "events" / "chat-http.json").read_text())


def waited_for_cpu() -> float:
    """For how many seconds this thread could have run and had no processor; 0.0 where the system does not say."""
    try:
        return int(_SCHEDULING.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """A response, whose body has been found to be of its form."""

    status: int
    body: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def outcome(self) -> str:
        """`complete`, `partial`, `accepted`, or the name of the error."""
        return str(self.body.get("error" if self.status >= 400 else "status"))


class Door:
    """Sends the requests of one chat. Each has an id of its own, so that its tool calls are known by it."""

    def __init__(self, world: World, outcome: Outcome) -> None:
        self._world = world
        self._outcome = outcome
        self._requests = 0

    def request_id(self) -> str:
        """The id of the latest request."""
        return f"chat-{self._outcome.number}-{self._requests}"

    def post(self, body: Mapping[str, Any], *, headers: Mapping[str, str] | None = None) -> Reply:
        """Ask the chat; its answer must be there by the body's deadline."""
        started, waited = time.monotonic(), waited_for_cpu()
        reply = self._send("POST", "/api/chat", json.dumps(body), headers or {})
        seconds, waited = time.monotonic() - started, waited_for_cpu() - waited
        self._outcome.seconds += seconds
        self._in_time(seconds, waited, body["deadline_ms"] / 1000)
        if reply.status == 200:
            self._is(ChatResponse, reply.body)
        elif reply.status == 202:
            self._is(RunView, reply.body)
        else:
            self._is_error(reply)
        return reply

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Reply:
        """Look at something, while nothing fails."""
        return self._send("GET", path, None, {}, query or {})

    def deliver(self, order: dict[str, Any]) -> bool:
        """Hand an order to the function as Lambda does, and whether Lambda is content with what it says."""
        self._requests += 1
        try:
            self._world.function.handle(order, Context(self.request_id(), RUN_INVOCATION_MS))
        except Exception as error:  # noqa: BLE001 (Lambda takes any exception for a failed attempt)
            if type(error).__name__ != "RunFailedError":
                self._outcome.violation(f"a run raised {error!r}")
            return False
        return True

    def _in_time(self, seconds: float, waited: float, limit: float) -> None:
        """An answer may be late by what the machine kept this thread waiting for a processor, and no more."""
        margin = limit - seconds
        self._outcome.margin = min(self._outcome.margin, margin)
        self._outcome.waited = max(self._outcome.waited, waited)
        if margin + waited < 0:
            self._outcome.violation(f"an answer came {-margin:.3f} s after its deadline of {limit:.1f} s")

    def _send(
        self,
        method: str,
        path: str,
        body: str | None,
        headers: Mapping[str, str],
        query: Mapping[str, str] | None = None,
    ) -> Reply:
        self._requests += 1
        event = json.loads(json.dumps(_EVENT))
        event.update(httpMethod=method, path=path, resource=path, body=body)
        event["queryStringParameters"] = dict(query) if query else None
        event["multiValueQueryStringParameters"] = {name: [value] for name, value in query.items()} if query else None
        event["headers"].update(headers)
        event["multiValueHeaders"].update({name: [value] for name, value in headers.items()})
        event["requestContext"].update(requestId=self.request_id(), httpMethod=method, resourcePath=path)
        try:
            response = self._world.function.handle(event, Context(self.request_id(), INVOCATION_MS))
            given = response["multiValueHeaders"]
            answer = json.loads(response["body"])
        except Exception as error:  # noqa: BLE001 (whatever it is, no caller may meet it)
            self._outcome.violation(f"{method} {path} raised {error!r}")
            return Reply(500, {"error": "raised"}, {})
        return Reply(response["statusCode"], answer, {name.lower(): values[0] for name, values in given.items()})

    def _is(self, model: type[BaseModel], body: Any) -> None:
        try:
            model.model_validate(body)
        except ValidationError as error:
            self._outcome.violation(f"an answer is no {model.__name__}: {error.errors()[:2]}")

    def _is_error(self, reply: Reply) -> None:
        self._is(ErrorResponse, reply.body)
        if reply.outcome in OUR_OWN_FAULTS:
            self._outcome.violation(f"HTTP {reply.status} {reply.outcome}: {reply.body.get('message')}")
