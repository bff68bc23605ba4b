"""Authentication from the security schemes of OpenAPI documents."""

from typing import Any

import pytest

from tests.unit.cli.tool_import.documents import get, implementation, only_reason, only_tool, query, report


def secured(*requirements: dict[str, Any], **schemes: Any) -> Any:
    return only_tool(get(), security=list(requirements), components={"securitySchemes": schemes})


@pytest.mark.parametrize(
    ("scheme", "auth"),
    [
        ({"type": "http", "scheme": "bearer"}, {"type": "bearer", "token": "${EXAMPLE_TOKEN}"}),
        (
            {"type": "http", "scheme": "Basic"},
            {"type": "basic", "username": "${EXAMPLE_USERNAME}", "password": "${EXAMPLE_PASSWORD}"},
        ),
        (
            {"type": "apiKey", "in": "query", "name": "key"},
            {"type": "api_key", "in": "query", "name": "key", "value": "${EXAMPLE_API_KEY}"},
        ),
        (
            {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://id.example.com/token"}}},
            {
                "type": "oauth2_client_credentials",
                "token_url": "https://id.example.com/token",
                "client_id": "${EXAMPLE_CLIENT_ID}",
                "client_secret": "${EXAMPLE_CLIENT_SECRET}",
                "scope": "read write",
            },
        ),
        (
            {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://id.example.com"}}},
            {"type": "bearer", "token": "${EXAMPLE_TOKEN}"},
        ),
    ],
)
def test_a_scheme_becomes_auth_with_references_to_secrets(scheme: dict[str, Any], auth: dict[str, Any]) -> None:
    assert implementation(secured({"own": ["read", "write"]}, own=scheme))["auth"] == auth


def test_the_report_has_the_command_that_stores_each_secret_for_its_hosts() -> None:
    found = report(
        get(),
        security=[{"own": []}],
        components={
            "securitySchemes": {
                "own": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://id.example.com/token"}}}
            }
        },
    )
    hosts = ("api.example.com", "id.example.com")

    assert found.secrets == {"EXAMPLE_CLIENT_ID": hosts, "EXAMPLE_CLIENT_SECRET": hosts}
    assert [command.partition(" secrets ")[2] for command in found.commands] == [
        "set EXAMPLE_CLIENT_ID --stage STAGE --host api.example.com --host id.example.com",
        "set EXAMPLE_CLIENT_SECRET --stage STAGE --host api.example.com --host id.example.com",
    ]


def test_a_second_key_goes_into_the_headers() -> None:
    key = {"type": "apiKey", "in": "header"}
    tool = secured({"app": [], "own": []}, app={**key, "name": "X-App"}, own={**key, "name": "X-Key"})

    assert implementation(tool)["auth"]["name"] == "X-App"
    assert implementation(tool)["headers"] == {"X-Key": "${EXAMPLE_X_KEY}"}


def test_optional_credentials_are_left_out() -> None:
    tool = secured({}, {"own": []}, own={"type": "http", "scheme": "bearer"})

    assert ("auth" in implementation(tool), tool.notes) == (False, ("credentials are optional and left out",))


def test_the_first_scheme_that_a_tool_supports_is_used() -> None:
    tool = secured(
        {"tls": []}, {"own": []}, tls={"type": "mutualTLS"}, own={"type": "http", "scheme": "bearer"}
    )  # fmt: skip

    assert implementation(tool)["auth"]["type"] == "bearer"


def test_an_operation_that_needs_another_scheme_is_left_out() -> None:
    schemes = {"own": {"type": "apiKey", "in": "body", "name": "s"}}

    assert only_reason(get(), security=[{"own": []}], components={"securitySchemes": schemes}) == (
        "requires the security scheme 'own', a key in a body"
    )


def test_keys_in_cookies_are_one_header() -> None:
    key = {"type": "apiKey", "in": "cookie"}
    tool = secured({"a": [], "b": []}, a={**key, "name": "session"}, b={**key, "name": "device"})

    assert "auth" not in implementation(tool)
    assert implementation(tool)["headers"] == {
        "Cookie": "session=${EXAMPLE_SESSION}; device=${EXAMPLE_DEVICE}",
    }


BEARER = {"type": "http", "scheme": "bearer"}
IMPLICIT = {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://id.example.com"}}}
CLIENT = {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://id.example.com/token"}}}
HEADER = {"type": "apiKey", "in": "header", "name": "authorization"}
BASIC = {"type": "http", "scheme": "basic"}


@pytest.mark.parametrize(
    ("schemes", "kind"),
    [
        ({"a": IMPLICIT, "b": IMPLICIT}, "bearer"),
        ({"a": IMPLICIT, "b": BEARER}, "bearer"),
        ({"a": HEADER, "b": BEARER}, "bearer"),
        ({"a": BEARER, "b": CLIENT}, "oauth2_client_credentials"),
        ({"a": CLIENT, "b": CLIENT}, "oauth2_client_credentials"),
        ({"a": BASIC, "b": BASIC}, "basic"),
    ],
)
def test_one_token_satisfies_two_schemes_of_the_authorization_header(schemes: dict[str, Any], kind: str) -> None:
    tool = secured({"a": ["read"], "b": ["write"]}, **schemes)

    auth = implementation(tool)["auth"]
    assert auth["type"] == kind
    assert auth.get("scope") == (
        "read write" if schemes["a"] == CLIENT else "write" if kind != "bearer" and schemes["b"] == CLIENT else None
    )
    assert "one token is sent for the schemes 'a' and 'b'" in tool.notes
    assert set(tool.secrets) == {text[2:-1] for text in auth.values() if str(text).startswith("${")}


@pytest.mark.parametrize(
    "schemes",
    [
        {"a": BASIC, "b": BEARER},
        {
            "a": CLIENT,
            "b": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://other.example.com/token"}}},
        },
    ],
)
def test_two_different_credentials_in_the_authorization_header_are_left_out(schemes: dict[str, Any]) -> None:
    assert only_reason(get(), security=[{"a": [], "b": []}], components={"securitySchemes": schemes}) == (
        "requires two schemes that both set the Authorization header"
    )


def test_a_token_and_a_key_are_both_sent() -> None:
    tool = secured({"a": [], "b": []}, a={"type": "apiKey", "in": "query", "name": "key"}, b=BEARER)

    assert implementation(tool)["auth"]["type"] == "bearer"
    assert implementation(tool)["query"] == {"key": "${EXAMPLE_API_KEY}"}


def test_the_parameter_of_a_key_is_no_argument() -> None:
    schemes = {"own": {"type": "apiKey", "in": "query", "name": "key"}}
    tool = only_tool(
        get(query("key", {"type": "string"})), security=[{"own": []}], components={"securitySchemes": schemes}
    )

    parameters: Any = tool.definition["parameters"]
    assert parameters["properties"] == {}
