"""Messages of chat completions as messages of a conversation."""

from typing import Any

import pytest

from flexchat.errors import RequestError
from flexchat.messages import Message, Text, ToolCall, ToolOutput, assistant, system, user
from functions.chat.openai_api.messages import NO_CALL, UNANSWERED, messages_of

CALL: dict[str, Any] = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "get_stock", "arguments": '{"item": "lamp"}'},
}
CALLED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CALL]}

FUNCTION_ROLE = (
    "is 'function', not one of system, developer, user, assistant, tool; send results of tools with the role 'tool'"
)


def read(items: Any) -> tuple[Message, ...]:
    return messages_of(items)


def problem(items: Any) -> tuple[str, str]:
    with pytest.raises(RequestError) as caught:
        read(items)
    return caught.value.details[0].path, caught.value.details[0].message


def test_every_role_is_read() -> None:
    assert read(
        [
            {"role": "system", "content": "Be brief."},
            {"role": "developer", "content": "In French."},
            {"role": "user", "content": "Hello", "name": "ada"},
            {"role": "assistant", "content": "Salut"},
            {"role": "user", "content": [{"type": "text", "text": "How many"}, {"type": "text", "text": "lamps?"}]},
            CALLED,
            {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "12"}]},
        ]
    ) == (
        system("Be brief."),
        system("In French."),
        user("Hello"),
        assistant("Salut"),
        user("How many\nlamps?"),
        Message("assistant", (ToolCall("call_1", "get_stock", {"item": "lamp"}, '{"item": "lamp"}'),)),
        Message("tool", (ToolOutput("call_1", "get_stock", "12"),)),
    )


def test_empty_messages_are_left_out_except_the_last() -> None:
    items: Any = [{"role": "assistant", "content": ""}, {"role": "assistant"}, {"role": "user", "content": ""}]
    assert read(items) == (Message("user", ()),)


def test_a_refusal_is_the_text_of_its_message() -> None:
    refused: Any = {"role": "assistant", "content": None, "refusal": "I cannot help."}
    parts: Any = {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}
    assert read([refused, parts]) == (assistant("I cannot help."), assistant("No."))


@pytest.mark.parametrize(("raw", "problem"), [("{", "not valid JSON"), ("[1]", "not a JSON object")])
def test_arguments_that_are_no_object_stay_as_they_were_sent(raw: str, problem: str) -> None:
    call = {**CALL, "function": {"name": "get_stock", "arguments": raw}}
    (message, _) = read([{**CALLED, "tool_calls": [call]}, {"role": "tool", "tool_call_id": "call_1", "content": "x"}])
    (part,) = message.tool_calls
    assert (part.arguments, part.raw, (part.problem or "").startswith(problem)) == (None, raw, True)


def test_empty_arguments_are_an_empty_object() -> None:
    call = {**CALL, "function": {"name": "now", "arguments": ""}}
    answered = {"role": "tool", "tool_call_id": "call_1", "content": "noon"}
    assert read([{**CALLED, "tool_calls": [call]}, answered])[0].parts == (ToolCall("call_1", "now", {}, ""),)


def test_unpaired_surrogates_are_read() -> None:
    assert read([{"role": "user", "content": "a\ud83d"}]) == (Message("user", (Text("a\ud83d"),)),)


UNUSABLE: list[tuple[Any, str, str]] = [
    (None, "messages", "must be a list of at least one message"),
    ([], "messages", "must be a list of at least one message"),
    ("Hello", "messages", "must be a list of at least one message"),
    (["Hello"], "messages[0]", "must be an object with a role and a content"),
    ([{"content": "x"}], "messages[0].role", "is missing, not one of system, developer, user, assistant, tool"),
    ([{"role": 1}], "messages[0].role", "is of the type int, not one of system, developer, user, assistant, tool"),
    (
        [{"role": "function", "name": "f", "content": "x"}],
        "messages[0].role",
        FUNCTION_ROLE,
    ),
    (
        [{"role": "user"}],
        "messages[0].content",
        "must be a string or a list of text, picture and file parts",
    ),
    ([{"role": "system"}], "messages[0].content", "must be a string or a list of text parts"),
    (
        [{"role": "user", "content": {"text": "x"}}],
        "messages[0].content",
        "must be a string or a list of text, picture and file parts",
    ),
    (
        [{"role": "user", "content": ["x"]}],
        "messages[0].content[0]",
        "must be a part such as {'type': 'text', 'text': 'Hello'}",
    ),
    (
        [{"role": "user", "content": [{"type": "input_audio"}]}],
        "messages[0].content[0].type",
        "is 'input_audio'; accepted are text, image_url, file, refusal",
    ),
    ([{"role": "user", "content": [{"type": "text"}]}], "messages[0].content[0].text", "must be a string"),
    (
        [{"role": "tool", "tool_call_id": "call_9", "content": "x"}],
        "messages[0].tool_call_id",
        f"{NO_CALL} The tool_call_id of messages[0] is 'call_9'.",
    ),
    (
        [CALLED, *[{"role": "tool", "tool_call_id": "call_1", "content": "x"}] * 2],
        "messages[2].tool_call_id",
        f"{NO_CALL} The tool_call_id of messages[2] is 'call_1'.",
    ),
    (
        [{"role": "user", "content": "x"}, {"role": "tool", "content": "x"}],
        "messages[1].tool_call_id",
        f"{NO_CALL} The tool_call_id of messages[1] is missing.",
    ),
    (
        [CALLED, {"role": "user", "content": "x"}],
        "messages",
        f"{UNANSWERED}call_1",
    ),
    ([CALLED], "messages", f"{UNANSWERED}call_1"),
    ([{**CALLED, "tool_calls": [CALL, CALL]}], "messages[0].tool_calls", "has an id twice"),
    ([{**CALLED, "tool_calls": "x"}], "messages[0].tool_calls", "must be a list of tool calls"),
    ([{**CALLED, "tool_calls": ["x"]}], "messages[0].tool_calls[0]", "must be an object with an id and a function"),
    (
        [{**CALLED, "tool_calls": [{**CALL, "type": "custom"}]}],
        "messages[0].tool_calls[0].type",
        "is 'custom'; only 'function' is supported",
    ),
    (
        [{**CALLED, "tool_calls": [{**CALL, "id": ""}]}],
        "messages[0].tool_calls[0].id",
        "must be a string that is not empty",
    ),
    (
        [{**CALLED, "tool_calls": [{"id": "a"}]}],
        "messages[0].tool_calls[0].function",
        "must be an object with a name and arguments",
    ),
    (
        [{**CALLED, "tool_calls": [{**CALL, "function": {"name": "f", "arguments": {}}}]}],
        "messages[0].tool_calls[0].function.arguments",
        "must be a string of JSON",
    ),
    (
        [{"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}],
        "messages[0].function_call",
        "is not supported; send tool_calls",
    ),
]


@pytest.mark.parametrize(("items", "path", "message"), UNUSABLE)
def test_messages_that_cannot_be_used_are_named(items: Any, path: str, message: str) -> None:
    assert problem(items) == (path, message)
