"""Signed requests: what is sent, which failures are repeated, and the errors of the last one."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, EndpointConnectionError, ReadTimeoutError

from flexchat.aws.botocore_clients import CallOverError
from flexchat.aws.credentials import error_code
from flexchat.aws.json_client import DYNAMODB, InvocationClient, JsonClient
from flexchat.aws.signatures import Credentials
from flexchat.aws.signed_requests import AwsNetwork, SignedRequests
from flexchat.egress.errors import EgressError
from flexchat.egress.transport import HttpFailure, HttpRequestError, OutgoingRequest
from flexchat.egress.urls import Address
from flexchat.retry import Retry
from flexchat.timeouts import time_limit

ADDRESS = Address("https", "dynamodb.eu-central-1.amazonaws.com", 443)


class Response:
    def __init__(self, status: int = 200, body: bytes = b"{}", headers: Mapping[str, str] | None = None) -> None:
        self.status = status
        self.headers: Mapping[str, str] = headers or {}
        self.body = body
        self.is_closed = False

    def pieces(self) -> Iterator[bytes]:
        yield from (self.body[:3], self.body[3:])

    def close(self) -> None:
        self.is_closed = True


class Network:
    """Transport with a script of responses and errors; it stores the requests."""

    def __init__(self, *script: Response | Exception) -> None:
        self.script = list(script)
        self.requests: list[OutgoingRequest] = []

    def send(self, request: OutgoingRequest) -> Response:
        self.requests.append(request)
        answer = self.script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def requests_over(network: Network, *, attempts: int = 3, retry: Retry | None = None) -> SignedRequests:
    return SignedRequests(
        "dynamodb",
        address=ADDRESS,
        region="eu-central-1",
        credentials=lambda: Credentials("AKID", "secret", "token"),
        seconds=2,
        transport=network,
        retry=retry or Retry(max_retries=attempts - 1, sleep=lambda _seconds: None, random=lambda: 0.0),
        now=lambda: 1_772_368_259.0,
    )


def client_over(network: Network) -> Any:
    return JsonClient(DYNAMODB, requests_over(network))


def refusal(code: str, status: int = 400, **fields: Any) -> Response:
    return Response(status, json.dumps({"__type": f"com.amazonaws.dynamodb.v20120810#{code}", **fields}).encode())


def test_a_request_has_the_header_of_its_operation_and_a_signature_without_those_that_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793")
    network = Network(Response(body=b'{"Item": {"pk": {"S": "a"}}}'))

    found = client_over(network).get_item(TableName="t", Key={"pk": {"B": b"\x00\xff"}})

    [request] = network.requests
    assert found == {"Item": {"pk": {"S": "a"}}}
    assert request.body == b'{"TableName":"t","Key":{"pk":{"B":"AP8="}}}'
    assert (request.method, request.target, request.seconds) == ("POST", "/", 2)
    headers = dict(request.headers)
    signature = headers.pop("authorization")
    assert "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=" in signature
    assert "Credential=AKID/20260301/eu-central-1/dynamodb/aws4_request" in signature
    assert headers.pop("user-agent").startswith("flexchat/")
    assert headers == {
        "content-type": "application/x-amz-json-1.0",
        "host": "dynamodb.eu-central-1.amazonaws.com",
        "x-amz-date": "20260301T123059Z",
        "x-amz-security-token": "token",
        "x-amz-target": "DynamoDB_20120810.GetItem",
        "x-amzn-trace-id": "Root=1-5759e988-bd862e3fe1be46a994272793",
    }


@pytest.mark.parametrize(
    "failure",
    [
        refusal("InternalServerError", 500),
        refusal("ProvisionedThroughputExceededException"),
        refusal("ThrottlingException"),
        refusal("TransactionInProgressException"),
        Response(503, b"<html>busy</html>"),
        HttpRequestError("broken"),
        HttpRequestError("timeout"),
        HttpRequestError("unreachable"),
        EgressError("unresolved", "the host has no address"),
    ],
)
def test_a_transient_failure_is_repeated_with_a_new_signature(failure: Response | Exception) -> None:
    network = Network(failure, Response())

    assert client_over(network).get_item(TableName="t") == {}
    assert len(network.requests) == 2
    assert network.requests[0].body == network.requests[1].body


@pytest.mark.parametrize(
    "code",
    ["ConditionalCheckFailedException", "ResourceNotFoundException", "ValidationException", "AccessDeniedException"],
)
def test_a_permanent_error_is_not_repeated(code: str) -> None:
    network = Network(refusal(code, message="why"))

    with pytest.raises(ClientError, match=rf"An error occurred \({code}\) when calling the PutItem operation: why"):
        client_over(network).put_item(TableName="t")
    assert len(network.requests) == 1


def test_the_error_of_the_last_attempt_is_raised() -> None:
    network = Network(HttpRequestError("broken"), refusal("ThrottlingException"), Response(502, b"bad gateway"))

    with pytest.raises(ClientError) as caught:
        client_over(network).get_item(TableName="t")

    assert error_code(caught.value) == "502"
    assert caught.value.operation_name == "GetItem"
    assert network.script == []


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        ("broken", ConnectionClosedError),
        ("timeout", ReadTimeoutError),
        ("unreachable", EndpointConnectionError),
    ],
)
def test_a_request_without_a_response_has_the_error_of_botocore(failure: HttpFailure, error: type[Exception]) -> None:
    network = Network(*[HttpRequestError(failure)] * 3)

    with pytest.raises(error, match=ADDRESS.host) as caught:
        client_over(network).get_item(TableName="t")

    assert isinstance(caught.value.__cause__, HttpRequestError)
    assert len(network.requests) == 3


@pytest.mark.parametrize(
    "failure", [HttpRequestError("broken"), HttpRequestError("timeout"), Response(429), Response(500), Response(503)]
)
def test_an_invocation_is_never_sent_again(failure: Response | Exception) -> None:
    network = Network(failure)

    with pytest.raises((ClientError, ConnectionClosedError, ReadTimeoutError)):
        InvocationClient(requests_over(network, attempts=1)).invoke(FunctionName="f", Payload=b"{}")
    assert len(network.requests) == 1


def test_an_invocation_names_its_function_and_returns_the_failure_of_the_function() -> None:
    network = Network(
        Response(200, b'{"errorMessage": "crash"}', {"x-amz-function-error": "Unhandled"}), Response(202, b"")
    )
    client = InvocationClient(requests_over(network))
    arn = "arn:aws:lambda:eu-central-1:123456789012:function:tool:live"

    failed = client.invoke(FunctionName=arn, Payload=b"{}")
    queued = client.invoke(FunctionName="tool", InvocationType="Event", Payload=b"[]")

    assert (failed["StatusCode"], failed["FunctionError"]) == (200, "Unhandled")
    assert failed["Payload"].read() == b'{"errorMessage": "crash"}'
    assert (queued["StatusCode"], "FunctionError" in queued) == (202, False)
    first, second = network.requests
    assert first.target == (
        "/2015-03-31/functions/arn%3Aaws%3Alambda%3Aeu-central-1%3A123456789012%3Afunction%3Atool%3Alive/invocations"
    )
    assert "x-amz-invocation-type" not in first.headers
    assert (second.target, second.body) == ("/2015-03-31/functions/tool/invocations", b"[]")
    assert second.headers["x-amz-invocation-type"] == "Event"


def test_the_code_of_an_invocation_error_is_in_a_header() -> None:
    headers = {"x-amzn-errortype": "TooManyRequestsException:http://internal.amazon.com/", "x-amzn-requestid": "r1"}
    network = Network(Response(429, b'{"Reason": "ConcurrentInvocationLimitExceeded", "message": "Rate"}', headers))

    with pytest.raises(ClientError) as caught:
        InvocationClient(requests_over(network, attempts=1)).invoke(FunctionName="f", Payload=b"{}")

    response: Any = caught.value.response
    assert response["Error"] == {"Code": "TooManyRequestsException", "Message": "Rate"}
    assert response["Reason"] == "ConcurrentInvocationLimitExceeded"
    assert response["ResponseMetadata"] == {"HTTPStatusCode": 429, "RequestId": "r1"}


def test_no_request_is_sent_after_the_time_of_its_call() -> None:
    network = Network()

    with pytest.raises(CallOverError), time_limit(0):
        client_over(network).get_item(TableName="t")
    assert network.requests == []


def test_no_request_is_repeated_when_the_wait_is_longer_than_the_call() -> None:
    network = Network(HttpRequestError("broken"))
    requests = requests_over(network, retry=Retry(max_retries=2, base=60, cap=60, random=lambda: 1.0))

    with pytest.raises(ConnectionClosedError), time_limit(30):
        requests.post("GetItem", "/", {}, b"{}")
    assert len(network.requests) == 1


def test_a_response_is_closed_when_its_body_breaks_off() -> None:
    class Broken(Response):
        def pieces(self) -> Iterator[bytes]:
            yield b"{"
            raise HttpRequestError("broken")

    broken = Broken()

    assert client_over(Network(broken, Response())).get_item(TableName="t") == {}
    assert broken.is_closed


def test_a_value_that_json_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="set is not a value of a request to AWS"):
        client_over(Network()).put_item(TableName="t", Item={"pk": {"SS": {"a"}}})


def test_endpoints_of_a_private_network_are_allowed() -> None:
    policy = AwsNetwork()
    policy.check_address(Address("http", "127.0.0.1", 4566))
    policy.check_ip("10.0.0.8", "vpce-1.ssm.vpce.amazonaws.com")
    policy.check_ip("169.254.169.254", "metadata")
