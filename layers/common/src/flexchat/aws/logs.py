"""Log lines of one request, from the log groups of a stage's functions."""

import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError
from msgspec import Struct

from flexchat.aws.clients import Logs
from flexchat.aws.credentials import CREDENTIAL_ERRORS, credentials_problem, error_code, missing_permission
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.errors import ConfigError, Problem, UnavailableError
from flexchat.messages import Json

MAX_PAGES: Final = 200
"""Most pages of all log groups of one request; a page may be empty although others follow."""

OMITTED: Final = frozenset(
    {
        *("level", "location", "message", "request_id", "service", "timestamp", "xray_trace_id"),
        *("cold_start", "function_arn", "function_memory_size", "function_name", "function_request_id"),
    }
)
"""Keys of every line, and those that are fields of `LoggedLine`."""


class LoggedLine(Struct, frozen=True):
    """One log line; `fields` are the other keys of the line."""

    at: datetime
    function: str
    level: str
    message: str
    fields: dict[str, Json]


class FoundLines(Struct, frozen=True):
    """Log lines in the order of their time; not `complete` where the time or the number of pages ended the search."""

    lines: tuple[LoggedLine, ...]
    complete: bool = True


class RequestLogs:
    """Log lines of requests in functions of one stage; `functions` are the ends of their names.

    Raises UnavailableError when CloudWatch Logs does not answer, and ConfigError for an error only the operator can
    correct.
    """

    def __init__(self, client: Logs, *, stage: str, functions: Iterable[str]) -> None:
        self._client = client
        self._groups = tuple(f"/aws/lambda/flexchat-{stage}-{function}" for function in functions)

    def lines(
        self, request_id: str, *, since: float | None = None, until: float | None = None, deadline: Deadline
    ) -> FoundLines:
        """Return the lines of a request, between two times in seconds since the epoch.

        A function without a log group has no lines.
        """
        times = {
            name: int(seconds * 1000)
            for name, seconds in (("startTime", since), ("endTime", until))
            if seconds is not None
        }
        found: list[LoggedLine] = []
        pages = 0
        for group in self._groups:
            request = {"logGroupName": group, "filterPattern": f'{{ $.request_id = "{request_id}" }}', **times}
            for events in self._pages(request, deadline):
                found += (line for event in events if (line := _line(event, request_id)) is not None)
                pages += 1
                if pages == MAX_PAGES or deadline.expired:
                    return FoundLines(_sorted(found), complete=False)
        return FoundLines(_sorted(found))

    def _pages(self, request: dict[str, Any], deadline: Deadline) -> Iterator[Sequence[Mapping[str, Any]]]:
        while True:
            with _translated(request["logGroupName"]):
                try:
                    page = call_with_timeout(
                        deadline.remaining(), lambda request=request: self._client.filter_log_events(**request)
                    )
                except ClientError as exc:
                    if error_code(exc) != "ResourceNotFoundException":
                        raise
                    return
            yield page["events"]
            if "nextToken" not in page:
                return
            request = {**request, "nextToken": page["nextToken"]}


@contextmanager
def _translated(group: str) -> Generator[None]:
    try:
        yield
    except TimeoutError as exc:
        raise UnavailableError(f"could not read log group {group!r} in time") from exc
    except ClientError as exc:
        code = error_code(exc)
        if code == "AccessDeniedException":
            lacking = missing_permission("logs", exc)
            raise ConfigError((Problem(group, f"these credentials lack {lacking} ({code})"),)) from exc
        if code in CREDENTIAL_ERRORS:
            raise ConfigError((Problem(group, f"{CREDENTIAL_ERRORS[code]} ({code})"),)) from exc
        raise UnavailableError(f"could not read log group {group!r}: CloudWatch Logs answered {code}") from exc
    except BotoCoreError as exc:
        if (problem := credentials_problem(exc)) is not None:
            raise ConfigError((Problem(group, problem),)) from exc
        message = f"could not read log group {group!r}: CloudWatch Logs did not answer ({type(exc).__name__})"
        raise UnavailableError(message) from exc


def _sorted(lines: list[LoggedLine]) -> tuple[LoggedLine, ...]:
    return tuple(sorted(lines, key=lambda line: line.at))


def _line(event: Mapping[str, Any], request_id: str) -> LoggedLine | None:
    """Return a line of the structured log; None for any other text."""
    try:
        entry: Json = json.loads(event["message"])
    except ValueError:
        return None
    if not isinstance(entry, dict) or entry.get("request_id") != request_id:
        return None
    fields = {name: value for name, value in entry.items() if name not in OMITTED}
    function, level, message = (str(entry.get(name, "")) for name in ("service", "level", "message"))
    return LoggedLine(time_of(entry, event), function, level, message, fields)


def time_of(entry: Mapping[str, Json], event: Mapping[str, Any]) -> datetime:
    """Return the time that a line has, else that at which CloudWatch Logs received it."""
    try:
        at = datetime.fromisoformat(str(entry.get("timestamp", "")))
    except ValueError:
        return datetime.fromtimestamp(event.get("timestamp", 0) / 1000, UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
