"""The DynamoDB tables of `template.yaml`."""

from typing import Any

CHATS = "flexchat-chaos-chats"
IDEMPOTENCY = "flexchat-chaos-idempotency"


def create_tables(client: Any) -> None:
    """Create both tables."""
    client.create_table(
        TableName=CHATS,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[_text("pk"), _text("sk"), _text("owner"), _text("updated_at")],
        KeySchema=[_key("pk", "HASH"), _key("sk", "RANGE")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by_owner",
                "KeySchema": [_key("owner", "HASH"), _key("updated_at", "RANGE")],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
    client.create_table(
        TableName=IDEMPOTENCY,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[_text("id")],
        KeySchema=[_key("id", "HASH")],
    )


def _text(name: str) -> dict[str, str]:
    return {"AttributeName": name, "AttributeType": "S"}


def _key(name: str, kind: str) -> dict[str, str]:
    return {"AttributeName": name, "KeyType": kind}
