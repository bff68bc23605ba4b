"""Clients that sign their own requests, beside botocore's: equal results and errors from the same service."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from flexchat.aws.json_client import SERVICES, Service
from tests.aws import aws_client, botocore_client, create_table, emulated_aws, signing_client

TABLE = "table"
ROOT = Path(__file__).parents[3]
LAYER, FUNCTIONS = ROOT / "layers/common/src/flexchat", ROOT / "functions"
OPERATORS_ONLY = {"get_paginator"}
"""Methods that only commands use, whose clients are botocore's."""


@pytest.fixture(autouse=True)
def emulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with emulated_aws(monkeypatch):
        create_table(aws_client("dynamodb"), TABLE, "pk")
        yield


PK = {"S": "ä\u2028"}
ITEM = {"pk": PK, "B": {"B": b"\x00\xff"}, "map": {"M": {"B": {"S": "text"}, "n": {"N": "1.50"}}}}
NEW = {"TableName": TABLE, "Item": {"pk": PK}, "ConditionExpression": "attribute_not_exists(pk)"}


def both(service: str, operation: str, **arguments: Any) -> tuple[Any, Any]:
    """Return the results or errors of the signing client and of botocore's."""
    return (
        outcome(signing_client(service), operation, arguments),
        outcome(botocore_client(service), operation, arguments),
    )


def outcome(client: Any, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        found = getattr(client, operation)(**arguments)
    except ClientError as exc:
        response: Any = exc.response
        status = response["ResponseMetadata"]["HTTPStatusCode"]
        found = {**response, "operation": exc.operation_name, "text": str(exc), "status": status}
    found.pop("ResponseMetadata", None)
    return found


@pytest.mark.parametrize("service", SERVICES.values(), ids=lambda service: service.name)
def test_every_operation_of_the_deployed_code_has_a_method(service: Service) -> None:
    methods = {name for name in dir(botocore_client(service.name)) if not name.startswith("_")} - {"close"}
    used: set[str] = set()
    for path in (*LAYER.rglob("*.py"), *FUNCTIONS.rglob("*.py")):
        source = path.read_text("utf-8")
        if f"from mypy_boto3_{service.name} import" in source:
            nodes = ast.walk(ast.parse(source))
            used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)} & methods

    assert used - OPERATORS_ONLY == service.operations.keys()


def test_an_item_is_read_as_it_was_written() -> None:
    signing_client("dynamodb").put_item(TableName=TABLE, Item=ITEM)

    own, reference = both("dynamodb", "get_item", TableName=TABLE, Key={"pk": PK})

    assert own == reference == {"Item": ITEM}


def test_an_item_of_botocore_is_found() -> None:
    botocore_client("dynamodb").put_item(TableName=TABLE, Item=ITEM)

    own, reference = both(
        "dynamodb",
        "query",
        TableName=TABLE,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": PK},
    )

    assert own == reference
    assert own["Items"] == [ITEM]


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("put_item", {**NEW, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}),
        ("get_item", {"TableName": "missing", "Key": {"pk": PK}}),
        ("transact_write_items", {"TransactItems": [{"Put": NEW}], "ClientRequestToken": "token"}),
    ],
    ids=["condition", "table", "transaction"],
)
def test_an_error_of_dynamodb_has_the_fields_of_botocore(operation: str, arguments: dict[str, Any]) -> None:
    signing_client("dynamodb").put_item(TableName=TABLE, Item=ITEM)

    own, reference = both("dynamodb", operation, **arguments)

    assert reference["status"] == 400
    assert {name: own.get(name) for name in reference if name not in ("Message", "message")} == {
        name: value for name, value in reference.items() if name not in ("Message", "message")
    }


def test_the_item_of_a_failed_condition_has_its_binary_values() -> None:
    client = signing_client("dynamodb")
    client.put_item(TableName=TABLE, Item=ITEM)

    found = outcome(client, "put_item", {**NEW, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})

    assert found["Error"]["Code"] == "ConditionalCheckFailedException"
    assert found["Item"] == ITEM


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("get_parameters", {"Names": ["/a/b", "/a/c"], "WithDecryption": True}),
        ("get_parameters_by_path", {"Path": "/a", "Recursive": True, "WithDecryption": False}),
    ],
)
def test_parameters_are_equal_with_their_dates(operation: str, arguments: dict[str, Any]) -> None:
    signing_client("ssm").put_parameter(Name="/a/b", Value="v", Type="SecureString", Overwrite=True)

    own, reference = both("ssm", operation, **arguments)

    assert own == reference
    assert own["Parameters"][0]["LastModifiedDate"].tzinfo is not None


@pytest.mark.parametrize("secret", [{"SecretString": "a"}, {"SecretBinary": b"\x00\xff"}], ids=["text", "bytes"])
def test_a_secret_is_equal_as_text_and_as_bytes(secret: dict[str, Any]) -> None:
    botocore_client("secretsmanager").create_secret(Name="key", **secret)

    own, reference = both("secretsmanager", "get_secret_value", SecretId="key")

    assert {**own, "CreatedDate": 0} == {**reference, "CreatedDate": 0}
    assert secret.items() <= own.items()


def test_an_invocation_of_a_missing_function_has_the_error_of_botocore() -> None:
    own, reference = both("lambda", "invoke", FunctionName="missing", Payload=b"{}")

    assert own["Error"] == reference["Error"]
    assert (own["operation"], own["status"]) == (reference["operation"], reference["status"]) == ("Invoke", 404)
