"""A server over stdio without the SDK, which starts quickly and breaks rules on demand.

Its arguments are switches: `--crash-at-start`, `--exit-at-start` (with code 0, after a line on stdout), `--dirty`
(lines on stdout that are no messages), `--refuse` (an error in place of the handshake), `--old` (a protocol version
of its own), `--odd-list` (entries that do not fit the protocol), `--list-error` (an error in place of the list). Its
tools do as they are named; `read`, `write` and `find` (all files below a folder) answer an error with its name.
`--malformed` answers calls in a form that is no JSON-RPC, `--installer` writes to stderr
and waits for a file, whose path follows, before it reads its first message; a text in the file ends it. It speaks the
handshake of 2025-11-25.
"""

import json
import os
import sys
import time
from typing import Any

TOOLS: dict[str, dict[str, Any]] = {
    "echo": {"text": {"type": "string"}},
    "large": {},
    "fail": {},
    "crash": {},
    "silent": {},
    "environment": {},
    "folder": {},
    "read": {"path": {"type": "string"}},
    "write": {"path": {"type": "string"}, "text": {"type": "string"}},
    "find": {"path": {"type": "string"}},
    "pid": {},
    "camel": {"deviceName": {"type": "string"}, "snake_name": {"type": "string"}},
    "strict": {"deviceName": {"type": "string"}, "newState": {"enum": ["on", "off"]}},
    "cancelled": {},
    "image": {},
    "structured": {},
    "progress": {},
    "ask": {},
}


ODD_ENTRIES: list[Any] = [
    {"name": "any_of", "inputSchema": {"anyOf": [{"properties": {"a": {"type": "string"}}}, {}]}},
    {"name": "only_schema", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#"}},
    {"name": "empty", "inputSchema": {}},
    {"name": "without", "description": None},
    {"name": "bad_output", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}},
    {"name": "untyped_output", "inputSchema": {"type": "object"}, "outputSchema": {"properties": {}}},
    {"name": "bad_fields", "inputSchema": {"type": "object"}, "title": 7, "annotations": {"readOnlyHint": "so"}},
    {"name": "list_type", "inputSchema": {"type": ["object", "null"]}},
    {"name": "text_schema", "inputSchema": "object"},
    {"name": "array_schema", "inputSchema": {"type": "array"}},
    {"description": "a tool without a name", "inputSchema": {"type": "object"}},
    "no entry",
    {"name": "echo", "inputSchema": {"type": "object"}},
]


