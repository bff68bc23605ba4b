"""Tools of a client beside those of the service: their calls, and the continuation with their results."""

import re
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError, RequestError
from flexchat.http_api.caller import Caller
from flexchat.messages import ToolOutput
from functions.chat.generation.model_calls import ClientTool
from functions.chat.providers.base import NamedTool
from tests.functional.chat.client_chat import OPEN_FILE, client_chat, results
from tests.functional.chat.harness import CHATS_TABLE, Unreachable
from tests.functional.chat.scripted_provider import call_completion, text_completion

WEATHER = ("get_weather", {"location": "Oslo"})
OPEN_A = ("open_file", {"path": "a"})
OPEN_B = ("open_file", {"path": "b"})


def offered(options: Any) -> list[str]:
    """Return the names of the tools of a request to the model."""
    return [tool["function"]["name"] for tool in options.tools]


def refusal(send: Any) -> tuple[int, str, str]:
    with pytest.raises(RequestError) as caught:
        send()
    return caught.value.status, caught.value.code, caught.value.message


def test_tools_of_the_client_are_offered_after_those_of_the_service(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    answer = client.send(text_completion("Done."))

    assert (answer.content, answer.status) == ("Done.", "complete")
    options: Any = client.chat.model.options[0]
    assert offered(options) == ["get_weather", "open_file", "show"]
    assert options.tools[1]["function"]["parameters"]["required"] == ["path"]


def test_call_of_a_client_tool_ends_the_answer_with_that_call(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    answer = client.send(call_completion(OPEN_A))

    assert (answer.status, answer.outcome, answer.finish_reason) == ("partial", "client_calls", "tool_calls")
    assert (answer.content, answer.resume_token, answer.tool_calls) == ("", None, ())
    (call,) = client.calls
    assert (call.name, call.arguments) == ("open_file", '{"path":"a"}')
    assert re.fullmatch("call_[0-9a-f]{24}", call.id)
    assert client.chat.lambdas.executed == []


def test_results_of_the_client_continue_the_conversation_after_the_calls_of_the_service(
    dynamodb: DynamoDBClient,
) -> None:
    client = client_chat(dynamodb)
    client.send(call_completion(WEATHER), call_completion(OPEN_A, WEATHER, OPEN_B, turn=2))
    assert [event["tool"] for event in client.chat.lambdas.executed] == ["get_weather", "get_weather"]

    answer = client.send(text_completion("All read."), turns=results("text of a", "text of b", of=client.calls))

    assert (answer.content, answer.status, answer.tool_calls) == ("All read.", "complete", ())
    sent = client.chat.model.seen[-1]
    assert [message.role for message in sent] == [
        *("system", "user", "assistant", "tool"),
        *("assistant", "tool", "tool", "tool"),
    ]
    outputs = [part for message in sent[-3:] for part in message.parts if isinstance(part, ToolOutput)]
    assert [(output.name, output.call_id) for output in outputs] == [
        ("open_file", "call_2_0"),
        ("get_weather", "call_2_1"),
        ("open_file", "call_2_2"),
    ]
    assert (outputs[0].content, outputs[2].content) == ("text of a", "text of b")
    (turn,) = client.finished
    assert [execution.tool for execution in turn.executions] == ["open_file", "get_weather", "open_file"]


def test_a_second_round_of_client_calls_continues_the_first(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)
    client.send(call_completion(OPEN_A))
    first = results("text of a", of=client.calls)
    client.send(call_completion(OPEN_B, turn=2), turns=first)

    answer = client.send(text_completion("Both."), turns=(*first, *results("text of b", of=client.calls)))

    assert answer.content == "Both."
    sent = client.chat.model.seen[-1]
    assert [message.role for message in sent] == ["system", "user", "assistant", "tool", "assistant", "tool"]


def test_the_same_results_may_be_sent_again(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)
    client.send(call_completion(OPEN_A))
    turns = results("text of a", of=client.calls)
    down = ModelError("down", type="server_error", provider="openai")

    with pytest.raises(ModelError):
        client.send(down, turns=turns)

    assert client.send(text_completion("Read."), turns=turns).content == "Read."


def test_result_that_is_missing_is_refused_before_the_model_is_called(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)
    client.send(call_completion(OPEN_A, OPEN_B))
    second = client.calls[1].id

    status, code, message = refusal(lambda: client.send(turns=results("text of a", of=client.calls)))

    assert (status, code) == (400, "missing_tool_result")
    assert message == f"the tool calls {second} have no result; send a tool message for each"


@pytest.mark.parametrize("lost", ["expired", "another caller", "another message", "unreadable"])
def test_chat_without_its_stored_state_continues_with_the_messages_of_the_client(
    dynamodb: DynamoDBClient, lost: str
) -> None:
    client = client_chat(dynamodb)
    client.send(call_completion(WEATHER, OPEN_A))
    turns, request, caller = results("text of a", of=client.calls), {}, Caller("alice", frozenset({"user"}))
    if lost == "expired":
        for item in dynamodb.scan(TableName=CHATS_TABLE)["Items"]:
            dynamodb.delete_item(TableName=CHATS_TABLE, Key={"pk": item["pk"], "sk": item["sk"]})
    elif lost == "another caller":
        caller = Caller("bob", frozenset({"user"}))
    elif lost == "another message":
        request = {"message": "Look at another."}
    else:
        client = client_chat(Unreachable())

    answer = client.send(text_completion("Read."), turns=turns, request=request, caller=caller)

    assert answer.content == "Read."
    sent = client.chat.model.seen[-1]
    assert [message.role for message in sent] == ["system", "user", "assistant", "tool"]
    assert [call.name for call in sent[2].tool_calls] == ["open_file"]


def test_a_chat_that_cannot_be_stored_leaves_its_calls_to_the_client_nevertheless() -> None:
    client = client_chat(Unreachable())

    assert client.send(call_completion(OPEN_A)).outcome == "client_calls"
    assert len(client.calls) == 1


def test_an_id_of_another_form_reads_nothing(dynamodb: DynamoDBClient) -> None:
    client = client_chat(Unreachable())
    client.send(call_completion(OPEN_A))
    foreign = [call.__class__("x" * 5_000, call.name, call.arguments) for call in client.calls]

    assert client.send(text_completion("Read."), turns=results("text", of=tuple(foreign))).content == "Read."


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ([OPEN_FILE, OPEN_FILE], "the tool name 'open_file' is used twice; rename it"),
        (
            [ClientTool(name="broken", parameters={"type": "array"})],
            (
                "the parameters of the tool 'broken' are invalid: type: must be 'object'; "
                "a tool's parameters are an object with 'properties'"
            ),
        ),
    ],
)
def test_tools_that_cannot_be_offered_are_refused(
    dynamodb: DynamoDBClient, tools: list[ClientTool], message: str
) -> None:
    client = client_chat(dynamodb)

    assert refusal(lambda: client.send(tools=tuple(tools))) == (400, "invalid_tools", message)
    assert client.chat.model.seen == []


