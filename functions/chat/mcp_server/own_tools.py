"""Tools of the service itself: a chat, and a search of the configured collections."""

from collections.abc import Collection
from typing import Final

from flexchat.api import MAX_MESSAGE_CHARACTERS
from flexchat.api.request import SESSION_ID_PATTERN
from flexchat.messages import Json
from flexchat.search import MAX_TOP_K

CHAT: Final = "chat"
SEARCH: Final = "search_collections"

MAX_QUERY_CHARACTERS: Final = 32_000

CHAT_SCHEMA: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        "message": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_MESSAGE_CHARACTERS,
            "description": "The message or question",
        },
        "session_id": {
            "type": "string",
            "pattern": SESSION_ID_PATTERN,
            "description": "A name of your choice for a conversation; later messages with it continue the conversation",
        },
    },
    "required": ["message"],
    "additionalProperties": False,
}

CHAT_OUTPUT: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string"},
        "status": {"type": "string", "enum": ["complete", "partial"]},
        "session_id": {"type": "string"},
        "tools": {"type": "array", "items": {"type": "string"}, "description": "The tools that were called, in order"},
        "request_id": {"type": "string"},
    },
    "required": ["answer", "status", "tools", "request_id"],
}

_SEARCH_PROPERTIES: Final[dict[str, Json]] = {
    "query": {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_QUERY_CHARACTERS,
        "description": "The question or the keywords",
    },
    "top_k": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_TOP_K,
        "default": 5,
        "description": "Maximum number of passages",
    },
}

SEARCH_OUTPUT: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "title": {"type": "string"},
                    "source": {"type": "string"},
                    "text": {"type": "string"},
                    "distance": {"type": "number", "description": "Cosine distance to the query; smaller is nearer"},
                    "collection": {"type": "string"},
                    "relevance": {"type": "string", "enum": ["match", "partial", "none"]},
                },
                "required": ["text", "distance", "collection", "relevance"],
            },
        },
        "searched": {"type": "array", "items": {"type": "string"}},
        "skipped": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["results", "searched", "skipped"],
}


def search_schema(collections: Collection[str]) -> dict[str, Json]:
    """Return the schema of the arguments of a search; `collections` are the names that are listed, if all are."""
    collection: dict[str, Json] = {
        "type": "string",
        "minLength": 1,
        "maxLength": 256,
        "description": "The collection to search. Without it, all collections are searched.",
    }
    if collections:
        collection["enum"] = [*collections]
    properties: dict[str, Json] = {**_SEARCH_PROPERTIES, "collection": collection}
    return {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}


def own_name(name: str, taken: Collection[str]) -> str:
    """Return the name of a tool of the service: a configured tool keeps a name that both have."""
    candidate, number = name, 1
    while candidate in taken:
        candidate = f"flexchat_{name}" if number == 1 else f"flexchat_{name}_{number}"
        number += 1
    return candidate
