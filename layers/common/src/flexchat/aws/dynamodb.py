"""DynamoDB: calls within a deadline, and AWS errors translated into ours."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.credentials import credentials_problem, missing_permission
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, Problem, UnavailableError
from flexchat.timeouts import call_with_timeout

ACCESS_DENIED = "AccessDeniedException"

CONFIGURATION_ERRORS = {
    "ResourceNotFoundException": "there is no such table in this account and region; deploy the stage first",
    "ExpiredTokenException": "the credentials have expired",
    "UnrecognizedClientException": "the credentials are not known to AWS",
    "InvalidSignatureException": "the credentials are not right",
}
"""Errors that no retry mends."""


def with_deadline[T](deadline: Deadline, action: str, table: str, call: Callable[[], T]) -> T:
    """Return what `call()` returns, limited to the time that `deadline` leaves.

    `action` and `table` describe the call in errors, such as "read a session from". Raises the errors of
    `translate_errors`, and UnavailableError at the deadline. A write that timed out may still take effect.
    """
    try:
        with translate_errors(action, table):
            return call_with_timeout(deadline.remaining(), call)
    except TimeoutError as exc:
        raise UnavailableError(f"could not {action} table {table!r} in time") from exc


@contextmanager
def translate_errors(action: str, table: str) -> Generator[None]:
    """Raise UnavailableError for a table that does not answer, ConfigError for what only the operator can mend."""
    try:
        yield
    except ClientError as exc:
        code = exc.response.get("Error", {}).get("Code", "unknown")
        if code == ACCESS_DENIED:
            lacking = missing_permission("dynamodb", exc)
            raise _config_error(table, f"these credentials lack {lacking} ({code})") from exc
        if code in CONFIGURATION_ERRORS:
            raise _config_error(table, f"{CONFIGURATION_ERRORS[code]} ({code})") from exc
        raise UnavailableError(f"could not {action} table {table!r}: DynamoDB answered {code}") from exc
    except BotoCoreError as exc:
        if (problem := credentials_problem(exc)) is not None:
            raise _config_error(table, problem) from exc
        message = f"could not {action} table {table!r}: DynamoDB did not answer ({type(exc).__name__})"
        raise UnavailableError(message) from exc


def _config_error(table: str, message: str) -> ConfigError:
    return ConfigError((Problem(path=table, message=message),))
