"""Requests to the demo model in the format of each of the five supported protocols."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from dev.demo_model.fault_injection import HEADER
from dev.demo_model.http import Answer
from flexchat.messages import Json
from tests.unit.dev.demo_model.openai_client import Demo

type Body = dict[str, Any]


class ProtocolClient(Protocol):
    """One protocol. Messages and tools have its own format; the tools it receives have OpenAI's."""

    path: ClassVar[str]
    headers: ClassVar[Mapping[str, str]]

    def body(self, messages: Sequence[Body], tools: Sequence[Body]) -> Body: ...

    def user(self, text: str) -> Body: ...

    def text(self, answer: Body) -> str: ...

    def finish(self, answer: Body) -> str: ...

    def calls(self, answer: Body) -> list[tuple[str, Body]]: ...

    def turn(self, answer: Body) -> Body:
        """Return the model's turn as a message of the next request."""
        ...

    def results(self, answer: Body, *results: str) -> list[Body]:
        """Return the results of the model's calls as messages of the next request."""
        ...

    def error(self, answer: Answer) -> tuple[str | None, str]:
        """Return the error code, if the protocol has one, and the message."""
        ...


def function(tool: Body) -> Body:
    return tool["function"]


class OpenAI:
    path: ClassVar[str] = "/v1/chat/completions"
    headers: ClassVar[Mapping[str, str]] = {}

    def body(self, messages: Sequence[Body], tools: Sequence[Body]) -> Body:
        return {"model": "m", "messages": list(messages), **({"tools": list(tools)} if tools else {})}

    def user(self, text: str) -> Body:
        return {"role": "user", "content": text}

    def text(self, answer: Body) -> str:
        message = answer["choices"][0]["message"]
        return message["content"] or message["refusal"] or ""

    def finish(self, answer: Body) -> str:
        return answer["choices"][0]["finish_reason"]

    def calls(self, answer: Body) -> list[tuple[str, Body]]:
        calls = answer["choices"][0]["message"].get("tool_calls", [])
        return [(function(call)["name"], json.loads(function(call)["arguments"])) for call in calls]

    def turn(self, answer: Body) -> Body:
        return answer["choices"][0]["message"]

    def results(self, answer: Body, *results: str) -> list[Body]:
        ids = [call["id"] for call in self.turn(answer)["tool_calls"]]
        return [{"role": "tool", "tool_call_id": i, "content": text} for i, text in zip(ids, results, strict=True)]

    def error(self, answer: Answer) -> tuple[str | None, str]:
        detail = json.loads(answer.body)["error"]
        return detail["code"], detail["message"]


class Ollama:
    path: ClassVar[str] = "/api/chat"
    headers: ClassVar[Mapping[str, str]] = {}

    def body(self, messages: Sequence[Body], tools: Sequence[Body]) -> Body:
        return {"model": "m", "messages": list(messages), "tools": list(tools), "stream": False}

    def user(self, text: str) -> Body:
        return {"role": "user", "content": text}

    def text(self, answer: Body) -> str:
        return answer["message"]["content"]

    def finish(self, answer: Body) -> str:
        return answer["done_reason"]

    def calls(self, answer: Body) -> list[tuple[str, Body]]:
        return [
            (function(call)["name"], function(call)["arguments"]) for call in answer["message"].get("tool_calls", [])
        ]

    def turn(self, answer: Body) -> Body:
        return answer["message"]

    def results(self, answer: Body, *results: str) -> list[Body]:
        names = [name for name, _ in self.calls(answer)]
        return [{"role": "tool", "tool_name": name, "content": text} for name, text in zip(names, results, strict=True)]

    def error(self, answer: Answer) -> tuple[str | None, str]:
        return None, json.loads(answer.body)["error"]


class Gemini:
    path: ClassVar[str] = "/v1beta/models/m:generateContent"
    headers: ClassVar[Mapping[str, str]] = {"x-goog-api-key": "k"}

    def body(self, messages: Sequence[Body], tools: Sequence[Body]) -> Body:
        declarations = [
            {
                "name": function(tool)["name"],
                "description": "d",
                "parametersJsonSchema": function(tool)["parameters"],
            }
            for tool in tools
        ]
        return {
            "contents": list(messages),
            **({"tools": [{"functionDeclarations": declarations}]} if declarations else {}),
        }

    def user(self, text: str) -> Body:
        return {"role": "user", "parts": [{"text": text}]}

    def text(self, answer: Body) -> str:
        parts = answer["candidates"][0]["content"].get("parts", [])
        return "".join(part.get("text", "") for part in parts if not part.get("thought"))

    def finish(self, answer: Body) -> str:
        return answer["candidates"][0]["finishReason"]

    def calls(self, answer: Body) -> list[tuple[str, Body]]:
        parts = answer["candidates"][0]["content"].get("parts", [])
        calls = [part["functionCall"] for part in parts if "functionCall" in part]
        return [(call["name"], call["args"]) for call in calls]

    def turn(self, answer: Body) -> Body:
        return answer["candidates"][0]["content"]

    def results(self, answer: Body, *results: str) -> list[Body]:
        names = [name for name, _ in self.calls(answer)]
        parts = [
            {"functionResponse": {"name": name, "response": as_object(text)}}
            for name, text in zip(names, results, strict=True)
        ]
        return [{"role": "user", "parts": parts}]

    def error(self, answer: Answer) -> tuple[str | None, str]:
        detail = json.loads(answer.body)["error"]
        assert detail["code"] == answer.status
        return detail["status"], detail["message"]


