"""Structured answers in the requests of every provider: its own parameter, else a tool for the answer."""

import json
from typing import Any, cast

import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Json, Text, user
from functions.chat.providers.base import ChatOptions, Delta, ResponseFormat, TextDelta
from tests.contract.streamed_wire import StreamingWire
from tests.contract.wire_script import Playback, Wire, WireAnswer, exchanges, retry_policy
from tests.contract.wires import WIRES

pytestmark = pytest.mark.parametrize("wire", [pytest.param(wire, id=wire.type) for wire in WIRES])

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
FORMAT = ResponseFormat(schema=SCHEMA, name="trip", description="A planned trip")

CLAUDE_SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "description": "Must be at least 1."}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
"""The schema without `minimum`, which Claude's structured outputs do not have."""

NATIVE: dict[str, Json] = {
    "openai": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "trip", "schema": SCHEMA, "description": "A planned trip"},
        }
    },
    "ollama": {"format": SCHEMA},
    "gemini": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA},
    "anthropic": {"output_config": {"format": {"type": "json_schema", "schema": CLAUDE_SCHEMA}}},
    "bedrock": {
        "outputConfig": {
            "textFormat": {
                "type": "json_schema",
                "structure": {
                    "jsonSchema": {
                        "schema": json.dumps(CLAUDE_SCHEMA, separators=(",", ":")),
                        "name": "trip",
                        "description": "A planned trip",
                    }
                },
            }
        }
    },
}
"""Fields of a request with a schema, by provider."""

FIELDS = ("response_format", "format", "responseMimeType", "responseJsonSchema", "output_config", "outputConfig")

WITHOUT_SCHEMA: dict[str, Json] = {
    "openai": {"response_format": {"type": "json_object"}},
    "ollama": {"format": "json"},
    "gemini": {"responseMimeType": "application/json"},
    "anthropic": {},
    "bedrock": {},
}
"""Fields of a request for any JSON object, by provider."""

REFUSALS: dict[str, WireAnswer] = {
    "openai": WireAnswer(
        status=400, headers={}, body={"error": {"message": "This response_format type is unavailable now", "code": 400}}
    ),
    "ollama": WireAnswer(status=400, headers={}, body={"error": "structured outputs are not supported by this model"}),
    "gemini": WireAnswer(
        status=400,
        headers={},
        body={"error": {"code": 400, "message": "JSON mode is not enabled", "status": "INVALID_ARGUMENT"}},
    ),
    "anthropic": WireAnswer(
        status=400,
        headers={},
        body={
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "output_config: Extra inputs are not permitted",
            },
        },
    ),
    "bedrock": WireAnswer(
        status=400,
        headers={"x-amzn-errortype": "ValidationException"},
        body={"message": "This model doesn't support the outputConfig.textFormat field."},
    ),
}
"""Refusals of structured answers in the words of servers."""


def call_answer(wire: Wire, arguments: dict[str, Json]) -> WireAnswer:
    """Return an answer of the provider that calls the tool `trip`."""
    bodies: dict[str, Any] = {
        "openai": {
            "choices": [
                {
                    "index": 0,
                    "message": {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [
                            {
                                "id": "c1",
                                "type": "function",
                                "function": {"name": "trip", "arguments": json.dumps(arguments)},
                            }
                        ],
                    },
                    "finish_reason": "tool_calls",
                }
            ],
            "model": "m",
        },
        "ollama": {
            "model": "m",
            "message": {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"function": {"name": "trip", "arguments": arguments}}],
            },
            "done": True,
            "done_reason": "stop",
        },
        "gemini": {
            "candidates": [
                {
                    "content": {"role": "model", "parts": [{"functionCall": {"name": "trip", "args": arguments}}]},
                    "finishReason": "STOP",
                }
            ]
        },
        "anthropic": {
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [{"type": "tool_use", "id": "c1", "name": "trip", "input": arguments}],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 1, "output_tokens": 1},
        },
        "bedrock": {
            "output": {
                "message": {
                    "role": "assistant",
                    "content": [{"toolUse": {"toolUseId": "c1", "name": "trip", "input": arguments}}],
                }
            },
            "stopReason": "tool_use",
            "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
        },
    }
    return WireAnswer(headers={}, body=bodies[wire.type])


