"""Tool invocations: each is sent once, every failure is a ToolError."""

import io
import json
from collections.abc import Callable
from copy import replace
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError, EndpointConnectionError, ReadTimeoutError

from flexchat.aws.clients import lambdas
from flexchat.aws.lambdas import NEVER_RAN, PERMANENT, LambdaInvoker
from flexchat.embeddings import EmbeddingRequest, EmbeddingResponse
from flexchat.errors import ToolError, ToolErrorType, ToolNotStartedError
from flexchat.observability import logger
from flexchat.tools import CallTool, ToolFault, ToolMeasures, ToolReply

CALL = CallTool(
    tool="t",
    arguments={"text": "é"},
    implementation={"type": "mock"},
    call_id="c",
    idempotency_key="r:c",
    request_id="r",
    timeout_ms=100,
)


class Client:
    """Lambda client with a scripted `invoke`."""

    def __init__(self, answer: Callable[[], dict[str, Any]]) -> None:
        self.answer = answer
        self.sent: list[tuple[str, Any]] = []

    def invoke(self, *, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 (botocore's own names)
        self.sent.append((FunctionName, json.loads(Payload)))
        return self.answer()


def invoker(answer: Callable[[], dict[str, Any]]) -> tuple[LambdaInvoker, Client]:
    client = Client(answer)
    return LambdaInvoker(client=client, functions={"mock": "the-function"}), client  # type: ignore[arg-type]


def payload(value: Any, **fields: Any) -> dict[str, Any]:
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return {"StatusCode": 200, "Payload": io.BytesIO(text), **fields}


def raising(error: Exception) -> Callable[[], dict[str, Any]]:
    def answer() -> dict[str, Any]:
        raise error

    return answer


@pytest.mark.parametrize(
    ("measures", "parsed"),
    [
        ({}, None),
        ({"measures": {"duration_ms": 40}}, ToolMeasures(duration_ms=40)),
        (
            {"measures": {"duration_ms": 40, "http_status": 200, "retries": 1, "of_a_later_version": 1}},
            ToolMeasures(duration_ms=40, http_status=200, retries=1),
        ),
    ],
)
def test_a_reply_of_an_earlier_and_of_a_later_version_is_accepted(
    measures: dict[str, Any], parsed: ToolMeasures | None
) -> None:
    carrier, _ = invoker(lambda: payload({"version": 1, "ok": True, "result": [1], **measures}))

    assert carrier.invoke("mock", CALL) == ToolReply(ok=True, result=[1], measures=parsed)


def test_a_call_is_sent_to_the_function_of_its_type_and_its_reply_is_returned() -> None:
    carrier, client = invoker(lambda: payload({"version": 1, "ok": True, "result": [1]}))
    assert carrier.types == {"mock": 0}.keys()
    assert carrier.invoke("mock", CALL) == ToolReply(ok=True, result=[1])
    assert client.sent == [
        (
            "the-function",
            {
                "version": 1,
                "tool": "t",
                "arguments": {"text": "é"},
                "implementation": {"type": "mock"},
                "call_id": "c",
                "idempotency_key": "r:c",
                "request_id": "r",
                "timeout_ms": 100,
            },
        )
    ]


def test_a_tool_fault_is_a_reply_and_not_an_exception() -> None:
    fault = {"version": 1, "ok": False, "error": {"type": "timeout", "message": "late"}}
    carrier, _ = invoker(lambda: payload(fault))
    assert carrier.invoke("mock", CALL).error == ToolFault(type="timeout", message="late")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (raising(ReadTimeoutError(endpoint_url="http://10.0.0.7")), "timeout"),
        (raising(ConnectTimeoutError(endpoint_url="http://10.0.0.7")), "unavailable"),
        (raising(EndpointConnectionError(endpoint_url="http://10.0.0.7")), "unavailable"),
        (raising(OSError("10.0.0.7")), "unavailable"),
        (raising(ClientError({"Error": {"Code": "TooManyRequestsException"}}, "Invoke")), "unavailable"),
        (raising(ClientError({}, "Invoke")), "unavailable"),
        (lambda: payload({"errorMessage": "secret at 10.0.0.7"}, FunctionError="Unhandled"), "execution_failed"),
        (lambda: payload({"errorMessage": "Task timed out after 60 s"}, FunctionError="Unhandled"), "timeout"),
        (lambda: payload(b"not json 10.0.0.7"), "execution_failed"),
        (lambda: payload(b'{"ok": NaN}'), "execution_failed"),
        (lambda: payload({"ok": "perhaps"}), "execution_failed"),
        (lambda: payload(None), "execution_failed"),
    ],
)
def test_every_fault_is_a_tool_error_without_an_address(
    answer: Callable[[], dict[str, Any]], kind: ToolErrorType
) -> None:
    carrier, client = invoker(answer)
    with pytest.raises(ToolError) as caught:
        carrier.invoke("mock", CALL)
    assert caught.value.type == kind
    assert "10.0.0.7" not in caught.value.message
    assert len(client.sent) == 1


