"""Log lines of one request, from the log groups of a stage's functions."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from boto3.session import Session

from cli.local_stack import StackState, aws_environment
from flexchat.messages import Json

OMITTED = frozenset(
    {
        *("level", "location", "message", "request_id", "service", "timestamp", "xray_trace_id"),
        *("cold_start", "function_arn", "function_memory_size", "function_name", "function_request_id"),
    }
)
"""Keys of every line, and those that are fields of `LogLine`."""


class Logs(Protocol):
    """Operations of CloudWatch Logs in use."""

    def describe_log_groups(self, **request: Any) -> Mapping[str, Any]: ...

    def filter_log_events(self, **request: Any) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True, order=True)
class LogLine:
    """One log line; `timestamp` is ISO 8601."""

    timestamp: str
    service: str
    level: str
    message: str
    facts: str


def emulated_logs(stack: StackState) -> Logs:
    """Return the client for the log groups of the local stack's emulator."""
    environment = aws_environment(stack.endpoint, stack.access_key_id)
    return cast(
        "Logs",
        cast("Any", Session()).client(
            "logs",
            region_name=environment["AWS_REGION"],
            endpoint_url=stack.endpoint,
            aws_access_key_id=environment["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=environment["AWS_SECRET_ACCESS_KEY"],
        ),
    )


def log_lines(logs: Logs, request_id: str, *, stage: str) -> tuple[LogLine, ...]:
    """Return the log lines of a request in all functions of `stage`, in the order of their time."""
    found = (
        line
        for group in _pages(logs.describe_log_groups, "logGroups", logGroupNamePrefix=f"/aws/lambda/flexchat-{stage}-")
        for event in _pages(
            logs.filter_log_events,
            "events",
            logGroupName=group["logGroupName"],
            filterPattern=f'"{request_id}"',
        )
        if (line := _line(event["message"], request_id)) is not None
    )
    return tuple(sorted(found))


def _pages(operation: Any, key: str, **request: str) -> Iterator[dict[str, Any]]:
    token: dict[str, str] = {}
    while True:
        page = operation(**request, **token)
        yield from page[key]
        if "nextToken" not in page:
            return
        token = {"nextToken": page["nextToken"]}


def _line(text: str, request_id: str) -> LogLine | None:
    """Return a line of the structured log; None for any other text."""
    try:
        entry: Json = json.loads(text)
    except ValueError:
        return None
    if not isinstance(entry, dict) or entry.get("request_id") != request_id:
        return None
    facts = " ".join(f"{name}={_compact(value)}" for name, value in entry.items() if name not in OMITTED)
    timestamp, service, level, message = (
        str(entry.get(name, "")) for name in ("timestamp", "service", "level", "message")
    )
    return LogLine(timestamp, service, level, message, facts)


def _compact(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
