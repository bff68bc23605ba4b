"""Cursors of listings: decoded only in the listing of their origin."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.cursors import make_cursor, read_cursor, read_numbers
from flexchat.errors import RequestError


@given(st.text(), st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=3))
def test_a_cursor_is_decoded_to_its_position(scope: str, position: list[str]) -> None:
    assert read_cursor(scope, make_cursor(scope, *position), fields=len(position)) == tuple(position)


def test_a_cursor_is_url_safe_and_short() -> None:
    assert make_cursor("sessions ann", "ü" * 50, "?/&=+").replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "nonsense",
        "ÄÖÜ",
        "a" * 1_999,
        make_cursor("other", "1", "2"),
        make_cursor("mine", "1"),
        make_cursor("mine", "1", "2", "3"),
        make_cursor("mine", "1", "2")[:-2],
        base64.urlsafe_b64encode(b"\xff\xfe").decode(),
        base64.urlsafe_b64encode(json.dumps([1, 2, 3]).encode()).decode(),
        base64.urlsafe_b64encode(json.dumps({"a": "b"}).encode()).decode(),
        base64.urlsafe_b64encode(b"[" * 900).decode(),
        make_cursor("mine", "", "2"),
        make_cursor("mine", "1", ""),
        make_cursor("mine", "1", "ü" * 513),
    ],
)
def test_a_cursor_of_another_listing_is_rejected(cursor: str) -> None:
    with pytest.raises(RequestError) as caught:
        read_cursor("mine", cursor, fields=2)

    assert (caught.value.status, caught.value.code) == (400, "invalid_cursor")


def test_numbers_are_decoded_as_numbers() -> None:
    assert read_numbers("mine", make_cursor("mine", "1", "9999"), fields=2) == (1, 9999)


@pytest.mark.parametrize("number", ["x", "-1", "+1", "1_0", " 1", "\u0663", "1.0", "1" * 10, "9" * 1_000])
def test_a_position_that_is_no_number_is_rejected(number: str) -> None:
    with pytest.raises(RequestError, match="cursor is not valid for this listing"):
        read_numbers("mine", make_cursor("mine", "1", number), fields=2)


@given(st.text(max_size=200), st.integers(1, 3))
def test_any_text_is_a_position_or_rejected(cursor: str, fields: int) -> None:
    with pytest.raises(RequestError):
        read_cursor("mine", cursor, fields=fields)
