"""Serialization of stored messages and calls: truncated only above the size limit, and valid for any value."""

import json
import random
from copy import replace
from typing import Any

import pytest

from flexchat.messages import Json, Message, ProviderState, Reasoning, Text, ToolCall, ToolOutput, user
from flexchat.sessions import RecordedCall
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.sessions.store.items import (
    MAX_VALUE_BYTES,
    PLAIN_BYTES,
    call_value,
    message_value,
    read_call,
    read_message,
    text_value,
)

STATE = ProviderState("gemini", {"signature": "abc"}, "main:gemini-3")
CALL = ToolCall("call_1", "add", {"a": 1}, '{"a": 1}', state=STATE)
MARKER = "characters left out"


def recorded(
    *,
    call: ToolCall = CALL,
    content: str = "3",
    params: Any = None,
    result: Any = 3,
    **failure: Any,
) -> RecordedCall:
    execution = ToolExecution(
        tool="calculator/add",
        params={"a": 1} if params is None else params,
        result=ToolResult(not failure, "calculator/add", 5, result=result, **failure),
        iteration=2,
        call_id=call.id,
    )
    return RecordedCall(call, ToolOutput(call.id, call.name, content, is_error=bool(failure)), execution)


RANDOM = random.Random(7)  # noqa: S311 # any text will do, always the same
INCOMPRESSIBLE = "".join(chr(RANDOM.randrange(0x4E00, 0x9FFF)) for _ in range(50_000))


