"""Tool calls that a small model wrote into its text (decision C46), for models of every provider.

Off unless a profile says `text_tool_calls`: a text that merely shows a call must not become one. Only tools that were
offered are read, and only two forms: `<tool_call>{…}</tool_call>`, and a text that is nothing but one such object or a
list of them, with or without a code fence around it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from flexchat.json import JsonError, safe_loads
from flexchat.messages import Completion, Json, Message, Part, Text
from functions.chat.providers.tool_calls import WireCall, tool_calls

_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)


def with_text_calls(
    completion: Completion, conversation: Sequence[Message], tools: Sequence[Mapping[str, Json]]
) -> Completion:
    """`completion` with the calls of `tools` that its text holds; as it is when the provider reported calls itself.

    `tools` are in any provider's own format.
    """
    message = completion.message
    if message.tool_calls:
        return completion
    text, found = read_text_calls(message.text, frozenset(_names(tools)))
    if not found:
        return completion
    others = (part for part in message.parts if not isinstance(part, Text))
    parts: tuple[Part, ...] = (*others, *((Text(text),) if text else ()), *tool_calls(found, conversation))
    return replace(completion, message=Message("assistant", parts), finish_reason="tool_calls")


def _names(tools: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    """The names of tools as `ToolRegistry.to_provider_format` gives them for each provider."""
    for tool in tools:
        match tool:
            case {"function": {"name": str(name)}} | {"toolSpec": {"name": str(name)}} | {"name": str(name)}:
                yield name
            case {"functionDeclarations": [*declarations]}:
                yield from _names([each for each in declarations if isinstance(each, dict)])
            case _:
                continue


def read_text_calls(text: str, offered: Collection[str]) -> tuple[str, Sequence[WireCall]]:
    """`text` without the calls that were in it, and the calls in order.

    What has the form of a call and is none (broken JSON, a tool not offered) stays in the text.
    """
    calls: list[WireCall] = []

    def keep_or_take(tag: re.Match[str]) -> str:
        found = _calls(tag[1], offered)
        calls.extend(found)
        return "" if found else tag[0]

    remaining = _TAGGED.sub(keep_or_take, text)
    if calls:
        return remaining.strip(), calls
    found = _calls(_unfenced(text.strip()), offered)
    return ("", found) if found else (text, ())


def _unfenced(text: str) -> str:
    """The content of a text that is one code fence of no language or of JSON; any other text as it is."""
    opening, _, content = text.partition("\n")
    is_fenced = opening.rstrip() in ("```", "```json") and content.endswith("```")
    return content.removesuffix("```") if is_fenced else text


def _calls(text: str, offered: Collection[str]) -> Sequence[WireCall]:
    """All of what `text` holds, or nothing."""
    try:
        value = safe_loads(text.strip())
    except JsonError:
        return ()
    calls = [_call(item, offered) for item in (value if isinstance(value, list) else [value])]
    return [call for call in calls if call] if all(calls) else ()


def _call(value: Json, offered: Collection[str]) -> WireCall | None:
    """Llama's models write `parameters` where others write `arguments`."""
    if not isinstance(value, dict):
        return None
    name, arguments = value.get("name"), value.get("arguments", value.get("parameters"))
    if not isinstance(name, str) or name not in offered or not isinstance(arguments, dict):
        return None
    return WireCall(name=name, arguments=arguments)
