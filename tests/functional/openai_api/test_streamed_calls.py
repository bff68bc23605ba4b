"""Calls of a client's tools in streams, put together by OpenAI's own client."""

import json
from collections.abc import Sequence
from typing import Any

import openai
import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from openai.types.responses import ResponseFunctionToolCall

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, Text, ToolCall, Usage
from functions.chat.providers.base import ArgumentsDelta, CallDelta, ChatOptions, Delta, OnDelta, TextDelta
from tests.functional.chat.harness import CALCULATE, configuration
from tests.functional.chat.scripted_provider import ScriptedProvider, Step, call_completion, text_completion
from tests.functional.openai_api.openai_client import QUESTION
from tests.functional.openai_api.openai_client import Service as ChatService
from tests.functional.openai_api.openai_client import service as chat_service
from tests.functional.openai_api.response_service import WEATHER, Service
from tests.functional.openai_api.test_completion_streams import chunks
from tests.functional.openai_api.test_completions import TOOL
from tests.functional.openai_api.test_response_streams import names, streamed

CUT = ModelError("cut", type="network", provider="openai", after_output=True)
LAMP, BED = '{"item": "Lampe \u00e4\U0001f600"}', '{ "item":"bed" }'
PIECES = ('{"item": "La', "mpe \u00e4", '\U0001f600"}')

INTERLEAVED: tuple[Delta, ...] = (
    CallDelta(0, "get_stock"),
    ArgumentsDelta(0, PIECES[0]),
    CallDelta(1, "get_stock"),
    ArgumentsDelta(1, " "),
    ArgumentsDelta(0, PIECES[1]),
    ArgumentsDelta(1, BED),
    ArgumentsDelta(0, PIECES[2]),
)
"""Two calls at once; the arguments of the second begin with a blank."""


def two_calls(*, text: str = "") -> Completion:
    texts = (Text(text),) if text else ()
    calls = (
        ToolCall("c0", "get_stock", json.loads(LAMP), LAMP),
        ToolCall("c1", "get_stock", json.loads(BED), f" {BED}"),
    )
    return Completion(Message("assistant", (*texts, *calls)), "tool_calls", Usage(10, 5), "scripted")


class DeltaProvider(ScriptedProvider):
    """Model that reports `deltas` at its `call`-th call, and then fails with `error`, if there is one."""

    deltas: Sequence[Delta] = ()
    error: ModelError | None = None
    call: int = 1

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        completion = super().generate_chat(messages, model, options)
        if on_delta is not None and len(self.seen) == self.call:
            for delta in self.deltas:
                on_delta(delta)
            if self.error is not None:
                raise self.error
        return completion


def with_deltas(model: ScriptedProvider, *deltas: Delta, error: ModelError | None = None, call: int = 1) -> None:
    model.__class__ = DeltaProvider
    assert isinstance(model, DeltaProvider)
    model.deltas, model.error, model.call = deltas, error, call


def chat(script: Sequence[Step], *deltas: Delta, dynamodb: Any = None, **options: Any) -> ChatService:
    asked = chat_service(script, configuration(tools=[CALCULATE]), dynamodb=dynamodb)
    with_deltas(asked.chat.model, *deltas, **options)
    return asked


def test_parallel_calls_arrive_in_pieces_that_are_their_arguments_byte_for_byte(dynamodb: DynamoDBClient) -> None:
    received = chunks(chat([two_calls()], *INTERLEAVED, dynamodb=dynamodb), tools=[TOOL])

    pieces = [call for chunk in received for call in chunk.choices[0].delta.tool_calls or ()]
    assert [(piece.index, piece.function and piece.function.arguments) for piece in pieces] == [
        (0, ""),
        (0, PIECES[0]),
        (1, ""),
        (0, PIECES[1]),
        (1, f" {BED}"),
        (0, PIECES[2]),
    ]
    starts = [piece for piece in pieces if piece.id]
    assert [(start.type, start.function and start.function.name) for start in starts] == [("function", "get_stock")] * 2
    assert len({start.id for start in starts}) == 2
    assert received[-1].choices[0].finish_reason == "tool_calls"


