"""Errors of requests to the queue, the event bus and Lambda."""

from collections.abc import Callable

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.credentials import error_code
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.timeouts import call_with_timeout


def error_reason(exc: Exception) -> str:
    """Return the service's code of an error, else the name of its class."""
    return error_code(exc) if isinstance(exc, ClientError) else type(exc).__name__


def send_request[T](call: Callable[[], T], *, failure: str, deadline: Deadline) -> T:
    """Return the result of `call()` before the deadline.

    Raises UnavailableError with `failure` and the reason; the service may have accepted the request all the same.
    """
    try:
        return call_with_timeout(deadline.remaining(), call)
    except (ClientError, BotoCoreError, TimeoutError) as exc:
        raise UnavailableError(f"{failure}: {error_reason(exc)}") from exc
