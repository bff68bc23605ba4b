"""Responses of background runs by OpenAI's own client: status, output, cancellation, streams and what is refused."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import openai
import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from flexchat.errors import ModelError
from flexchat.messages import assistant, user
from flexchat.runs import RUN_TTL_SECONDS
from functions.chat.runs.background import RunFailedError
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CALCULATE, LambdaContext, configuration
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.chat.streams import StreamClient
from tests.functional.openai_api.response_service import WEATHER, client_turn
from tests.functional.openai_api.sdk import FunctionTransport, openai_client
from tests.functional.openai_api.test_streamed_calls import CUT, HALF, STOCK, two_calls, with_deltas
from tests.unit.runs.table import CHATS

EVENT: TypeAdapter[ResponseStreamEvent] = TypeAdapter(ResponseStreamEvent)


class Background:
    """Chat function whose background runs are delivered by the test, with OpenAI's client for it."""

    def __init__(
        self, script: Sequence[Step], dynamodb: DynamoDBClient, *, principal: str = "k7m2p9qx4d", **config: Any
    ) -> None:
        self.seconds = 0.0
        self.chat: BackgroundChat = deploy_with_background(
            script,
            {**configuration(tools=[CALCULATE]), **config},
            dynamodb,
            now=lambda: 1_750_000_000.0 + self.seconds,
        )
        self.transport = FunctionTransport(self.chat.function, principal=principal)
        self.client = openai_client(self.transport)
        self.responses = self.client.responses

    def create(self, input: Any = "Hello", **parameters: Any) -> Response:
        create: Any = self.responses.create
        response: Response = create(model="flexchat", input=input, background=True, **parameters)
        Response.model_validate_json(self.transport.responses[-1].content)
        return response

    def retrieve(self, id: str) -> Response:
        response = self.responses.retrieve(id)
        Response.model_validate_json(self.transport.responses[-1].content)
        return response

    def deliver(self) -> Any:
        return self.chat.deliver()

    def queue_stream(self, input: Any = "Hello", **parameters: Any) -> str:
        """Create a streamed response whose client disconnects after the first event, and return its id."""
        client = StreamClient(room=1)
        self.transport.new_stream = lambda: client
        self.responses.with_streaming_response.create(
            model="flexchat", input=input, background=True, stream=True, **parameters
        ).__enter__().close()
        self.transport.new_stream = StreamClient
        (piece,) = client.pieces
        return str(json.loads(piece.decode().split("data: ")[1])["response"]["id"])

    def deliver_at_once(self) -> None:
        """Answer every run before the request that starts it is answered."""
        lambdas = self.chat.background
        invoke_tool = lambdas.invoke

        def invoke(**request: Any) -> dict[str, Any]:
            if request.get("InvocationType") != "Event":
                return invoke_tool(**request)
            self.chat.function.handle(json.loads(request["Payload"]), LambdaContext(remaining_ms=900_000))
            return {"StatusCode": 202}

        lambdas.invoke = invoke  # type: ignore[method-assign]

    def events(self, id: str, after: int | None = None) -> list[ResponseStreamEvent]:
        retrieve: Any = self.responses.retrieve
        more = {} if after is None else {"starting_after": after}
        with retrieve(id, stream=True, **more) as stream:
            events = list(stream)
        for line in self.transport.responses[-1].text.splitlines():
            if line.startswith("data: "):
                EVENT.validate_json(line.removeprefix("data: "))
        return events


@dataclass
class CancelsBeforeSuccess:
    """Client of DynamoDB that calls `cancel` before the run is marked as succeeded."""

    client: DynamoDBClient
    cancel: Callable[[], object] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def update_item(self, **request: Any) -> Any:
        values = request.get("ExpressionAttributeValues", {}).values()
        if self.cancel is not None and {"S": "succeeded"} in values:
            cancel, self.cancel = self.cancel, None
            cancel()
        return self.client.update_item(**request)


def stored_parts(dynamodb: DynamoDBClient, response_id: str) -> set[str]:
    """Return the ends of the keys under which a response is stored."""
    keys = (item["pk"]["S"] for item in dynamodb.scan(TableName=CHATS)["Items"] if "S" in item["pk"])
    return {key.partition(response_id)[2] for key in keys if key.startswith("B#response/") and response_id in key}


def refused(error: type[openai.APIStatusError], call: Any, *args: Any, **parameters: Any) -> dict[str, Any]:
    with pytest.raises(error) as caught:
        call(*args, **parameters)
    body: Any = caught.value.body
    return {"message": body["message"], "param": body["param"], "code": body["code"]}