@pytest.mark.parametrize(
    "settings", [{"enabled": False}, {"rule": {"tools": None}}, {"rule": {"tools": {"enabled": False}}}]
)
def test_client_tools_need_no_tools_of_the_service(dynamodb: DynamoDBClient, settings: dict[str, Any]) -> None:
    client = client_chat(dynamodb, **settings)

    assert client.send(call_completion(OPEN_A)).outcome == "client_calls"
    assert offered(client.chat.model.options[0]) == ["open_file", "show"]


def test_a_forbidden_choice_of_tools_offers_none(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    client.send(text_completion("No tools."), tool_choice="none")

    assert offered(client.chat.model.options[0]) == []


def test_required_call_remains_required_until_the_client_has_one(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    client.send(call_completion(WEATHER), call_completion(OPEN_A, turn=2), tool_choice="required")

    assert [options.tool_choice for options in client.chat.model.options] == ["required", "required"]


def test_required_call_of_the_service_leaves_the_next_turn_to_the_model(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    client.send(call_completion(WEATHER), text_completion("Rain."), tools=(), tool_choice="required")

    assert [options.tool_choice for options in client.chat.model.options] == ["required", "auto"]


def test_named_tool_is_required_once(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    client.send(call_completion(WEATHER), text_completion("Rain."), tool_choice=NamedTool("get_weather"))

    assert [options.tool_choice for options in client.chat.model.options] == [NamedTool("get_weather"), "auto"]


def test_choice_of_a_tool_that_is_not_offered_is_refused(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    status, code, message = refusal(lambda: client.send(tool_choice=NamedTool("get_wether")))

    assert (status, code) == (400, "invalid_tools")
    assert message == "tool_choice names the tool 'get_wether', which is not offered"


def test_names_that_a_provider_refuses_are_sent_in_another_form_and_back(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    client.send(call_completion(("_3d_view", {})), tools=(ClientTool(name="3d_view"),))

    assert offered(client.chat.model.options[0]) == ["get_weather", "_3d_view"]
    assert [call.name for call in client.calls] == ["3d_view"]


def test_arguments_that_are_no_json_object_reach_the_client_as_the_model_sent_them(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    client.send(call_completion(("open_file", '{"path": ')))

    assert [call.arguments for call in client.calls] == ['{"path": ']


def test_calls_of_the_client_count_in_no_limit_of_calls(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb, max_calls_per_turn=1, max_tool_calls=1)

    client.send(call_completion(WEATHER, OPEN_A, OPEN_B))

    assert len(client.calls) == 2
    assert len(client.chat.lambdas.executed) == 1


def test_streamed_turn_with_client_calls_has_its_text_and_the_calls(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb)

    answer = client.send(call_completion(OPEN_A), stream=True)

    assert (answer.outcome, len(client.calls)) == ("client_calls", 1)


def test_session_has_the_whole_turn_once_the_client_has_answered(dynamodb: DynamoDBClient) -> None:
    client, request = client_chat(dynamodb), {"session_id": "s1"}
    client.send(call_completion(WEATHER, OPEN_A), request=request)
    client.send(text_completion("Read."), turns=results("text of a", of=client.calls), request=request)

    client.send(text_completion("Again."), request={**request, "message": "And now?"})

    sent = client.chat.model.seen[-1]
    assert [message.role for message in sent] == [
        *("system", "user", "assistant", "tool", "tool", "assistant"),
        "user",
    ]
    assert sent[5].text == "Read."


def test_session_without_the_results_has_a_note_in_their_place(dynamodb: DynamoDBClient) -> None:
    client, request = client_chat(dynamodb), {"session_id": "s1"}
    client.send(call_completion(OPEN_A), request=request)

    client.send(text_completion("Again."), request={**request, "message": "Never mind."})

    assert [message.text for message in client.chat.model.seen[-1][1:]] == [
        "Look at it.",
        "(The model waits for the results of the client's tools.)",
        "Never mind.",
    ]


def test_partial_continuation_can_be_sent_again(dynamodb: DynamoDBClient) -> None:
    client = client_chat(dynamodb, rule={"tools": {"enabled": True, "max_iterations": 1}})
    client.send(call_completion(OPEN_A))
    turns = results("text of a", of=client.calls)

    limited = client.send(call_completion(WEATHER, turn=2), turns=turns)
    answer = client.send(text_completion("Read."), turns=turns)

    assert (limited.outcome, answer.content) == ("iteration_limit", "Read.")


def test_a_plain_chat_reads_and_stores_nothing() -> None:
    client = client_chat(Unreachable())

    assert client.send(text_completion("Hello."), tools=()).content == "Hello."
