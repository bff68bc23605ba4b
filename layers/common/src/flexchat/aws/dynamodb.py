"""DynamoDB: items from and to plain values, calls within a deadline, AWS errors translated into ours."""

from collections.abc import Callable, Generator, Mapping, Sequence, Set
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.credentials import CREDENTIAL_ERRORS, credentials_problem, error_code, missing_permission
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, Problem, UnavailableError
from flexchat.timeouts import call_with_timeout

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    type Item = dict[str, AttributeValueTypeDef]

type Value = (
    str | bytes | bool | int | float | Decimal | Set[str] | Sequence["Value"] | Mapping[str, "Value | None"] | None
)
"""Value of an attribute; None is an absent attribute."""

type Values = dict[str, Any]
"""Attributes of an item that was read, by their names."""

ACCESS_DENIED = "AccessDeniedException"

CONFIGURATION_ERRORS = {
    "ResourceNotFoundException": "table not found in this account and region; deploy the stage first",
    **CREDENTIAL_ERRORS,
}
"""Errors that only the operator can correct; a retry never helps."""

_CONDITION_FAILED = "ConditionalCheckFailedException"


def to_item(values: Mapping[str, Value]) -> "Item":
    """Return DynamoDB's form of `values`, without those that are None.

    The form is that of boto3's TypeSerializer, whose import costs a tenth of a second. A float is written by `repr`;
    pass a Decimal for a fixed number of decimals (`decimals`).
    """
    return {name: _to_attribute(value) for name, value in values.items() if value is not None}


def from_item(item: Mapping[str, Any]) -> Values:
    """Return the plain values of an item: numbers as int where they are whole, else as float; sets as frozenset."""
    return {name: _from_attribute(attribute) for name, attribute in item.items()}


def decimals(number: float, places: int) -> Decimal:
    """Return `number` rounded to a fixed number of decimal places."""
    return Decimal(f"{number:.{places}f}")


def with_deadline[T](deadline: Deadline, action: str, table: str, call: Callable[[], T]) -> T:
    """Return the result of `call()`, limited to the remaining time of `deadline`.

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
    """Raise ConfigError for an error that only the operator can correct, UnavailableError for any other."""
    try:
        yield
    except ClientError as exc:
        code = error_code(exc)
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


def failed_condition(exc: ClientError) -> Values:
    """Return the item whose condition failed, empty where the request did not ask for it; raise any other error."""
    if error_code(exc) != _CONDITION_FAILED:
        raise exc
    return from_item(exc.response.get("Item", {}))


def cancellation_codes(exc: ClientError) -> tuple[str, ...]:
    """Return the code of each item of a cancelled transaction, "None" for those without an error."""
    reasons: Sequence[Mapping[str, Any]] = exc.response.get("CancellationReasons", [])
    return tuple(reason.get("Code", "None") for reason in reasons)


def _to_attribute(value: Value) -> "AttributeValueTypeDef":
    match value:
        case str():
            return {"S": value}
        case bool():
            return {"BOOL": value}
        case int() | Decimal():
            return {"N": str(value)}
        case float():
            return {"N": repr(value)}
        case bytes():
            return {"B": value}
        case Mapping():
            return {"M": to_item(value)}
        case Set():
            return {"SS": sorted(value)}
        case _:
            return {"L": [_to_attribute(each) for each in cast("Sequence[Value]", value)]}


def _from_attribute(attribute: Mapping[str, Any]) -> Any:
    ((kind, value),) = attribute.items()
    match kind:
        case "N":
            return int(value) if value.lstrip("-").isdigit() else float(value)
        case "M":
            return from_item(value)
        case "L":
            return [_from_attribute(each) for each in value]
        case "SS":
            return frozenset(value)
        case _:
            return value


def _config_error(table: str, message: str) -> ConfigError:
    return ConfigError((Problem(path=table, message=message),))
