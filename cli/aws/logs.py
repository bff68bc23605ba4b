"""Log lines of requests to the local stack."""

from typing import Any, Final, cast

from boto3.session import Session

from cli.local_stack import StackState, aws_environment
from flexchat.aws.clients import Logs
from flexchat.aws.logs import LoggedLine, RequestLogs
from flexchat.deadline import Deadline
from flexchat.tool_types import REQUEST_FUNCTIONS

SEARCH_SECONDS: Final = 20.0


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


def log_lines(logs: Logs, request_id: str, *, stage: str) -> tuple[LoggedLine, ...]:
    """Return the log lines of a request in all functions of `stage`, in the order of their time."""
    deadline = Deadline.after(SEARCH_SECONDS)
    return RequestLogs(logs, stage=stage, functions=REQUEST_FUNCTIONS).lines(request_id, deadline=deadline).lines
