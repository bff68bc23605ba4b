"""Checks of headers and of encoded values in requests to the MCP server."""

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.chat.mcp_server.protocol import CAPABILITIES_KEY, VERSION_KEY, RpcError, RpcRequest
from functions.chat.mcp_server.server import RequestHeaders, check_envelope, check_origin, decoded, read_body

REQUEST = RpcRequest(1, "tools/list", {"_meta": {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}}})


def headers(multiple: Any = None, host: str = "", **single: str) -> RequestHeaders:
    named = {name.replace("_", "-"): value for name, value in single.items()}
    return RequestHeaders.of(
        {"headers": named, "multiValueHeaders": multiple, "requestContext": {"domainName": host} if host else None}
    )


def test_headers_are_found_whatever_the_case_of_their_names() -> None:
    found = headers({"MCP-Method": ["tools/list"], "X": None}, Mcp_Name=" a ")

    assert (found.get("mcp-method"), found.get("mcp-name"), found.get("x")) == ("tools/list", "a", None)


@pytest.mark.parametrize("name", ["Mcp-Method", "MCP-Protocol-Version", "Mcp-Name"])
def test_a_repeated_routing_header_is_refused(name: str) -> None:
    values = {"MCP-Protocol-Version": ["2026-07-28"], "Mcp-Method": ["tools/list"]}
    twice = headers({**values, name: ["tools/list", "tools/list"]})

    with pytest.raises(RpcError, match="more than once") as refused:
        check_envelope(REQUEST, twice)
    assert refused.value.code == -32020
    check_envelope(REQUEST, headers(values))


def test_pages_of_the_host_of_the_api_are_admitted() -> None:
    check_origin(headers(host="chat.example.com", Origin="https://chat.example.com"), ())

    for refused in ("http://chat.example.com", "https://chat.example.com:8443"):
        with pytest.raises(RpcError, match="AllowedOrigins"):
            check_origin(headers(host="chat.example.com", Origin=refused), ())


def test_a_request_without_an_origin_is_admitted_also_without_a_known_host() -> None:
    check_origin(headers(), ())

    with pytest.raises(RpcError):
        check_origin(headers(Origin="https://"), ())


@given(st.text())
def test_encoded_values_are_read_back(text: str) -> None:
    encoded = f"=?base64?{base64.b64encode(text.encode(errors='replace')).decode()}?="

    assert decoded(encoded) == text.encode(errors="replace").decode()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("plain", "plain"),
        ("=?base64?", "=?base64?"),
        ("=?base64??=", ""),
        ("=?base64?YQ==?=", "a"),
        ("=?base64?YR==?=", None),
        ("=?base64?Y?=", None),
        ("=?base64?/w==?=", None),
        ("=?base64?é?=", None),
    ],
)
def test_values_that_are_not_canonical_are_not_read(value: str | None, expected: str | None) -> None:
    assert decoded(value) == expected


def test_a_body_in_base64_is_decoded() -> None:
    body = base64.b64encode(b'{"a": 1}').decode()

    assert read_body({"body": body, "isBase64Encoded": True}) == {"a": 1}
    with pytest.raises(RpcError, match="base64"):
        read_body({"body": "?", "isBase64Encoded": True})
