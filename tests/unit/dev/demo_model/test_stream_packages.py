"""Streams read by the clients of the providers' own packages, which must get the response without a stream."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

import boto3
import httpx
import httpx2
import ollama
import openai
import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import EventStreamError
from openai.lib.streaming.chat import ChatCompletionStreamState

from dev.demo_model.http import Answer, Request
from tests.unit.dev.demo_model.clients import Anthropic, Bedrock, Body, Gemini, Ollama, OpenAI, ProtocolClient
from tests.unit.dev.demo_model.openai_client import EVERY_TOOL, Demo
from tests.unit.dev.demo_model.stream_clients import events, joined, pieces, stream

pytestmark = pytest.mark.slow

MESSAGES = [
    "Hello",
    "What is 15% of 45, and the weather in Paris?",
    "[demo:refuse]",
    "[demo:empty]",
    "[demo:bad_json]",
    "[demo:length] hi",
    "[demo:think] What is 1+1?",
]
URL = "http://demo.invalid"
ERROR = "(demo model) an error in the stream was asked for"


def body_of(client: ProtocolClient, message: str) -> Body:
    return client.body([client.user(message)], EVERY_TOOL)


def answered(method: str, url: httpx.URL | httpx2.URL, headers: Mapping[str, str], body: bytes) -> Answer:
    names = {name.lower(): value for name, value in headers.items()}
    return Demo().model.answer(Request(method, url.path, names, body, url.query.decode()))


def httpx_transport(request: httpx.Request) -> httpx.Response:
    answer = answered(request.method, request.url, request.headers, request.read())
    return httpx.Response(answer.status, headers=answer.headers, content=iter(answer.pieces or (answer.body,)))


def httpx2_transport(request: httpx2.Request) -> httpx2.Response:
    answer = answered(request.method, request.url, request.headers, request.read())
    return httpx2.Response(answer.status, headers=answer.headers, content=iter(answer.pieces or (answer.body,)))


def openai_client() -> Any:
    transport = httpx2.MockTransport(httpx2_transport)
    return openai.OpenAI(api_key="k", base_url=f"{URL}/v1", http_client=httpx2.Client(transport=transport))


def ollama_client() -> Any:
    return ollama.Client(URL, transport=httpx.MockTransport(httpx_transport))


def anthropic_client() -> Any:
    import anthropic  # takes seconds

    transport = httpx2.MockTransport(httpx2_transport)
    return anthropic.Anthropic(api_key="k", base_url=URL, http_client=httpx2.Client(transport=transport))


class RawBody:
    """Body of a response as botocore reads it."""

    def __init__(self, answer: Answer) -> None:
        self._pieces = answer.pieces or (answer.body,)

    def stream(self, *_size: object, **_options: object) -> Iterator[bytes]:
        return iter(self._pieces)

    def close(self) -> None: ...


def bedrock_client() -> Any:
    def send(request: AWSPreparedRequest, **_event: object) -> AWSResponse:
        headers = {
            name: value.decode() if isinstance(value, bytes) else str(value) for name, value in request.headers.items()
        }
        body = cast("Any", request.body)
        answer = answered(str(request.method), httpx.URL(str(request.url)), headers, body)
        return AWSResponse(str(request.url), answer.status, cast("Any", answer.headers), cast("Any", RawBody(answer)))

    client = cast("Any", boto3).client(
        "bedrock-runtime", region_name="eu-west-1", aws_access_key_id="a", aws_secret_access_key="b"
    )
    client.meta.events.register("before-send.bedrock-runtime", send)
    return client


@pytest.mark.parametrize("message", MESSAGES)
def test_openai_joins_the_chunks(message: str) -> None:
    create = openai_client().chat.completions.create
    body = body_of(OpenAI(), message)

    state = cast("Any", ChatCompletionStreamState())
    for chunk in create(**body, stream=True, stream_options={"include_usage": True}):
        state.handle_chunk(chunk)

    found = state.current_completion_snapshot.model_dump(exclude_unset=True)
    calls: list[Body] = found["choices"][0]["message"].get("tool_calls") or []
    for call in calls:
        call.pop("index")
        call["function"].pop("parsed_arguments", None)
    assert without_nulls(found) == without_nulls(create(**body).model_dump(exclude_unset=True))


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {name: without_nulls(item) for name, item in items if item is not None and name != "parsed"}
    return [without_nulls(item) for item in cast("list[Any]", value)] if isinstance(value, list) else value


def test_openai_raises_the_error_in_a_stream() -> None:
    body = body_of(OpenAI(), "[demo:error at=3] hi")

    with pytest.raises(openai.APIError, match="an error in the stream was asked for"):
        list(openai_client().chat.completions.create(**body, stream=True))


@pytest.mark.parametrize("message", MESSAGES)
def test_ollama_reads_every_line(message: str) -> None:
    client = ollama_client()
    body = body_of(Ollama(), message) | {"stream": True}

    lines = [line.model_dump(exclude_unset=True) for line in client.chat(**body)]

    text = "".join(line["message"].get("content") or "" for line in lines)
    plain = client.chat(**body | {"stream": False}).model_dump(exclude_unset=True)
    assert (text, lines[-1]["eval_count"], lines[-1]["done"]) == (
        plain["message"]["content"],
        plain["eval_count"],
        True,
    )


def test_ollama_raises_the_error_in_a_stream() -> None:
    client = ollama_client()

    with pytest.raises(ollama.ResponseError, match="an error in the stream was asked for"):
        list(client.chat(**body_of(Ollama(), "[demo:error] hi") | {"stream": True}))


@pytest.mark.parametrize("message", MESSAGES)
def test_gemini_parses_every_chunk(message: str) -> None:
    from google.ai.generativelanguage_v1beta import GenerateContentResponse

    for chunk in events(Gemini(), pieces(stream(Gemini(), body_of(Gemini(), message)))):
        chunk.pop("responseId")  # newer than the package
        cast("Any", GenerateContentResponse).from_json(json.dumps(chunk))


@pytest.mark.parametrize("message", MESSAGES)
def test_anthropic_joins_the_events(message: str) -> None:
    client = anthropic_client()
    body = body_of(Anthropic(), message)

    with client.messages.stream(**body) as events_:
        found = events_.get_final_message()

    assert without_nulls(found.to_dict()) == without_nulls(client.messages.create(**body).to_dict())


def test_anthropic_raises_the_error_in_a_stream() -> None:
    import anthropic

    with (
        pytest.raises(anthropic.APIStatusError, match="an error in the stream was asked for"),
        anthropic_client().messages.stream(**body_of(Anthropic(), "[demo:error] hi")) as events_,
    ):
        events_.get_final_message()


@pytest.mark.parametrize("message", MESSAGES)
def test_botocore_parses_every_event(message: str) -> None:
    body = body_of(Bedrock(), message)

    answer = bedrock_client().converse_stream(modelId="us.vendor.m-v1:0", **body)

    sent = pieces(stream(Bedrock(), body))
    expected = events(Bedrock(), sent)
    for event in expected:
        next(iter(event.values())).pop("p")
    assert list(answer["stream"]) == expected
    assert joined(Bedrock(), sent)["usage"] == expected[-1]["metadata"]["usage"]


@pytest.mark.parametrize(("status", "code"), [(503, "serviceUnavailableException"), (429, "throttlingException")])
def test_botocore_raises_the_error_in_a_stream(status: int, code: str) -> None:
    body = body_of(Bedrock(), f"[demo:error at=4 status={status}] hi")

    with pytest.raises(EventStreamError) as caught:
        list(bedrock_client().converse_stream(modelId="us.vendor.m-v1:0", **body)["stream"])

    assert caught.value.response.get("Error") == {"Code": code, "Message": ERROR}
