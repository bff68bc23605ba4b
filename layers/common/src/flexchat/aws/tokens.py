"""The tokens table: one item per token, its key the token's id."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, get_args

from flexchat.aws.clients import dynamodb
from flexchat.aws.dynamodb import translate_errors
from flexchat.tokens import Role, TokenRecord, tokens_table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef


class TokenStore:
    """Token records in one DynamoDB table.

    Every method raises UnavailableError when the table does not answer, and ConfigError when the operator must do
    something first.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def put(self, record: TokenRecord) -> None:
        """Keep a new record. An id that is taken is refused, never overwritten: that too is UnavailableError."""
        with translate_errors("write a token to", self._table):
            self._client.put_item(
                TableName=self._table, Item=_to_item(record), ConditionExpression="attribute_not_exists(id)"
            )

    def get(self, id: str) -> TokenRecord | None:
        """The record of one token, expired or not. Read consistently: a revoked token is gone at once."""
        with translate_errors("read a token from", self._table):
            response = self._client.get_item(TableName=self._table, Key={"id": {"S": id}}, ConsistentRead=True)
        item = response.get("Item")
        return _from_item(item) if item else None

    def list(self) -> tuple[TokenRecord, ...]:
        """Every record, expired ones too, the newest first."""
        records: list[TokenRecord] = []
        with translate_errors("list the tokens of", self._table):
            for page in self._client.get_paginator("scan").paginate(TableName=self._table, ConsistentRead=True):
                records.extend(_from_item(item) for item in page["Items"])
        return tuple(sorted(records, key=lambda record: (record.created_at, record.id), reverse=True))

    def revoke(self, id: str) -> bool:
        """Delete one record; False when there was none."""
        with translate_errors("revoke a token in", self._table):
            response = self._client.delete_item(TableName=self._table, Key={"id": {"S": id}}, ReturnValues="ALL_OLD")
        return bool(response.get("Attributes"))


def operator_tokens(stage: str) -> TokenStore:
    """The store of a stage for a command, in the account and region of the usual AWS environment.

    Raises ConfigError without a region.
    """
    table = tokens_table(stage)
    with translate_errors("use", table):
        return TokenStore(dynamodb(), table)


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
