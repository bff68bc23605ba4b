"""Chat functions with tools of each trait, and models that read first and send then."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.aws import aws_client
from tests.functional.chat.harness import SIGNING_SECRET, Chat, configuration
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion

TRAITS: dict[str, tuple[str, ...]] = {
    "orders": ("reads_private",),
    "web": ("untrusted",),
    "search": ("reads_private", "untrusted"),
    "send": ("egress",),
    "delete": ("writes",),
    "plain": (),
}


def tool(name: str, traits: Sequence[str]) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"The tool {name}",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
        "implementation": {"type": "mock", "mock_response": f"result of {name}"},
        **dict.fromkeys(traits, True),
    }


def config(names: Sequence[str] = tuple(TRAITS), *, policy: str = "block", **settings: Any) -> dict[str, Any]:
    tools = [tool(name, TRAITS[name]) for name in names]
    return configuration(tools=tools, injection_policy=policy, **settings)


def calls(*names: str, turn: int = 1) -> Step:
    return call_completion(*((name, {"text": name}) for name in names), turn=turn)


DONE = text_completion("Done.")
READS_THEN_SENDS: tuple[Step, ...] = (calls("search"), calls("send", "delete", "plain", turn=2), DONE)


def ran(chat: Chat) -> list[str]:
    """Return the names of the tools that ran."""
    return [event["tool"] for event in chat.lambdas.executed if "tool" in event]


def errors(body: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """Return the name and the error of each call of an answer."""
    return [(call["tool"], call["result"].get("error_type")) for call in body["tool_calls"]]


def sent(chat: Chat, *script: Step, **request: Any) -> dict[str, Any]:
    """Return the answer of a model that follows `script`."""
    chat.model.script = list(script)
    answer = chat.post({"message": "Hello", **request})
    assert answer.status == 200, json.dumps(answer.body)
    return answer.body


def signing_secret() -> Any:
    """Return a client of the secret that signs resume tokens."""
    client = aws_client("secretsmanager")
    client.create_secret(Name=SIGNING_SECRET, SecretString="k" * 64)
    return client
