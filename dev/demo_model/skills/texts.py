"""Exact operations on a quoted text, and random identifiers."""

import re
from collections.abc import Sequence

from dev.demo_model.conversation import OfferedTool
from dev.demo_model.skills.tool_request import ToolRequest, as_text, core, offered

_QUOTED = re.compile(r"[\"\u201c'\u2018](?P<text>[^\"\u201d'\u2019]{1,500})[\"\u201d'\u2019]")
_OPERATIONS: tuple[tuple[re.Pattern[str], tuple[str, ...], str], ...] = (
    (re.compile(r"\brevers", re.I), ("revers",), "reversed"),
    (re.compile(r"\bupper ?-?case|\bcapital letters", re.I), ("upper", "case"), "in capitals"),
    (re.compile(r"\blower ?-?case", re.I), ("lower", "case"), "in small letters"),
    (re.compile(r"\bslug", re.I), ("slug",), "as a slug"),
    (
        re.compile(r"\bhow (?:many (?:characters|letters)|long)\b|\blength of\b", re.I),
        ("length",),
        "has the length",
    ),
)
_IDENTIFIER = re.compile(r"\b(?:uuid|guid)s?\b", re.I)


def texts(message: str, tools: Sequence[OfferedTool]) -> list[ToolRequest]:
    return [
        *_operations(message, offered(tools, "string", "text")),
        *_identifiers(message, offered(tools, "uuid", "guid")),
    ]


def _operations(message: str, tool: OfferedTool | None) -> list[ToolRequest]:
    quoted = _QUOTED.search(message)
    name = tool.parameter("text", "value", "string", "input") if tool else None
    if quoted is None or tool is None or name is None:
        return []
    text = quoted["text"]
    requests: list[ToolRequest] = []
    for pattern, words, phrase in _OPERATIONS:
        chosen = tool.choices(*words)
        arguments = {**chosen, name: text}
        if pattern.search(message) and chosen and tool.is_satisfied_by(arguments):
            requests.append(
                ToolRequest(
                    subject=f"{text!r} {phrase}",
                    phrase_result=lambda result, phrase=phrase: f'"{text}" {phrase}: {as_text(core(result))}.',
                    tool=tool,
                    arguments=arguments,
                )
            )
    return requests


def _identifiers(message: str, tool: OfferedTool | None) -> list[ToolRequest]:
    if tool is None or not _IDENTIFIER.search(message) or not tool.is_satisfied_by({}):
        return []
    return [
        ToolRequest(
            subject="a UUID",
            phrase_result=lambda result: f"Here is a UUID: {as_text(core(result))}.",
            tool=tool,
            arguments={},
        )
    ]
