"""Client under test: `python -m tests.conformance.client URL` lists the tools of a server and calls each of them.

It runs the handler of the function of mcp tools, as on the local stage, whose servers may be on this machine.
"""

import json
import os
import sys
from typing import Any, Final

LOCAL_STAGE: Final = {
    "FLEXCHAT_STAGE": "local",
    "FLEXCHAT_TOOL_STATE_TABLE": "none",
    "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "POWERTOOLS_SERVICE_NAME": "tool-mcp",
}
"""Environment of the function; no call needs AWS."""

TIMEOUT_MS: Final = 20_000


def main(url: str) -> int:
    """Return 0 when the tools could be listed; calls may fail, as some scenarios want."""
    os.environ.update(LOCAL_STAGE)
    from functions.tools.mcp.app import lambda_handler

    server: dict[str, Any] = {"server": "suite", "connection": {"url": url}}
    request = {"request_id": "conformance", "timeout_ms": TIMEOUT_MS}
    replies: list[dict[str, Any]] = [lambda_handler({"version": 1, "action": "list_tools", **server, **request})]
    tools: list[Any] = replies[0]["result"]["tools"] if replies[0]["ok"] else []
    for number, tool in enumerate(tools):
        others = [other["inputSchema"] for other in tools if other is not tool]
        call = {
            **request,
            "tool": tool["name"],
            "arguments": example(tool["inputSchema"], an_object=others[0] if others else {}),
            "implementation": {"type": "mcp", "tool": tool["name"], "parameters": tool["inputSchema"], **server},
            "call_id": f"call_{number}",
            "idempotency_key": f"key_{number}",
        }
        replies.append(lambda_handler(call))
    print(json.dumps(replies, indent=2))  # noqa: T201
    return 0 if replies[0]["ok"] else 1


def example(schema: dict[str, Any], *, an_object: dict[str, Any]) -> dict[str, Any]:
    """Return arguments with the required properties; the value of every object is `an_object`."""
    values: dict[str, Any] = {"object": an_object, "number": 2, "integer": 2, "boolean": True, "array": []}
    properties: dict[str, Any] = schema.get("properties", {})
    return {name: values.get(properties.get(name, {}).get("type"), "text") for name in schema.get("required", [])}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
