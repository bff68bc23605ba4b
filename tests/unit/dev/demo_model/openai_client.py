"""Requests to the demo model in OpenAI's format, for its tests."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dev.demo_model.fault_injection import HEADER
from dev.demo_model.http import Answer, Request
from dev.demo_model.model import DemoModel
from dev.demo_model.protocols import all_protocols


def tool(name: str, *required: str, optional: Mapping[str, Any] | None = None, **schemas: Any) -> dict[str, Any]:
    """Return an offered tool: `required` string parameters, then parameters with schemas of their own."""
    properties = {**{item: {"type": "string"} for item in required}, **schemas, **(optional or {})}
    parameters = {"type": "object", "properties": properties, "required": [*required, *schemas]}
    return {"type": "function", "function": {"name": name, "description": name, "parameters": parameters}}


CALCULATE = tool("calculate", "expression")
WEATHER = tool("get_weather", "location", optional={"units": {"type": "string", "enum": ["celsius", "fahrenheit"]}})
SEARCH = tool("search_documents", "query", optional={"collection": {"type": "string"}})
DATETIME = tool(
    "datetime",
    operation={"type": "string", "enum": ["now", "convert", "difference", "add"]},
    optional={"timezone": {"type": "string"}, "start": {"type": "string"}, "end": {"type": "string"}},
)
STRINGS = tool("string", "text", operation={"type": "string", "enum": ["length", "upper", "lower", "reverse", "slug"]})
UUID = tool("uuid")

EVERY_TOOL = (CALCULATE, WEATHER, SEARCH, DATETIME, STRINGS, UUID)


@dataclass
class Demo:
    """The demo model, and the delays it requested."""

    waits: list[float] = field(default_factory=list[float])

    def __post_init__(self) -> None:
        self.model = DemoModel(all_protocols(), wait=self.waits.append)

    def post(self, messages: Sequence[Mapping[str, Any]], *, header: str | None = None, **request: Any) -> Answer:
        body = {"model": "gpt-4o", "messages": messages, **request}
        return self.send("/v1/chat/completions", json.dumps(body).encode(), {HEADER: header} if header else {})

    def send(self, path: str, body: bytes, headers: Mapping[str, str] | None = None) -> Answer:
        return self.model.answer(Request("POST", path, headers or {}, body))

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self.model.answer(Request("GET", path, headers or {}))

    def turn(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Any] = (), **request: Any) -> dict[str, Any]:
        """Return the model's message."""
        return self.choice(messages, tools, **request)["message"]

    def choice(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Any] = (), **request: Any
    ) -> dict[str, Any]:
        if tools:
            request["tools"] = list(tools)
        answer = self.post(messages, **request)
        assert answer.status == 200, answer.body
        return json.loads(answer.body)["choices"][0]

    def answer_text(self, message: str, tools: Sequence[Any] = (), **request: Any) -> str:
        """Return the model's text answer to one message."""
        turn = self.turn([user(message)], tools, **request)
        assert "tool_calls" not in turn
        return turn["content"]

    def calls(self, message: str, tools: Sequence[Any] = EVERY_TOOL) -> list[tuple[str, dict[str, Any]]]:
        """Return the model's tool calls after one message."""
        return called(self.turn([user(message)], tools))

    def after(self, message: str, *results: str, tools: Sequence[Any] = EVERY_TOOL) -> str:
        """Return the model's answer after the calls of its first turn returned `results`."""
        first_turn = self.turn([user(message)], tools)
        assert len(first_turn["tool_calls"]) == len(results)
        turn = self.turn([user(message), first_turn, *answered(first_turn, *results)], tools)
        assert "tool_calls" not in turn
        return turn["content"]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def called(turn: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    functions = [call["function"] for call in turn.get("tool_calls", [])]
    return [(function["name"], json.loads(function["arguments"])) for function in functions]


def answered(turn: Mapping[str, Any], *results: str) -> list[dict[str, Any]]:
    return [
        {"role": "tool", "tool_call_id": call["id"], "content": result}
        for call, result in zip(turn["tool_calls"], results, strict=True)
    ]


def success(result: Any) -> str:
    return json.dumps({"success": True, "result": result, "tool_name": "t", "execution_time_ms": 3})


def fault(error: str, **more: Any) -> str:
    return json.dumps({"success": False, "error": error, "error_type": "execution_failed", "tool_name": "t", **more})
