"""The tokens table: one item per token, by the token's id."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from flexchat.aws.clients import dynamodb
from flexchat.aws.dynamodb import from_item, to_item, translate_errors
from flexchat.tokens import TokenRecord, ordered_roles, tokens_table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef


class TokenStore:
    """Token records in one DynamoDB table.

    Every method raises UnavailableError when the table does not answer, and ConfigError for an error only the operator
    can correct.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def put(self, record: TokenRecord) -> None:
        """Store a new record; an existing id is an UnavailableError."""
        with translate_errors("write a token to", self._table):
            self._client.put_item(
                TableName=self._table, Item=_to_item(record), ConditionExpression="attribute_not_exists(id)"
            )

    def get(self, id: str) -> TokenRecord | None:
        """Return the record of one token, expired or not, read consistently: a revocation has effect at once."""
        with translate_errors("read a token from", self._table):
            response = self._client.get_item(TableName=self._table, Key=to_item({"id": id}), ConsistentRead=True)
        item = response.get("Item")
        return _from_item(item) if item else None

    def list(self) -> tuple[TokenRecord, ...]:
        """Return every record, including expired ones, the newest first."""
        records: list[TokenRecord] = []
        with translate_errors("list the tokens of", self._table):
            for page in self._client.get_paginator("scan").paginate(TableName=self._table, ConsistentRead=True):
                records.extend(_from_item(item) for item in page["Items"])
        return tuple(sorted(records, key=lambda record: (record.created_at, record.id), reverse=True))

    def revoke(self, id: str) -> TokenRecord | None:
        """Delete one record and return it; None when there was none."""
        with translate_errors("revoke a token in", self._table):
            response = self._client.delete_item(TableName=self._table, Key=to_item({"id": id}), ReturnValues="ALL_OLD")
        item = response.get("Attributes")
        return _from_item(item) if item else None


def operator_tokens(stage: str) -> TokenStore:
    """Return the store of a stage in the account and region of the AWS environment, for commands.

    Raises ConfigError without a region.
    """
    table = tokens_table(stage)
    with translate_errors("use", table):
        return TokenStore(dynamodb(), table)


def _to_item(record: TokenRecord) -> "dict[str, AttributeValueTypeDef]":
    return to_item(
        {
            "id": record.id,
            "name": record.name,
            "roles": set(record.roles),
            "salt": record.salt,
            "digest": record.digest,
            "hint": record.hint,
            "created_at": int(record.created_at.timestamp()),
            "expires_at": int(record.expires_at.timestamp()),
            **({"created_by": record.created_by} if record.created_by else {}),
        }
    )


def _from_item(item: Mapping[str, Any]) -> TokenRecord:
    """Return the record of an item; what is not the name of a role is left out."""
    values = from_item(item)
    return TokenRecord(
        id=values["id"],
        name=values["name"],
        roles=ordered_roles(values["roles"]),
        salt=values["salt"],
        digest=values["digest"],
        hint=values["hint"],
        created_at=datetime.fromtimestamp(values["created_at"], tz=UTC),
        expires_at=datetime.fromtimestamp(values["expires_at"], tz=UTC),
        created_by=values.get("created_by", ""),
    )
