"""Inspection of a tool call: the requests that a tool sent and their responses, for an operator who tests it.

A tool records what it does, also when it fails afterwards; `tool_runtime` returns the inspection of a call that wants
one:

    if recorder := current_recorder():
        recorder.add_exchange(method="GET", url=url, request_headers=headers, …)
        recorder.add_note("response cache", "miss")
"""

import contextvars
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Annotated, Final, Literal, cast

from pydantic import ConfigDict, Field

from flexchat.deadline import Clock
from flexchat.deferred_model import DeferredModel
from flexchat.json import byte_size
from flexchat.messages import Json
from flexchat.redaction import redact, redact_secrets

MAX_BODY_CHARACTERS: Final = 8_000
"""Maximum length of a recorded body."""

MAX_EXCHANGES: Final = 20

MAX_INSPECTION_BYTES: Final = 200_000
"""Below the difference between the largest result and the largest reply of a Lambda."""

_LOOKAHEAD: Final = 4_096
"""Characters beyond a truncation that are searched too, so that a secret across it is redacted whole."""

type Purpose = Literal["request", "redirect", "page", "token"]


class Exchange(DeferredModel):
    """A request and its response, without secrets, with the beginning of both bodies.

    `purpose` is the reason of the request: the call itself, a redirect, a further page or an access token. `attempt`
    counts from 1. `start_ms` is measured from the start of the call. Without a response, `status` is None and `error`
    the reason.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    purpose: Purpose = "request"
    attempt: int = 1
    method: str
    url: str
    request_headers: dict[str, str]
    request_body: str | None = None
    request_bytes: int = 0
    status: int | None = None
    response_headers: dict[str, str] = Field(default={})
    response_body: str | None = None
    response_bytes: int = 0
    error: str | None = None
    start_ms: int
    duration_ms: int


class Inspection(DeferredModel):
    """Exchanges of a call in order, and notes such as the path that selected the result.

    `omitted` is the number of exchanges that are left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    exchanges: tuple[Exchange, ...] = ()
    notes: dict[str, Json] = Field(default={})
    omitted: Annotated[int, Field(ge=0)] = 0


class Recorder:
    """Record of one call; `clock` is monotonic, in seconds. A call that timed out may still write to it."""

    def __init__(self, *, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._started = clock()
        self._exchanges: list[dict[str, Json]] = []
        self._notes: dict[str, Json] = {}
        self._omitted = 0
        self._secrets: list[str] = []

    def hide(self, secrets: Iterable[str]) -> None:
        """Redact `secrets` in every form in the inspection."""
        self._secrets += secrets

    def add_note(self, name: str, value: Json) -> None:
        self._notes[name] = value

    def add_exchange(
        self,
        *,
        method: str,
        url: str,
        request_headers: Mapping[str, str],
        request_body: bytes | None,
        duration_ms: int,
        status: int | None = None,
        response_headers: Mapping[str, str] | None = None,
        response_body: bytes | None = None,
        response_text: str | None = None,
        error: str | None = None,
        purpose: Purpose = "request",
        attempt: int = 1,
    ) -> None:
        """Add an exchange that has just ended, with its secrets; further ones than `MAX_EXCHANGES` are counted.

        `response_text` is that of a body in another charset than UTF-8.
        """
        if len(self._exchanges) >= MAX_EXCHANGES:
            self._omitted += 1
            return
        ended_ms = round((self._clock() - self._started) * 1000)
        self._exchanges.append(
            {
                "purpose": purpose,
                "attempt": attempt,
                "method": method,
                "url": url,
                "request_headers": dict(request_headers),
                "request_body": _text(request_body),
                "request_bytes": len(request_body or b""),
                "status": status,
                "response_headers": dict(response_headers or {}),
                "response_body": _text(response_body) if response_text is None else _cut(response_text),
                "response_bytes": len(response_body or b""),
                "error": error,
                "start_ms": max(0, ended_ms - duration_ms),
                "duration_ms": duration_ms,
            }
        )

    def inspection(self) -> Inspection | None:
        """Return the exchanges and notes without secrets, credentials and personal data; None for no record."""
        exchanges, notes = [*self._exchanges], {**self._notes}
        if not exchanges and not notes:
            return None
        exchanges, notes = redact_secrets([exchanges, notes], tuple(self._secrets))
        kept = [_redacted(exchange) for exchange in exchanges]
        shown_notes = _redacted(notes)
        omitted = self._omitted
        while kept and byte_size([*kept, shown_notes]) > MAX_INSPECTION_BYTES:
            kept.pop()
            omitted += 1
        if byte_size(shown_notes) > MAX_INSPECTION_BYTES:
            shown_notes = {}
        return Inspection.model_validate({"exchanges": kept, "notes": shown_notes, "omitted": omitted})


_recorder: contextvars.ContextVar[Recorder | None] = contextvars.ContextVar("recorder", default=None)


def current_recorder() -> Recorder | None:
    """Return the recorder of the current call; None for a call without inspection."""
    return _recorder.get()


@contextmanager
def recording(recorder: Recorder | None) -> Generator[None]:
    """Make `recorder` the current one inside, also of threads that `call_with_timeout` starts."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)


def _text(body: bytes | None) -> str | None:
    return None if body is None else body[: MAX_BODY_CHARACTERS + _LOOKAHEAD].decode("utf-8", "replace")


def _cut(text: str) -> str:
    return text[: MAX_BODY_CHARACTERS + _LOOKAHEAD]


def _redacted(value: dict[str, Json]) -> dict[str, Json]:
    return cast("dict[str, Json]", redact(value, max_text=MAX_BODY_CHARACTERS))
