"""Contract harness of the Bedrock adapter: its creation, and the service's validation of requests.

botocore's own client signs requests and parses errors. Only the socket is replaced: an event handler returns the
response.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, cast
from urllib.parse import unquote

import botocore.session
from boto3.session import Session
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSPreparedRequest, AWSRequest, AWSResponse
from botocore.credentials import Credentials
from botocore.exceptions import ConnectionClosedError, EndpointConnectionError, ReadTimeoutError
from botocore.loaders import Loader
from botocore.model import StructureShape
from botocore.validate import ParamValidator
from urllib3.exceptions import ProtocolError

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.messages import Json
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.bedrock.aws.converse import BedrockRuntime, bedrock_runtime
from functions.chat.providers.retry import RetryPolicy
from tests.contract.event_stream_frames import event_frame
from tests.contract.provider_streams import converse_events
from tests.contract.wire_script import TOOLS, Playback, Wire, WireAnswer, WireRequest

ACCESS_KEY_ID = "AKIDOFTHECONTRACT"
REGION = "eu-central-1"


class BedrockWire:
    type: ProviderType = "bedrock"
    model = "eu.anthropic.claude-haiku-4-5-20251001-v1:0"
    key = "key-of-the-contract-suite"
    lacks: frozenset[str] = frozenset({"refusal"})

    def provider(self, playback: Playback, *, retry: RetryPolicy, timeout_ms: int) -> BedrockProvider:
        config = LlmConfig(type="bedrock", region=REGION, timeout_ms=timeout_ms, max_retries=retry.max_retries or 0)
        return BedrockProvider("main", config, retry=retry, client=bedrock_client(playback, key=self.key))

    def tools(self) -> Sequence[dict[str, Json]]:
        return [
            {"toolSpec": {"name": name, "description": description, "inputSchema": {"json": schema}}}
            for name, description, schema in TOOLS
        ]

    def check_request(self, request: WireRequest) -> None:
        address = re.fullmatch(
            rf"https://bedrock-runtime\.{REGION}\.amazonaws\.com/model/([^/]+)/converse(-stream)?", request.url
        )
        assert address is not None
        assert unquote(address[1]) == self.model
        assert request.headers["Content-Type"] == "application/json"
        assert self.key not in str(request.headers)
        assert self.key.encode() not in request.content
        _check_signature(request, self.key)
        check_bedrock_body(request.body)

    def plain_request(self, request: WireRequest) -> WireRequest:
        """Return the request itself, whose address is signed; its body is that of a plain one."""
        assert request.url.endswith("/converse-stream")
        return request

    def streamed(self, answer: WireAnswer) -> WireAnswer:
        """Return the frames of the service."""
        events = converse_events(cast("dict[str, Any]", answer.body))
        data = b"".join(event_frame(name, payload) for name, payload in events)
        if answer.fault == "cut":
            data = event_frame("messageStart", {"role": "assistant", "p": "a" * len(data)}) + data
        headers = {**answer.headers, "content-type": "application/vnd.amazon.eventstream"}
        return answer.model_copy(update={"data": data, "headers": headers})


def bedrock_client(playback: Playback, *, key: str, headers: dict[str, str] | None = None) -> BedrockRuntime:
    """The real client, with `playback` where its socket would be."""
    session = botocore.session.Session()
    session.register_component("data_loader", _loader())
    session.set_credentials(ACCESS_KEY_ID, key)
    for operation in ("Converse", "ConverseStream"):
        # the stubs expect no answer
        session.register(f"before-send.bedrock-runtime.{operation}", cast("Any", _Socket(playback)))
    return bedrock_runtime(
        "llms.main",
        region=REGION,
        endpoint_url=None,
        timeout_seconds=60,
        headers=headers or {},
        session=Session(botocore_session=session),
    )


@cache
def _loader() -> Loader:
    """botocore's descriptions of its services, read once for all tests."""
    return Loader()


@cache
def _converse_input() -> StructureShape:
    session = botocore.session.Session()
    session.register_component("data_loader", _loader())
    return cast("StructureShape", session.get_service_model("bedrock-runtime").operation_model("Converse").input_shape)


