"""Trace context of the W3C: the ids that join the spans of a chat with those of its client, its models and its tools.

https://www.w3.org/TR/trace-context/ (`traceparent` and `tracestate`). The ids are those of the chat's `TraceRecord`.
"""

import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from copy import replace
from hashlib import sha256
from secrets import token_hex
from typing import Final

from msgspec import Struct

TRACEPARENT: Final = "traceparent"
TRACESTATE: Final = "tracestate"
TRACERESPONSE: Final = "traceresponse"
"""Header of a response with the ids of its span, in the form of a `traceparent`.

It is that of OpenTelemetry's `TraceResponsePropagator`: https://www.w3.org/TR/2021/WD-trace-context-2-20210209/
"""

MAX_STATE_CHARACTERS: Final = 512
MAX_STATE_MEMBERS: Final = 32

_TRACEPARENT = re.compile(
    "(?P<version>[0-9a-f]{2})-(?P<trace>[0-9a-f]{32})-(?P<parent>[0-9a-f]{16})-(?P<flags>[0-9a-f]{2})(?P<rest>-.*)?"
)
_XRAY_ROOT = re.compile(r"(?:^|;)\s*Root=1-([0-9a-f]{8})-([0-9a-f]{24})\s*(?:;|$)")
_KEY = r"[a-z0-9][a-z0-9_\-*/@]{0,255}"
_STATE_MEMBER = re.compile(_KEY + r"=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]")


def new_span_id() -> str:
    """Return a random span id of 16 hex digits."""
    return token_hex(8)


class TraceContext(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Position of a chat in a trace.

    `trace_id` has 32 hex digits and `span_id`, of the span of the whole chat, 16; `parent_id` is the client's span, if
    the request had one. `sampled` is the flag that is sent to others. `state` is the client's `tracestate`, bounded.
    """

    trace_id: str
    span_id: str
    parent_id: str | None = None
    sampled: bool = True
    state: str = ""

    @classmethod
    def parse(cls, header: str, state: Iterable[str] = ()) -> "TraceContext | None":
        """Return the context of a new chat in the trace of a `traceparent`; None for a malformed one.

        `state` has the values of the `tracestate` headers. The fields of version 00 are read from later versions too,
        as the recommendation requires.
        """
        found = _TRACEPARENT.fullmatch(header.strip(" \t"))
        if found is None or found["version"] == "ff" or (found["version"] == "00" and found["rest"]):
            return None
        if not (found["trace"].strip("0") and found["parent"].strip("0")):
            return None
        return cls(
            trace_id=found["trace"],
            span_id=new_span_id(),
            parent_id=found["parent"],
            sampled=bool(int(found["flags"], 16) & 1),
            state=_bounded_state(state),
        )

    @classmethod
    def of_request(cls, request_id: str, xray_header: str = "") -> "TraceContext":
        """Return the context of a chat that begins a trace.

        Its id is that of the request's X-Ray trace (`X-Amzn-Trace-Id`), so that spans sent to X-Ray join those of
        API Gateway and Lambda; without one, a hash of `request_id`.
        """
        found = _XRAY_ROOT.search(xray_header)
        trace_id = found[1] + found[2] if found else sha256(request_id.encode()).hexdigest()[:32]
        return cls(trace_id=trace_id, span_id=new_span_id())

    def child(self, key: str) -> str:
        """Return the id of the span of one step of the chat, such as `model:1` or `tool:call_7`.

        It follows from the key, so that the recorder of the chat and the sender of a request agree without a message.
        """
        return sha256(f"{self.span_id}/{key}".encode()).hexdigest()[:16]

    def another(self) -> "TraceContext":
        """Return the context of another chat at the same position: with a span of its own."""
        return replace(self, span_id=new_span_id())

    def traceparent(self, span_id: str | None = None) -> str:
        """Return the `traceparent` of a request in the span `span_id`; by default, in the span of the chat."""
        return f"00-{self.trace_id}-{span_id or self.span_id}-{'01' if self.sampled else '00'}"

    def headers(self, span_id: str | None = None) -> dict[str, str]:
        """Return the headers of a request in the span `span_id`; by default, in the span of the chat."""
        headers = {TRACEPARENT: self.traceparent(span_id)}
        return {**headers, TRACESTATE: self.state} if self.state else headers


_current: ContextVar[TraceContext | None] = ContextVar("trace_context", default=None)


def current_trace() -> TraceContext | None:
    """Return the trace context of the request that is being handled; None outside of one."""
    return _current.get()


@contextmanager
def with_current_trace(context: TraceContext) -> Generator[None]:
    """Make `context` the current one of a block; use `observability.tracing`, for the log lines of the block."""
    token = _current.set(context)
    try:
        yield
    finally:
        _current.reset(token)


def _bounded_state(values: Iterable[str]) -> str:
    """Return the first members of a `tracestate` within the limits; empty for a malformed one."""
    kept: list[str] = []
    length = 0
    for member in filter(None, (part.strip(" \t") for part in ",".join(values).split(","))):
        if _STATE_MEMBER.fullmatch(member) is None:
            return ""
        length += len(member) + bool(kept)
        if length > MAX_STATE_CHARACTERS or len(kept) == MAX_STATE_MEMBERS:
            break
        kept.append(member)
    return ",".join(kept)
