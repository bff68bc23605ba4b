"""The tokens table: one item per token, its key the token's id."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, get_args

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.errors import UnavailableError
from flexchat.tokens import Role, TokenRecord

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef


class TokenStore:
    """Token records in one DynamoDB table; every method raises UnavailableError when the table does not answer."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def put(self, record: TokenRecord) -> None:
        """Keep a new record. An id that is taken is refused, never overwritten: that too is UnavailableError."""
        with self._translated("write a token to"):
            self._client.put_item(
                TableName=self._table, Item=_to_item(record), ConditionExpression="attribute_not_exists(id)"
            )

    def get(self, id: str) -> TokenRecord | None:
        """The record of one token, expired or not. Read consistently: a revoked token is gone at once."""
        with self._translated("read a token from"):
            response = self._client.get_item(TableName=self._table, Key={"id": {"S": id}}, ConsistentRead=True)
        item = response.get("Item")
        return _from_item(item) if item else None

    def list(self) -> tuple[TokenRecord, ...]:
        """Every record, expired ones too, the newest first."""
        records: list[TokenRecord] = []
        with self._translated("list the tokens of"):
            for page in self._client.get_paginator("scan").paginate(TableName=self._table, ConsistentRead=True):
                records.extend(_from_item(item) for item in page["Items"])
        return tuple(sorted(records, key=lambda record: (record.created_at, record.id), reverse=True))

    def revoke(self, id: str) -> bool:
        """Delete one record; False when there was none."""
        with self._translated("revoke a token in"):
            response = self._client.delete_item(TableName=self._table, Key={"id": {"S": id}}, ReturnValues="ALL_OLD")
        return bool(response.get("Attributes"))

    @contextmanager
    def _translated(self, action: str) -> Generator[None]:
        try:
            yield
        except ClientError as exc:
            code = exc.response.get("Error", {}).get("Code", "unknown")
            raise UnavailableError(f"could not {action} table {self._table!r}: {code}") from exc
        except BotoCoreError as exc:
            raise UnavailableError(f"could not {action} table {self._table!r}: {type(exc).__name__}") from exc


def _to_item(record: TokenRecord) -> "dict[str, AttributeValueTypeDef]":
    return {
        "id": {"S": record.id},
        "name": {"S": record.name},
        "roles": {"SS": list(record.roles)},
        "salt": {"B": record.salt},
        "digest": {"B": record.digest},
        "hint": {"S": record.hint},
        "created_at": {"N": str(int(record.created_at.timestamp()))},
        "expires_at": {"N": str(int(record.expires_at.timestamp()))},
    }


def _from_item(item: Mapping[str, Any]) -> TokenRecord:
    """The record of an item; a role that this version does not know grants nothing and is left out."""
    held = item["roles"]["SS"]
    return TokenRecord(
        id=item["id"]["S"],
        name=item["name"]["S"],
        roles=tuple(role for role in get_args(Role) if role in held),
        salt=item["salt"]["B"],
        digest=item["digest"]["B"],
        hint=item["hint"]["S"],
        created_at=_time(item["created_at"]["N"]),
        expires_at=_time(item["expires_at"]["N"]),
    )


def _time(seconds: str) -> datetime:
    return datetime.fromtimestamp(int(seconds), tz=UTC)
