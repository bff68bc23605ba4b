"""Audit records: tool calls, changes of the configuration and of tokens, approvals, sign-ins and exports.

A record is plain data that is written once and never changed. It has no secret: `tool_arguments` redacts what a model
wrote, and writers of other records pass names and ids alone.
"""

import hashlib
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import replace
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field

from flexchat.errors import FlexchatError, RequestError
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.redaction import redact, redact_text
from flexchat.runs import WallClock
from flexchat.text import truncate_middle

type AuditKind = Literal["tool_call", "configuration", "token", "approval", "sign_in", "export"]

type AuditOutcome = Literal["intended", "succeeded", "failed", "refused"]
"""`intended` precedes a change, whose result is a record of its own; `refused` is a tool call that did not run."""

MAX_NAME: Final = 128
"""Maximum characters of a name that a model or a caller chose, such as that of an unknown tool."""

MAX_PRINCIPAL: Final = 512

MAX_ARGUMENT_TEXT: Final = 500
MAX_ARGUMENTS: Final = 2_000
"""Maximum characters of one text in the arguments of a call, and of all of them as JSON."""

LINE_KEY: Final = "audit_record"
"""Key of a line with a record in a log; the template's subscription selects lines with it."""

_CANONICAL: Final = msgspec.json.Encoder(order="sorted")


class AuditRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event; `at` is in seconds since the epoch.

    `id` begins with the id of the request and is the same whenever the same event is written again. `principal` is that
    of the caller, or the ARN of an AWS identity; `name` is that of its token. `reason` is the type of the error of a
    call that failed or was refused. `target` is what was changed or exported: the id of a token or a session, the
    number of a version, the name of an MCP server. `front_end` is that of a tool call, or `api` or
    `command`.
    """

    id: str
    at: float
    kind: AuditKind
    action: str
    principal: str
    request_id: str
    outcome: AuditOutcome
    reason: str | None = None
    name: str | None = None
    tool: str | None = None
    target: str | None = None
    front_end: str | None = None
    details: dict[str, Any] = field(default_factory=dict[str, Any])


def tool_arguments(arguments: Mapping[str, Json] | str) -> dict[str, Json]:
    """Return the details of a record about arguments: redacted as a log line is, bounded, and their SHA-256.

    Equal arguments have equal digests, whatever the order of their names. A text is what a model wrote instead of JSON.
    """
    if isinstance(arguments, str):
        written, content = arguments.encode("utf-8", "replace"), redact_text(arguments, max_text=MAX_ARGUMENTS)
        return {"arguments": content, "arguments_sha256": hashlib.sha256(written).hexdigest()}
    content: Any = redact(arguments, max_text=MAX_ARGUMENT_TEXT)
    text = dumps(content)
    if len(text) > MAX_ARGUMENTS:
        content = truncate_middle(text, MAX_ARGUMENTS)
    return {"arguments": content, "arguments_sha256": hashlib.sha256(_CANONICAL.encode(arguments)).hexdigest()}


def safe_name(name: str) -> str:
    """Return a name that a model or a caller chose, without secrets and at most `MAX_NAME` characters."""
    return redact_text(name[: MAX_NAME * 2], max_text=MAX_NAME)


def records_of(values: object) -> tuple[AuditRecord, ...]:
    """Return the records in the JSON values of an event. Raises ValueError."""
    return msgspec.convert(values, tuple[AuditRecord, ...])


@contextmanager
def audited_change(
    write: Callable[[AuditRecord], object], intent: AuditRecord, *, clock: WallClock = time.time
) -> Generator[dict[str, Json]]:
    """Write the intent of a change before the block and its result after it; the block may add details of the result.

    Raises the errors of `write` before the block, so that no change is without a record. A result that cannot be
    written is a line in the log: the intent is stored, and the change has happened.
    """
    write(replace(intent, id=f"{intent.id}:intent", outcome="intended"))
    added: dict[str, Json] = {}
    outcome: AuditOutcome = "failed"
    reason: str | None = None
    try:
        yield added
        outcome = "succeeded"
    except Exception as error:
        reason = error.code if isinstance(error, RequestError) else type(error).__name__
        raise
    finally:
        details = {**intent.details, **added}
        result = replace(intent, id=f"{intent.id}:result", at=clock(), outcome=outcome, reason=reason, details=details)
        _write_after(write, result)


def _write_after(write: Callable[[AuditRecord], object], record: AuditRecord) -> None:
    """Write the record of something that has happened; one that cannot be written is a line in the log."""
    try:
        write(record)
    except FlexchatError as error:
        facts = msgspec.to_builtins(replace(record, details={}))
        logger.error("audit record not written", record=facts, reason=str(error))


def print_record(record: AuditRecord) -> None:
    """Write a record to the log of a function that has no access to the table: a subscription of the log group passes
    it to the traces function, at every log level."""
    sys.stdout.write(f'{{"{LINE_KEY}":{msgspec.json.encode(record).decode()}}}\n')
    sys.stdout.flush()


def printed_record(line: str) -> AuditRecord:
    """Return the record of a line of `print_record`. Raises ValueError for any other line."""
    return msgspec.json.decode(line, type=_Line).audit_record


class _Line(Struct, frozen=True):
    audit_record: AuditRecord


class Auditor(Struct, frozen=True, kw_only=True):
    """Records of the changes of one request; `write` stores a record, or raises UnavailableError or ConfigError.

    `front_end` is `api` or `command`.
    """

    write: Callable[[AuditRecord], object]
    principal: str
    request_id: str
    front_end: str
    name: str | None = None
    clock: WallClock = time.time

    def change(
        self, kind: AuditKind, action: str, target: str | None = None, **details: Json
    ) -> AbstractContextManager[dict[str, Json]]:
        """Return the context manager of a change, as `audited_change` does."""
        return audited_change(self.write, self._record(kind, action, target, details, "intended"), clock=self.clock)

    def limited(self, tokens: Sequence[str]) -> None:
        """Record the tokens whose limits a publication has changed."""
        for token in tokens:
            _write_after(self.write, self._record("token", "limit", token, {}, "succeeded"))

    def _record(
        self, kind: AuditKind, action: str, target: str | None, details: dict[str, Json], outcome: AuditOutcome
    ) -> AuditRecord:
        return AuditRecord(
            id=f"{self.request_id}:{action}:{target or ''}",
            at=self.clock(),
            kind=kind,
            action=action,
            principal=self.principal,
            request_id=self.request_id,
            outcome=outcome,
            name=self.name,
            target=target,
            front_end=self.front_end,
            details=details,
        )
