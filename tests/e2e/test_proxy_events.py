"""Event of a streamed route beside the event that the AWS emulator passes for the same request."""

import asyncio
import io
import json
from collections.abc import Generator
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest

from cli.local_stack import StackState
from dev.local_gateway.forwarding import Forwarder
from dev.local_gateway.messages import GatewayRequest, Headers
from dev.local_gateway.proxy_event import DeployedApi, Resource, proxy_event
from tests.e2e.conftest import AwsClients

ECHO = """import json

def handler(event, context):
    return {"statusCode": 200, "headers": {"Content-Type": "application/json"}, "body": json.dumps(event)}
"""
PATH = "/api/runs/{id}/events"
STAGE = "local"
OF_THE_REQUEST = ("requestId", "extendedRequestId", "requestTime", "requestTimeEpoch")
"""Values of a context that are new in each request."""

SENT: Headers = ((b"host", b"127.0.0.1:1"), (b"user-agent", b"test"), (b"accept", b"text/event-stream"))


@pytest.fixture(scope="module")
def echo(aws: AwsClients) -> Generator[tuple[DeployedApi, Resource]]:
    """A deployed API whose function returns its event."""
    gateway, lambdas = aws.client("apigateway"), aws.lambdas()
    name = f"echo-{uuid4().hex[:8]}"
    archive = io.BytesIO()
    with ZipFile(archive, "w") as file:
        file.writestr("echo.py", ECHO)
    function = lambdas.create_function(
        FunctionName=name,
        Runtime="python3.13",
        Role="arn:aws:iam::000000000000:role/echo",
        Handler="echo.handler",
        Code={"ZipFile": archive.getvalue()},
    )["FunctionArn"]
    api = gateway.create_rest_api(name=name)["id"]
    try:
        parent = gateway.get_resources(restApiId=api)["items"][0]["id"]
        for part in PATH.strip("/").split("/"):
            parent = gateway.create_resource(restApiId=api, parentId=parent, pathPart=part)["id"]
        gateway.put_method(restApiId=api, resourceId=parent, httpMethod="ANY", authorizationType="NONE")
        gateway.put_integration(
            restApiId=api,
            resourceId=parent,
            httpMethod="ANY",
            type="AWS_PROXY",
            integrationHttpMethod="POST",
            uri=f"arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/{function}/invocations",
        )
        gateway.create_deployment(restApiId=api, stageName=STAGE)
        yield DeployedApi(api, STAGE, function.split(":")[4]), Resource(parent, PATH)
    finally:
        gateway.delete_rest_api(restApiId=api)
        lambdas.delete_function(FunctionName=name)


@pytest.mark.parametrize(
    ("method", "target", "headers", "body"),
    [
        pytest.param("GET", b"/api/runs/r1/events", (), b"", id="plain"),
        pytest.param("GET", b"/api/runs/a%20b%2Bc/events", (), b"", id="escaped path"),
        pytest.param("GET", b"/api/runs/r1/events?after=1&after=2&empty=&q=a%20b+c%26", (), b"", id="query"),
        pytest.param("GET", b"/api/runs/r1/events", ((b"x-a", b"1"), (b"x-a", b"2")), b"", id="repeated header"),
        pytest.param("GET", b"/api/runs/r1/events", ((b"cookie", b"a=1"), (b"cookie", b"b=2")), b"", id="cookies"),
        pytest.param("GET", b"/api/runs/r1/events", ((b"authorization", b"Bearer t"),), b"", id="token"),
        pytest.param("GET", b"/api/runs/r1/events", ((b"last-event-id", b"7-2"),), b"", id="last event"),
        pytest.param(
            "POST",
            b"/api/runs/r1/events",
            ((b"content-type", b"application/json"), (b"content-length", b"21")),
            '{"message": "caf\u00e9 🎉"}'.encode()[:21],
            id="body",
        ),
        pytest.param("POST", b"/api/runs/r1/events", ((b"content-length", b"4"),), b"\xff\xfe\x00a", id="binary body"),
    ],
)
def test_the_event_of_a_streamed_route_is_that_of_the_emulator(
    echo: tuple[DeployedApi, Resource], stack: StackState, method: str, target: bytes, headers: Headers, body: bytes
) -> None:
    api, resource = echo
    request = GatewayRequest(method, target, (*SENT, *headers), body)

    expected = _without_request_values(asyncio.run(_of_the_emulator(request, api, stack)))
    found = _without_request_values(json.loads(json.dumps(proxy_event(request, resource, api, authorizer=None))))

    assert found == expected


async def _of_the_emulator(request: GatewayRequest, api: DeployedApi, stack: StackState) -> dict[str, Any]:
    url = f"{stack.endpoint}/restapis/{api.id}/{api.stage}/_user_request_"
    forwarder = Forwarder(url, stage=api.stage, key=stack.access_key_id)
    try:
        response = await forwarder.forward(request)
    finally:
        await forwarder.close()
    assert response.status == 200, response.body
    return json.loads(response.body)


def _without_request_values(event: dict[str, Any]) -> dict[str, Any]:
    for name in OF_THE_REQUEST:
        del event["requestContext"][name]
    return event