class Plain:
    def __init__(self, switches: list[str]) -> None:
        self._switches = switches
        self._cancelled: list[Any] = []
        self._next = 1_000

    def serve(self) -> None:
        if "--crash-at-start" in self._switches:
            sys.exit("the broker does not answer")
        if "--exit-at-start" in self._switches:
            print("usage: plain --broker HOST", flush=True)  # noqa: T201
            sys.exit(0)
        if "--installer" in self._switches:
            print("downloading 1 of 2", file=sys.stderr, flush=True)  # noqa: T201
            while not os.path.exists(self._switches[-1]):  # noqa: PTH110
                time.sleep(0.01)
            with open(self._switches[-1]) as file:  # noqa: PTH123
                if reason := file.read():
                    sys.exit(reason)
        for line in sys.stdin:
            message = json.loads(line)
            if "--dirty" in self._switches:
                print("starting up, please wait", flush=True)  # noqa: T201
            self._receive(message)

    def _receive(self, message: dict[str, Any]) -> None:
        method: str | None = message.get("method")
        params: dict[str, Any] = message.get("params") or {}
        match method:
            case "initialize":
                info = {"name": "plain", "version": "1.2.3"}
                result: dict[str, Any] = {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {}},
                    "serverInfo": info,
                }
                if "--refuse" in self._switches:
                    self._refuse(message, "the licence has expired")
                    return
                if "--old" in self._switches:
                    result["protocolVersion"] = "2020-01-01"
                self._reply(message, {**result, "instructions": "Be brief."})
            case "ping":
                self._reply(message, {})
            case "tools/list":
                if "--list-error" in self._switches:
                    self._refuse(message, "the catalog is locked")
                    return
                odd = ODD_ENTRIES if "--odd-list" in self._switches else []
                self._reply(message, {"tools": [*odd, *(self._definition(name) for name in TOOLS)]})
            case "tools/call":
                self._call(message, params["name"], params.get("arguments") or {}, params.get("_meta") or {})
            case "notifications/cancelled":
                self._cancelled.append(params["requestId"])
            case _ if "id" in message and method is not None:
                self._send({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
            case _:
                pass

    def _definition(self, name: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": TOOLS[name]}
        if name == "strict":
            schema |= {"required": ["deviceName", "newState"], "additionalProperties": False}
        return {"name": name, "description": f"The tool {name}", "inputSchema": schema}

    def _call(self, message: dict[str, Any], name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> None:
        match name:
            case "echo":
                self._text(message, str(arguments.get("text")))
            case "large":
                self._text(message, '"' * 3_000_000)
            case "fail":
                self._text(message, "the lamp is\nnot reachable: 42", is_error=True)
            case "crash":
                print("out of memory in the cellar", file=sys.stderr, flush=True)  # noqa: T201
                sys.exit(3)
            case "silent":
                pass
            case "environment":
                self._text(message, json.dumps(dict(os.environ)))
            case "folder":
                self._text(message, json.dumps([os.getcwd(), os.listdir(".")]))  # noqa: PTH109, PTH208
            case "read" | "write" | "find":
                try:
                    self._text(message, self._of_file(name, **arguments))
                except OSError as error:
                    self._text(message, type(error).__name__)
            case "pid":
                self._text(message, str(os.getpid()))
            case "camel" | "strict":
                self._text(message, json.dumps(arguments))
            case "cancelled":
                self._text(message, json.dumps(self._cancelled))
            case "image":
                image = {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}
                self._reply(message, {"content": [{"type": "text", "text": "a lamp"}, image]})
            case "structured":
                content = [{"type": "text", "text": '{"degrees": 21}'}]
                self._reply(message, {"content": content, "structuredContent": {"degrees": 21}})
            case "progress":
                for step in (1, 2):
                    step_params = {"progressToken": meta.get("progressToken"), "progress": step, "total": 2}
                    self._send(
                        {"method": "notifications/progress", "params": {**step_params, "message": f"step {step}"}}
                    )
                    time.sleep(0.01)
                self._text(message, "done")
            case "ask":
                self._next += 1
                params: dict[str, Any] = {"messages": [], "maxTokens": 5}
                self._send({"id": self._next, "method": "sampling/createMessage", "params": params})
                answer = json.loads(sys.stdin.readline())
                self._text(message, json.dumps(answer.get("error")))
            case _:
                self._send({"id": message["id"], "error": {"code": -32602, "message": f"Unknown tool: {name}"}})

    def _of_file(self, name: str, path: str, text: str = "") -> str:
        if name == "find":
            return json.dumps(sorted(os.path.join(at, each) for at, _, files in os.walk(path) for each in files))  # noqa: PTH118
        with open(path, "wb" if name == "write" else "rb") as file:  # noqa: PTH123
            return str(file.write(text.encode())) if name == "write" else file.read(100_000).decode("utf-8", "replace")

    def _refuse(self, message: dict[str, Any], text: str) -> None:
        self._send({"id": message["id"], "error": {"code": -32000, "message": text}})

    def _text(self, message: dict[str, Any], text: str, *, is_error: bool = False) -> None:
        self._reply(message, {"content": [{"type": "text", "text": text}], "isError": is_error})

    def _reply(self, message: dict[str, Any], result: dict[str, Any]) -> None:
        if "--malformed" in self._switches and "content" in result:
            print(json.dumps({"id": message["id"], "result": result, "error": None}), flush=True)  # noqa: T201
            return
        self._send({"id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)  # noqa: T201


if __name__ == "__main__":
    Plain(sys.argv[1:]).serve()
