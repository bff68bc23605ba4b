"""Fake server of models, SSM, DynamoDB and Lambda in a process of its own, so that its CPU time is not counted.

The path of a model begins with a scenario, such as `/5x1`: five responses request one tool call each, and the next one
is the answer. The server counts the marker of its arguments in the request body and parses no JSON of a conversation.
"""

import asyncio
import json
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

MARKER = "bench-marker"
_TOOL_REPLY = json.dumps({"version": 1, "ok": True, "result": {"found": ["one", "two"], "score": 0.5}}).encode()


def response(wire: str, turn: int, calls: int) -> dict[str, Any]:
    """Return a model's response with `calls` tool calls, or the answer when there are none."""
    arguments = [{"text": f"{MARKER} {turn} {call}", "limit": turn} for call in range(calls)]
    return {"openai": _openai, "ollama": _ollama, "gemini": _gemini, "anthropic": _anthropic}[wire](turn, arguments)


def _openai(turn: int, arguments: list[dict[str, Any]]) -> dict[str, Any]:
    calls = [
        {
            "id": f"call_{turn}_{number}",
            "type": "function",
            "function": {"name": "tool_0", "arguments": json.dumps(values)},
        }
        for number, values in enumerate(arguments)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": calls} if calls else _ANSWER
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


def _ollama(turn: int, arguments: list[dict[str, Any]]) -> dict[str, Any]:
    calls = [
        {"id": f"call_{turn}_{number}", "function": {"name": "tool_0", "arguments": values}}
        for number, values in enumerate(arguments)
    ]
    message = {"role": "assistant", "content": "", "tool_calls": calls} if calls else _ANSWER
    counts = {"prompt_eval_count": 100, "eval_count": 20}
    return {"model": "m", "message": message, "done": True, "done_reason": "stop", **counts}


def _gemini(turn: int, arguments: list[dict[str, Any]]) -> dict[str, Any]:
    calls = [
        {"functionCall": {"id": f"call_{turn}_{number}", "name": "tool_0", "args": values}}
        for number, values in enumerate(arguments)
    ]
    content = {"role": "model", "parts": calls or [{"text": "It is done."}]}
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}
    return {"candidates": [{"index": 0, "content": content, "finishReason": "STOP"}], "usageMetadata": usage}


def _anthropic(turn: int, arguments: list[dict[str, Any]]) -> dict[str, Any]:
    calls = [
        {"type": "tool_use", "id": f"call_{turn}_{number}", "name": "tool_0", "input": values}
        for number, values in enumerate(arguments)
    ]
    content = calls or [{"type": "text", "text": "It is done."}]
    reason = "tool_use" if calls else "end_turn"
    usage = {"input_tokens": 100, "output_tokens": 20}
    head = {"id": "x", "type": "message", "role": "assistant", "model": "m"}
    return {**head, "content": content, "stop_reason": reason, "usage": usage}


_ANSWER = {"role": "assistant", "content": "It is done."}


def wire_of(path: str) -> str:
    """Return the wire of a model's path."""
    if path.endswith(":generateContent"):
        return "gemini"
    return {"completions": "openai", "chat": "ollama", "messages": "anthropic"}[
        path.rpartition("/")[2] if not path.endswith("/api/chat") else "chat"
    ]


@cache
def _encoded(wire: str, turn: int, calls: int) -> bytes:
    return _http(json.dumps(response(wire, turn, calls)).encode())


def _http(content: bytes, status: str = "200 OK") -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
    return head.encode() + content


class Server(asyncio.Protocol):
    """One connection; requests are answered in order."""

    parameters: Mapping[str, str] = {}
    items: Final[dict[str, Any]] = {}

    def __init__(self) -> None:
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - TCP alone is served
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every complete request of the buffer."""
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end]
            length = _content_length(head)
            if len(self._buffer) < end + 4 + length:
                if b"100-continue" in head.lower():
                    self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                return
            body, self._buffer = self._buffer[end + 4 : end + 4 + length], self._buffer[end + 4 + length :]
            self._transport.write(self.answer(head, body))

    def answer(self, head: bytes, body: bytes) -> bytes:
        """Return the HTTP response of one request."""
        path = head.split(b" ", 2)[1].decode()
        if b"dynamodb_" in head.lower():
            return _http(json.dumps(self._item(json.loads(body))).encode())
        if b"x-amz-target" in head.lower():
            return _http(json.dumps(self._parameters(json.loads(body))).encode())
        if path.startswith("/2015-03-31/functions/"):
            return _http(_TOOL_REPLY)
        if path == "/configure":
            Server.parameters = json.loads(body)
            return _http(b"{}")
        scenario, _, rest = path.removeprefix("/").partition("/")
        iterations, calls = (int(part) for part in scenario.split("x"))
        turn = body.count(MARKER.encode()) // calls if calls else 0
        return _encoded(wire_of(rest), turn, calls if turn < iterations else 0)

    def _item(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Store an item that is put; an update returns it unchanged, and a read finds nothing."""
        if "Item" in body:
            item = body["Item"]
            self.items[json.dumps([item["pk"], item["sk"]])] = item
            return {}
        key = body.get("Key", {})
        found = self.items.get(json.dumps([key.get("pk"), key.get("sk")]))
        return {"Attributes": found} if found and "UpdateExpression" in body else {}

    def _parameters(self, body: Mapping[str, Any]) -> dict[str, Any]:
        names = [name for name in body.get("Names", list(self.parameters)) if name in self.parameters]
        facts = {"Type": "String", "Version": 1, "LastModifiedDate": 0}
        found = [{"Name": name, "Value": self.parameters[name], **facts} for name in names]
        return {"Parameters": found, "InvalidParameters": []}


def _content_length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


async def serve() -> None:
    """Serve on a free port of loopback, whose number is printed, until the standard input closes."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Server, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve())