def test_a_response_is_queued_answered_in_the_background_and_retrieved(dynamodb: DynamoDBClient) -> None:
    script = [call_completion(("calculate", {"expression": "0.15 * 45"})), text_completion("6.75")]
    service = Background(script, dynamodb)

    created = service.create("15% of 45?", metadata={"topic": "sums"})
    waiting = service.retrieve(created.id)
    calls_before = len(service.chat.model.seen)
    service.deliver()
    done = service.retrieve(created.id)

    assert (created.status, created.background, created.output) == ("queued", True, [])
    assert created.to_dict()["store"] is True
    assert (waiting, calls_before) == (created, 0)
    assert (done.status, done.background, done.output_text) == ("completed", True, "6.75")
    assert (done.id, done.created_at, done.metadata) == (created.id, created.created_at, {"topic": "sums"})
    assert done.usage is not None
    assert done.usage.total_tokens == 30
    own: Any = done.to_dict()["flexchat"]
    assert own["tool_calls"][0]["name"] == "calculate"


def test_a_response_is_in_progress_while_its_run_works(dynamodb: DynamoDBClient) -> None:
    seen: list[str | None] = []

    def look(*_: Any) -> Any:
        seen.append(service.retrieve(created.id).status)
        return text_completion("Hi.")

    service = Background([look], dynamodb)
    created = service.create()
    service.deliver()

    assert (seen, service.retrieve(created.id).status) == (["in_progress"], "completed")


def test_a_completed_response_is_continued(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("Four."), text_completion("Six.")], dynamodb)
    first = service.create("2+2?")
    service.deliver()
    second = service.create("And 3+3?", previous_response_id=first.id)
    service.deliver()

    assert service.retrieve(second.id).output_text == "Six."
    assert [*service.chat.model.seen[1][1:]] == [user("2+2?"), assistant("Four."), user("And 3+3?")]


def test_a_structured_answer_has_the_form_of_its_request(dynamodb: DynamoDBClient) -> None:
    schema = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
    form = {"type": "json_schema", "name": "sum", "schema": schema}
    service = Background([text_completion('{"sum": 4}')], dynamodb)
    created = service.create("2+2?", text={"format": form})
    service.deliver()
    done = service.retrieve(created.id)

    assert json.loads(done.output_text) == {"sum": 4}
    assert service.chat.model.options[0].response_format is not None
    for response in (created, done):
        text: Any = response.to_dict()["text"]
        assert text["format"]["schema"] == schema


def test_a_response_ends_with_the_calls_of_the_clients_tools_and_is_continued(dynamodb: DynamoDBClient) -> None:
    script = [client_turn(("get_weather", {"city": "Paris"}), text="Looking."), text_completion("Sunny.")]
    service = Background(script, dynamodb)
    first = service.create("Weather?", tools=[WEATHER])
    service.deliver()
    done = service.retrieve(first.id)
    call: Any = done.output[1]

    assert (done.status, call.type, call.status) == ("completed", "function_call", "completed")
    result = [{"type": "function_call_output", "call_id": call.call_id, "output": "22"}]
    second = service.create(result, previous_response_id=first.id, tools=[WEATHER])
    service.deliver()
    assert service.retrieve(second.id).output_text == "Sunny."


def test_an_answer_that_is_cut_off_is_incomplete(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("Hi", "length")], dynamodb)
    created = service.create()
    service.deliver()
    done = service.retrieve(created.id)

    assert done.incomplete_details is not None
    assert (done.status, done.incomplete_details.reason) == ("incomplete", "max_output_tokens")


@pytest.mark.parametrize(("failure", "code"), [("server_error", "server_error"), ("context_length", "invalid_prompt")])
def test_a_failure_of_the_model_is_a_failed_response(dynamodb: DynamoDBClient, failure: Any, code: str) -> None:
    service = Background([ModelError("down", type=failure, provider="openai")], dynamodb)
    created = service.create()
    with pytest.raises(RunFailedError):
        service.deliver()
    failed = service.retrieve(created.id)

    assert failed.error is not None
    assert (failed.status, failed.error.code, failed.output) == ("failed", code, [])
    error = refused(openai.BadRequestError, service.create, previous_response_id=created.id)
    assert error["message"] == (
        f"previous_response_id is '{created.id}', whose status is 'failed'; continue another one"
    )