@pytest.mark.parametrize(
    ("answer", "level", "message"),
    [
        (raising(OSError("10.0.0.7")), "ERROR", "function not reached"),
        (raising(ClientError({"Error": {"Code": "TooManyRequestsException"}}, "Invoke")), "WARNING", "throttled"),
        (raising(ClientError({}, "Invoke")), "ERROR", "invocation refused"),
        (lambda: payload({"errorMessage": "no"}, FunctionError="Unhandled"), "ERROR", "function failed"),
        (lambda: payload(b"not json"), "ERROR", "function reply rejected"),
    ],
)
def test_the_log_line_of_a_fault_has_the_ids_of_its_call_and_request(
    answer: Callable[[], dict[str, Any]], level: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not those of a later request: an abandoned call can fail during one."""
    carrier, _ = invoker(answer)
    with logger.append_context_keys(request_id="later"), pytest.raises(ToolError):
        carrier.invoke("mock", CALL)

    [line] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert line["message"].endswith(message)
    assert {name: line.get(name) for name in ("level", "tool", "call_id", "request_id")} == {
        "level": level,
        "tool": "t",
        "call_id": "c",
        "request_id": "r",
    }


@pytest.mark.parametrize("code", sorted(NEVER_RAN))
def test_an_invocation_that_never_started_is_distinguished_from_one_that_possibly_ran(code: str) -> None:
    carrier, _ = invoker(raising(ClientError({"Error": {"Code": code}}, "Invoke")))

    with pytest.raises(ToolNotStartedError) as caught:
        carrier.invoke("mock", CALL)

    assert caught.value.type == "unavailable"


@pytest.mark.parametrize("code", ["ServiceException", "EC2UnexpectedException", "InternalError"])
def test_an_ambiguous_rejection_counts_as_a_possible_run(code: str) -> None:
    carrier, _ = invoker(raising(ClientError({"Error": {"Code": code}}, "Invoke")))

    with pytest.raises(ToolError) as caught:
        carrier.invoke("mock", CALL)

    assert (type(caught.value), caught.value.type) == (ToolError, "unavailable")


@pytest.mark.parametrize("code", sorted(PERMANENT))
def test_a_rejection_caused_by_the_configuration_is_a_configuration_error(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    carrier, client = invoker(raising(ClientError({"Error": {"Code": code}}, "Invoke")))

    with pytest.raises(ToolError) as caught:
        carrier.invoke("mock", CALL)

    assert (type(caught.value), caught.value.type) == (ToolError, "configuration")
    assert caught.value.message == "The tool is not set up correctly in this deployment; calling it again does not help"
    assert len(client.sent) == 1
    [line] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    facts = {key: line[key] for key in ("level", "message", "tool", "call_id", "function", "code", "permanent")}
    assert facts == {
        "level": "ERROR",
        "message": "invocation refused",
        "tool": "t",
        "call_id": "c",
        "function": "the-function",
        "code": code,
        "permanent": True,
    }


def test_arguments_above_the_lambda_payload_limit_are_rejected_before_sending() -> None:
    carrier, client = invoker(lambda: payload({}))
    with pytest.raises(ToolError, match="too large"):
        carrier.invoke("mock", replace(CALL, arguments={"text": "x" * 6 * 1024 * 1024}))
    assert client.sent == []


def test_the_lambda_client_never_retries_an_invocation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    config: Any = lambdas().meta.config
    assert config.retries == {"mode": "standard", "total_max_attempts": 1}
    assert config.read_timeout >= 300


EMBED = EmbeddingRequest(model="openai:m", texts=("é",), request_id="r", timeout_ms=100)


def test_texts_are_sent_to_the_retrieval_function_and_its_vectors_are_returned() -> None:
    client: Any = Client(lambda: payload({"version": 1, "vectors": ["AACAPw=="]}))
    carrier = LambdaInvoker(client=client, functions={}, retrieval="the-retrieval")

    assert carrier.embed(EMBED) == EmbeddingResponse(vectors=("AACAPw==",))
    assert client.sent == [("the-retrieval", EMBED.model_dump(mode="json"))]


def test_embeddings_without_a_retrieval_function_are_an_error_of_the_configuration() -> None:
    carrier, client = invoker(lambda: payload({}))

    with pytest.raises(ToolError) as caught:
        carrier.embed(EMBED)

    assert (caught.value.type, caught.value.message) == ("configuration", "No function of this deployment embeds texts")
    assert client.sent == []
