"""Tool calls in the text of an answer, parsed for every provider if the model's profile enables it."""

import json

from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message, Text, ToolCall, ToolOutput, user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.fallback import Candidate
from functions.chat.providers.profiles import ModelProfile
from tests.contract.openai_wire import OpenAIWire
from tests.contract.wire_script import Playback, Wire, WireAnswer, exchanges, retry_policy

QUESTION = user("Weather in Oslo?")
WRITTEN = 'Let me see. <tool_call>{"name": "get_weather", "arguments": {"location": "Oslo"}}</tool_call>'
READS_TEXT = ModelProfile(text_tool_calls=True)


def _candidate(wire: Wire, playback: Playback, profile: ModelProfile) -> Candidate:
    return Candidate(wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000), wire.model, profile)


def _playback(wire: Wire, times: int = 1) -> Playback:
    """Answers of the text `WRITTEN`, as the provider sends them."""
    answer = exchanges(wire, "plain_hello")[0].answer
    body = json.loads(json.dumps(answer.body).replace('"Hello."', json.dumps(WRITTEN)))
    return Playback([WireAnswer(headers=answer.headers, body=body)] * times)


def _requested(wire: Wire, profile: ModelProfile, options: ChatOptions) -> Completion:
    return _candidate(wire, _playback(wire), profile).generate_chat([QUESTION], options)


def _options(wire: Wire) -> ChatOptions:
    return ChatOptions(Deadline.after(30), tools=wire.tools())


def test_a_call_in_the_text_is_parsed_if_the_profile_enables_it(wire: Wire) -> None:
    answer = _requested(wire, READS_TEXT, _options(wire))

    call = ToolCall("call_1_0", "get_weather", {"location": "Oslo"}, '{"location": "Oslo"}')
    assert answer.message == Message("assistant", (Text("Let me see."), call))
    assert answer.finish_reason == "tool_calls"


def test_a_call_in_the_text_stays_text_for_other_models_and_without_offered_tools(wire: Wire) -> None:
    answers = [
        _requested(wire, ModelProfile(), _options(wire)),
        _requested(wire, READS_TEXT, ChatOptions(Deadline.after(30))),
    ]

    assert [(answer.message.text, answer.message.tool_calls) for answer in answers] == [(WRITTEN, ())] * 2


def test_a_call_in_the_text_is_no_answer_if_tool_calls_are_forbidden(wire: Wire) -> None:
    options = ChatOptions(Deadline.after(30), tools=wire.tools(), tool_choice="none")

    answer = _requested(wire, READS_TEXT, options)

    assert (answer.message.text, [call.name for call in answer.message.tool_calls]) == ("Let me see.", ["get_weather"])


def test_calls_of_two_turns_have_unique_ids_and_are_sent_back_as_calls(wire: Wire) -> None:
    playback = _playback(wire, times=2)
    candidate = _candidate(wire, playback, READS_TEXT)

    first = candidate.generate_chat([QUESTION], _options(wire)).message
    result = Message("tool", (ToolOutput("call_1_0", "get_weather", "7 degrees"),))
    second = candidate.generate_chat([QUESTION, first, result], _options(wire)).message

    assert [call.id for call in second.tool_calls] == ["call_2_0"]
    for request in playback.requests:
        wire.check_request(request)


def test_native_calls_take_precedence_over_calls_in_the_text() -> None:
    calls: list[Json] = [{"id": "a", "type": "function", "function": {"name": "lookup", "arguments": "{}"}}]
    message: Json = {"role": "assistant", "content": WRITTEN, "tool_calls": calls}
    playback = Playback([WireAnswer(headers={}, body={"choices": [{"message": message}]})])
    wire = OpenAIWire()

    answer = _candidate(wire, playback, READS_TEXT).generate_chat([QUESTION], _options(wire))

    assert answer.message == Message("assistant", (Text(WRITTEN), ToolCall("a", "lookup", {}, "{}")))
