"""Preflights, which API Gateway answers by a mapping template, rendered here by LocalStack's Velocity engine.

The local stack's emulator does not render it.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

import airspeed
import httpx2
import pytest
from openai import OpenAI

from tests.template.resolver import Resolved, section
from tests.template.transform import Transformed

BASE_URL = "https://chat.example.com/v1"
ORIGINS = "https://app.example.com,http://localhost:3000"
ALLOWS: dict[str, str] = {
    "Access-Control-Allow-Methods": "GET,POST,PUT,PATCH,DELETE",
    "Access-Control-Allow-Headers": (
        "Accept,Authorization,Content-Type,Idempotency-Key,Last-Event-ID,Mcp-Method,Mcp-Name,Mcp-Protocol-Version,"
        "OpenAI-Beta,OpenAI-Organization,OpenAI-Project,Prefer,User-Agent,X-Flexchat-Events,X-Flexchat-Session,"
        "X-Flexchat-Share,"
        "X-Stainless-Arch,X-Stainless-Async,X-Stainless-Helper-Method,X-Stainless-Lang,X-Stainless-OS,"
        "X-Stainless-Package-Version,X-Stainless-Raw-Response,X-Stainless-Read-Timeout,X-Stainless-Retry-Count,"
        "X-Stainless-Runtime,X-Stainless-Runtime-Version,X-Stainless-Timeout,*"
    ),
    "Access-Control-Max-Age": "600",
}


class _Input:
    """`$input` of a mapping template, for a request with these headers. Header names are case-sensitive in it."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._headers = headers

    def params(self) -> dict[str, dict[str, str]]:
        return {"path": {}, "querystring": {"Origin": "https://app.example.com"}, "header": dict(self._headers)}


class _Overrides(dict[str, str]):
    """Overrides of response headers; API Gateway answers a second override of one header with an error."""

    def __setitem__(self, name: str, value: str) -> None:
        assert name not in self, f"{name} is set twice"
        assert isinstance(value, str)
        super().__setitem__(name, value)


def preflights(template: Transformed, allowed_origins: str = ORIGINS) -> dict[str, dict[str, Any]]:
    """The OPTIONS operations of a stack by path."""
    paths = Resolved(template, {"AllowedOrigins": allowed_origins}).value(template.properties("Api")["Body"]["paths"])
    return {path: methods["options"] for path, methods in paths.items() if "options" in methods}


@cache
def compiled(mapping_template: str) -> Any:
    return cast("Any", airspeed).Template(mapping_template)


def answered(template: Transformed, headers: Mapping[str, str], *, allowed_origins: str = ORIGINS) -> dict[str, str]:
    """The headers of the response to a preflight."""
    integration = preflights(template, allowed_origins)["/api/chat"]["x-amazon-apigateway-integration"]
    mapping_template = integration["responses"]["default"]["responseTemplates"]["application/json"]
    overrides = _Overrides()
    context = {"responseOverride": {"header": overrides}}
    body = compiled(mapping_template).merge({"input": _Input(headers), "context": context})
    assert body.strip() == ""
    return dict(overrides)


def test_every_preflight_is_answered_by_api_gateway_without_a_token(template: Transformed) -> None:
    operations = list(preflights(template).values())
    integration = operations[0]["x-amazon-apigateway-integration"]

    assert operations[0] == {
        "responses": {"204": {"description": "A preflight"}},
        "x-amazon-apigateway-integration": integration,
    }
    assert integration == {
        "type": "mock",
        "passthroughBehavior": "never",  # else a body of another content type would be a 500
        "requestTemplates": {"application/json": '{"statusCode": 204}'},
        "responses": {
            "default": {
                "statusCode": "204",
                "responseTemplates": integration["responses"]["default"]["responseTemplates"],
            }
        },
    }
    assert operations == [operations[0]] * len(operations)


@pytest.mark.parametrize("origin", ORIGINS.split(","))
@pytest.mark.parametrize("name", ["Origin", "origin"])
def test_a_listed_origin_is_allowed(template: Transformed, name: str, origin: str) -> None:
    headers = {name: origin, "Access-Control-Request-Method": "POST"}

    assert answered(template, headers) == {"Vary": "Origin", "Access-Control-Allow-Origin": origin, **ALLOWS}


