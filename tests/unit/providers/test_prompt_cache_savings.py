"""Tokens of a tool loop that are charged at the full price, by the marks of its requests and the provider's rules.

A provider reads the longest beginning of a prompt that ends at a mark, or at most 20 blocks before one, and is in its
cache; it writes the text up to the last mark; the text after it has the full price.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from msgspec import Struct

from flexchat.messages import Json, Message, Text, ToolCall, ToolOutput, system, user
from functions.chat.providers.base import PromptCache
from tests.unit.providers.anthropic_api import HELLO, provider_of, send_chat
from tests.unit.providers.http_server import Server

LOOK_BACK: Final = 20
READ: Final = 0.1
WRITTEN: Final = 1.25
"""Prices as shares of the input price."""


def tool(number: int) -> Mapping[str, Json]:
    """Return a tool of some 150 tokens."""
    texts: dict[str, Json] = {
        name: {"type": "string", "description": f"The {name} of the entry. " * 4} for name in ("id", "from", "to")
    }
    schema: Json = {"type": "object", "properties": texts, "required": ["id"]}
    description = f"Reads the entries of register {number}. " * 4
    return {"name": f"tool_{number}", "description": description, "input_schema": schema}


TOOLS: Final = [tool(number) for number in range(20)]
PROMPT: Final = "Answer with the tools, in the language of the question. " * 30


def conversation(iterations: int) -> Iterator[list[Message]]:
    """Yield the messages of each request of a chat: the last iteration is the answer."""
    messages = [system(PROMPT), user("Compare the entries of last week. " * 5)]
    for number in range(iterations):
        yield [*messages]
        call = ToolCall(f"call_{number}", f"tool_{number}", {"id": str(number)}, f'{{"id": "{number}"}}')
        result = ToolOutput(call.id, call.name, json.dumps({"entry": f"{number} of the register, found. " * 40}))
        messages += [Message("assistant", (Text("I read the next entry."), call)), Message("tool", (result,))]


class Charged(Struct):
    """Tokens of a chat by their price."""

    full: int = 0
    read: int = 0
    written: int = 0

    @property
    def units(self) -> float:
        """Price in tokens of the full price."""
        return self.full + READ * self.read + WRITTEN * self.written


def blocks(body: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield the text of each block of a prompt in the provider's order, and whether it has a mark."""
    entries = [*body["tools"]]
    entries += [{"text": body["system"]}] if isinstance(body["system"], str) else body["system"]
    entries += [block for message in body["messages"] for block in message["content"]]
    for entry in entries:
        plain = {name: value for name, value in entry.items() if name not in ("cache_control", "type")}
        yield json.dumps(plain, sort_keys=True), "cache_control" in entry


def charge(iterations: int, **config: Any) -> Charged:
    server, charged = Server(HELLO), Charged()
    provider = provider_of(server, **config)
    for messages in conversation(iterations):
        send_chat(provider, messages, model="claude-sonnet-5", tools=TOOLS, cache=PromptCache("key", continues=True))
    cached: set[str] = set()
    for body in server.bodies:
        ends, marks, prompt = [""], [0], ""
        for text, is_marked in blocks(body):
            prompt += text
            ends.append(prompt)
            if is_marked:
                marks.append(len(ends) - 1)
        found = (end for mark in marks for end in ends[max(0, mark - LOOK_BACK) : mark + 1] if end in cached)
        read, written = tokens(max(found, key=len, default="")), tokens(ends[marks[-1]])
        charged.read += read
        charged.written += written - read
        charged.full += tokens(prompt) - written
        cached.update(ends[mark] for mark in marks[1:])
    return charged


def tokens(text: str) -> int:
    return len(text) // 4


@pytest.mark.parametrize(
    ("iterations", "before", "after"),
    [
        (1, Charged(full=3_671), Charged(written=3_671)),
        (5, Charged(full=21_321), Charged(read=16_463, written=4_858)),
        (10, Charged(full=50_060), Charged(read=43_719, written=6_341)),
    ],
)
def test_a_tool_loop_pays_the_price_of_other_input_for_no_token(
    iterations: int, before: Charged, after: Charged
) -> None:
    assert charge(iterations, prompt_cache=False) == before
    assert charge(iterations) == after
    assert iterations == 1 or after.units < 0.4 * before.units
