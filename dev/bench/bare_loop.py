"""Tool loop with httpx2 and json alone, for every wire; the reference of the ratios.

As a program it runs one chat and prints the CPU milliseconds of its process: `bare_loop.py WIRE BASE_URL`. It imports
nothing else, so that it can run in an interpreter whose search path has httpx2 only.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import httpx2

_PARAMETERS = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "What to look for"}, "limit": {"type": "integer"}},
    "required": ["text"],
}
_RESULT = {"success": True, "result": {"found": ["one", "two"], "score": 0.5}}
_PATHS = {
    "openai": "/v1/chat/completions",
    "ollama": "/api/chat",
    "gemini": "/v1beta/models/m:generateContent",
    "anthropic": "/v1/messages",
}


def definitions(wire: str, tools: int) -> list[Any]:
    """Return the tools of a request in the format of a wire."""
    plain = [{"name": f"tool_{number}", "description": f"Tool number {number}"} for number in range(tools)]
    if wire == "gemini":
        return [{"functionDeclarations": [{**tool, "parametersJsonSchema": _PARAMETERS} for tool in plain]}]
    if wire == "anthropic":
        return [{**tool, "input_schema": _PARAMETERS} for tool in plain]
    return [{"type": "function", "function": {**tool, "parameters": _PARAMETERS}} for tool in plain]


def bare_chat(wire: str, base_url: str, tools: int = 12) -> Callable[[], str]:
    """Return a chat over one client; `base_url` has no path of the wire."""
    client = httpx2.Client()
    url = base_url + _PATHS[wire]
    offered = definitions(wire, tools)
    step, request = _STEPS[wire], _REQUESTS[wire]

    def chat() -> str:
        messages = _first_messages(wire)
        while True:
            body = json.dumps(request(messages, offered)).encode()
            response = client.post(url, content=body, headers={"content-type": "application/json"})
            answer = step(messages, json.loads(response.content))
            if answer is not None:
                return answer

    return chat


def _first_messages(wire: str) -> list[Any]:
    if wire == "gemini":
        return [{"role": "user", "parts": [{"text": "Please do it."}]}]
    user = {"role": "user", "content": "Please do it."}
    return [user] if wire == "anthropic" else [{"role": "system", "content": "You help."}, user]


def _openai(messages: list[Any], body: Any) -> str | None:
    message = body["choices"][0]["message"]
    if not message.get("tool_calls"):
        return message["content"]
    messages.append(message)
    for call in message["tool_calls"]:
        json.loads(call["function"]["arguments"])
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(_RESULT)})
    return None


def _ollama(messages: list[Any], body: Any) -> str | None:
    message = body["message"]
    if not message.get("tool_calls"):
        return message["content"]
    messages.append(message)
    for call in message["tool_calls"]:
        name = call["function"]["name"]
        messages.append({"role": "tool", "tool_name": name, "content": json.dumps(_RESULT)})
    return None


def _gemini(messages: list[Any], body: Any) -> str | None:
    content = body["candidates"][0]["content"]
    calls = [part["functionCall"] for part in content["parts"] if "functionCall" in part]
    if not calls:
        return content["parts"][0]["text"]
    results = [{"functionResponse": {"name": call["name"], "response": _RESULT}} for call in calls]
    messages += [content, {"role": "user", "parts": results}]
    return None


def _anthropic(messages: list[Any], body: Any) -> str | None:
    calls = [block for block in body["content"] if block["type"] == "tool_use"]
    if not calls:
        return body["content"][0]["text"]
    results = [{"type": "tool_result", "tool_use_id": call["id"], "content": json.dumps(_RESULT)} for call in calls]
    messages += [{"role": "assistant", "content": body["content"]}, {"role": "user", "content": results}]
    return None


_STEPS = {"openai": _openai, "ollama": _ollama, "gemini": _gemini, "anthropic": _anthropic}
_REQUESTS: dict[str, Callable[[list[Any], list[Any]], dict[str, Any]]] = {
    "openai": lambda messages, tools: {"model": "m", "messages": messages, "tools": tools},
    "ollama": lambda messages, tools: {"model": "m", "messages": messages, "tools": tools, "stream": False},
    "gemini": lambda messages, tools: {
        "contents": messages,
        "tools": tools,
        "systemInstruction": {"parts": [{"text": "You help."}]},
    },
    "anthropic": lambda messages, tools: {
        "model": "m",
        "max_tokens": 4096,
        "system": "You help.",
        "messages": messages,
        "tools": tools,
    },
}


if __name__ == "__main__":
    bare_chat(sys.argv[1], sys.argv[2])()
    print(time.process_time() * 1000)
