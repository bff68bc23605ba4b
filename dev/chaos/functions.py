"""Lambda service: the handlers of the tools in this process, with random faults and a record of executions."""

import io
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError

from dev.chaos.faults import FaultSource
from dev.chaos.questions import passage
from dev.chaos.receiving import ReceivingStream
from flexchat.messages import Json
from flexchat.search import SearchHit, SearchResponse
from flexchat.tool_runtime import tool_handler
from functions.tools.builtin.app import run as run_builtin
from functions.tools.builtin.implementation import Implementation
from functions.tools.mock.app import lambda_handler as mock_handler

FAULTS = ("crash", "killed", "late", "lost", "throttled", "gone", "unreachable", "oversize", "garbled", "foreign")
SHARE = 0.35
"""Share of tool calls that fail while tools fail."""

MAX_LATE_SECONDS = 12.0

_ENDPOINT = "https://lambda.test"
_ORDER = re.compile(r"order (\d+)")


@dataclass
class Context:
    """Lambda context of an invocation; `stream` receives a streamed response."""

    aws_request_id: str
    remaining_ms: int
    stream: ReceivingStream | None = None
    function_name: str = "flexchat-chaos-chat"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-chaos-chat:live"

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


def search_handler(event: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    """Return the passage of the order in the query."""
    found = _ORDER.search(event["query"])
    text = passage(int(found[1]) if found else 0)
    hit = SearchHit(
        title="Refunds", source="faq.md", text=f"{text}.", distance=0.2, collection="faq", relevance="match"
    )
    return SearchResponse(hits=(hit,), searched=("faq",)).model_dump(mode="json")


builtin_handler = tool_handler(Implementation, run_builtin)
"""Handler of builtin tools without its child process.

A child process belongs to one environment; this one serves several calls at once and is forked.
"""

HANDLERS: Mapping[str, Callable[[Any, Any], Any]] = {
    "mock": mock_handler,
    "builtin": builtin_handler,
    "internal": search_handler,
}


@dataclass
class Functions:
    """Lambda client.

    `executed` counts executions of tools by idempotency key, `effects` by name and arguments. `results` are the
    successful results by key, as received by the chat function. `orders` are the events of asynchronous invocations,
    `met` counts the faults.
    """

    source: FaultSource = field(default_factory=lambda: FaultSource(SHARE))
    executed: Counter[str] = field(default_factory=Counter[str])
    effects: Counter[str] = field(default_factory=Counter[str])
    results: dict[str, Json] = field(default_factory=dict[str, Json])
    orders: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    met: Counter[str] = field(default_factory=Counter[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def invoke(self, *, FunctionName: str, Payload: bytes, InvocationType: str = "") -> dict[str, Any]:  # noqa: N803
        event = json.loads(Payload)
        fault, seconds = self.source.draw(FAULTS, MAX_LATE_SECONDS)
        if fault is not None:
            self.met[fault] += 1
        if fault in ("throttled", "gone"):
            code = {"throttled": "TooManyRequestsException", "gone": "ResourceNotFoundException"}[fault]
            raise ClientError({"Error": {"Code": code, "Message": fault}}, "Invoke")
        if fault == "unreachable":
            raise EndpointConnectionError(endpoint_url=_ENDPOINT)
        if InvocationType == "Event":
            self.orders.append(event)
            return {"StatusCode": 202, "Payload": io.BytesIO()}
        if fault == "late":
            time.sleep(seconds)
        if "operation" in event:
            reply = HANDLERS[FunctionName](event, Context(event["request_id"], 30_000))
            return self._answer("", fault, reply)
        with self._lock:
            self.executed[event["idempotency_key"]] += 1
            self.effects[f"{event['tool']} {json.dumps(event['arguments'], sort_keys=True)}"] += 1
        reply = HANDLERS[FunctionName](event, Context(event["request_id"], 30_000))
        if fault == "lost":
            raise ReadTimeoutError(endpoint_url=_ENDPOINT)
        return self._answer(event["idempotency_key"], fault, reply)

    def _answer(self, key: str, fault: str | None, reply: Any) -> dict[str, Any]:
        """Return the response to a tool's `reply` after the fault."""
        died = {"crash": "division by zero", "killed": "Task timed out after 3.00 seconds"}
        if fault in died:
            text = json.dumps({"errorMessage": died[fault], "errorType": "Runtime.ExitError"})
            return {"StatusCode": 200, "FunctionError": "Unhandled", "Payload": io.BytesIO(text.encode())}
        if fault == "oversize":
            reply = {"version": 1, "ok": True, "result": {"rows": ["x" * 100] * 5_000}}
        if fault == "foreign":
            reply = {"status": "ok", "temperature": "not by the contract"}
        text = json.dumps(reply)
        if fault == "garbled":
            text = text[: len(text) // 2]
        elif reply.get("ok"):
            self.results[key] = reply["result"]
        return {"StatusCode": 200, "Payload": io.BytesIO(text.encode())}