def incompressible(characters: int) -> str:
    """Return text that compresses at most to two thirds: its repetitions are outside zlib's window."""
    start = RANDOM.randrange(len(INCOMPRESSIBLE))
    return (INCOMPRESSIBLE * (characters // len(INCOMPRESSIBLE) + 2))[start : start + characters]


def nested(depth: int) -> Json:
    value: Json = 1
    for _ in range(depth):
        value = [value]
    return value


def size(value: Any) -> int:
    return len(value if isinstance(value, bytes) else value.encode())


def test_a_message_is_read_with_its_calls_in_their_positions() -> None:
    other = replace(CALL, id="call_2")
    message = Message("assistant", (Reasoning(STATE, "hm"), CALL, Text("and", STATE), other, Text("done")))

    read, calls = read_message(message_value(message), {0: recorded(), 1: recorded(call=other)})

    assert read == message
    assert calls == (recorded(), recorded(call=other))


def test_a_missing_call_or_one_of_another_message_is_not_included() -> None:
    message = Message("assistant", (Text("see"), CALL, replace(CALL, id="call_2")))

    read, calls = read_message(message_value(message), {0: recorded(), 2: recorded(), 7: recorded()})

    assert read == Message("assistant", (Text("see"), CALL))
    assert calls == (recorded(),)


@pytest.mark.parametrize(
    "call",
    [
        recorded(),
        recorded(result={"a": [1, None, 2.5]}, content="x" * 5_000),
        recorded(call=replace(CALL, arguments=None, raw="{", problem="not JSON"), params="{", result=None, error="no"),
        recorded(result=None, error="No.", error_type="invalid_arguments", validation_errors=("a", "b")),
        recorded(result=None, error="No.", error_type="timeout", user_message="Later, please."),
    ],
)
def test_a_call_is_read_with_its_result(call: RecordedCall) -> None:
    assert read_call(call_value(call)) == call


def test_short_values_are_uncompressed_and_long_ones_compressed() -> None:
    short, long = message_value(user("x" * (PLAIN_BYTES - 100))), message_value(user("x" * PLAIN_BYTES))

    assert (type(short), type(long)) == (str, bytes)
    assert size(long) < 500
    assert read_message(long, {})[0] == user("x" * PLAIN_BYTES)


def test_the_same_value_has_the_same_bytes() -> None:
    assert message_value(user("x" * 9_000)) == message_value(user("x" * 9_000))


@pytest.mark.parametrize("characters", [300_000, 3_000_000])
def test_a_text_that_is_too_long_is_truncated_around_a_marker(characters: int) -> None:
    text = incompressible(characters)

    value = message_value(Message("assistant", (Text(text), CALL)))
    read, _ = read_message(value, {0: recorded()})

    assert size(value) <= MAX_VALUE_BYTES
    assert MARKER in read.text
    assert (read.text[:1_000], read.text[-1_000:]) == (text[:1_000], text[-1_000:])
    assert read.tool_calls == (CALL,)


def test_many_long_texts_are_truncated_to_the_total_limit() -> None:
    value = message_value(Message("assistant", tuple(Text(incompressible(20_000)) for _ in range(50))))

    assert size(value) <= MAX_VALUE_BYTES
    assert len(read_message(value, {})[0].parts) == 50


def test_too_many_texts_are_reduced_to_the_first_and_last_ones() -> None:
    texts = tuple(Text(incompressible(400)) for _ in range(2_000))

    value = message_value(Message("assistant", (CALL, *texts, replace(CALL, id="call_2"))))
    read, calls = read_message(value, {0: recorded(), 1: recorded(call=replace(CALL, id="call_2"))})

    assert size(value) <= MAX_VALUE_BYTES
    assert MARKER in read.text
    assert [call.id for call in read.tool_calls] == ["call_1", "call_2"]
    assert len(calls) == 2


def test_provider_state_is_stored_completely_or_not_at_all() -> None:
    large = ProviderState("anthropic", {"signature": incompressible(600_000)})
    message = Message("assistant", (Reasoning(large, "hm"), Text("so", large), replace(CALL, state=large)))
    call = recorded(call=replace(CALL, state=large))

    stored_call = read_call(call_value(call))
    stored, _ = read_message(message_value(message), {0: stored_call})

    assert stored == Message("assistant", (Text("so"), replace(CALL, state=None)))


def test_a_result_that_is_too_large_becomes_truncated_text_with_a_flag() -> None:
    call = recorded(result={"rows": [incompressible(1_000)] * 900}, content="short")

    value = call_value(call)
    stored = read_call(value)

    assert size(value) <= MAX_VALUE_BYTES
    assert stored.truncated
    assert isinstance(stored.execution.result.result, str)
    assert MARKER in stored.execution.result.result
    assert stored.output == call.output


def test_arguments_that_are_too_large_become_text_with_a_problem() -> None:
    arguments: dict[str, Json] = {"text": incompressible(900_000)}
    call = recorded(call=ToolCall("call_1", "add", arguments, json.dumps(arguments)), params=arguments)

    value = call_value(call)
    stored = read_call(value)

    assert size(value) <= MAX_VALUE_BYTES
    assert (stored.call.arguments, stored.call.problem) == (None, "the arguments were too large to be kept")
    assert MARKER in stored.call.raw
    assert isinstance(stored.execution.params, str)
    assert not stored.truncated


def test_arguments_stay_if_only_their_raw_text_is_too_long() -> None:
    stored = read_call(call_value(recorded(call=replace(CALL, raw='{"a":' + " " * 500_000 + "1}"))))

    assert stored.call == replace(CALL, raw='{"a":1}')


@pytest.mark.slow
def test_long_errors_are_truncated() -> None:
    failed = recorded(
        result=None,
        error=incompressible(500_000),
        error_type="invalid_arguments",
        user_message=incompressible(500_000),
        validation_errors=(incompressible(500_000),) * 50,
    )

    value = call_value(failed)
    stored = read_call(value).execution.result

    assert size(value) <= MAX_VALUE_BYTES
    assert MARKER in (stored.error or "")
    assert MARKER in (stored.user_message or "")
    assert 0 < len(stored.validation_errors) <= 20


@pytest.mark.slow
@pytest.mark.parametrize("success", [True, False])
def test_a_call_over_the_limit_is_stored_as_tool_and_success(*, success: bool) -> None:
    failure: dict[str, Any] = {} if success else {"error": "no", "error_type": "timeout"}
    call = recorded(call=replace(CALL, id=incompressible(400_000), name=incompressible(400_000)), result=1, **failure)

    value = call_value(call)
    stored = read_call(value)

    assert size(value) <= MAX_VALUE_BYTES
    assert stored.call.id == stored.output.call_id == stored.execution.call_id
    assert stored.output.is_error == (not success)
    assert (stored.execution.result.success, stored.execution.result.error_type) == (
        success,
        None if success else "timeout",
    )
    assert stored.execution.result.envelope()["success"] is success
    assert stored.truncated


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, nested(100_000)], ids=["nan", "set", "deep"])
def test_a_value_that_is_not_json_is_replaced_by_a_placeholder(value: Any) -> None:
    call = recorded(call=replace(CALL, arguments={"a": value}), params={"a": value}, result=value)

    stored = read_call(call_value(call))

    assert (stored.call.arguments, stored.call.raw) == (None, CALL.raw)
    assert (stored.execution.params, stored.execution.result.result) == ("this could not be kept",) * 2
    assert stored.truncated


def test_results_without_a_message_are_stored_as_messages() -> None:
    message = Message("tool", (ToolOutput("call_1", "add", "3"),))

    assert read_message(message_value(message), {}) == (message, ())


def test_a_lone_surrogate_is_replaced() -> None:
    assert read_message(message_value(user("a\ud800b")), {})[0] == user("a?b")
    assert text_value("a\ud800b", 100) == "a?b"


def test_state_that_is_not_json_is_omitted() -> None:
    state = ProviderState("anthropic", float("nan"))
    message = Message("assistant", (Reasoning(state), Text("so", state)))

    assert read_message(message_value(message), {})[0] == Message("assistant", (Text("so"),))
