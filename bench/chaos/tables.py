"""DynamoDB: real requests to moto's tables, one at a time, throttled, slow or with their answers lost by chance."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

FAULTS = ("throttled", "broken", "slow", "lost")
SHARE = 0.15
"""How often a request fails while tables fail. A chat in a session makes about ten."""

CHATS = "flexchat-chaos-chats"
IDEMPOTENCY = "flexchat-chaos-idempotency"


class Tables:
    """A DynamoDB client that fails by chance; what is `lost` has taken effect all the same."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._lock = threading.RLock()
        self._chance: random.Random | None = None
        self.met: Counter[str] = Counter()

    def fail(self, seed: str | None) -> None:
        """From now on fail by chance of `seed`, or not at all."""
        self._chance = random.Random(seed) if seed is not None else None  # noqa: S311 (no secret depends on it)

    def __getattr__(self, operation: str) -> Any:
        real = getattr(self._client, operation)
        return self._failing(operation, real) if operation in _REQUESTS else real

    def _failing(self, operation: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def request(**parameters: Any) -> Any:
            fault, wait = self._drawn()
            if fault == "throttled":
                raise _refused("ProvisionedThroughputExceededException", operation)
            if fault == "broken":
                raise _refused("InternalServerError", operation)
            if fault == "slow":
                time.sleep(wait)
            with self._lock:
                answer = real(**parameters)
            if fault == "lost":
                raise ReadTimeoutError(endpoint_url="https://dynamodb.test")
            return answer

        return request

    def _drawn(self) -> tuple[str | None, float]:
        """A fault, and how many seconds something slow takes."""
        with self._lock:
            if self._chance is None or self._chance.random() >= SHARE:
                return None, 0.0
            fault = self._chance.choice(FAULTS)
            self.met[fault] += 1
            return fault, self._chance.uniform(0.05, 4.0)


_REQUESTS = frozenset(
    ("get_item", "put_item", "update_item", "delete_item", "query", "batch_write_item", "transact_write_items")
)


def _refused(code: str, operation: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "by chance"}}, operation)


def create_tables(client: Any) -> None:
    """The tables of `template.yaml`."""
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
