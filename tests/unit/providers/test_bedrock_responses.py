"""Statuses and headers of Bedrock's responses for the log of requests."""

from typing import Any

import pytest

from functions.chat.providers.bedrock.aws import converse

CASES: list[tuple[dict[str, Any], list[Any]]] = [
    ({"ResponseMetadata": {"HTTPStatusCode": 429, "HTTPHeaders": {"a": "b"}}}, [(429, {"a": "b"})]),
    ({"ResponseMetadata": {"HTTPStatusCode": 500}}, [(500, {})]),
    ({"ResponseMetadata": {}, "Error": {"Code": "x"}}, []),
    ({"Error": {"Code": "x"}}, []),
    ({}, []),
]


@pytest.mark.parametrize(("response", "expected"), CASES)
def test_an_error_without_a_response_is_reported_by_nothing(response: dict[str, Any], expected: list[Any]) -> None:
    received: list[Any] = []

    converse._report(response, lambda status, headers: received.append((status, dict(headers))))  # pyright: ignore[reportPrivateUsage]

    assert received == expected
