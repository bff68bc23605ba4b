"""Tool calls that a small model wrote into its text (decision C46).

Off unless a profile says `text_tool_calls`: a text that merely shows a call must not become one. Only tools that were
offered are read, and only two forms: `<tool_call>{…}</tool_call>`, and a text that is nothing but one such object or a
list of them, with or without a code fence around it.
"""

import re
from collections.abc import Collection, Sequence

from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from functions.chat.providers.calls import WireCall

_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*?)\n?```\Z", re.DOTALL)


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
    bare = text.strip()
    fenced = _FENCE.match(bare)
    found = _calls(fenced[1] if fenced else bare, offered)
    return ("", found) if found else (text, ())


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
