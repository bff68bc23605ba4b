"""Transactions of DynamoDB, and writes that are repeated while concurrent ones conflict with them."""

import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from flexchat.aws.credentials import error_code
from flexchat.aws.dynamodb import cancellation_codes
from flexchat.deadline import Deadline

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

FIRST_PAUSE_SECONDS = 0.02
LAST_PAUSE_SECONDS = 1.0

MAX_WRITES = 100
"""Most writes of one transaction, a limit of DynamoDB."""

_TRANSIENT = frozenset(
    {
        "TransactionConflictException",
        "TransactionInProgressException",
        "ThrottlingException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
    }
)
_TRANSIENT_REASONS = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})


def transact(client: "DynamoDBClient", writes: "Sequence[TransactWriteItemTypeDef]", *, token: str) -> frozenset[int]:
    """Write all or nothing; return the positions of the writes whose conditions fail, none after a success.

    DynamoDB writes transactions of the same `token` once within ten minutes. Raises botocore's ClientError.
    """
    try:
        client.transact_write_items(TransactItems=writes, ClientRequestToken=token)
    except ClientError as exc:
        if unmet := _unmet(exc):
            return unmet
        raise
    return frozenset()


def repeat_transient[T](
    write: Callable[[Callable[[], tuple[T] | None]], tuple[T] | None],
    call: Callable[[], T],
    deadline: Deadline,
    *,
    sleep: Callable[[float], None] = time.sleep,
    jitter: Callable[[], float] = random.random,
) -> T:
    """Return the result of `call()`, repeated until the deadline while concurrent writes conflict with it.

    `write` runs an attempt and translates its errors, such as `Table.write`; `jitter` returns a number from 0 to 1.
    """

    def attempt() -> tuple[T] | None:
        try:
            return (call(),)
        except ClientError as exc:
            if _is_transient(exc) and deadline.remaining() > LAST_PAUSE_SECONDS:
                return None
            raise

    pause = FIRST_PAUSE_SECONDS
    while (done := write(attempt)) is None:
        sleep(jitter() * pause)
        pause = min(LAST_PAUSE_SECONDS, 2 * pause)
    return done[0]


def _unmet(exc: ClientError) -> frozenset[int]:
    return frozenset(place for place, code in enumerate(cancellation_codes(exc)) if code == "ConditionalCheckFailed")


def _is_transient(exc: ClientError) -> bool:
    """Return True when the same write may succeed a moment later."""
    if error_code(exc) != "TransactionCanceledException":
        return error_code(exc) in _TRANSIENT
    refused = set(cancellation_codes(exc)) - {"None"}
    return bool(refused) and refused <= _TRANSIENT_REASONS
