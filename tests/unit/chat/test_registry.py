"""Tool registry and manager: registration, selection and provider formats."""

import json
from copy import replace
from typing import Any

import pytest

from flexchat.config.models.tools import ResponseToolsConfig, ToolDefinition, ToolsConfig
from flexchat.config.providers import ProviderType
from flexchat.errors import ConfigError, ToolInputError
from flexchat.messages import Json, ToolCall
from flexchat.tools import CallTool, ToolReply
from functions.chat.generation.tool_calls import RepeatGuard
from functions.chat.tools.manager import LoopLimits, ToolManager
from functions.chat.tools.registry import ToolRegistry
from functions.chat.tools.schema_compiler import SchemaLoss
from tests.functional.chat.scripted_provider import call_completion

LOGGED = ("provider", "tools", "dropped", "rewritten")

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer", "default": 1}}}


def tool(name: str, **fields: Any) -> ToolDefinition:
    definition = {"name": name, "description": f"Tool {name}", "parameters": SCHEMA, "implementation": {"type": "mock"}}
    return ToolDefinition.model_validate(definition | fields)


def registry(*names: str) -> ToolRegistry:
    filled = ToolRegistry()
    for name in names:
        filled.register(tool(name))
    return filled


class NoTools:
    types = ("mock",)

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        raise AssertionError(tool_type, call)


def manager(*tools: ToolDefinition, **settings: Any) -> ToolManager:
    return ToolManager(config=ToolsConfig(enabled=True, registry=tools).model_copy(update=settings), invoker=NoTools())


def test_tools_are_found_by_name_and_listed_in_order() -> None:
    tools = registry("b", "a")
    assert [entry.name for entry in tools.list()] == ["b", "a"]
    assert tools.get("a") == tool("a")
    assert tools.get("c") is None
    assert (tools.has("a"), tools.has("c")) == (True, False)


def test_a_duplicate_name_is_rejected_without_replace(capsys: pytest.CaptureFixture[str]) -> None:
    tools = registry("a")
    with pytest.raises(ConfigError, match="Tool a already registered"):
        tools.register(tool("a", description="another"))
    assert tools.get("a") == tool("a")
    tools.register(tool("a", description="another"), replace=True)
    assert [entry.description for entry in tools.list()] == ["another"]
    [line] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (line["level"], line["message"], line["tool"]) == ("WARNING", "tool replaced", "a")


@pytest.mark.parametrize(
    "parameters", [{}, {"type": "string"}, {"type": "object", "properties": {"a": {"type": "int"}}}]
)
def test_an_unusable_schema_is_rejected(parameters: Any) -> None:
    with pytest.raises(ConfigError, match=r"a\.parameters"):
        ToolRegistry().register(tool("a", parameters=parameters))


def test_arguments_are_validated_and_get_their_defaults() -> None:
    tools = registry("a")
    assert tools.check_arguments("a", {}) == {"a": 1}
    with pytest.raises(ToolInputError, match="a must be an integer"):
        tools.check_arguments("a", {"a": "x"})


FUNCTION = {"name": "a", "description": "Tool a", "parameters": SCHEMA}
DESCRIBED = {"type": "object", "properties": {"a": {"type": "integer", "description": "Default: 1."}}}


@pytest.mark.parametrize(
    ("provider", "expected"),
    [
        ("openai", [{"type": "function", "function": FUNCTION}]),
        ("ollama", [{"type": "function", "function": FUNCTION | {"parameters": DESCRIBED}}]),
        (
            "gemini",
            [{"functionDeclarations": [{"name": "a", "description": "Tool a", "parametersJsonSchema": SCHEMA}]}],
        ),
        ("anthropic", [{"name": "a", "description": "Tool a", "input_schema": SCHEMA}]),
        ("bedrock", [{"toolSpec": {"name": "a", "description": "Tool a", "inputSchema": {"json": SCHEMA}}}]),
    ],
)
def test_each_provider_gets_its_own_format(provider: ProviderType, expected: Any) -> None:
    assert registry("a").to_provider_format(provider) == expected


