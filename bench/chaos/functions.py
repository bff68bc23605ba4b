"""The Lambda service: the tools' own handlers in this process, failing by chance, with a record of what they did."""

import io
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError

from functions.tools.builtin.app import lambda_handler as builtin_handler
from functions.tools.mock.app import lambda_handler as mock_handler

FAULTS = ("crash", "killed", "late", "lost", "throttled", "gone", "unreachable", "oversize", "garbled", "foreign")
SHARE = 0.35
"""How often a tool fails while tools fail."""

_PASSAGE = {"title": "Refunds", "source": "faq.md", "text": "A refund takes five days.", "distance": 0.2, "id": "f#0"}
_ENDPOINT = "https://lambda.test"


@dataclass
class Context:
    """What Lambda tells a function of its invocation."""

    aws_request_id: str
    remaining_ms: int
    function_name: str = "flexchat-chaos-chat"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-chaos-chat:live"

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


def search_handler(_event: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    """Finds the same passage in every collection."""
    return {"version": 1, "ok": True, "result": {"results": [_PASSAGE], "searched": [], "skipped": []}}


HANDLERS: Mapping[str, Callable[[Any, Any], Any]] = {
    "mock": mock_handler,
    "builtin": builtin_handler,
    "internal": search_handler,
}


@dataclass
class Functions:
    """A Lambda client. `executed` counts by idempotency key how often a tool really ran, `orders` are the events that
    were sent to be worked on later, and `met` counts the faults."""

    executed: Counter[str] = field(default_factory=Counter[str])
    orders: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    met: Counter[str] = field(default_factory=Counter[str])
    _chance: random.Random | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def fail(self, seed: str | None) -> None:
        """From now on fail by chance of `seed`, or not at all."""
        self._chance = random.Random(seed) if seed is not None else None  # noqa: S311 (no secret depends on it)

    def invoke(self, *, FunctionName: str, Payload: bytes, InvocationType: str = "") -> dict[str, Any]:  # noqa: N803
        event = json.loads(Payload)
        fault, wait = self._drawn()
        if fault in ("throttled", "gone"):
            code = {"throttled": "TooManyRequestsException", "gone": "ResourceNotFoundException"}[fault]
            raise ClientError({"Error": {"Code": code, "Message": fault}}, "Invoke")
        if fault == "unreachable":
            raise EndpointConnectionError(endpoint_url=_ENDPOINT)
        if InvocationType == "Event":
            self.orders.append(event)
            return {"StatusCode": 202, "Payload": io.BytesIO()}
        if fault == "late":
            time.sleep(wait)
        with self._lock:
            self.executed[event["idempotency_key"]] += 1
        reply = HANDLERS[FunctionName](event, Context(event["request_id"], 30_000))
        if fault == "lost":
            raise ReadTimeoutError(endpoint_url=_ENDPOINT)
        return _answered(fault, reply)

    def _drawn(self) -> tuple[str | None, float]:
        """A fault, and how many seconds something late takes."""
        with self._lock:
            if self._chance is None or self._chance.random() >= SHARE:
                return None, 0.0
            fault = self._chance.choice(FAULTS)
            self.met[fault] += 1
            return fault, self._chance.uniform(0.2, 12.0)


def _answered(fault: str | None, reply: Any) -> dict[str, Any]:
    """What the caller gets of a tool's `reply`."""
    died = {"crash": "division by zero", "killed": "Task timed out after 3.00 seconds"}
    if fault in died:
        text = json.dumps({"errorMessage": died[fault], "errorType": "Runtime.ExitError"})
        return {"StatusCode": 200, "FunctionError": "Unhandled", "Payload": io.BytesIO(text.encode())}
    if fault == "oversize":
        reply = {"version": 1, "ok": True, "result": {"rows": ["x" * 100] * 5_000}}
    if fault == "foreign":
        reply = {"status": "ok", "temperature": "not by the contract"}
    text = json.dumps(reply)
    body = text[: len(text) // 2] if fault == "garbled" else text
    return {"StatusCode": 200, "Payload": io.BytesIO(body.encode())}
