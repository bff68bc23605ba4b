"""Conversion of items, compared with that of boto3, and errors of requests."""

from decimal import Decimal
from typing import Any

import pytest
from boto3.dynamodb.types import TypeSerializer
from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import decimals, failed_condition, from_item, to_item

VALUES: dict[str, Any] = {
    "text": "Grüße 👋",
    "empty": "",
    "number": 1_800_000_000,
    "negative": -3,
    "decimal": Decimal("1800000000.100"),
    "yes": True,
    "no": False,
    "content": b"\x00\xff",
    "texts": ["a", "b"],
    "numbers": {"single": 2, "nested": {"list": [1, "x", [True]]}},
}


def test_an_item_equals_that_of_the_boto3_serializer() -> None:
    serialize = TypeSerializer().serialize

    assert to_item(VALUES) == {name: serialize(value) for name, value in VALUES.items()}


def test_a_set_of_texts_is_a_string_set_in_a_fixed_order() -> None:
    assert to_item({"roles": {"user", "operator"}}) == {"roles": {"SS": ["operator", "user"]}}
    assert from_item({"roles": {"SS": ["user", "operator"]}}) == {"roles": {"user", "operator"}}


def test_a_value_of_none_is_an_absent_attribute() -> None:
    assert to_item({"a": None, "b": 0}) == {"b": {"N": "0"}}


def test_an_item_is_read_as_it_was_written() -> None:
    written = VALUES | {"decimal": 0.5, "small": 1e-07, "large": 1e30}

    assert from_item(to_item(written)) == written


@pytest.mark.parametrize(
    ("number", "places", "text"),
    [(1_800_000_000.1234567, 6, "1800000000.123457"), (1_000, 3, "1000.000"), (0.0, 3, "0.000"), (0.0, 6, "0.000000")],
)
def test_decimals_are_written_in_fixed_notation_with_all_digits(number: float, places: int, text: str) -> None:
    assert to_item({"at": decimals(number, places)}) == {"at": {"N": text}}


def test_a_failed_condition_returns_the_item_and_any_other_error_is_raised() -> None:
    failed: Any = {"Error": {"Code": "ConditionalCheckFailedException"}, "Item": {"turns": {"N": "3"}}}
    throttled = ClientError({"Error": {"Code": "ThrottlingException"}}, "PutItem")

    assert failed_condition(ClientError(failed, "PutItem")) == {"turns": 3}
    with pytest.raises(ClientError) as raised:
        failed_condition(throttled)
    assert raised.value is throttled