def test_a_single_origin_and_a_duplicate_one_are_parsed(template: Transformed) -> None:
    allowed = {"Vary": "Origin", "Access-Control-Allow-Origin": "https://a.example", **ALLOWS}

    for origins in ("https://a.example", "https://a.example,https://a.example"):
        assert answered(template, {"Origin": "https://a.example"}, allowed_origins=origins) == allowed


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"ORIGIN": "https://app.example.com"},
        {"Referer": "https://app.example.com"},
        *(
            {"Origin": origin}
            for origin in (
                "",
                "null",
                "*",
                "https://other.example",
                "http://app.example.com",
                "https://app.example.com:444",
                "https://app.example.com/",
                "https://app.example.com.evil.example",
                "https://app-example.com",
                "https://app.example.co",
                "https://evil.example/https://app.example.com",
                "https://app.example.com,http://localhost:3000",
                'https://app.example.com","http://localhost:3000',
                " https://app.example.com",
                "HTTPS://APP.EXAMPLE.COM",
                "$origin",
                "$allowed.get(0)",
                '")#set($origin = "https://app.example.com")',
                "#set($context.responseOverride.header.Access-Control-Allow-Origin = '*')",
            )
        ),
        {"Origin": "https://app.example.com", "origin": "https://evil.example"},
    ],
)
def test_any_other_origin_is_not_allowed(template: Transformed, headers: dict[str, str]) -> None:
    assert answered(template, headers) == {"Vary": "Origin"}


def test_preflights_allow_the_methods_of_the_routes(template: Transformed) -> None:
    with_preflight = preflights(template).keys()
    methods = {method.upper() for path, method, _ in template.operations() if path in with_preflight}

    assert {*ALLOWS["Access-Control-Allow-Methods"].split(","), "OPTIONS"} == methods


def test_preflights_exist_only_when_origins_are_allowed(template: Transformed) -> None:
    assert len(preflights(template)) > 1
    assert preflights(template, "") == {}
    assert section("Parameters")["AllowedOrigins"]["Default"] == ""


@pytest.mark.parametrize(
    ("value", "accepted"),
    [
        ("", True),
        ("https://app.example.com", True),
        (ORIGINS, True),
        ("http://[::1]:3000", True),
        ("https://*.example.com", False),
        ("https://app.example.com/", False),
        ("https://App.example.com", False),
        ("https://app.example.com, https://b.example", False),
        ("https://app.example.com,", False),
        ('https://a.example"])#set($origin="x', False),
        ("https://$origin", False),
        ("https://a.example\n", False),
    ],
)
def test_allowed_origins_have_the_format_sent_by_browsers(value: str, accepted: bool) -> None:
    pattern = section("Parameters")["AllowedOrigins"]["AllowedPattern"]

    assert (re.fullmatch(pattern, value) is not None) == accepted


@pytest.mark.parametrize(("origins", "expected"), [(ORIGINS, "'*'"), ("", None)])
def test_api_gateway_errors_are_readable_from_allowed_origins(
    template: Transformed, origins: str, expected: str | None
) -> None:
    """Without CORS headers a page sees a failed request instead of a 401 or a 429."""
    stack = Resolved(template, {"AllowedOrigins": origins})
    responses = stack.properties("Api")["Body"]["x-amazon-apigateway-gateway-responses"]
    parameters = {name: response["responseParameters"] for name, response in responses.items()}

    allowed = {
        name: headers.get("gatewayresponse.header.Access-Control-Allow-Origin") for name, headers in parameters.items()
    }
    assert allowed == dict.fromkeys(responses, expected)
    delayed = {name for name, headers in parameters.items() if "gatewayresponse.header.Retry-After" in headers}
    assert delayed == {"THROTTLED", "INTEGRATION_FAILURE", "AUTHORIZER_FAILURE", "DEFAULT_5XX"}
    for name in delayed:
        assert parameters[name] == {
            "gatewayresponse.header.Retry-After": "'1'",
            **(
                {
                    "gatewayresponse.header.Access-Control-Allow-Origin": "'*'",
                    "gatewayresponse.header.Access-Control-Expose-Headers": "'Retry-After'",
                }
                if origins
                else {}
            ),
        }


def test_preflights_allow_the_headers_of_openai_clients(template: Transformed) -> None:
    """By name, for browsers that do not support `*`."""
    sent: list[str] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        sent.extend(request.headers)
        return httpx2.Response(200, json={})

    with httpx2.Client(transport=httpx2.MockTransport(respond)) as transport:
        client = OpenAI(api_key="key", organization="org", project="project", base_url=BASE_URL, http_client=transport)
        client.chat.completions.with_raw_response.create(model="flexchat", messages=[])
    allowed = answered(template, {"Origin": ORIGINS.split(",")[0]})["Access-Control-Allow-Headers"].lower().split(",")

    assert {"authorization", "openai-organization", "x-stainless-lang"} <= set(sent)
    assert set(sent) - {*allowed, "host", "accept-encoding", "connection", "content-length"} == set()