def test_formats_are_filtered_by_name_and_an_empty_filter_offers_no_tool() -> None:
    tools = registry("a", "b", "c")

    def names(allowed: list[str] | None) -> list[str]:
        return [entry["function"]["name"] for entry in tools.to_provider_format("openai", allowed)]  # type: ignore[index,call-overload,misc]

    assert names(["c", "a", "unknown"]) == ["a", "c"]
    assert names(None) == ["a", "b", "c"]
    assert names([]) == []
    assert tools.to_provider_format("gemini", ["unknown"]) == []


def test_formats_are_compiled_once_and_again_after_a_change() -> None:
    tools = registry("a")
    first = tools.to_provider_format("openai")
    assert tools.to_provider_format("openai") is first

    tools.register(tool("a", description="Another"), replace=True)
    tools.register(tool("b"))

    function = {"type": "function", "function": FUNCTION}
    assert first == [function]
    assert tools.to_provider_format("openai") == [
        {**function, "function": FUNCTION | {"description": "Another"}},
        {**function, "function": FUNCTION | {"name": "b", "description": "Tool b"}},
    ]


def test_tools_are_the_same_objects_in_every_list() -> None:
    tools = registry("a", "b", "c")

    few, all_of_them = tools.to_provider_format("openai", ["b"]), tools.to_provider_format("openai")

    assert few[0] is all_of_them[1]
    assert tools.to_provider_format("gemini", ["a"]) is tools.to_provider_format("gemini", frozenset(["a"]))


def test_losses_are_returned_for_the_requested_tools() -> None:
    tools = registry("a", "b.c")
    default = SchemaLoss("a", "parameters.properties.a", "default", "rewritten", "moved to the description")
    name = SchemaLoss("b.c", "name", "name", "rewritten", "sent as 'b_c', and back")

    assert tools.compiled("openai").losses == (name,)
    assert tools.compiled("openai", ["a"]).losses == ()
    assert tools.compiled("ollama").losses == (default, name, replace(default, tool="b.c"))


def test_losses_are_logged_once_when_tools_are_compiled(caplog: pytest.LogCaptureFixture) -> None:
    tools = registry("a", "b")
    with caplog.at_level("INFO"):
        for _ in range(3):
            tools.to_provider_format("ollama")

    compiled = [record for record in caplog.records if record.message == "tools compiled"]
    assert [{key: vars(record)[key] for key in LOGGED} for record in compiled] == [
        {"provider": "ollama", "tools": 2, "dropped": 0, "rewritten": 2}
    ]


def test_arguments_are_validated_against_the_original_schema_of_the_tool() -> None:
    tools = ToolRegistry()
    tools.register(tool("a", parameters=SCHEMA | {"additionalProperties": False}))

    assert "additionalProperties" not in str(tools.to_provider_format("ollama"))
    with pytest.raises(ToolInputError, match="Unknown parameter: b"):
        tools.check_arguments("a", {"b": 1})


@pytest.mark.parametrize("given", [{"deviceName": "lamp"}, {"device_name": "lamp"}, {"device": "lamp"}])
def test_arguments_of_a_discovered_tool_get_the_names_of_its_server_before_they_are_checked(given: Any) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"deviceName": {"type": "string"}},
        "required": ["deviceName"],
        "additionalProperties": False,
    }
    implementation = {"type": "mcp", "server": "home", "tool": "switch", "argument_names": {"device": "deviceName"}}
    tools = ToolRegistry()
    tools.register(tool("home/switch", parameters=schema, implementation={**implementation, "parameters": schema}))
    tools.register(tool("own", parameters=schema, implementation=implementation))

    assert tools.check_arguments("home/switch", given) == {"deviceName": "lamp"}
    assert given == {"deviceName": "lamp"} or isinstance(failure_of(tools, "own", given), ToolInputError)


def failure_of(tools: ToolRegistry, name: str, arguments: Any) -> Exception:
    with pytest.raises(ToolInputError) as caught:
        tools.check_arguments(name, arguments)
    return caught.value


