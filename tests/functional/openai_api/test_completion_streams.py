"""POST /v1/chat/completions with `stream`, by OpenAI's own client."""

import json
from typing import Any

import httpx2
import openai
import pytest
from openai.types.chat import ChatCompletionChunk

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, Text, ToolCall, Usage
from functions.chat.providers.base import TextDelta
from tests.functional.chat.harness import CALCULATE, LambdaContext, configuration
from tests.functional.chat.scripted_provider import ScriptedProvider, call_completion, text_completion
from tests.functional.chat.streams import StreamClient
from tests.functional.openai_api.openai_client import QUESTION, Service, event_of, service
from tests.functional.openai_api.test_completions import SUM, TOOL, WITH_TOOL

USAGE: Any = {"include_usage": True}


def chunks(asked: Service, **parameters: Any) -> list[ChatCompletionChunk]:
    create: Any = asked.client.chat.completions.create
    return [*create(**{"model": "flexchat", "messages": QUESTION, "stream": True, **parameters})]


def text_of(received: list[ChatCompletionChunk]) -> str:
    return "".join(chunk.choices[0].delta.content or "" for chunk in received if chunk.choices)


def body_of(asked: Service) -> str:
    return b"".join(asked.stream.pieces).decode()


def test_an_answer_is_streamed_in_chunks() -> None:
    asked = service([SUM, text_completion("It is 6.75.")], WITH_TOOL)
    received = chunks(asked, stream_options=USAGE)

    assert [ChatCompletionChunk.model_validate(chunk.model_dump()) for chunk in received] == received
    assert [chunk.choices[0].delta.content for chunk in received if chunk.choices] == ["", "It", " is", " 6.75.", None]
    assert received[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in received[:-1]] == [None, None, None, None, "stop"]
    assert len({(chunk.id, chunk.created, chunk.model) for chunk in received}) == 1
    assert [chunk.usage for chunk in received[:-1]] == [None] * 5
    usage = received[-1].usage
    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (20, 10, 30)
    last: Any = received[-2].model_dump()
    assert last["flexchat"]["tool_calls"][0]["name"] == "calculate"
    ((status, headers),) = asked.stream.started
    assert (status, headers["Content-Type"], bool(headers["X-Request-Id"])) == (200, "text/event-stream", True)
    assert body_of(asked).endswith("\n\ndata: [DONE]\n\n")


def test_without_its_option_no_chunk_has_a_usage() -> None:
    asked = service([text_completion("x")])
    received = chunks(asked)

    assert received[-1].choices[0].finish_reason == "stop"
    assert "usage" not in body_of(asked)


def test_a_function_without_streams_returns_the_chunks_in_one_body() -> None:
    assert text_of(chunks(service([text_completion("one two")], is_live=False))) == "one two"


def test_the_text_of_a_turn_with_calls_is_followed_by_a_blank_line() -> None:
    parts = (Text("Let me see."), ToolCall("c1", "calculate", {"expression": "1"}, '{"expression": "1"}'))
    turn = Completion(Message("assistant", parts), "tool_calls", Usage(1, 1), "scripted")

    assert text_of(chunks(service([turn, text_completion("It is 1.")], WITH_TOOL))) == "Let me see.\n\nIt is 1."


def test_calls_of_a_clients_tools_are_streamed(dynamodb: Any) -> None:
    calls = call_completion(("get_stock", {"item": "lamp"}), ("get_stock", {"item": "bed"}))
    asked = service([calls, text_completion("12 and 3")], dynamodb=dynamodb)
    with asked.client.chat.completions.stream(model="flexchat", messages=QUESTION, tools=[TOOL]) as stream:
        completion: Any = stream.get_final_completion()

    (choice,) = completion.choices
    assert choice.finish_reason == "tool_calls"
    made = [(call.type, call.function.name, call.function.arguments) for call in choice.message.tool_calls]
    assert made == [("function", "get_stock", '{"item": "lamp"}'), ("function", "get_stock", '{"item": "bed"}')]
    results = [{"role": "tool", "tool_call_id": call.id, "content": "12"} for call in choice.message.tool_calls]
    message = choice.message.model_dump(exclude={"parsed"})
    assert text_of(chunks(asked, tools=[TOOL], messages=[*QUESTION, message, *results])) == "12 and 3"


@pytest.mark.parametrize(
    "asks", [{"extra_headers": {"X-Flexchat-Events": "comments"}}, {"extra_body": {"flexchat": {"events": True}}}]
)
def test_steps_of_the_service_are_comments_on_demand(asks: Any) -> None:
    asked = service([SUM, text_completion("x")], WITH_TOOL)

    assert text_of(chunks(asked, **asks)) == "x"
    comments = [line for line in body_of(asked).split("\n") if line.startswith(":")]
    assert [line.split(" ")[1] for line in comments] == [
        "rule",
        "model_started",
        "tool_started",
        "tool_finished",
        "model_started",
    ]
    assert json.loads(comments[2].split(" ", 2)[2])["tool"] == "calculate"


def test_without_demand_no_step_is_sent() -> None:
    asked = service([SUM, text_completion("x")], WITH_TOOL)
    chunks(asked)

    assert "\n:" not in body_of(asked)