def test_an_interrupted_run_is_a_failed_response_also_after_the_run_has_expired(dynamodb: DynamoDBClient) -> None:
    service = Background([], dynamodb)
    created = service.create()
    service.seconds = 4_000
    lost = service.retrieve(created.id)
    service.seconds = RUN_TTL_SECONDS + 1
    expired = service.retrieve(created.id)

    assert lost.error is not None
    assert (lost.status, lost.error.message) == ("failed", "the run was never started; send the request again")
    assert expired.error is not None
    assert (expired.status, expired.error.code) == ("failed", "server_error")


def test_an_answer_outlives_its_run(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("Hi.")], dynamodb)
    created = service.create()
    service.deliver()
    service.seconds = RUN_TTL_SECONDS + 1

    assert service.retrieve(created.id).output_text == "Hi."


def test_a_queued_response_is_cancelled_and_never_answered(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("never")], dynamodb)
    created = service.create()
    cancelled = service.responses.cancel(created.id)
    service.deliver()

    assert (cancelled.id, cancelled.status, cancelled.output) == (created.id, "cancelled", [])
    assert service.responses.cancel(created.id) == cancelled == service.retrieve(created.id)
    assert service.chat.model.seen == []
    service.seconds = RUN_TTL_SECONDS + 1
    assert service.retrieve(created.id).status == "cancelled"


def test_a_response_that_is_cancelled_while_it_runs_has_no_output(dynamodb: DynamoDBClient) -> None:
    def cancel(*_: Any) -> Any:
        service.responses.cancel(created.id)
        return call_completion(("calculate", {"expression": "1+1"}))

    service = Background([cancel, text_completion("never")], dynamodb)
    created = service.create()
    service.deliver()

    assert (service.retrieve(created.id).status, len(service.chat.model.script)) == ("cancelled", 1)


def test_a_response_that_is_cancelled_when_its_answer_was_stored_has_no_output(dynamodb: DynamoDBClient) -> None:
    client = CancelsBeforeSuccess(dynamodb)
    service = Background([text_completion("Hi.")], cast("DynamoDBClient", client))
    created = service.create()
    client.cancel = lambda: service.responses.cancel(created.id)
    service.deliver()

    assert client.cancel is None
    assert service.retrieve(created.id).status == "cancelled"
    service.seconds = RUN_TTL_SECONDS + 1
    assert service.retrieve(created.id).status == "cancelled"


def test_a_completed_response_is_not_cancelled(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("Hi.")], dynamodb)
    created = service.create()
    service.deliver()

    assert service.responses.cancel(created.id).output_text == "Hi."


def test_a_response_of_no_background_run_cannot_be_cancelled(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("Hi.")], dynamodb)
    response = service.responses.create(model="flexchat", input="Hello")

    error = refused(openai.BadRequestError, service.responses.cancel, response.id)
    assert error["message"] == "Cannot cancel a synchronous response."


def test_a_deleted_response_is_cancelled_and_not_found(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("never")], dynamodb)
    created = service.create()
    service.responses.delete(created.id)
    service.deliver()

    assert service.chat.model.seen == []
    for gone in (service.responses.retrieve, service.responses.cancel, service.responses.delete):
        refused(openai.NotFoundError, gone, created.id)


def test_a_deleted_answer_is_not_found(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("Hi.")], dynamodb)
    created = service.create()
    service.deliver()
    assert stored_parts(dynamodb, created.id) == {"", "/answer"}
    service.responses.delete(created.id)

    refused(openai.NotFoundError, service.responses.retrieve, created.id)
    assert stored_parts(dynamodb, created.id) == set()


def test_a_response_of_another_caller_is_not_found(dynamodb: DynamoDBClient) -> None:
    created = Background([], dynamodb).create()
    other = Background([], dynamodb, principal="someoneelse")

    for call in (other.responses.retrieve, other.responses.cancel, other.responses.delete):
        refused(openai.NotFoundError, call, created.id)
    refused(openai.NotFoundError, other.responses.retrieve, created.id, stream=True)


def test_an_unfinished_response_cannot_be_continued(dynamodb: DynamoDBClient) -> None:
    service = Background([], dynamodb)
    created = service.create()

    assert refused(openai.BadRequestError, service.create, previous_response_id=created.id) == {
        "message": (
            f"previous_response_id is '{created.id}', whose status is 'queued'; retrieve it until it is completed"
        ),
        "param": "previous_response_id",
        "code": None,
    }


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"store": False}, "background can only be used when `store` is true"),
        ({"metadata": {"session_id": "s1"}}, "background cannot be used with a session; send previous_response_id"),
    ],
)
def test_a_response_that_could_not_be_retrieved_is_refused(
    dynamodb: DynamoDBClient, parameters: dict[str, Any], message: str
) -> None:
    service = Background([], dynamodb)

    error = refused(openai.BadRequestError, service.create, **parameters)
    assert (error["message"], error["param"]) == (message, "background")
    assert service.chat.background.queued == []


