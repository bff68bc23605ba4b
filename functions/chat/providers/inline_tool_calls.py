"""Tool calls that a small model writes as text (decision C46), for every provider.

Off unless a profile sets `text_tool_calls`: a text that merely shows a call must not become one. Only calls of offered
tools are parsed, in two forms: `<tool_call>{…}</tool_call>`, and a text that is nothing but one such object or a
list of them, with or without a code fence.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import replace

from flexchat.json import JsonError, safe_loads
from flexchat.messages import Completion, Json, Message, Part, Text
from functions.chat.providers.tool_calls import WireCall, parse_tool_calls

_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)


def with_text_calls(
    completion: Completion, conversation: Sequence[Message], tools: Sequence[Mapping[str, Json]]
) -> Completion:
    """Return `completion` with the calls of `tools` in its text as calls; unchanged when the provider reports calls.

    `tools` are in the format of any provider.
    """
    message = completion.message
    if message.tool_calls:
        return completion
    text, found = parse_text_calls(message.text, frozenset(_names([dict(tool) for tool in tools])))
    if not found:
        return completion
    others = (part for part in message.parts if not isinstance(part, Text))
    parts: tuple[Part, ...] = (*others, *((Text(text),) if text else ()), *parse_tool_calls(found, conversation))
    return replace(completion, message=Message("assistant", parts), finish_reason="tool_calls")


def _names(value: Json) -> Iterator[str]:
    """Yield the names of tools in any format: the outermost `name` of each object."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, dict):
        if isinstance(name := value.get("name"), str):
            yield name
        else:
            yield from _names([item for item in value.values() if isinstance(item, dict | list)])


def parse_text_calls(text: str, offered: Collection[str]) -> tuple[str, Sequence[WireCall]]:
    """Return `text` without its calls, and the calls in order.

    Invalid calls (broken JSON, a tool that is not offered) stay in the text.
    """
    calls: list[WireCall] = []

    def extract(tag: re.Match[str]) -> str:
        found = _calls(tag[1], offered)
        calls.extend(found)
        return "" if found else tag[0]

    remaining = _TAGGED.sub(extract, text)
    if calls:
        return remaining.strip(), calls
    found = _calls(_unfenced(text.strip()), offered)
    return ("", found) if found else (text, ())


def _unfenced(text: str) -> str:
    """Return the content of a text that is one code fence, without a language or of JSON; any other text unchanged."""
    opening, _, content = text.partition("\n")
    is_fenced = opening.rstrip() in ("```", "```json") and content.endswith("```")
    return content.removesuffix("```") if is_fenced else text


def _calls(text: str, offered: Collection[str]) -> Sequence[WireCall]:
    """Return every call of `text`, or none when one is invalid."""
    try:
        value = safe_loads(text.strip())
    except JsonError:
        return ()
    calls = [_call(item, offered) for item in (value if isinstance(value, list) else [value])]
    return [call for call in calls if call] if all(calls) else ()


def _call(value: Json, offered: Collection[str]) -> WireCall | None:
    """Return the call in `value`; Llama models write `parameters` instead of `arguments`."""
    if not isinstance(value, dict):
        return None
    name, arguments = value.get("name"), value.get("arguments", value.get("parameters"))
    if not isinstance(name, str) or name not in offered or not isinstance(arguments, dict):
        return None
    return WireCall(name=name, arguments=arguments)
