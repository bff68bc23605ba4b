"""Requests for `search_documents`, when a message mentions documents."""

import re
from collections.abc import Sequence

from dev.demo_model.conversation import OfferedTool
from dev.demo_model.skills.tool_request import ToolRequest, as_text, core, offered
from flexchat.messages import Json
from flexchat.text import truncate

_DOCUMENTS = r"(?:documents?|docs|documentation|knowledge base|manual)"
_QUERIES = (
    *(
        re.compile(pattern + r"\s+(?P<query>[^.?!;\n]+)", re.I)
        for pattern in (
            rf"\b(?:search|look (?:in|into|through)|check)\b[^.?!;]*?\b{_DOCUMENTS}\s*(?:for|about|on)",
            rf"\bwhat (?:do|does) (?:the|our) {_DOCUMENTS} say (?:about|on)",
            rf"\baccording to (?:the|our) {_DOCUMENTS},?",
        )
    ),
    re.compile(rf"\b(?:search|look) for\s+(?P<query>[^.?!;\n]+?)\s+in (?:the|our) {_DOCUMENTS}\b", re.I),
)
_SHOWN_PASSAGES = 3
_SHOWN_CHARACTERS = 160


def documents(message: str, tools: Sequence[OfferedTool]) -> list[ToolRequest]:
    query = next((match["query"].strip(" '\"") for pattern in _QUERIES if (match := pattern.search(message))), None)
    if not query:
        return []
    tool = offered(tools, "search_doc", "search", "retriev", "rag")
    name = tool.parameter("query", "q", "question", "text") if tool else None
    return [
        ToolRequest(
            subject=f"the documents about {query}",
            phrase_result=lambda result: f"The documents about {query}: {_passages(result)}",
            tool=tool if name else None,
            arguments={name: query} if name else None,
            unaided="I have no documents: no tool to search them is offered to me.",
        )
    ]


def _passages(result: Json) -> str:
    found = core(result)
    skipped = found.get("skipped") if isinstance(found, dict) else None
    if isinstance(found, dict):
        found = next((item for item in found.values() if isinstance(item, list)), found)
    if not isinstance(found, list):
        return _shortened(found)
    if found:
        return " ".join(_passage(item) for item in found[:_SHOWN_PASSAGES])
    return f"nothing was found; not searched: {as_text(skipped)}." if skipped else "nothing was found."


def _passage(item: Json) -> str:
    if not isinstance(item, dict):
        return f'"{_shortened(item)}".'
    text = next((item[name] for name in ("text", "content", "passage", "snippet") if name in item), item)
    title = item.get("title")
    source = next((item[name] for name in ("source", "document", "id") if name in item), None)
    named = ", ".join(dict.fromkeys(as_text(name) for name in (title, source) if name))
    return f'"{_shortened(text)}" ({named}).' if named else f'"{_shortened(text)}".'


def _shortened(value: Json) -> str:
    text = " ".join(as_text(value).split())
    return truncate(text, _SHOWN_CHARACTERS)