def test_accumulated_calls_are_continued_by_their_ids(dynamodb: DynamoDBClient) -> None:
    asked = chat([two_calls(text="Looking."), text_completion("12 and 3")], *INTERLEAVED, dynamodb=dynamodb)
    with asked.client.chat.completions.stream(model="flexchat", messages=QUESTION, tools=[TOOL]) as stream:
        completion: Any = stream.get_final_completion()

    message = completion.choices[0].message
    assert [call.function.arguments for call in message.tool_calls] == [LAMP, f" {BED}"]
    results: list[Any] = [{"role": "tool", "tool_call_id": call.id, "content": "12"} for call in message.tool_calls]
    later = asked.client.chat.completions.create(
        model="flexchat", messages=[*QUESTION, message.model_dump(exclude={"parsed"}), *results], tools=[TOOL]
    )

    assert later.choices[0].message.content == "12 and 3"
    assert [call.id for call in asked.chat.model.seen[1][-3].tool_calls] == ["c0", "c1"]


def test_calls_of_the_services_own_tools_are_not_shown(dynamodb: DynamoDBClient) -> None:
    calls = call_completion(("calculate", {"expression": "1 + 1"}), ("get_stock", {"item": "bed"}))
    deltas = (
        CallDelta(0, "calculate"),
        ArgumentsDelta(0, '{"expression": "1 + 1"}'),
        CallDelta(1, "get_stock"),
        ArgumentsDelta(1, BED),
    )
    asked = chat([calls], *deltas, dynamodb=dynamodb)
    received = chunks(asked, tools=[TOOL])

    pieces = [call for chunk in received for call in chunk.choices[0].delta.tool_calls or ()]
    assert [(each.index, each.function and each.function.arguments) for each in pieces] == [(0, ""), (0, BED)]
    assert b"expression" not in b"".join(asked.stream.pieces)


@pytest.mark.parametrize("deltas", [(), (CallDelta(0, "get_stock"), CallDelta(1, "get_stock"))])
def test_calls_whose_arguments_are_no_text_are_sent_whole(deltas: tuple[Delta, ...], dynamodb: DynamoDBClient) -> None:
    received = chunks(chat([two_calls()], *deltas, dynamodb=dynamodb), tools=[TOOL])

    pieces = [call for chunk in received for call in chunk.choices[0].delta.tool_calls or ()]
    arguments = ["", ""]
    for piece in pieces:
        assert piece.function is not None
        arguments[piece.index] += piece.function.arguments or ""
    assert [json.loads(each) for each in arguments] == [json.loads(LAMP), json.loads(BED)]
    assert len(pieces) == 4


def test_arguments_that_are_no_json_are_the_text_of_the_model(dynamodb: DynamoDBClient) -> None:
    deltas = (CallDelta(0, "get_stock"), ArgumentsDelta(0, '{"item": '), ArgumentsDelta(0, '"la'))
    received = chunks(chat([call_completion(("get_stock", '{"item": "la'))], *deltas, dynamodb=dynamodb), tools=[TOOL])

    pieces = [call.function for chunk in received for call in chunk.choices[0].delta.tool_calls or ()]
    assert "".join(piece.arguments or "" for piece in pieces if piece) == '{"item": "la'
    assert received[-1].choices[0].finish_reason == "tool_calls"


HALF: tuple[Delta, ...] = (CallDelta(0, "get_stock"), ArgumentsDelta(0, '{"item"'))


def test_a_call_that_breaks_off_ends_the_stream_with_an_error() -> None:
    with pytest.raises(openai.APIError) as caught:
        chunks(chat([two_calls()], *HALF, error=CUT), tools=[TOOL])

    assert caught.value.code == "model_network"


def test_a_call_that_breaks_off_after_tools_ends_as_an_answer_that_was_cut_off(dynamodb: DynamoDBClient) -> None:
    script = [call_completion(("calculate", {"expression": "1 + 1"})), two_calls()]
    received = chunks(chat(script, *HALF, error=CUT, call=2, dynamodb=dynamodb), tools=[TOOL])

    assert received[-1].choices[0].finish_reason == "length"
    assert len([chunk for chunk in received if chunk.choices[0].delta.tool_calls]) == 2


def responses(script: Sequence[Step], *deltas: Delta, dynamodb: Any = None, **options: Any) -> Service:
    asked = Service(script, dynamodb)
    with_deltas(asked.model, *deltas, **options)
    return asked


