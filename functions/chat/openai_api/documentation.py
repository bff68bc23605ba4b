"""Schemas of the OpenAI-compatible API for the OpenAPI document."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from flexchat.messages import Json

ERROR: Final[Mapping[str, Json]] = {
    "title": "OpenAiError",
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "message": {"type": "string"},
                "type": {"type": "string"},
                "param": {"type": ["string", "null"]},
                "code": {"type": ["string", "null"]},
            },
            "required": ["message", "type", "param", "code"],
        }
    },
    "required": ["error"],
}

MODEL: Final[Mapping[str, Json]] = {
    "title": "OpenAiModel",
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "object": {"const": "model"},
        "created": {"type": "integer"},
        "owned_by": {"type": "string"},
    },
    "required": ["id", "object", "created", "owned_by"],
}

MODEL_LIST: Final[Mapping[str, Json]] = {
    "title": "OpenAiModelList",
    "type": "object",
    "properties": {"object": {"const": "list"}, "data": {"type": "array", "items": dict(MODEL)}},
    "required": ["object", "data"],
}

COMPLETION: Final[Mapping[str, Json]] = {
    "title": "OpenAiChatCompletion",
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "object": {"const": "chat.completion"},
        "created": {"type": "integer"},
        "model": {"type": "string"},
        "choices": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "index": {"const": 0},
                    "message": {"type": "object"},
                    "finish_reason": {"enum": ["stop", "length", "tool_calls", "content_filter"]},
                },
                "required": ["index", "message", "finish_reason"],
            },
        },
        "usage": {"type": "object"},
        "flexchat": {"type": "object"},
    },
    "required": ["id", "object", "created", "model", "choices", "usage", "flexchat"],
}

COMPLETION_BODY: Final[Mapping[str, Any]] = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "title": "OpenAiChatCompletionRequest",
                "type": "object",
                "properties": {
                    "model": {"type": "string", "minLength": 1, "examples": ["flexchat"]},
                    "messages": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "properties": {
                                "role": {"enum": ["system", "developer", "user", "assistant", "tool"]},
                            },
                            "required": ["role"],
                        },
                    },
                    "stream": {"type": ["boolean", "null"]},
                    "temperature": {"type": ["number", "null"], "minimum": 0, "maximum": 2},
                    "top_p": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
                    "max_completion_tokens": {"type": ["integer", "null"], "minimum": 1},
                    "tools": {"type": ["array", "null"], "items": {"type": "object"}, "maxItems": 128},
                },
                "required": ["model", "messages"],
            }
        }
    },
}


def documented(schema: Mapping[str, Json], *, errors: Iterable[int], streams: bool = False) -> dict[int, Any]:
    """Return the documented responses of a route: its answer, also as server-sent events if it streams, and errors."""
    content: dict[str, Any] = {"application/json": {"schema": dict(schema)}}
    if streams:
        events = "Server-sent events whose data are the objects of a stream; the last data is `[DONE]`."
        content["text/event-stream"] = {"schema": {"type": "string", "description": events}}
    found: dict[int, Any] = {HTTPStatus.OK.value: {"description": "The answer", "content": content}}
    for status in errors:
        # API Gateway and the authorizer answer with the envelope of all other routes.
        either = {"anyOf": [dict(ERROR), {"$ref": "#/components/schemas/ErrorResponse"}]}
        found[status] = {"description": HTTPStatus(status).phrase, "content": {"application/json": {"schema": either}}}
    return found