def test_wire_names_follow_the_registered_tools() -> None:
    tools = registry("a.b")
    assert tools.names.wire_name("a.b") == "a_b"

    tools.register(tool("a_b"))

    assert tools.names.tool_name("a_b") == "a_b"
    assert tools.names.tool_name(tools.names.wire_name("a.b")) == "a.b"


def test_an_unknown_provider_is_rejected_by_name() -> None:
    with pytest.raises(ConfigError, match="Unknown provider: cohere"):
        registry("a").to_provider_format("cohere")  # type: ignore[arg-type]


def test_one_broken_tool_is_skipped_and_the_others_load() -> None:
    loaded = manager(tool("a", parameters={"type": "array"}), tool("b"), tool("b", description="again"))
    assert [entry.name for entry in loaded.get_registry().list()] == ["b"]
    assert loaded.offered(None) == {"b"}
    withheld = loaded.withheld()
    assert "must be 'object'" in withheld["a"][0]
    assert withheld["b"] == ("Tool b already registered",)


def test_tools_are_offered_when_enabled_reachable_and_allowed() -> None:
    loaded = manager(
        tool("on"),
        tool("off", enabled=False),
        tool("far", implementation={"type": "internal"}),
        tool("also_on"),
    )
    assert loaded.offered(None) == {"on", "also_on"}
    assert loaded.offered(["on", "off", "far", "unknown"]) == {"on"}
    assert loaded.offered([]) == frozenset()


def test_the_manager_returns_the_configured_limits() -> None:
    loaded = manager(max_iterations=7, default_timeout_ms=1_234, max_calls_per_turn=3, max_tool_calls=9)
    assert (loaded.is_enabled(), loaded.get_max_iterations(), loaded.get_default_timeout()) == (True, 7, 1_234)
    assert loaded.get_limits(ResponseToolsConfig()) == LoopLimits(iterations=7, calls_per_iteration=3, tool_calls=9)
    rule = ResponseToolsConfig(max_iterations=2, max_calls_per_turn=1, max_tool_calls=40)
    assert loaded.get_limits(rule) == LoopLimits(iterations=2, calls_per_iteration=1, tool_calls=40)
    default = ToolManager(config=ToolsConfig(), invoker=NoTools())
    assert default.get_limits(ResponseToolsConfig()) == LoopLimits(iterations=5, calls_per_iteration=32, tool_calls=100)
    assert (default.is_enabled(), default.get_max_iterations(), default.get_default_timeout()) == (False, 5, 30_000)


def test_tools_are_not_loaded_while_disabled() -> None:
    off = ToolManager(config=ToolsConfig(enabled=False, registry=(tool("a"),)), invoker=NoTools())
    assert off.get_registry().list() == ()


def calls(*wanted: tuple[str, dict[str, Json] | str]) -> tuple[ToolCall, ...]:
    return call_completion(*wanted).message.tool_calls


def test_repeats_are_turns_with_the_same_name_and_canonical_arguments() -> None:
    guard = RepeatGuard()
    assert guard.count(calls(("t", {"a": 1, "b": {"c": 1, "d": 2}}), ("t", {"a": 1}), ("t", "{"))) == [1, 1, 1]
    assert guard.count(calls(("t", {"b": {"d": 2, "c": 1}, "a": 1}), ("u", {"a": 1}), ("t", "{"))) == [2, 1, 2]


def test_equal_calls_of_one_turn_count_once() -> None:
    guard = RepeatGuard()
    assert guard.count(calls(("t", {"a": 1}), ("t", {"a": 1}), ("t", {"a": 1}))) == [1, 1, 1]
    assert guard.count(calls(("t", {"a": 1}), ("u", {"a": 1}))) == [2, 1]


def test_calls_of_exempt_tools_are_not_counted() -> None:
    guard = RepeatGuard(exempt=frozenset({"clock"}))
    assert [guard.count(calls(("clock", {}), ("t", {}))) for _ in range(3)] == [[1, 1], [1, 2], [1, 3]]
