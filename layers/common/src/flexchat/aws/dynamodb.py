"""What every DynamoDB table of ours has in common: whose move an error is, and that no call outlasts its deadline."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.credentials import credentials_problem, missing_permission
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, Problem, UnavailableError
from flexchat.timeouts import call_with_timeout

ACCESS_DENIED = "AccessDeniedException"

OPERATORS_MOVE = {
    "ResourceNotFoundException": "there is no such table in this account and region; deploy the stage first",
    "ExpiredTokenException": "the credentials have expired",
    "UnrecognizedClientException": "the credentials are not known to AWS",
    "InvalidSignatureException": "the credentials are not right",
}
"""Errors that no retry mends."""


def bounded[T](deadline: Deadline, action: str, table: str, call: Callable[[], T]) -> T:
    """What `call()` returns; `action` and `table` say what it does, such as "read a session from".

    Raises what `translated` raises, and UnavailableError when the deadline comes first. A write that is given up may
    still take effect.
    """
    try:
        with translated(action, table):
            return call_with_timeout(deadline.remaining(), call)
    except TimeoutError as exc:
        raise UnavailableError(f"could not {action} table {table!r} in time") from exc


@contextmanager
def translated(action: str, table: str) -> Generator[None]:
    """Raise UnavailableError for a table that does not answer, ConfigError for what only the operator can mend."""
    try:
        yield
    except ClientError as exc:
        code = exc.response.get("Error", {}).get("Code", "unknown")
        if code == ACCESS_DENIED:
            lacking = missing_permission("dynamodb", exc)
            raise _config_error(table, f"these credentials lack {lacking} ({code})") from exc
        if code in OPERATORS_MOVE:
            raise _config_error(table, f"{OPERATORS_MOVE[code]} ({code})") from exc
        raise UnavailableError(f"could not {action} table {table!r}: DynamoDB answered {code}") from exc
    except BotoCoreError as exc:
        if (problem := credentials_problem(exc)) is not None:
            raise _config_error(table, problem) from exc
        message = f"could not {action} table {table!r}: DynamoDB did not answer ({type(exc).__name__})"
        raise UnavailableError(message) from exc


def _config_error(table: str, message: str) -> ConfigError:
    return ConfigError((Problem(path=table, message=message),))
