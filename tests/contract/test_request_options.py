"""Sampling, stop texts and tool choices in the requests of every provider, plain and streamed."""

from typing import Any, cast

import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Json, user
from functions.chat.providers.base import ChatOptions, NamedTool, ToolChoice
from tests.contract.wire_script import Playback, Wire, exchanges, retry_policy

SAMPLING: dict[str, dict[str, Json]] = {
    "openai": {"temperature": 0.25, "top_p": 0.5, "stop": ["END", "\n\n"]},
    "ollama": {"options": {"temperature": 0.25, "top_p": 0.5, "stop": ["END", "\n\n"]}},
    "gemini": {"generationConfig": {"temperature": 0.25, "topP": 0.5, "stopSequences": ["END", "\n\n"]}},
    # Claude models refuse a temperature and top_p together, and Anthropic a stop text of white space.
    "anthropic": {"top_p": 0.5, "stop_sequences": ["END"]},
    "bedrock": {"inferenceConfig": {"topP": 0.5, "stopSequences": ["END", "\n\n"]}},
}
"""Fields of a request with every option, by provider."""

CHOICES: dict[str, dict[str, dict[str, Json]]] = {
    "openai": {
        "auto": {"tool_choice": "auto"},
        "none": {"tool_choice": "none"},
        "required": {"tool_choice": "required"},
        "named": {"tool_choice": {"type": "function", "function": {"name": "lookup"}}},
    },
    "ollama": {"auto": {}, "none": {}, "required": {}, "named": {}},
    "gemini": {
        "auto": {"toolConfig": {"functionCallingConfig": {"mode": "AUTO"}}},
        "none": {"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}},
        "required": {"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}},
        "named": {"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["lookup"]}}},
    },
    "anthropic": {
        "auto": {"tool_choice": {"type": "auto"}},
        "none": {"tool_choice": {"type": "none"}},
        "required": {"tool_choice": {"type": "any"}},
        "named": {"tool_choice": {"type": "tool", "name": "lookup"}},
    },
    "bedrock": {
        "auto": {"toolChoice": {"auto": {}}},
        "none": {},
        "required": {"toolChoice": {"any": {}}},
        "named": {"toolChoice": {"tool": {"name": "lookup"}}},
    },
}
"""Fields of a request with each tool choice, by provider."""

OFFERED: dict[str, dict[str, list[str]]] = {
    "ollama": {"none": [], "named": ["lookup"]},
    "bedrock": {"none": []},
}
"""Names of the offered tools, where an API has no field for a choice."""


def test_sampling_and_stop_texts_are_sent_in_the_form_of_the_provider(wire: Wire) -> None:
    options = ChatOptions(Deadline.after(30), temperature=0.25, top_p=0.5, stop=("END", "\n\n"))

    body = sent(wire, options)

    names = ("temperature", "top_p", "stop", "stop_sequences", "options", "generationConfig", "inferenceConfig")
    assert {key: body[key] for key in names if key in body} == SAMPLING[wire.type]


@pytest.mark.parametrize("choice", ["auto", "none", "required", NamedTool("lookup")], ids=str)
def test_a_tool_choice_is_sent_in_the_form_of_the_provider(wire: Wire, choice: ToolChoice) -> None:
    options = ChatOptions(Deadline.after(30), tools=wire.tools(), tool_choice=choice)

    body = sent(wire, options)

    name = choice if isinstance(choice, str) else "named"
    fields = body.get("toolConfig", {}) if wire.type == "bedrock" else body
    assert {key: fields[key] for key in ("tool_choice", "toolChoice", "toolConfig") if key in fields} == (
        CHOICES[wire.type][name]
    )
    assert offered(body) == OFFERED.get(wire.type, {}).get(name, ["get_weather", "calculate", "lookup"])


def test_a_request_without_options_has_none_of_the_fields(wire: Wire) -> None:
    text = str(sent(wire, ChatOptions(Deadline.after(30))))

    assert [name for name in ("top_p", "topP", "stop", "choice", "Choice", "toolConfig") if name in text] == []


def sent(wire: Wire, options: ChatOptions) -> dict[str, Any]:
    """Return the body of the request with `options`, accepted by the provider's oracle."""
    playback = Playback([exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    provider.generate_chat([user("Hello")], wire.model, options)
    (request,) = playback.requests
    wire.check_request(request)
    return cast("dict[str, Any]", request.body)


def offered(body: dict[str, Any]) -> list[str]:
    """Return the names of the tools of a request."""
    tools = body.get("toolConfig", {}).get("tools", body.get("tools", []))
    (declared,) = [tool["functionDeclarations"] for tool in tools if "functionDeclarations" in tool] or [tools]
    return [tool.get("function", tool.get("toolSpec", tool))["name"] for tool in declared]


EFFORT: dict[str, dict[str, Json]] = {
    "openai": {"reasoning_effort": "high"},
    "ollama": {"think": True},
    "gemini": {"generationConfig": {"thinkingConfig": {"thinkingLevel": "high"}}},
    "anthropic": {"thinking": {"type": "enabled", "budget_tokens": 13_107}},
    "bedrock": {"additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 13_107}}},
}
"""Fields of a request with the reasoning effort "high", by provider."""


def test_a_reasoning_effort_is_sent_in_the_form_of_the_provider(wire: Wire) -> None:
    body = sent(wire, ChatOptions(Deadline.after(30), reasoning_effort="high"))

    assert {key: body[key] for key in EFFORT[wire.type]} == EFFORT[wire.type]


EXTRA: dict[str, dict[str, Json]] = {
    "openai": {"seed": 7},
    "ollama": {"options": {"seed": 7}},
    "gemini": {"generationConfig": {"seed": 7}},
    "anthropic": {"metadata": {"user_id": "u"}},
    "bedrock": {"requestMetadata": {"team": "blue"}},
}
"""Optional fields that the service has no setting for, by provider."""


def test_the_extra_body_is_merged_into_a_request_with_options_and_tools(wire: Wire) -> None:
    options = ChatOptions(Deadline.after(30), temperature=0.25, tools=wire.tools(), extra_body=EXTRA[wire.type])

    body = sent(wire, options)

    ((name, value),) = EXTRA[wire.type].items()
    merged = body[name].items() >= value.items() if isinstance(value, dict) else body[name] == value
    assert (merged, offered(body)) == (True, ["get_weather", "calculate", "lookup"])
    assert "0.25" in str(body)