def fields_of(body: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a request that ask for a form."""
    return {name: value for name, value in (body | body.get("generationConfig", {})).items() if name in FIELDS}


def plain(wire: Wire, options: ChatOptions, *answers: WireAnswer) -> tuple[Any, list[dict[str, Any]]]:
    """Return the completion that is not streamed, and the bodies of the requests."""
    playback = Playback([*answers, exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    completion = provider.generate_chat([user("Hello")], wire.model, options)
    for request in playback.requests:
        wire.check_request(request)
    return completion, [cast("dict[str, Any]", request.body) for request in playback.requests]


def test_a_schema_is_sent_in_the_providers_own_parameter(wire: Wire) -> None:
    _, (body,) = plain(wire, ChatOptions(Deadline.after(30), response_format=FORMAT))

    assert fields_of(body) == NATIVE[wire.type]
    assert "tools" not in body
    assert "toolConfig" not in body


def test_any_json_object_is_asked_for_where_the_provider_has_it(wire: Wire) -> None:
    _, (body,) = plain(wire, ChatOptions(Deadline.after(30), response_format=ResponseFormat()))

    assert fields_of(body) == WITHOUT_SCHEMA[wire.type]


def test_a_refused_form_becomes_a_forced_tool_whose_arguments_are_the_answer(wire: Wire) -> None:
    arguments: dict[str, Json] = {"city": "Zürich", "days": 2}
    options = ChatOptions(Deadline.after(30), response_format=FORMAT)

    completion, (first, second) = plain(wire, options, REFUSALS[wire.type], call_answer(wire, arguments))

    assert fields_of(first) == NATIVE[wire.type]
    assert fields_of(second) == {}
    assert json.loads(completion.message.text) == arguments
    assert (completion.message.tool_calls, completion.finish_reason) == ((), "stop")
    assert "trip" in json.dumps(second)


BAD_SCHEMAS: dict[str, str] = {
    "openai": "Invalid schema for response_format 'trip': In context=(), 'required' is required to be supplied",
    "ollama": "invalid JSON schema in format",
    "gemini": "Invalid JSON payload received: response_json_schema: schema is too complex",
    "anthropic": "output_config.format.schema: Schema is too complex",
    "bedrock": "outputConfig.textFormat: Invalid schema: too complex",
}
"""Texts about a schema that a server does not take."""


def with_text(answer: WireAnswer, text: str) -> WireAnswer:
    """Return a refusal with another text."""
    body: Any = json.loads(json.dumps(answer.body))
    if "message" in body or isinstance(body.get("error"), str):
        body = dict.fromkeys(body, text)
    else:
        body["error"]["message"] = text
    return answer.model_copy(update={"body": body})


def test_a_refusal_is_remembered_but_that_of_one_schema_is_not(wire: Wire) -> None:
    refused = with_text(REFUSALS[wire.type], BAD_SCHEMAS[wire.type])
    options = ChatOptions(Deadline.after(30), response_format=FORMAT)
    call, hello = call_answer(wire, {}), exchanges(wire, "plain_hello")[0].answer
    playback = Playback([refused, call, hello, REFUSALS[wire.type], call, call])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)

    for _ in range(4):
        provider.generate_chat([user("Hello")], wire.model, options)

    native = [bool(fields_of(cast("dict[str, Any]", request.body))) for request in playback.requests]
    assert native == [True, False, True, True, False, False]


def test_beside_tools_a_form_is_sent_to_models_that_take_both(wire: Wire) -> None:
    options = ChatOptions(Deadline.after(30), tools=wire.tools(), response_format=FORMAT)

    _, (body,) = plain(wire, options)

    assert bool(fields_of(body)) is (wire.type != "ollama")
    assert "trip" not in json.dumps(body.get("tools", []))


def test_a_schema_that_claude_cannot_enforce_becomes_a_tool(wire: Wire) -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"any": {"type": "object"}}}
    options = ChatOptions(Deadline.after(30), response_format=ResponseFormat(schema=schema, name="trip"))

    _, (body,) = plain(wire, options, call_answer(wire, {"any": {}}))

    assert bool(fields_of(body)) is (wire.type not in ("anthropic", "bedrock"))


def test_the_text_of_an_enforced_form_is_streamed_and_that_of_a_forced_tool_is_not(wire: Wire) -> None:
    streaming = cast("StreamingWire", wire)
    hello = exchanges(wire, "plain_hello")[0].answer
    answers = [streaming.streamed(hello), REFUSALS[wire.type], call_answer(wire, {"city": "x", "days": 1})]
    provider = wire.provider(Playback(answers), retry=retry_policy(0, []), timeout_ms=60_000)
    options = ChatOptions(Deadline.after(30), response_format=FORMAT)
    deltas: list[Delta] = []

    enforced = provider.generate_chat([user("Hello")], wire.model, options, deltas.append)

    assert "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)) == enforced.message.text

    deltas.clear()
    forced = provider.generate_chat([user("Hello")], wire.model, options, deltas.append)

    assert deltas == []
    assert forced.message.parts[-1] == Text('{"city":"x","days":1}')
