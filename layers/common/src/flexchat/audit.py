"""Audit records: tool calls, changes of the configuration and of tokens, approvals, sign-ins and exports.

A record is plain data that is written once and never changed. It has no secret: `tool_arguments` redacts what a model
wrote, and writers of other records pass names and ids alone.
"""

import hashlib
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
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

_CANONICAL: Final = msgspec.json.Encoder(order="sorted")


class AuditRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event; `at` is in seconds since the epoch.

    `id` begins with the id of the request and is the same whenever the same event is written again. `principal` is that
    of the caller, or the ARN of an AWS identity; `name` is that of its token. `reason` is the type of the error of a
    call that failed or was refused. `target` is what was changed or exported: the id of a token or a session, the
    number of a version, the name of an MCP server. `front_end` is that of a tool call.
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
        try:
            write(result)
        except FlexchatError as error:
            logger.error("audit record not written", id=result.id, outcome=outcome, reason=str(error))
