"""Tool loop with the typed client of the openai SDK; a second reference for the OpenAI wire.

As a program it runs one chat and prints the CPU milliseconds of its process: `openai_loop.py BASE_URL`.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from openai import OpenAI

_PARAMETERS = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "What to look for"}, "limit": {"type": "integer"}},
    "required": ["text"],
}


def sdk_chat(base_url: str, tools: int = 12) -> Callable[[], str]:
    """Return a chat over one client of the SDK."""
    client = OpenAI(base_url=f"{base_url}/v1", api_key="bench")
    offered: Any = [
        {
            "type": "function",
            "function": {"name": f"tool_{n}", "description": f"Tool number {n}", "parameters": _PARAMETERS},
        }
        for n in range(tools)
    ]

    def chat() -> str:
        messages: list[Any] = [
            {"role": "system", "content": "You help."},
            {"role": "user", "content": "Please do it."},
        ]
        while True:
            completion = client.chat.completions.create(model="m", messages=messages, tools=offered)
            message = completion.choices[0].message
            if not message.tool_calls:
                return message.content or ""
            messages.append(message)
            for call in message.tool_calls:
                if call.type == "function":
                    json.loads(call.function.arguments)
                result = json.dumps({"success": True, "result": {"found": ["one", "two"], "score": 0.5}})
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})

    return chat


if __name__ == "__main__":
    sdk_chat(sys.argv[1])()
    print(time.process_time() * 1000)
