"""What the documents say: `search_documents` when a message asks for them."""

import re
from collections.abc import Sequence

from cli.demo_model.conversation import OfferedTool
from cli.demo_model.skills.wish import Wish, core, in_words, offered
from flexchat.messages import Json

_DOCUMENTS = r"(?:documents?|docs|documentation|knowledge base|manual)"
_QUERIES = tuple(
    re.compile(pattern + r"\s+(?P<query>[^.?!;\n]+)", re.I)
    for pattern in (
        rf"\b(?:search|look (?:in|into|through)|check)\b[^.?!;]*?\b{_DOCUMENTS}\s*(?:for|about|on)",
        rf"\bwhat (?:do|does) (?:the|our) {_DOCUMENTS} say (?:about|on)",
        rf"\baccording to (?:the|our) {_DOCUMENTS},?",
    )
)
_SHOWN_PASSAGES = 3
_SHOWN_CHARACTERS = 300


def documents(message: str, tools: Sequence[OfferedTool]) -> list[Wish]:
    query = next((match["query"].strip(" '\"") for pattern in _QUERIES if (match := pattern.search(message))), None)
    if not query:
        return []
    tool = offered(tools, "search_doc", "search", "retriev", "rag")
    name = tool.parameter("query", "q", "question", "text") if tool else None
    return [
        Wish(
            subject=f"the documents about {query}",
            say=lambda result: f"The documents about {query}: {_passages(result)}",
            tool=tool if name else None,
            arguments={name: query} if name else None,
            unaided="I have no documents: no tool to search them is offered to me.",
        )
    ]


def _passages(result: Json) -> str:
    found = core(result)
    if isinstance(found, dict):
        found = next((item for item in found.values() if isinstance(item, list)), found)
    if not isinstance(found, list):
        return in_words(found)[:_SHOWN_CHARACTERS]
    if not found:
        return "nothing was found."
    return " ".join(_passage(item) for item in found[:_SHOWN_PASSAGES])


def _passage(item: Json) -> str:
    if not isinstance(item, dict):
        return f'"{in_words(item)[:_SHOWN_CHARACTERS]}".'
    text = next((item[name] for name in ("text", "content", "passage", "snippet") if name in item), item)
    source = next((item[name] for name in ("source", "title", "document", "id") if name in item), None)
    named = f" ({in_words(source)})" if source is not None else ""
    return f'"{in_words(text)[:_SHOWN_CHARACTERS]}"{named}.'
