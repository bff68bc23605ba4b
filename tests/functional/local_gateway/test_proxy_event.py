"""The event of a streaming function is that of the emulator."""

import pytest

from dev.local_gateway.messages import GatewayRequest
from dev.local_gateway.proxy_event import DeployedApi, Resource, joined, proxy_event

API = DeployedApi("a1b2c3", "local", "000000000000")


def test_a_request_becomes_an_event_of_payload_1() -> None:
    request = GatewayRequest(
        "GET",
        b"/api/runs/a%20b/events?after=1&after=2&empty=",
        ((b"user-agent", b"test"), (b"accept", b"a"), (b"accept", b"b")),
        b"",
    )

    event = proxy_event(request, Resource("r1", "/api/runs/{id}/events"), API, authorizer={"principalId": "p"})

    context = event["requestContext"]
    assert event == {
        "version": "1.0",
        "resource": "/api/runs/{id}/events",
        "path": "/api/runs/a b/events",
        "httpMethod": "GET",
        "headers": {"user-agent": "test", "accept": "a, b"},
        "multiValueHeaders": {"user-agent": ["test"], "accept": ["a, b"]},
        "queryStringParameters": {"after": "1", "empty": ""},
        "multiValueQueryStringParameters": {"after": ["1", "2"], "empty": [""]},
        "pathParameters": {"id": "a b"},
        "stageVariables": None,
        "requestContext": {
            "accountId": "000000000000",
            "resourceId": "r1",
            "stage": "local",
            "requestId": context["requestId"],
            "extendedRequestId": context["requestId"],
            "requestTime": context["requestTime"],
            "requestTimeEpoch": context["requestTimeEpoch"],
            "path": "/local/api/runs/a b/events",
            "protocol": "HTTP/1.1",
            "identity": {"sourceIp": "127.0.0.1", "userAgent": "test"},
            "resourcePath": "/api/runs/{id}/events",
            "httpMethod": "GET",
            "apiId": "a1b2c3",
            "authorizer": {"principalId": "p"},
        },
        "body": None,
        "isBase64Encoded": False,
    }


def test_an_event_has_the_variables_of_the_stage() -> None:
    api = DeployedApi("a1b2c3", "local", "000000000000", {"oidcIssuer": "https://login.example.com"})
    event = proxy_event(GatewayRequest("GET", b"/x", (), b""), Resource("r1", "/x"), api, authorizer=None)

    assert event["stageVariables"] == {"oidcIssuer": "https://login.example.com"}


@pytest.mark.parametrize(
    ("path", "parameters"),
    [("/api/runs/r1/events", {"id": "r1"}), ("/api/runs/r1", None), ("/api/sessions/r1/events", None)],
)
def test_a_resource_matches_paths_of_its_form(path: str, parameters: dict[str, str] | None) -> None:
    assert Resource("r1", "/api/runs/{id}/events").parameters(path) == parameters


def test_repeated_cookies_are_joined_by_semicolons() -> None:
    assert joined(((b"cookie", b"a=1"), (b"cookie", b"b=2"))) == {"cookie": "a=1; b=2"}
