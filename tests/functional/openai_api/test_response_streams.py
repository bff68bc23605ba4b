"""Streamed responses by OpenAI's own client: typed events in order, and every ending."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from openai import BadRequestError, InternalServerError, RateLimitError
from openai.types.responses import ResponseStreamEvent
from pydantic import TypeAdapter

from flexchat.errors import ModelError
from flexchat.http_api.streams import StreamClosedError
from flexchat.messages import Completion, Message, Text, ToolCall, Usage
from functions.chat.providers.base import ChatOptions, OnDelta, TextDelta
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.streams import StreamClient
from tests.functional.openai_api.response_service import WEATHER, Service, client_turn

EVENT: TypeAdapter[ResponseStreamEvent] = TypeAdapter(ResponseStreamEvent)


def streamed(service: Service, input: Any = "Hello", **parameters: Any) -> list[ResponseStreamEvent]:
    """Return the events of a streamed response; their JSON is valid by OpenAI's own models."""
    with service.client.responses.create(model="flexchat", input=input, stream=True, **parameters) as stream:
        events = list(stream)
    assert [event.sequence_number for event in events] == list(range(len(events)))
    for line in service.transport.responses[-1].text.splitlines():
        if line.startswith("data: "):
            EVENT.validate_json(line.removeprefix("data: "))
    return events


def names(events: Sequence[ResponseStreamEvent]) -> list[str]:
    return [event.type.removeprefix("response.") for event in events]


MESSAGE = ["output_item.added", "content_part.added"]
CUT = ModelError("cut", type="network", provider="openai", after_output=True)
END = ["output_text.done", "content_part.done", "output_item.done"]


def test_text_arrives_in_pieces_and_the_last_event_is_the_whole_response() -> None:
    service = Service([text_completion("Hi there, you.")])

    events = streamed(service, store=False)

    assert names(events) == ["created", "in_progress", *MESSAGE, *["output_text.delta"] * 3, *END, "completed"]
    deltas = [event.delta for event in events if event.type == "response.output_text.delta"]
    last = events[-1]
    assert last.type == "response.completed"
    assert (deltas, last.response.output_text) == (["Hi", " there,", " you."], "Hi there, you.")
    assert last.response.usage is not None
    assert last.response.usage.total_tokens == 15
    response = service.transport.responses[-1]
    assert response.headers["content-type"] == "text/event-stream"
    assert response.headers["x-request-id"] == "request-1"
    assert response.text.startswith("event: response.created\ndata: {")


def test_items_have_the_same_ids_in_all_events() -> None:
    events = streamed(Service([text_completion("Hi there.")]), store=False)

    added = next(event for event in events if event.type == "response.output_item.added")
    deltas = [event for event in events if event.type == "response.output_text.delta"]
    last = events[-1]
    assert last.type == "response.completed"
    assert {(delta.item_id, delta.output_index, delta.content_index) for delta in deltas} == {
        (last.response.output[0].id, 0, 0)
    }
    assert added.item is not None
    assert added.item.id == last.response.output[0].id
    assert events[0].type == "response.created"
    assert events[0].response.id == last.response.id


def test_streamed_and_whole_response_have_the_same_output() -> None:
    def first() -> Completion:
        parts = (Text("Let me see."), ToolCall("c1", "calculate", {"expression": "1+1"}, "{}"))
        return Completion(Message("assistant", parts), "tool_calls", Usage(10, 5), "scripted")

    whole = Service([first(), text_completion("It is 2.")]).create("1+1?", store=False)
    last = streamed(Service([first(), text_completion("It is 2.")]), "1+1?", store=False)[-1]

    assert last.type == "response.completed"
    assert [item.to_dict() | {"id": ""} for item in last.response.output] == [
        item.to_dict() | {"id": ""} for item in whole.output
    ]
    assert last.response.output_text == whole.output_text == "Let me see.\n\nIt is 2."


def test_call_of_a_client_tool_follows_the_text_and_can_be_continued(dynamodb: DynamoDBClient) -> None:
    service = Service(
        [client_turn(("get_weather", {"city": "Paris"}), text="Looking."), text_completion("Sunny.")], dynamodb
    )

    events = streamed(service, tools=[WEATHER])

    pieces = ["function_call_arguments.delta"] * 2
    call = ["output_item.added", *pieces, "function_call_arguments.done", "output_item.done"]
    assert names(events) == ["created", "in_progress", *MESSAGE, "output_text.delta", *END, *call, "completed"]
    last = events[-1]
    assert last.type == "response.completed"
    item = last.response.output[1]
    assert item.type == "function_call"
    assert json.loads(item.arguments) == {"city": "Paris"}

    result = [{"type": "function_call_output", "call_id": item.call_id, "output": "22"}]
    later = streamed(service, result, previous_response_id=last.response.id, tools=[WEATHER])

    assert later[-1].type == "response.completed"
    assert later[-1].response.output_text == "Sunny."
    assert names(later) == ["created", "in_progress", *MESSAGE, "output_text.delta", *END, "completed"]


def test_accumulating_client_has_the_final_response() -> None:
    service = Service([text_completion("Hi there.")])

    with service.client.responses.stream(model="flexchat", input="Hello", store=False) as stream:
        snapshots = [event.snapshot for event in stream if event.type == "response.output_text.delta"]
        final = stream.get_final_response()

    assert (snapshots, final.output_text) == (["Hi", "Hi there."], "Hi there.")


def test_answer_that_is_cut_off_ends_as_incomplete() -> None:
    last = streamed(Service([text_completion("Hi", "length")]), store=False)[-1]

    assert last.type == "response.incomplete"
    assert last.response.incomplete_details is not None
    assert last.response.incomplete_details.reason == "max_output_tokens"


