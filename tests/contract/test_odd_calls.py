"""A malformed tool call is one call that cannot run: the others are read, and the history stays valid."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import UNNAMED_TOOL, Json, Message, ToolOutput, user
from functions.chat.providers.base import ChatOptions
from tests.contract.wire_script import Playback, Wire, WireAnswer, exchanges, retry_policy
from tests.contract.wires import BOTH_WAYS

QUESTION = user("Weather in Oslo?")

ABSENT: Any = object()


@dataclass(frozen=True)
class Sent:
    """A call as the provider sends it; `whole` takes the place of everything."""

    name: Any = "get_weather"
    arguments: Any = ABSENT
    id: Any = ABSENT
    whole: Any = ABSENT


def _present(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not ABSENT}


def _openai_call(sent: Sent) -> Json:
    if sent.whole is not ABSENT:
        return sent.whole
    function = _present({"name": sent.name, "arguments": sent.arguments})
    return _present({"id": sent.id, "type": "function", "function": function})


def _openai_answer(calls: list[Json]) -> Json:
    return {"choices": [{"message": {"role": "assistant", "tool_calls": calls}, "finish_reason": "tool_calls"}]}


def _ollama_answer(calls: list[Json]) -> Json:
    return {"message": {"role": "assistant", "content": "", "tool_calls": calls}, "done": True}


def _gemini_call(sent: Sent) -> Json:
    call = _present({"name": sent.name, "args": sent.arguments, "id": sent.id})
    return {"functionCall": call if sent.whole is ABSENT else sent.whole}


def _gemini_answer(calls: list[Json]) -> Json:
    return {"candidates": [{"content": {"role": "model", "parts": calls}, "finishReason": "STOP"}]}


def _anthropic_call(sent: Sent) -> Json:
    return _present({"type": "tool_use", "id": sent.id, "name": sent.name, "input": sent.arguments})


def _anthropic_answer(calls: list[Json]) -> Json:
    return {"content": calls, "stop_reason": "tool_use"}


def _bedrock_call(sent: Sent) -> Json:
    call = _present({"toolUseId": sent.id, "name": sent.name, "input": sent.arguments})
    return {"toolUse": call if sent.whole is ABSENT else sent.whole}


def _bedrock_answer(calls: list[Json]) -> Json:
    return {"output": {"message": {"role": "assistant", "content": calls}}, "stopReason": "tool_use"}


SPOKEN: dict[ProviderType, tuple[Callable[[Sent], Json], Callable[[list[Json]], Json]]] = {
    "openai": (_openai_call, _openai_answer),
    "ollama": (_openai_call, _ollama_answer),
    "gemini": (_gemini_call, _gemini_answer),
    "anthropic": (_anthropic_call, _anthropic_answer),
    "bedrock": (_bedrock_call, _bedrock_answer),
}

UNNAMED: dict[str, tuple[Sent, str]] = {
    "null name": (Sent(name=None), "the call has no tool name"),
    "no name": (Sent(name=ABSENT), "the call has no tool name"),
    "empty name": (Sent(name=" "), "the call has no tool name"),
    "number for a name": (Sent(name=7), "the tool name must be a string, not a number"),
    "object for a name": (Sent(name={"a": 1}), "the tool name must be a string, not an object"),
}

BAD_ARGUMENTS: dict[str, tuple[Any, str]] = {
    "a number": (5, "a number"),
    "true": (True, "a boolean"),
    "a list": (["Oslo"], "an array"),
    "a list in a string": ('["Oslo"]', "an array"),
}

CUT = '{"location": "Os'


def _answered(wire: Wire, *calls: Sent) -> tuple[Message, dict[str, Any]]:
    """The message that `wire` reads from an answer with `calls`, and the next request, checked by the oracle."""
    spell, answer = SPOKEN[wire.type]
    calls_answer = WireAnswer(headers={}, body=answer([spell(call) for call in calls]))
    playback = Playback([calls_answer, exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    options = ChatOptions(Deadline.after(30), tools=wire.tools())
    message = provider.generate_chat([QUESTION], wire.model, options).message
    results = [Message("tool", (ToolOutput(call.id, call.name, "no", is_error=True),)) for call in message.tool_calls]
    provider.generate_chat([QUESTION, message, *results], wire.model, options)
    for request in playback.requests:
        wire.check_request(request)
    body: Any = playback.requests[-1].body
    return message, body


GOOD = Sent(arguments={"location": "Oslo"})


@pytest.mark.parametrize("odd", UNNAMED)
def test_a_call_without_a_usable_name_is_parsed_as_one_call_that_cannot_run(wire: Wire, odd: str) -> None:
    sent, problem = UNNAMED[odd]

    message, _ = _answered(wire, GOOD, sent, GOOD)

    read = [(call.name, call.arguments, call.problem) for call in message.tool_calls]
    good = ("get_weather", {"location": "Oslo"}, None)
    assert read == [good, (UNNAMED_TOOL, None, problem), good]


@pytest.mark.parametrize("odd", BAD_ARGUMENTS)
def test_arguments_that_are_no_object_affect_only_their_own_call(wire: Wire, odd: str) -> None:
    value, kind = BAD_ARGUMENTS[odd]

    message, _ = _answered(wire, Sent(arguments=value), GOOD)

    bad, good = message.tool_calls
    assert (bad.arguments, bad.problem) == (None, f"the arguments must be a JSON object, not {kind}")
    assert (good.name, good.arguments) == ("get_weather", {"location": "Oslo"})


@pytest.mark.parametrize("call_id", [5, None, "", {"a": 1}, ["x"]])
def test_a_call_with_an_unusable_id_gets_a_new_id(wire: Wire, call_id: Json) -> None:
    odd = Sent(arguments={"location": "Rome"}, id=call_id)

    message, _ = _answered(wire, odd, GOOD)

    read = [(call.id, call.name, call.arguments) for call in message.tool_calls]
    assert read == [
        ("call_1_0", "get_weather", {"location": "Rome"}),
        ("call_1_1", "get_weather", {"location": "Oslo"}),
    ]


@pytest.mark.parametrize("whole", [5, "call", ["call"], {}, {"function": None}, {"function": "get_weather"}])
@pytest.mark.parametrize("wire", [each for each in BOTH_WAYS if not str(each.id).startswith("anthropic")])
def test_a_malformed_call_affects_only_itself(wire: Wire, whole: Json) -> None:
    message, _ = _answered(wire, Sent(whole=whole), GOOD)

    assert [(call.name, call.arguments) for call in message.tool_calls] == [
        (UNNAMED_TOOL, None),
        ("get_weather", {"location": "Oslo"}),
    ]


def test_arguments_that_are_not_json_are_sent_back_inside_an_object(wire: Wire) -> None:
    message, body = _answered(wire, Sent(arguments=CUT))

    (call,) = message.tool_calls
    assert (call.arguments, call.raw) == (None, CUT)
    assert "unreadable_arguments" in str(body)


def test_a_very_long_name_is_truncated(wire: Wire) -> None:
    message, _ = _answered(wire, Sent(name="n" * 100_000))

    assert len(message.tool_calls[0].name) == 200