class _Socket:
    def __init__(self, playback: Playback) -> None:
        self._playback = playback

    def __call__(self, *, request: AWSPreparedRequest, **_: object) -> AWSResponse:
        sent = cast("Any", request)
        answer = self._playback.answer(
            WireRequest(
                url=sent.url,
                headers={name: _text(value) for name, value in sent.headers.items()},
                content=sent.body,
                timeout=sent.context["read_timeout"],
            )
        )
        match answer.fault:
            case "no_answer":
                raise ReadTimeoutError(endpoint_url=sent.url)
            case "no_connection":
                raise EndpointConnectionError(endpoint_url=sent.url)
            case "cut" if answer.data is None and "content-length" not in answer.headers:
                raise ConnectionClosedError(endpoint_url=sent.url)
            case _:
                return AWSResponse(sent.url, answer.status, cast("Any", answer.headers), cast("Any", _Body(answer)))


class _Body:
    """As urllib3 gives it: where a length was announced, a body that ends too soon just ends.

    The body of a stream arrives in small pieces.
    """

    def __init__(self, answer: WireAnswer) -> None:
        whole = answer.content
        self._content = whole if answer.fault is None else whole[: len(whole) // 2]
        self._piece = 100 if answer.data is not None else len(whole) or 1
        self._is_cut = answer.data is not None and answer.fault == "cut"

    def stream(self, *_: object, **__: object) -> Iterator[bytes]:
        for start in range(0, len(self._content), self._piece):
            yield self._content[start : start + self._piece]
        if self._is_cut:
            raise ProtocolError("Connection broken: InvalidChunkLength(got length b'', 0 bytes read)")

    def close(self) -> None:
        return None


def _check_signature(request: WireRequest, key: str) -> None:
    """Compute the signature of the received body again and compare."""
    scope = re.fullmatch(
        rf"AWS4-HMAC-SHA256 Credential={ACCESS_KEY_ID}/\d+/{REGION}/bedrock/aws4_request, "
        r"SignedHeaders=([a-z;-]+), Signature=([0-9a-f]+)",
        request.headers["Authorization"],
    )
    assert scope is not None
    signed: Any = {name: value for name, value in request.headers.items() if name.lower() in scope[1].split(";")}
    again = AWSRequest("POST", request.url, headers=signed, data=request.content)
    again.context["timestamp"] = request.headers["X-Amz-Date"]
    signer = SigV4Auth(Credentials(ACCESS_KEY_ID, key), "bedrock", REGION)
    text = signer.string_to_sign(again, signer.canonical_request(again))
    assert signer.signature(text, again) == scope[2]


def check_bedrock_body(body: Json) -> None:
    """botocore's own validation of the operation's input, and the documented rules of the service."""
    request = cast("dict[str, Any]", body)
    report = ParamValidator().validate({"modelId": "m", **request}, _converse_input())
    assert not report.has_errors(), report.generate_report()
    assert request.get("inferenceConfig", {}).get("temperature", 0) <= 1
    tools = request.get("toolConfig", {}).get("tools", [])
    for tool in tools[:-1] if tools and "cachePoint" in tools[-1] else tools:
        assert tool["toolSpec"]["inputSchema"]["json"]["type"] == "object"
    _check_conversation(request["messages"], tools="toolConfig" in request)


def _check_conversation(messages: list[dict[str, Any]], *, tools: bool) -> None:
    """Turns alternate from the user's, each call is answered at the head of the next, no text is blank."""
    assert [message["role"] for message in messages] == [("user", "assistant")[i % 2] for i in range(len(messages))]
    assert messages[-1]["role"] == "user"
    open_calls: list[str] = []
    for message in messages:
        blocks: list[dict[str, Any]] = message["content"]
        assert blocks, "a message without content"
        assert all(block["text"].strip() for block in blocks if "text" in block), "a blank text"
        head = [block.get("toolResult", {}).get("toolUseId", "") for block in blocks[: len(open_calls)]]
        assert sorted(head) == sorted(open_calls), "a call without its result"
        assert all("toolResult" not in block for block in blocks[len(open_calls) :]), "a result without its call"
        assert "reasoningContent" not in blocks[-1], "reasoning that leads to nothing"
        uses = [block["toolUse"] for block in blocks if "toolUse" in block]
        assert tools or not uses, "calls where no tools are offered"
        for use in uses:
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", use["toolUseId"])
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", use["name"])
            assert isinstance(use["input"], dict)
        open_calls = [use["toolUseId"] for use in uses]
        assert len(set(open_calls)) == len(open_calls), "a call id twice"


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


WIRE: Wire = BedrockWire()
