"""The table of sessions: current sessions and transactions."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from flexchat.aws.credentials import error_code
from flexchat.aws.dynamodb import cancellation_codes
from flexchat.aws.table import Table
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.sessions import Session
from functions.chat.sessions.store.items import META, partition, read_meta

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

BY_OWNER = "by_owner"
"""The index of sessions by their owner and the time of their last change."""

_CONFLICT = "TransactionConflict"
_UNMET = "ConditionalCheckFailed"


class RefusedError(FlexchatError):
    """A transaction without effect.

    `unmet` are the positions of the items whose conditions did not hold, empty when another transaction was under way.
    """

    def __init__(self, unmet: frozenset[int]) -> None:
        super().__init__(f"conditions not met: {sorted(unmet)}" if unmet else "another transaction was under way")
        self.unmet = unmet


class SessionTable(Table):
    """The table that holds sessions."""

    def __init__(self, client: "DynamoDBClient", name: str) -> None:
        super().__init__(client, name, subject="a session")

    def session(self, owner: str, session_id: str, *, now: float, deadline: Deadline) -> Session | None:
        """Return a session, read consistently; None when there is none or it has expired."""
        item = self.get(partition(owner, session_id), META, deadline)
        return read_meta(item) if item is not None and item["expires_at"] > now else None

    def transact(self, items: "Sequence[TransactWriteItemTypeDef]", deadline: Deadline) -> None:
        """Write all of `items` or nothing. Raises RefusedError.

        DynamoDB writes the same items once, however often they are sent within ten minutes: their token is their hash.
        """
        token = hashlib.sha256(repr(items).encode("utf-8", "surrogatepass")).hexdigest()[:36]

        def call() -> None:
            try:
                self.client.transact_write_items(TransactItems=items, ClientRequestToken=token)
            except ClientError as exc:
                _raise_refused(exc)
                raise

        self.write(call, deadline)


def _raise_refused(exc: ClientError) -> None:
    """Raise RefusedError for a failed condition or a conflict with another transaction."""
    if error_code(exc) == "TransactionConflictException":
        raise RefusedError(frozenset()) from exc
    codes = cancellation_codes(exc)
    if _UNMET in codes or _CONFLICT in codes:
        raise RefusedError(frozenset(place for place, code in enumerate(codes) if code == _UNMET)) from exc