def test_error_before_the_start_is_a_response_of_its_own() -> None:
    service = Service([])

    with pytest.raises(BadRequestError) as caught:
        streamed(service, [])

    assert caught.value.param == "input"


class BreaksMidway:
    """Model that sends a text and fails, once."""

    def __init__(self, service: Service, error: ModelError = CUT) -> None:
        self._generate = service.model.generate_chat
        self._error = error

    def __call__(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        completion = self._generate(messages, model, options)
        if on_delta is not None and completion.message.text == "half":
            on_delta(TextDelta("half"))
            raise self._error
        return completion


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ModelError("down", type="server_error", provider="openai", after_output=True), "server_error"),
        (ModelError("slow", type="rate_limit", provider="openai", after_output=True), "rate_limit_exceeded"),
        (ModelError("long", type="context_length", provider="openai", after_output=True), "invalid_prompt"),
        (ModelError("bad", type="content_filter", provider="openai", after_output=True), "invalid_prompt"),
    ],
)
def test_error_after_the_start_is_a_failed_response(error: ModelError, code: str) -> None:
    service = Service([text_completion("half")])
    service.model.generate_chat = BreaksMidway(service, error)  # type: ignore[method-assign]

    last = streamed(service, store=False)[-1]

    assert last.type == "response.failed"
    assert last.response.error is not None
    assert (last.response.status, last.response.error.code) == ("failed", code)
    assert error.message in last.response.error.message


def test_failure_of_the_first_model_call_is_a_response_of_its_own() -> None:
    error = ModelError("down", type="server_error", provider="openai")

    with pytest.raises(InternalServerError) as caught:
        streamed(Service([error]), store=False)

    assert (caught.value.status_code, caught.value.code) == (502, "model_server_error")


def test_steps_of_the_service_are_comments_where_the_client_wants_them() -> None:
    service = Service([call_completion(("calculate", {"expression": "1+1"})), text_completion("2")])

    streamed(service, store=False, extra_headers={"X-Flexchat-Events": "comments"})

    lines = service.transport.responses[-1].text.splitlines()
    assert [line.split(" ")[1] for line in lines if line.startswith(": ")] == [
        "rule",
        "model_started",
        "tool_started",
        "tool_finished",
        "model_started",
    ]


def test_text_before_a_failure_is_an_incomplete_message() -> None:
    service = Service([text_completion("half")])
    service.model.generate_chat = BreaksMidway(service)  # type: ignore[method-assign]

    events = streamed(service, store=False)

    assert names(events) == ["created", "in_progress", *MESSAGE, "output_text.delta", *END, "failed"]
    last = events[-1]
    assert last.type == "response.failed"
    [message] = last.response.output
    assert message.type == "message"
    assert (message.status, last.response.output_text) == ("incomplete", "half")


def test_text_before_a_failure_after_tools_is_followed_by_the_partial_answer() -> None:
    service = Service([call_completion(("calculate", {"expression": "1+1"})), text_completion("half")])
    service.model.generate_chat = BreaksMidway(service)  # type: ignore[method-assign]

    last = streamed(service, store=False)[-1]

    assert last.type == "response.incomplete"
    texts: list[Any] = [item.to_dict()["content"] for item in last.response.output]
    assert texts[0][0]["text"] == "half"
    assert texts[1][0]["text"].startswith("The model could not finish its answer")


def test_without_a_real_stream_the_events_are_sent_together() -> None:
    service = Service([text_completion("Hi there."), ModelError("down", type="server_error", provider="openai")])
    service.transport.streams = False

    assert names(streamed(service, store=False))[-1] == "completed"
    with pytest.raises(InternalServerError):
        streamed(service, store=False)


@pytest.mark.parametrize("room", [0, 1, 4, 8])
def test_closed_response_ends_the_chat(room: int) -> None:
    service = Service([text_completion("one two three four five")])
    client = StreamClient(room=room)
    service.transport.new_stream = lambda: client

    streaming = service.client.with_streaming_response.responses.create(model="flexchat", input="Hello", stream=True)
    with streaming as response:
        response.read()

    assert len(client.pieces) == room
    assert client.whole is None


def test_response_closed_before_its_start_has_no_pieces() -> None:
    class Gone(StreamClient):
        def start(self, status: int, headers: Any) -> None:
            raise StreamClosedError

    service = Service([text_completion("Hi.")])
    gone = Gone()
    service.transport.new_stream = lambda: gone

    with pytest.raises(ValueError, match="unpack"):
        service.client.with_streaming_response.responses.create(model="flexchat", input="Hi", stream=True).__enter__()

    assert gone.pieces == []


def test_text_with_unpaired_surrogates_and_line_separators_stays_one_event_per_line() -> None:
    text = "a\ud800b\u2028c\r\nd\x85e"

    events = streamed(Service([text_completion(text)]), store=False)

    last = events[-1]
    assert last.type == "response.completed"
    assert last.response.output_text == "a?b\u2028c\r\nd\x85e"


def test_limit_of_the_caller_is_a_response_of_its_own(dynamodb: DynamoDBClient) -> None:
    service = Service([text_completion("Hi.")], dynamodb, limits={"caller": {"requests_per_minute": 1}})
    streamed(service, store=False)

    with pytest.raises(RateLimitError) as caught:
        streamed(service, store=False)

    assert caught.value.code == "rate_limit_exceeded"
    assert int(caught.value.response.headers["retry-after"]) > 0
