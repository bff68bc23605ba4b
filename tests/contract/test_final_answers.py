"""The last model call after the time limit: earlier calls in the history, new calls forbidden, and a note about the
time.
"""

import json
from collections.abc import Sequence
from typing import Any, cast

import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message, ToolOutput, system, user
from functions.chat.generation.model_calls import TIME_IS_UP
from functions.chat.providers.base import ChatOptions
from functions.chat.transcript import message_from_json, message_to_json
from tests.contract.wire_script import Playback, Wire, WireAnswer, WireRequest, exchanges, retry_policy

pytestmark = pytest.mark.slow

FORBIDDEN: dict[str, dict[str, Json]] = {
    "openai": {"tool_choice": "none"},
    "ollama": {},
    "gemini": {"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}},
    "anthropic": {"tool_choice": {"type": "none"}},
    "bedrock": {},
}
"""Request field of each wire that forbids calls; without such a field, no tools are offered."""


def test_the_request_is_valid_and_forbids_tool_calls(wire: Wire) -> None:
    conversation = after_calls(wire)

    request, answer = send_chat(wire, [*conversation, TIME_IS_UP], plain_answer(wire))

    body = cast("dict[str, Any]", request.body)
    choice = FORBIDDEN[wire.type]
    assert {key: body[key] for key in ("tool_choice", "toolConfig") if key in body} == choice
    assert ("tools" in body) == bool(choice)
    assert (answer.finish_reason, answer.message.tool_calls) == ("stop", ())


def test_the_request_ends_with_the_results_and_then_the_note(wire: Wire) -> None:
    request, _ = send_chat(wire, [*after_calls(wire), TIME_IS_UP], plain_answer(wire))

    text = request.content.decode()
    results = [text.index(f"result number {number}") for number in range(4)]
    assert results == sorted(results)
    assert text.index(TIME_IS_UP.text) > results[-1]
    assert text.count(TIME_IS_UP.text) == 1


def test_a_conversation_continued_without_the_note_has_no_trace_of_it(wire: Wire) -> None:
    conversation = after_calls(wire)
    send_chat(wire, [*conversation, TIME_IS_UP], plain_answer(wire))

    request, _ = send_chat(wire, conversation, plain_answer(wire), tool_choice="auto")

    assert TIME_IS_UP.text not in request.content.decode()


def test_tool_calls_in_a_final_answer_are_parsed_without_an_error(wire: Wire) -> None:
    calls_answer = exchanges(wire, "four_parallel_calls")[0].answer

    _, answer = send_chat(wire, [*after_calls(wire), TIME_IS_UP], calls_answer)

    assert len(answer.message.tool_calls) == 4


def test_a_stored_conversation_is_sent_like_an_original_one(wire: Wire) -> None:
    conversation = after_calls(wire)
    stored = [message_from_json(json.loads(json.dumps(message_to_json(message)))) for message in conversation]

    before, _ = send_chat(wire, conversation, plain_answer(wire), tool_choice="auto")
    after, _ = send_chat(wire, stored, plain_answer(wire), tool_choice="auto")

    assert after.content == before.content


def test_a_model_without_offered_tools_reads_the_earlier_results(wire: Wire) -> None:
    request, _ = send_chat(wire, [*after_calls(wire), user("And now?")], plain_answer(wire), tools=())

    text = request.content.decode()
    assert '"tools"' not in text
    assert [text.count(f"result number {number}") for number in range(4)] == [1] * 4


def plain_answer(wire: Wire) -> WireAnswer:
    return exchanges(wire, "plain_hello")[0].answer


def after_calls(wire: Wire) -> Sequence[Message]:
    """A conversation with a turn of four calls, as the provider's own adapter read it, and their results."""
    beginning = (system("Be short."), user("Weather in Oslo, Rome, Lima and Bonn?"))
    _, turn = send_chat(wire, beginning, exchanges(wire, "four_parallel_calls")[0].answer, tool_choice="auto")
    results = [
        Message("tool", (ToolOutput(call.id, call.name, f'{{"success":true,"result":"result number {number}"}}'),))
        for number, call in enumerate(turn.message.tool_calls)
    ]
    return (*beginning, turn.message, *results)


def send_chat(
    wire: Wire,
    conversation: Sequence[Message],
    answer: WireAnswer,
    *,
    tool_choice: Any = "none",
    tools: Sequence[dict[str, Json]] | None = None,
) -> tuple[WireRequest, Completion]:
    """Return the request accepted by the provider's oracle, and the adapter's parsed `answer`."""
    playback = Playback([answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    options = ChatOptions(Deadline.after(30), tools=wire.tools() if tools is None else tools, tool_choice=tool_choice)
    completion = provider.generate_chat(conversation, wire.model, options)
    (request,) = playback.requests
    wire.check_request(request)
    return request, completion
