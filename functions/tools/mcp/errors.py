"""Errors of connections, with a text for the model and a report for operators."""

from collections.abc import Sequence
from typing import cast

from msgspec import Struct

from flexchat.config.problems import problem_of
from flexchat.errors import ToolError

MAX_REASON = 500

_CLOSED = "Connection closed"
"""Error of the SDK for a server that closed its stdout."""


class McpSessionLostError(Exception):
    """The connection ended: before the request was `sent`, or while its response was due.

    `reason` and `stderr` are for operators. With `is_usable` only this response was lost, and other calls may still
    wait for theirs.
    """

    def __init__(self, reason: str, *, sent: bool, stderr: str = "", is_usable: bool = False) -> None:
        super().__init__(reason)
        self.is_usable = is_usable
        self.reason = reason
        self.sent = sent
        self.stderr = stderr


class ConnectionFailedError(ToolError):
    """A server that could not be reached.

    `message` is for the model and has no address. `reason` and `stderr` are for operators. One that `is_starting` is
    still being installed or started, and may be ready for a later call.
    """

    def __init__(
        self,
        server: str,
        *,
        kind: str,
        attempts: int,
        reason: str,
        stderr: str,
        hints: Sequence[str],
        pause: float,
        is_starting: bool = False,
    ) -> None:
        self.is_starting = is_starting
        self.server = server
        self.kind = kind
        self.attempts = attempts
        self.reason = reason
        self.stderr = stderr
        self.hints = tuple(hints)
        message = f"{self.headline}: the MCP server '{server}' is not available"
        if is_starting:
            message = f"The MCP server '{server}' is still starting; try again in a while"
        elif pause > 0:
            message += f" and is tried again in {round(pause)} s"
        check = f". Check: {', '.join(self.hints)}" if self.hints else ""
        super().__init__(
            f"{message}{check}", type="unavailable", user_message="The service of this tool is unavailable."
        )

    @property
    def headline(self) -> str:
        return failure_headline(self.attempts)

    def report(self) -> str:
        """Return the account for operators."""
        return failure_report(
            self.server,
            kind=self.kind,
            headline=self.headline,
            reason=self.reason,
            stderr=self.stderr,
            hints=self.hints,
        )


def failure_headline(attempts: int | None) -> str:
    """Return the first words of the report of a failed connection; without attempts, those of a failed list."""
    if attempts is None:
        return "MCP tools not listed"
    return f"MCP connection failed after {attempts} attempt{'' if attempts == 1 else 's'}"


def failure_report(server: str, *, kind: str, headline: str, reason: str, stderr: str, hints: Sequence[str]) -> str:
    """Return the account of a failure for operators (decision C55)."""
    lines = [
        f"{headline}: tools of '{server}' are not available",
        f"   Reason: Connection to {kind} server '{server}' failed: {reason}",
    ]
    if stderr:
        lines.append(f"   MCP server stderr: {stderr}")
    if hints:
        lines.append(f"   Check: {', '.join(hints)}")
    return "\n".join(lines)


def first_of(exc: BaseException) -> BaseException:
    """Return an exception, or the first one inside of a group, as task groups raise it."""
    while isinstance(exc, BaseExceptionGroup):
        exc = cast("BaseExceptionGroup[BaseException]", exc).exceptions[0]
    return exc


def handshake_reason(exc: BaseException) -> str | None:
    """Return what a connected server said in place of a handshake; None where it said nothing."""
    from mcp import MCPError
    from mcp_types import CONNECTION_CLOSED
    from pydantic import ValidationError

    match exc:
        case MCPError() if exc.code != CONNECTION_CLOSED or exc.message != _CLOSED:
            return f"the server refused the handshake: {exc.message[:MAX_REASON]}"
        case ValidationError():
            problem = problem_of(exc.errors(include_url=False)[0])
            return f"the answer to the handshake does not fit the protocol: {problem}"[:MAX_REASON]
        case RuntimeError():  # of the SDK, for a protocol version
            return str(exc)[:MAX_REASON]
        case _:
            return None


def reason_of(exc: BaseException) -> str:
    """Return the reason of a failed connection as the end of a sentence."""
    match exc:
        case TimeoutError():
            return "no answer in time"
        case FileNotFoundError() | PermissionError():
            return exc.strerror or str(exc)
        case ToolError():
            return exc.message
        case _:
            return (str(exc) or type(exc).__name__)[:MAX_REASON]


class ConnectionRetry(Struct, frozen=True, kw_only=True):
    """Attempts at a connection, in all, and the pause before the second one; later pauses double: 0, 2 and 4 s.

    A server that could not be reached is not tried again for `pause_ms`.
    """

    attempts: int = 3
    base_ms: int = 2_000
    pause_ms: int = 15_000

    def delay(self, attempt: int) -> float:
        """Return the seconds before an attempt, counted from 1."""
        return 0.0 if attempt <= 1 else self.base_ms * 2 ** (attempt - 2) / 1000
