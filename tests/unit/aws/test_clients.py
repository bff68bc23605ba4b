"""Clients of AWS services, from the environment of a function to their sockets."""

import ssl
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import trustme
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    EndpointConnectionError,
    ProxyConnectionError,
    ReadTimeoutError,
    SSLError,
)

from flexchat.aws import clients
from flexchat.aws.clients import CallOverError
from flexchat.aws.credentials import error_code
from flexchat.deadline import time_limit
from tests.contract.aws_answers import AwsAnswer, AwsRequest, refusal, socket

URL = "https://dynamodb.eu-central-1.amazonaws.com"
FUNCTION = {
    "AWS_LAMBDA_FUNCTION_NAME": "chat",
    "AWS_REGION": "eu-central-1",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "AKID",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_SESSION_TOKEN": "token",
}
MAKERS: dict[str, Callable[[], Any]] = {
    "ssm": clients.ssm.__wrapped__,
    "dynamodb": clients.dynamodb.__wrapped__,
    "secretsmanager": clients.secretsmanager.__wrapped__,
    "s3": clients.s3.__wrapped__,
    "sqs": clients.sqs.__wrapped__,
    "events": clients.events.__wrapped__,
    "lambda": clients.lambdas.__wrapped__,
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Have the environment of a function, with a session of its own."""
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_CA_BUNDLE", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name, value in FUNCTION.items():
        monkeypatch.setenv(name, value)
    clients.shared_session.cache_clear()
    yield monkeypatch
    clients.shared_session.cache_clear()


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeat requests at once."""
    monkeypatch.setattr("botocore.endpoint.time.sleep", Mock())


@dataclass
class Script:
    """Answers at the socket of a client, and the requests; the last answer is that of all further requests."""

    answers: list[AwsAnswer]
    requests: list[AwsRequest] = field(default_factory=list[AwsRequest])

    def __call__(self, request: AwsRequest) -> AwsAnswer:
        self.requests.append(request)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def scripted(service: str, *answers: AwsAnswer) -> tuple[Any, Script]:
    """Return the client of a function, with `answers` in the place of its socket."""
    client, script = MAKERS[service](), Script([*answers])
    client.meta.events.register_last("before-send", socket(script))  # after the limit of the call
    return client, script


def dynamodb_error(code: str, *, status: int = 400) -> AwsAnswer:
    return AwsAnswer({"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "why"}, status=status)


FOUND = AwsAnswer({"Item": {"pk": {"S": "a"}}})
QUEUED = AwsAnswer({}, status=202)
KEY: Any = {"TableName": "t", "Key": {"pk": {"S": "a"}}}


CALLS: dict[str, Callable[[Any], Any]] = {
    "ssm": lambda client: client.get_parameters(Names=["a"]),
    "dynamodb": lambda client: client.get_item(**KEY),
    "secretsmanager": lambda client: client.get_secret_value(SecretId="a"),
    "events": lambda client: client.put_events(Entries=[{"Source": "a"}]),
    "lambda": lambda client: client.invoke(FunctionName="f", Payload=b"{}"),
}


def test_a_request_of_a_function_is_signed_for_its_service_and_region_with_its_trace(
    environment: pytest.MonkeyPatch,
) -> None:
    trace = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a87bd80c:1"
    environment.setenv("_X_AMZN_TRACE_ID", trace)
    client, script = scripted("dynamodb", FOUND)

    assert client.get_item(TableName="t", Key={"pk": {"B": b"\x00\xff"}})["Item"] == {"pk": {"S": "a"}}

    [request] = script.requests
    headers = {name.lower(): value for name, value in request.headers.items()}
    assert request.url == f"{URL}/"
    assert request.body == {"TableName": "t", "Key": {"pk": {"B": "AP8="}}}
    assert "/eu-central-1/dynamodb/aws4_request" in headers["authorization"]
    assert headers["x-amz-security-token"] == "token"
    assert headers["user-agent"].startswith("flexchat/")
    assert headers["x-amzn-trace-id"] == trace


def test_an_invocation_has_the_trace_by_which_lambda_detects_a_loop_of_functions(
    environment: pytest.MonkeyPatch,
) -> None:
    client, script = scripted("lambda", QUEUED)

    for trace in ("Root=1-0-1;Lineage=1:a:0", "Root=1-0-2\r\nx: y"):
        environment.setenv("_X_AMZN_TRACE_ID", trace)
        client.invoke(FunctionName="f", InvocationType="Event", Payload=b"{}")

    assert [request.headers["X-Amzn-Trace-Id"] for request in script.requests] == [
        "Root=1-0-1;Lineage=1:a:0",
        "Root=1-0-2%0D%0Ax:%20y",
    ]


@pytest.mark.parametrize(
    ("service", "variable"),
    [
        ("ssm", "AWS_ENDPOINT_URL_SSM"),
        ("dynamodb", "AWS_ENDPOINT_URL_DYNAMODB"),
        ("secretsmanager", "AWS_ENDPOINT_URL_SECRETS_MANAGER"),
        ("events", "AWS_ENDPOINT_URL_EVENTBRIDGE"),
        ("lambda", "AWS_ENDPOINT_URL_LAMBDA"),
    ],
)
def test_a_service_has_the_endpoint_of_its_variable_before_that_of_all_services(
    environment: pytest.MonkeyPatch, service: str, variable: str
) -> None:
    environment.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert MAKERS[service]().meta.endpoint_url == "http://127.0.0.1:9"

    clients.shared_session.cache_clear()
    environment.setenv(variable, "https://vpce-1.vpce.amazonaws.com")
    client, script = scripted(service, AwsAnswer({}))
    CALLS[service](client)

    assert script.requests[0].url.startswith("https://vpce-1.vpce.amazonaws.com/")


@pytest.mark.parametrize("region", ["us-east-1", "eu-central-1", "ap-southeast-3"])
def test_an_upload_form_is_signed_by_sigv4_for_the_endpoint_of_its_region(
    environment: pytest.MonkeyPatch, region: str
) -> None:
    environment.setenv("AWS_REGION", region)
    environment.setenv("AWS_DEFAULT_REGION", region)

    form = clients.s3.__wrapped__().generate_presigned_post("the-bucket", "a")

    host = "s3" if region == "us-east-1" else f"s3.{region}"
    assert form["url"] == f"https://the-bucket.{host}.amazonaws.com/"
    assert form["fields"]["x-amz-algorithm"] == "AWS4-HMAC-SHA256"
    assert f"/{region}/s3/aws4_request" in form["fields"]["x-amz-credential"]
    assert form["fields"]["x-amz-security-token"] == "token"


@pytest.mark.parametrize("name", ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"])
def test_an_upload_form_for_an_emulator_names_the_bucket_in_its_path(
    environment: pytest.MonkeyPatch, name: str
) -> None:
    environment.setenv(name, "http://localhost:4566")

    assert (
        clients.s3.__wrapped__().generate_presigned_post("the-bucket", "a")["url"] == "http://localhost:4566/the-bucket"
    )


@pytest.mark.parametrize("service", MAKERS)
def test_a_client_has_connections_for_parallel_requests_that_stay_alive(service: str) -> None:
    config = MAKERS[service]().meta.config

    assert config.tcp_keepalive is True
    assert config.max_pool_connections >= 64


@pytest.mark.parametrize(
    ("service", "attempts", "seconds"),
    [
        ("ssm", 5, (1, 3)),
        ("dynamodb", 3, (1, 2)),
        ("secretsmanager", 3, (1, 2)),
        ("s3", 3, (2, 20)),
        ("sqs", 3, (1, 5)),
        ("events", 3, (1, 3)),
        ("lambda", 1, (3, 300)),
    ],
)
def test_a_client_has_the_standard_retries_and_the_timeouts_of_its_service(
    service: str, attempts: int, seconds: tuple[int, int]
) -> None:
    config = MAKERS[service]().meta.config

    assert config.retries == {"mode": "standard", "total_max_attempts": attempts}
    assert (config.connect_timeout, config.read_timeout) == seconds


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize(
    "failure",
    [
        dynamodb_error("InternalServerError", status=500),
        dynamodb_error("ProvisionedThroughputExceededException"),
        dynamodb_error("ThrottlingException"),
        dynamodb_error("TransactionInProgressException"),
        AwsAnswer(b"<html>busy</html>", status=503),
        AwsAnswer(fault=ConnectionClosedError(endpoint_url=URL)),
        AwsAnswer(fault=ReadTimeoutError(endpoint_url=URL)),
        AwsAnswer(fault=EndpointConnectionError(endpoint_url=URL)),
    ],
)
def test_a_transient_failure_is_repeated_with_the_same_body(failure: AwsAnswer) -> None:
    client, script = scripted("dynamodb", failure, FOUND)

    assert client.get_item(**KEY)["Item"] == {"pk": {"S": "a"}}
    assert [request.body for request in script.requests] == [KEY, KEY]


@pytest.mark.parametrize(
    "code",
    ["ConditionalCheckFailedException", "ResourceNotFoundException", "ValidationException", "AccessDeniedException"],
)
def test_a_permanent_error_is_not_repeated(code: str) -> None:
    client, script = scripted("dynamodb", dynamodb_error(code))

    with pytest.raises(ClientError, match=rf"An error occurred \({code}\) when calling the GetItem operation: why"):
        client.get_item(**KEY)
    assert len(script.requests) == 1


@pytest.mark.usefixtures("no_pauses")
def test_the_error_of_the_last_attempt_is_raised() -> None:
    closed = AwsAnswer(fault=ConnectionClosedError(endpoint_url=URL))
    client, script = scripted(
        "dynamodb", closed, dynamodb_error("ThrottlingException"), AwsAnswer(b"bad gateway", status=502)
    )

    with pytest.raises(ClientError) as caught:
        client.get_item(**KEY)

    assert error_code(caught.value) == "502"
    assert len(script.requests) == 3


@pytest.mark.parametrize(
    "failure",
    [
        AwsAnswer(fault=ConnectionClosedError(endpoint_url=URL)),
        AwsAnswer(fault=ReadTimeoutError(endpoint_url=URL)),
        *(AwsAnswer({}, status=status) for status in (429, 500, 503)),
        refusal("TooManyRequestsException", status=429),
    ],
)
def test_an_invocation_is_never_sent_again(failure: AwsAnswer) -> None:
    client, script = scripted("lambda", failure, QUEUED)

    with pytest.raises((ClientError, ConnectionClosedError, ReadTimeoutError)):
        client.invoke(FunctionName="f", Payload=b"{}")
    assert len(script.requests) == 1


def test_no_request_is_sent_after_the_time_of_its_call() -> None:
    client, script = scripted("dynamodb", FOUND)

    with pytest.raises(CallOverError), time_limit(0):
        client.get_item(**KEY)
    assert script.requests == []


class Server(ThreadingHTTPServer):
    """Server that records the targets of requests; it has no connection to another server."""

    daemon_threads = True

    def __init__(self, certificates: ssl.SSLContext | None = None) -> None:
        self.targets: list[str] = []
        targets = self.targets

        class Handler(BaseHTTPRequestHandler):
            def do_CONNECT(self) -> None:
                targets.append(self.path)
                self.send_error(502)

            def do_POST(self) -> None:
                targets.append(self.path)
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(200)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing is written to the terminal."""

        super().__init__(("127.0.0.1", 0), Handler)
        if certificates is not None:
            self.socket = certificates.wrap_socket(self.socket, server_side=True)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing is written to the terminal."""


@contextmanager
def serving(certificates: ssl.SSLContext | None = None) -> Generator[Server]:
    with Server(certificates) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize("service", ["ssm", "dynamodb", "lambda"])
def test_requests_pass_through_the_proxy_of_the_environment(environment: pytest.MonkeyPatch, service: str) -> None:
    with serving() as proxy:
        environment.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.server_port}")

        with pytest.raises(ProxyConnectionError):
            CALLS[service](MAKERS[service]())

    assert set(proxy.targets) == {f"{service}.eu-central-1.amazonaws.com:443"}


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize("service", ["ssm", "dynamodb", "lambda"])
def test_certificates_are_those_of_the_bundle_of_the_environment(
    environment: pytest.MonkeyPatch, tmp_path: Path, service: str
) -> None:
    authority, certificates = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate: Any = authority.issue_cert("127.0.0.1")
    certificate.configure_cert(certificates)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with serving(certificates) as server:
        environment.setenv("AWS_ENDPOINT_URL", f"https://127.0.0.1:{server.server_port}")
        with pytest.raises(SSLError):
            CALLS[service](MAKERS[service]())
        assert server.targets == []

        clients.shared_session.cache_clear()
        environment.setenv("AWS_CA_BUNDLE", str(tmp_path / "ca.pem"))
        CALLS[service](MAKERS[service]())

    assert len(server.targets) == 1