STOCK: dict[str, Any] = {**WEATHER, "name": "get_stock"}
ADDED, PIECE, ARGUMENTS_DONE, DONE = (
    "output_item.added",
    "function_call_arguments.delta",
    "function_call_arguments.done",
    "output_item.done",
)


def test_calls_of_a_response_arrive_in_pieces_under_their_places_and_ids(dynamodb: DynamoDBClient) -> None:
    asked = responses([two_calls(), text_completion("12 and 3")], *INTERLEAVED, dynamodb=dynamodb)
    events = streamed(asked, tools=[STOCK])

    assert names(events) == [
        "created",
        "in_progress",
        *[ADDED, PIECE, ADDED, PIECE, PIECE, PIECE],
        *[ARGUMENTS_DONE, DONE] * 2,
        "completed",
    ]
    last = events[-1]
    assert last.type == "response.completed"
    output: list[Any] = last.response.output
    assert [item.arguments for item in output] == [LAMP, f" {BED}"]
    for index, item in enumerate(output):
        pieces = [event for event in events if event.type == "response.function_call_arguments.delta"]
        own = [event for event in pieces if event.output_index == index]
        assert {event.item_id for event in own} == {item.id}
        assert "".join(event.delta for event in own) == item.arguments
        [added] = [e for e in events if e.type == "response.output_item.added" and e.output_index == index]
        assert isinstance(added.item, ResponseFunctionToolCall)
        assert (added.item.id, added.item.call_id, added.item.arguments) == (item.id, item.call_id, "")
    results = [{"type": "function_call_output", "call_id": item.call_id, "output": "12"} for item in output]
    later = asked.create(results, previous_response_id=last.response.id, tools=[STOCK])

    assert later.output_text == "12 and 3"


def test_accumulating_client_has_the_same_calls_as_a_whole_response(dynamodb: DynamoDBClient) -> None:
    asked = responses(
        [two_calls(text="Looking.")], TextDelta("Look"), TextDelta("ing."), *INTERLEAVED, dynamodb=dynamodb
    )
    tools: Any = [STOCK]
    with asked.client.responses.stream(model="flexchat", input="Hello", tools=tools) as stream:
        snapshots = [event.snapshot for event in stream if event.type == "response.function_call_arguments.delta"]
        final: Any = stream.get_final_response()

    assert snapshots[-1] == LAMP
    assert final.output_text == "Looking."
    assert [(item.type, item.status) for item in final.output] == [
        ("message", "completed"),
        ("function_call", "completed"),
        ("function_call", "completed"),
    ]
    assert [item.arguments for item in final.output[1:]] == [LAMP, f" {BED}"]


def test_text_after_a_call_is_a_message_of_its_own(dynamodb: DynamoDBClient) -> None:
    deltas = (TextDelta("Look"), CallDelta(0, "get_stock"), ArgumentsDelta(0, LAMP), TextDelta("ing."))
    last: Any = streamed(responses([two_calls(text="Looking.")], *deltas, dynamodb=dynamodb), tools=[STOCK])[-1]

    assert [item.type for item in last.response.output] == ["message", "function_call", "message", "function_call"]
    assert last.response.output_text == "Looking."


def test_a_call_that_breaks_off_is_an_incomplete_item_of_a_failed_response() -> None:
    last: Any = streamed(responses([two_calls()], *HALF, error=CUT), tools=[STOCK], store=False)[-1]

    assert last.type == "response.failed"
    [call] = last.response.output
    assert (call.type, call.status, call.arguments) == ("function_call", "incomplete", '{"item"')


def test_a_call_that_breaks_off_after_tools_is_incomplete_and_followed_by_the_partial_answer(
    dynamodb: DynamoDBClient,
) -> None:
    script = [call_completion(("calculate", {"expression": "1 + 1"})), two_calls()]
    asked = responses(script, *HALF, error=CUT, call=2, dynamodb=dynamodb)
    last: Any = streamed(asked, tools=[STOCK])[-1]

    assert last.type == "response.incomplete"
    assert [(item.type, item.status) for item in last.response.output] == [
        ("function_call", "incomplete"),
        ("message", "completed"),
    ]
    result = [{"type": "function_call_output", "call_id": last.response.output[0].call_id, "output": "1"}]
    refused = asked.refused_after(input=result, previous_response_id=last.response.id, tools=[STOCK])
    assert refused["param"] == "input[0].call_id"
