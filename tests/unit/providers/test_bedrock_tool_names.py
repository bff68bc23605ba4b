"""Names of tools for Nova models, which cannot call a tool with a hyphen in its name."""

from typing import Any

import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Json, Message, ToolCall, ToolOutput, user
from functions.chat.providers.base import ArgumentsDelta, CallDelta, ChatOptions, Delta, NamedTool
from tests.contract.wire_script import Playback
from tests.unit.providers.bedrock_service import Service, provider_of, turn
from tests.unit.providers.test_bedrock_stream import frames, response, stream, use
from tests.unit.providers.test_bedrock_stream import provider_of as streaming_provider

NOVA = "us.amazon.nova-pro-v1:0"


def tool(name: str) -> dict[str, Json]:
    return {"toolSpec": {"name": name, "description": name, "inputSchema": {"json": {"type": "object"}}}}


TOOLS = [tool(name) for name in ("read-file", "read_file", "look")]

HISTORY = [
    user("Hello"),
    Message("assistant", (ToolCall("c0", "read-file", {}, "{}"),)),
    Message("tool", (ToolOutput("c0", "read-file", "x"),)),
]


def names_in(request: Any) -> tuple[list[str], list[str]]:
    uses = [block["toolUse"]["name"] for each in request["messages"] for block in each["content"] if "toolUse" in block]
    return [each["toolSpec"]["name"] for each in request["toolConfig"]["tools"]], uses


@pytest.mark.parametrize(
    "model", [NOVA, "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-2-lite-v1:0"]
)
def test_nova_gets_names_without_hyphens_and_its_calls_have_the_names_of_the_tools(model: str) -> None:
    service = Service(turn({"toolUse": {"toolUseId": "c1", "name": "read_file_", "input": {}}}))
    options = ChatOptions(Deadline.after(30), tools=TOOLS, tool_choice=NamedTool("read-file"))

    answer = provider_of(service).generate_chat(HISTORY, model, options)

    assert names_in(service.bodies[0]) == (["read_file_", "read_file", "look"], ["read_file_"])
    assert service.bodies[0]["toolConfig"]["toolChoice"] == {"tool": {"name": "read_file_"}}
    assert [call.name for call in answer.message.tool_calls] == ["read-file"]


def test_streamed_calls_of_nova_have_the_names_of_the_tools() -> None:
    sent = stream(frames(response(use("look_up", {}))))
    deltas: list[Delta] = []

    answer = streaming_provider(Playback([sent])).generate_chat(
        [user("Hello")], NOVA, ChatOptions(Deadline.after(30), tools=[tool("look-up")]), deltas.append
    )

    assert deltas == [CallDelta(0, "look-up"), ArgumentsDelta(0, "{}")]
    assert [call.name for call in answer.message.tool_calls] == ["look-up"]


def test_other_models_get_the_names_as_they_are() -> None:
    service = Service(turn({"text": "Hello."}))

    provider_of(service).generate_chat(
        HISTORY, "anthropic.claude-sonnet-4-5-20250929-v1:0", ChatOptions(Deadline.after(30), tools=TOOLS)
    )

    assert names_in(service.bodies[0]) == (["read-file", "read_file", "look"], ["read-file"])