def test_an_error_before_the_first_text_is_a_response_of_its_own() -> None:
    asked = service([ModelError("broken", type="overloaded", provider="openai")])
    with pytest.raises(openai.InternalServerError) as caught:
        chunks(asked)

    assert (caught.value.status_code, caught.value.code) == (503, "model_overloaded")
    assert asked.stream.started == []


def test_a_refused_parameter_is_a_response_of_its_own() -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        chunks(service(), n=2)
    assert caught.value.param == "n"


class CutShort(ScriptedProvider):
    """Model whose stream fails after its first text."""

    def generate_chat(self, messages: Any, model: str, options: Any, on_delta: Any = None) -> Completion:
        on_delta(TextDelta("It is"))
        raise ModelError("cut", type="network", provider="openai", after_output=True)


@pytest.mark.parametrize("is_live", [True, False])
def test_an_error_after_the_first_text_ends_the_stream(is_live: bool) -> None:
    asked = service(is_live=is_live)
    asked.chat.model.__class__ = CutShort
    with pytest.raises(openai.APIError) as caught:
        chunks(asked)

    assert (caught.value.code, caught.value.type) == ("model_network", "server_error")
    if is_live:
        assert "[DONE]" not in body_of(asked)
        assert "It is" in body_of(asked)
    else:
        assert isinstance(caught.value, openai.InternalServerError)


def test_an_answer_that_was_not_streamed_follows_the_text_of_its_turn(dynamodb: Any) -> None:
    failure = ModelError("broken", type="invalid_request", provider="openai")
    received = chunks(service([SUM, failure], WITH_TOOL, dynamodb=dynamodb))

    assert text_of(received).startswith("The model could not finish its answer")
    assert received[-1].choices[0].finish_reason == "length"


def test_a_closed_response_ends_the_chat() -> None:
    asked = service([SUM, text_completion("never")], WITH_TOOL)
    client = StreamClient(room=1)
    body = {"model": "flexchat", "messages": QUESTION, "stream": True, "flexchat": {"events": True}}
    request = httpx2.Request("POST", "https://api.example/v1/chat/completions", content=json.dumps(body))
    event = event_of(request, "caller")

    assert asked.chat.function.handle(event, LambdaContext(), client) is None
    assert len(asked.chat.model.script) == 2


def test_a_response_closed_in_its_text_starts_no_tool_and_keeps_no_session(dynamodb: Any) -> None:
    parts = (Text("Let me see what it is."), *SUM.message.parts)
    turn = Completion(Message("assistant", parts), "tool_calls", Usage(1, 1), "scripted")
    asked = service([turn, text_completion("It is 6.75.")], WITH_TOOL, dynamodb=dynamodb)
    body = {"model": "flexchat", "messages": QUESTION, "stream": True, "metadata": {"session_id": "s1"}}
    request = httpx2.Request("POST", "https://api.example/v1/chat/completions", content=json.dumps(body))

    assert asked.chat.function.handle(event_of(request, "caller"), LambdaContext(), StreamClient(room=3)) is None
    assert asked.chat.lambdas.executed == []
    assert text_of(chunks(asked, metadata={"session_id": "s1"})) == "It is 6.75."


def test_a_streamed_chat_is_cancelled_by_the_id_of_its_request(dynamodb: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.chat.runs.service.CHECK_SECONDS", 0.0)
    asked = service([SUM, text_completion("never")], WITH_TOOL, dynamodb=dynamodb)
    client = StreamClient()

    def cancel(piece: bytes) -> None:
        if len(client.pieces) == 1:
            request_id = client.started[0][1]["X-Request-Id"]
            request = httpx2.Request("DELETE", f"https://api.example/api/runs/{request_id}")
            answer = asked.chat.function.handle(event_of(request, "caller"), LambdaContext())
            assert answer is not None
            assert answer["statusCode"] == 202

    client.on_piece = cancel
    body = {"model": "flexchat", "messages": QUESTION, "stream": True, "flexchat": {"events": True}}
    request = httpx2.Request("POST", "https://api.example/v1/chat/completions", content=json.dumps(body))
    asked.chat.function.handle(event_of(request, "caller"), LambdaContext(), client)

    assert b"the chat was cancelled" in client.pieces[-1]
    assert asked.chat.lambdas.executed == []


def test_unpaired_surrogates_become_question_marks() -> None:
    assert text_of(chunks(service([text_completion("a\ud83d b")]))) == "a? b"


def test_the_configuration_has_no_rule_for_the_message() -> None:
    config = configuration(rule={"match": {"intent": "absent"}})
    with pytest.raises(openai.InternalServerError) as caught:
        chunks(service(config=config))
    assert (caught.value.code, caught.value.response.headers["x-should-retry"]) == ("configuration", "false")


def test_a_tool_of_the_service_runs_beside_those_of_the_client(dynamodb: Any) -> None:
    calls = call_completion(("calculate", {"expression": "1 + 1"}), ("get_stock", {}))
    asked = service([calls], configuration(tools=[CALCULATE]), dynamodb=dynamodb)
    received = chunks(asked, tools=[TOOL])

    names = [
        call.function.name
        for chunk in received
        for call in chunk.choices[0].delta.tool_calls or ()
        if call.function is not None and call.function.name
    ]
    assert names == ["get_stock"]
    assert [event["tool"] for event in asked.chat.lambdas.executed] == ["calculate"]