class Anthropic:
    path: ClassVar[str] = "/v1/messages"
    headers: ClassVar[Mapping[str, str]] = {"x-api-key": "k", "anthropic-version": "2023-06-01"}

    def body(self, messages: Sequence[Body], tools: Sequence[Body]) -> Body:
        offered = [
            {"name": function(tool)["name"], "input_schema": function(tool)["parameters"], "description": "d"}
            for tool in tools
        ]
        return {"model": "m", "max_tokens": 1000, "messages": list(messages), "tools": offered}

    def user(self, text: str) -> Body:
        return {"role": "user", "content": text}

    def text(self, answer: Body) -> str:
        return "".join(block["text"] for block in answer["content"] if block["type"] == "text")

    def finish(self, answer: Body) -> str:
        return answer["stop_reason"]

    def calls(self, answer: Body) -> list[tuple[str, Body]]:
        return [(block["name"], block["input"]) for block in answer["content"] if block["type"] == "tool_use"]

    def turn(self, answer: Body) -> Body:
        return {"role": "assistant", "content": answer["content"]}

    def results(self, answer: Body, *results: str) -> list[Body]:
        ids = [block["id"] for block in answer["content"] if block["type"] == "tool_use"]
        blocks = [
            {"type": "tool_result", "tool_use_id": i, "content": text} for i, text in zip(ids, results, strict=True)
        ]
        return [{"role": "user", "content": blocks}]

    def error(self, answer: Answer) -> tuple[str | None, str]:
        body = json.loads(answer.body)
        assert body["type"] == "error"
        return body["error"]["type"], body["error"]["message"]


class Bedrock:
    path: ClassVar[str] = "/model/us.vendor.m-v1:0/converse"
    headers: ClassVar[Mapping[str, str]] = {"authorization": "AWS4-HMAC-SHA256 Credential=test"}

    def body(self, messages: Sequence[Body], tools: Sequence[Body]) -> Body:
        offered = [
            {"toolSpec": {"name": function(tool)["name"], "inputSchema": {"json": function(tool)["parameters"]}}}
            for tool in tools
        ]
        return {"messages": list(messages), **({"toolConfig": {"tools": offered}} if offered else {})}

    def user(self, text: str) -> Body:
        return {"role": "user", "content": [{"text": text}]}

    def text(self, answer: Body) -> str:
        return "".join(block.get("text", "") for block in answer["output"]["message"]["content"])

    def finish(self, answer: Body) -> str:
        return answer["stopReason"]

    def calls(self, answer: Body) -> list[tuple[str, Body]]:
        blocks = answer["output"]["message"]["content"]
        calls = [block["toolUse"] for block in blocks if "toolUse" in block]
        return [(call["name"], call["input"]) for call in calls]

    def turn(self, answer: Body) -> Body:
        return answer["output"]["message"]

    def results(self, answer: Body, *results: str) -> list[Body]:
        ids = [block["toolUse"]["toolUseId"] for block in self.turn(answer)["content"] if "toolUse" in block]
        blocks = [
            {"toolResult": {"toolUseId": i, "content": [{"text": text}]}} for i, text in zip(ids, results, strict=True)
        ]
        return [{"role": "user", "content": blocks}]

    def error(self, answer: Answer) -> tuple[str | None, str]:
        kind = answer.headers["x-amzn-errortype"].partition(":")[0]
        return kind, json.loads(answer.body)["message"]


def as_object(text: str) -> Body:
    try:
        value: Json = json.loads(text)
    except ValueError:
        return {"result": text}
    return value if isinstance(value, dict) else {"result": text}


@dataclass
class DemoConversation:
    """A conversation with the demo model over one protocol."""

    client: ProtocolClient
    tools: Sequence[Body] = ()
    messages: list[Body] = field(default_factory=list[Body])
    demo: Demo = field(default_factory=Demo)

    def with_user(self, text: str) -> "DemoConversation":
        self.messages.append(self.client.user(text))
        return self

    def send(self, body: Body | None = None, *, directives: str | None = None) -> Answer:
        body = self.client.body(self.messages, self.tools) if body is None else body
        headers = {**self.client.headers, **({HEADER: directives} if directives else {})}
        return self.demo.send(self.client.path, json.dumps(body).encode(), headers)

    def answer(self) -> Body:
        answer = self.send()
        assert answer.status == 200, answer.body
        return json.loads(answer.body)

    def continue_with(self, answer: Body, *results: str) -> "DemoConversation":
        self.messages += [self.client.turn(answer), *(self.client.results(answer, *results) if results else ())]
        return self

    def refused(self, body: Body | None = None) -> str:
        """Return the error message for `body`, or for the conversation so far."""
        answer = self.send(body)
        assert answer.status == 400, (answer.status, answer.body)
        return self.client.error(answer)[1]
