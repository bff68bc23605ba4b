from copy import replace
from datetime import UTC, datetime, timedelta

import pytest
from botocore.exceptions import EndpointConnectionError, NoCredentialsError
from botocore.stub import Stubber
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.tokens import TokenStore, operator_tokens
from flexchat.errors import ConfigError, UnavailableError
from flexchat.tokens import TokenRecord, issue
from tests.aws import aws_client

TABLE = "flexchat-test-tokens"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _record(name: str = "laptop", *, now: datetime = NOW) -> TokenRecord:
    return issue(name=name, roles=("user", "operator"), lifetime=timedelta(days=1), now=now).record


def test_a_record_is_read_as_it_was_written(store: TokenStore) -> None:
    record = _record()

    store.put(record)

    assert store.get(record.id) == record


def test_an_unknown_id_has_no_record(store: TokenStore) -> None:
    assert store.get("abcdefghjk") is None


def test_expiry_is_stored_in_epoch_seconds(store: TokenStore, dynamodb: DynamoDBClient) -> None:
    record = _record()

    store.put(record)

    item = dynamodb.get_item(TableName=TABLE, Key={"id": {"S": record.id}}).get("Item", {})
    assert item["expires_at"] == {"N": str(int(record.expires_at.timestamp()))}


def test_an_existing_id_is_not_overwritten(store: TokenStore) -> None:
    record = _record()
    store.put(record)

    with pytest.raises(UnavailableError, match="ConditionalCheckFailedException"):
        store.put(replace(record, name="another"))

    assert store.get(record.id) == record


def test_records_are_listed_newest_first_across_pages(store: TokenStore) -> None:
    records = [_record("x" * 1000, now=NOW + timedelta(minutes=minute)) for minute in range(5)]
    large = [replace(record, name="x" * 300_000) for record in records]
    for record in large:
        store.put(record)

    assert store.list() == tuple(reversed(large))


def test_a_revoked_token_is_deleted(store: TokenStore) -> None:
    record = _record()
    store.put(record)

    assert store.revoke(record.id) == record
    assert store.get(record.id) is None
    assert store.revoke(record.id) is None


def test_a_role_of_the_configuration_is_kept_and_another_text_is_left_out(
    store: TokenStore, dynamodb: DynamoDBClient
) -> None:
    record = _record()
    store.put(record)
    dynamodb.update_item(
        TableName=TABLE,
        Key={"id": {"S": record.id}},
        UpdateExpression="SET #r = :r",
        ExpressionAttributeNames={"#r": "roles"},
        ExpressionAttributeValues={":r": {"SS": ["user", "support", "No role"]}},
    )

    assert store.get(record.id) == replace(record, roles=("user", "support"))


@pytest.mark.parametrize("operation", ["get", "list", "put", "revoke"])
def test_a_missing_table_is_a_configuration_error(dynamodb: DynamoDBClient, operation: str) -> None:
    store = TokenStore(dynamodb, "flexchat-nowhere-tokens")
    calls = {
        "get": lambda: store.get("abcdefghjk"),
        "list": store.list,
        "put": lambda: store.put(_record()),
        "revoke": lambda: store.revoke("abcdefghjk"),
    }

    with pytest.raises(ConfigError) as caught:
        calls[operation]()

    assert str(caught.value) == (
        "flexchat-nowhere-tokens: table not found in this account and region; deploy the stage first "
        "(ResourceNotFoundException)"
    )


def test_a_throttled_table_is_unavailable() -> None:
    client = aws_client("dynamodb")
    with Stubber(client) as stubber:
        stubber.add_client_error("get_item", "ProvisionedThroughputExceededException")

        with pytest.raises(UnavailableError, match="DynamoDB answered ProvisionedThroughputExceededException"):
            TokenStore(client, TABLE).get("abcdefghjk")


def test_missing_credentials_are_a_configuration_error() -> None:
    def without_credentials(**_: object) -> None:
        raise NoCredentialsError

    client = aws_client("dynamodb")
    client.meta.events.register("before-send.dynamodb.GetItem", without_credentials)

    with pytest.raises(ConfigError, match="no AWS credentials were found"):
        TokenStore(client, TABLE).get("abcdefghjk")


def test_a_missing_region_is_a_configuration_error(dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")

    with pytest.raises(ConfigError, match="flexchat-dev-tokens: no AWS region is set"):
        operator_tokens("dev")


def test_a_table_without_a_response_is_unavailable() -> None:
    def refuse(**_: object) -> None:
        raise EndpointConnectionError(endpoint_url="https://dynamodb.example")

    client = aws_client("dynamodb")
    client.meta.events.register("before-send.dynamodb.GetItem", refuse)

    with pytest.raises(UnavailableError, match="EndpointConnectionError") as caught:
        TokenStore(client, TABLE).get("abcdefghjk")

    assert isinstance(caught.value.__cause__, EndpointConnectionError)


def test_a_record_is_read_consistently() -> None:
    client = aws_client("dynamodb")
    with Stubber(client) as stubber:
        stubber.add_response(
            "get_item", {}, {"TableName": TABLE, "Key": {"id": {"S": "abcdefghjk"}}, "ConsistentRead": True}
        )

        assert TokenStore(client, TABLE).get("abcdefghjk") is None
