"""Log lines of a stage's functions from CloudWatch Logs: those of a period, or of one request."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal, get_args

from botocore.exceptions import ClientError

from cli.deployment.account import aws_errors, client
from cli.errors import DeploymentError
from flexchat.api.traces import LogLine
from flexchat.aws.clients import Logs
from flexchat.aws.credentials import error_code
from flexchat.aws.logs import OMITTED, time_of
from flexchat.messages import Json

type Level = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

LEVELS: Final[tuple[str, ...]] = get_args(Level.__value__)
"""Levels of lines, the most detailed first."""

POLL_SECONDS: Final = 2.0

LATE: Final = timedelta(seconds=15)
"""Time by which a line may reach CloudWatch after a younger one of another function."""

_GROUP: Final = re.compile(r"LogGroupName: !Sub /aws/lambda/flexchat-\$\{Stage\}-([a-z0-9-]+)")
_OF_LAMBDA: Final = (
    "START RequestId:",
    "END RequestId:",
    "REPORT RequestId:",
    "INIT_START",
    "XRAY TraceId:",
    "EXTENSION",
)
"""Beginnings of the lines that Lambda writes about each invocation."""

_NAMES: Final = {"WARN": "WARNING", "FATAL": "CRITICAL", "TRACE": "DEBUG"}
"""Lambda's names of levels."""


@dataclass(frozen=True, slots=True)
class LogSelection:
    """Lines of `functions`, at least of `level`, and unless None those of one request."""

    functions: Sequence[str]
    level: str = LEVELS[0]
    request_id: str | None = None

    def has(self, line: LogLine) -> bool:
        return LEVELS.index(line.level) >= LEVELS.index(self.level) and (
            self.request_id is None or line.fields.get("request_id") == self.request_id
        )


def function_names(template: Path) -> tuple[str, ...]:
    """Return the functions with a log group in the template, such as `chat-stream`."""
    return tuple(_GROUP.findall(template.read_text(encoding="utf-8")))


class StageLogs:
    """Reads selected log lines of one stage; `logs` is for tests."""

    def __init__(self, stage: str, selection: LogSelection, *, logs: Logs | None = None) -> None:
        self._stage = stage
        self._selection = selection
        with aws_errors():
            self._logs: Logs = logs or client("logs")

    def read(self, since: datetime) -> list[LogLine]:
        """Return the lines since a moment, in the order of their time. Raises DeploymentError."""
        return sorted(self._lines(since).values(), key=lambda line: line.at)

    def follow(self, since: datetime, *, sleep: Callable[[float], object]) -> Iterator[LogLine]:
        """Yield the lines since a moment, then new ones without end. Raises DeploymentError."""
        seen: set[str] = set()
        while True:
            found = self._lines(since)
            yield from sorted((line for key, line in found.items() if key not in seen), key=lambda line: line.at)
            seen = set(found)
            since = max([since, *(line.at - LATE for line in found.values())])
            sleep(POLL_SECONDS)

    def _lines(self, since: datetime) -> dict[str, LogLine]:
        """Return the selected lines by a key of their event."""
        found: dict[str, LogLine] = {}
        missing: DeploymentError | None = None
        groups = 0
        for function in self._selection.functions:
            try:
                for event in self._events(function, since):
                    line = _line(function, event)
                    if line is not None and self._selection.has(line):
                        key = event.get("eventId") or f"{event['timestamp']} {event['message']}"
                        found[f"{function} {key}"] = line
                groups += 1
            except DeploymentError as error:
                # A stage without streaming has no chat-stream, and an older one fewer functions.
                if not _is_missing(error):
                    raise
                missing = error
        if not groups and missing is not None:
            raise missing
        return found

    def _events(self, function: str, since: datetime) -> Iterator[Mapping[str, Any]]:
        request: dict[str, Any] = {
            "logGroupName": f"/aws/lambda/flexchat-{self._stage}-{function}",
            "startTime": int(since.timestamp() * 1000),
        }
        if self._selection.request_id is not None:
            request["filterPattern"] = json.dumps(self._selection.request_id, ensure_ascii=False)
        while True:
            with aws_errors():
                page = self._logs.filter_log_events(**request)
            yield from page["events"]
            if "nextToken" not in page:
                return
            request["nextToken"] = page["nextToken"]


def _is_missing(error: DeploymentError) -> bool:
    return isinstance(error.__cause__, ClientError) and error_code(error.__cause__) == "ResourceNotFoundException"


def _line(function: str, event: Mapping[str, Any]) -> LogLine | None:
    """Return the line of an event; None for metrics, and for what Lambda logs about an invocation that succeeded."""
    text = str(event["message"])
    at = datetime.fromtimestamp(event["timestamp"] / 1000, UTC)
    try:
        entry: Json = json.loads(text)
    except ValueError:
        entry = None
    if not isinstance(entry, dict):
        return None if text.startswith(_OF_LAMBDA) else _made(at, function, "INFO", text.strip(), {})
    if "_aws" in entry:
        return None
    kind = entry.get("type")
    if isinstance(kind, str) and kind.startswith("platform."):
        record = entry.get("record")
        facts = record if isinstance(record, dict) else {}
        failed = facts.get("status") not in (None, "success") and kind == "platform.report"
        return _made(at, function, "ERROR", kind, facts) if failed else None
    fields = {name: value for name, value in entry.items() if name not in OMITTED or name == "request_id"}
    level = str(entry.get("level", "INFO")).upper()
    return _made(time_of(entry, event), function, level, str(entry.get("message", "")), fields)


def _made(at: datetime, function: str, level: str, message: str, fields: dict[str, Json]) -> LogLine:
    level = _NAMES.get(level, level)
    return LogLine(at=at, function=function, level=level if level in LEVELS else "INFO", message=message, fields=fields)