def test_wrong_parameters_are_refused_before_the_run(dynamodb: DynamoDBClient) -> None:
    service = Background([], dynamodb)

    assert refused(openai.NotFoundError, service.responses.create, model="x", input="a", background=True)["code"] == (
        "model_not_found"
    )
    assert service.chat.background.queued == []


def test_a_run_that_lambda_does_not_accept_is_unavailable(dynamodb: DynamoDBClient) -> None:
    service = Background([], dynamodb, limits={"caller": {"requests_per_minute": 1}})
    service.chat.background.refuses = True

    assert refused(openai.InternalServerError, service.create)["code"] == "unavailable"
    service.chat.background.refuses = False
    assert service.create().status == "queued"


def test_a_limit_counts_the_request_once(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("Hi.")], dynamodb, limits={"caller": {"requests_per_minute": 1}})
    created = service.create()
    refused(openai.RateLimitError, service.create)
    service.deliver()

    assert service.retrieve(created.id).output_text == "Hi."


def names(events: Sequence[ResponseStreamEvent]) -> list[str]:
    return [event.type.removeprefix("response.") for event in events]


QUEUED = ["created", "queued", "in_progress"]


def test_a_stream_can_be_continued_after_any_event(dynamodb: DynamoDBClient) -> None:
    script = [call_completion(("calculate", {"expression": "1+1"})), text_completion("It is 2.")]
    service = Background(script, dynamodb)
    created = service.queue_stream("1+1?")
    service.deliver()
    events = service.events(created)

    message = ["output_item.added", "content_part.added", *["output_text.delta"] * 3]
    end = ["output_text.done", "content_part.done", "output_item.done", "completed"]
    assert names(events) == [*QUEUED, *message, *end]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    last = events[-1]
    assert last.type == "response.completed"
    assert last.response.to_dict() == service.retrieve(created).to_dict()
    assert last.response.output_text == "It is 2."
    for after in range(len(events)):
        assert service.events(created, after) == events[after + 1 :]


def test_an_accumulating_client_follows_a_stream_that_it_has_created(dynamodb: DynamoDBClient) -> None:
    service = Background([client_turn(("get_weather", {"city": "Paris"}), text="Looking.")], dynamodb)
    tools: Any = [WEATHER]
    service.deliver_at_once()
    with service.responses.stream(model="flexchat", input="Hello", tools=tools, background=True) as stream:
        names_of = [event.type for event in stream]
        final: Any = stream.get_final_response()

    assert names_of[:3] == ["response.created", "response.queued", "response.in_progress"]
    assert (final.status, final.output_text) == ("completed", "Looking.")
    assert json.loads(final.output[1].arguments) == {"city": "Paris"}


def test_a_stream_of_a_cancelled_response_ends_as_failed(dynamodb: DynamoDBClient) -> None:
    service = Background([], dynamodb)
    created = service.queue_stream()
    service.responses.cancel(created)
    events = service.events(created)

    assert names(events) == ["created", "queued", "failed"]
    last = events[-1]
    assert last.type == "response.failed"
    assert last.response.status == "cancelled"


def test_a_text_that_begins_anew_is_a_message_of_its_own_and_calls_are_sent_once(dynamodb: DynamoDBClient) -> None:
    service = Background([two_calls(), two_calls(text="Looking.")], dynamodb)
    with_deltas(service.chat.model, *HALF, error=CUT)
    created = service.queue_stream(tools=[STOCK])
    service.deliver()

    output: list[Any] = list(service.retrieve(created).output)
    assert [(item.type, item.status) for item in output] == [
        ("message", "completed"),
        ("function_call", "completed"),
        ("function_call", "completed"),
    ]
    added = [event for event in service.events(created) if event.type == "response.output_item.added"]
    assert len(added) == 3


def test_events_of_a_response_that_was_not_streamed_are_refused(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("Hi."), text_completion("Hi.")], dynamodb)
    created = service.create()
    service.deliver()
    whole = service.responses.create(model="flexchat", input="Hello")

    for response in (created, whole):
        error = refused(openai.BadRequestError, service.responses.retrieve, response.id, stream=True)
        assert error["param"] == "stream"


def test_a_follower_without_a_real_stream_gets_the_events_together(dynamodb: DynamoDBClient) -> None:
    service = Background([text_completion("Hi.")], dynamodb)
    created = service.queue_stream()
    service.deliver()
    service.transport.streams = False

    assert names(service.events(created))[-1] == "completed"
