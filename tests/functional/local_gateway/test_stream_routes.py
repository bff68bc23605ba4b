"""Streaming routes are found in the deployed API, and their requests are authorized."""

import asyncio
import io
import json
from collections.abc import Mapping
from typing import Any

import pytest

from dev.local_gateway.authorizer import Authorizer, allows
from dev.local_gateway.proxy_event import Resource
from dev.local_gateway.stream_routes import StreamRoute, stream_routes

ARN = "arn:aws:execute-api:us-east-1:000000000000:a1b2c3/local/POST/api/chat"
FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:flexchat-local-stream:live"
ADMITTED_BELOW_V1 = {"Effect": "Allow", "Resource": ["arn:aws:execute-api:*/local/POST/v1/*"]}
PREFIX = "arn:aws:apigateway:us-east-1:lambda:path/2021-11-15/functions/"


class Functions:
    """Lambda service with one authorizer, which allows the token `good`."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def invoke(self, **request: Any) -> Mapping[str, Any]:
        event: dict[str, Any] = json.loads(request["Payload"])
        self.events.append(event)
        token = event["headers"].get("authorization")
        if event["path"].startswith("/v1/") and token != "good":
            return _answered({"principalId": "unknown", "policyDocument": {"Statement": [ADMITTED_BELOW_V1]}})
        if token == "broken":
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b'{"errorMessage": "no"}')}
        statement = {"Effect": "Allow" if token == "good" else "Deny", "Resource": "arn:aws:execute-api:*/local/*"}
        answer = {
            "principalId": "p",
            "policyDocument": {"Statement": [statement]},
            "context": {"roles": "user", "operator": True, "none": None},
        }
        return _answered(answer)


def _answered(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"Payload": io.BytesIO(json.dumps(answer).encode())}


def authorizer(functions: Functions, clock: list[float]) -> Authorizer:
    return Authorizer(functions, "authorizer", "REQUEST", "authorization", 60, clock=lambda: clock[0])


def context(of: Authorizer, **headers: str) -> dict[str, str] | None:
    return asyncio.run(of.context({"path": "/api/chat", "headers": headers}, ARN))


def test_an_authorizer_is_cached_by_token_for_its_time() -> None:
    functions, clock = Functions(), [0.0]
    asked = authorizer(functions, clock)

    assert context(asked, authorization="good") == {"roles": "user", "operator": "true", "principalId": "p"}
    clock[0] = 59
    context(asked, authorization="good")
    assert [event["type"] for event in functions.events] == ["REQUEST"]
    assert functions.events[0]["methodArn"] == ARN
    clock[0] = 61
    context(asked, authorization="good")
    assert len(functions.events) == 2


@pytest.mark.parametrize("headers", [{}, {"authorization": "bad"}, {"authorization": "broken"}])
def test_a_request_without_an_allowed_token_is_refused(headers: dict[str, str]) -> None:
    assert context(authorizer(Functions(), [0.0]), **headers) is None


def test_an_authorizer_without_a_cache_decides_about_each_request_also_without_a_header() -> None:
    functions = Functions()
    asked = Authorizer(functions, "authorizer", "REQUEST", "authorization", 0)
    arn, path = ARN.replace("/api/chat", "/v1/responses"), "/v1/responses"

    for headers in ({}, {"authorization": "bad"}, {"authorization": "bad"}):
        sent = {"path": path, "headers": headers}
        assert asyncio.run(asked.context(sent, arn)) == {"principalId": "unknown"}
    assert len(functions.events) == 3
    token = Authorizer(functions, "authorizer", "TOKEN", "authorization", 0)
    assert asyncio.run(token.context({"path": path, "headers": {}}, arn)) is None


def test_two_authorizers_of_one_function_have_their_own_caches() -> None:
    """The policy that admits a request below /v1 without a caller never answers for another route."""
    functions, clock = Functions(), [0.0]
    tokens, openai = authorizer(functions, clock), authorizer(functions, clock)
    arn = ARN.replace("/api/chat", "/v1/chat/completions")
    sent = {"path": "/v1/chat/completions", "headers": {"authorization": "bad"}}

    for _ in range(2):
        assert asyncio.run(openai.context(sent, arn)) == {"principalId": "unknown"}
        assert context(tokens, authorization="bad") is None
    assert [event["path"] for event in functions.events] == ["/v1/chat/completions", "/api/chat"]
    assert asyncio.run(openai.context(sent, ARN)) is None


def test_a_denial_wins_and_other_methods_are_not_allowed() -> None:
    allow = {"Effect": "Allow", "Resource": ["arn:aws:execute-api:*/local/POST/api/cha?"]}
    assert allows({"Statement": [allow]}, ARN)
    assert not allows({"Statement": [allow, {"Effect": "Deny", "Resource": "*"}]}, ARN)
    assert not allows({"Statement": [{"Effect": "Allow", "Resource": "arn:aws:execute-api:*/local/GET/*"}]}, ARN)


def test_streaming_routes_are_those_with_a_streaming_integration() -> None:
    plain = {"uri": f"{PREFIX.replace('2021-11-15', '2015-03-31')}{FUNCTION}/invocations"}
    streaming = {"uri": f"{PREFIX}{FUNCTION}/response-streaming-invocations"}
    resources: list[dict[str, Any]] = [
        {"id": "r0", "path": "/"},
        {
            "id": "r1",
            "path": "/api/chat",
            "resourceMethods": {
                "POST": {"authorizerId": "a1", "methodIntegration": streaming},
                "OPTIONS": {"methodIntegration": {"type": "MOCK"}},
            },
        },
        {
            "id": "r3",
            "path": "/v1/responses",
            "resourceMethods": {"POST": {"authorizerId": "a2", "methodIntegration": streaming}},
        },
        {"id": "r2", "path": "/api/tools/list", "resourceMethods": {"GET": {"methodIntegration": plain}}},
    ]

    assert list(stream_routes(resources)) == [
        StreamRoute("POST", Resource("r1", "/api/chat"), FUNCTION, "a1"),
        StreamRoute("POST", Resource("r3", "/v1/responses"), FUNCTION, "a2"),
    ]
