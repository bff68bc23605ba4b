"""Structured answers: the reply's text in an object by the schema of the request, or of a tool that must be called."""

import json
import re
from collections.abc import Mapping
from copy import replace
from typing import Final

from dev.demo_model.conversation import ForcedTool, PlannedCall, Reply
from flexchat.messages import Json
from flexchat.schema.shape import Schema, find, shape_of

MAX_DEPTH: Final = 12

_OBJECT: Final = re.compile(r'\{\s*"')
_DECODER: Final = json.JSONDecoder()
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_TEXTS: Final = {
    "date": "2026-05-04",
    "date-time": "2026-05-04T10:00:00Z",
    "time": "10:00:00Z",
    "email": "ana@example.com",
    "uri": "https://example.com/",
    "uuid": "7b0d3c1e-58a1-4c39-9f6e-0a4f1f5c2d11",
}


def formed(reply: Reply, form: Mapping[str, Json] | None, told: str = "") -> Reply:
    """Return a reply with its text as JSON that fits the schema `form`; calls, refusals and cut texts are unchanged.

    An empty schema is replaced by one in the text `told`, as clients with a JSON mode describe it to the model.

    Texts become the reply's text, numbers the last number in it, and lists have one item.
    """
    if form is None or reply.calls or reply.finish != "stop" or not reply.text:
        return reply
    schema = form or _schema_in(told)
    value = _Filling(schema, reply.text).value(schema)
    answer = value if isinstance(value, dict) and value else {"answer": reply.text}
    return replace(reply, text=json.dumps(answer, ensure_ascii=False))


def _schema_in(text: str) -> dict[str, Json]:
    """Return the first JSON Schema of an object in a text; an empty one without any."""
    for found in _OBJECT.finditer(text):
        try:
            schema: dict[str, Json] = _DECODER.raw_decode(text, found.start())[0]
        except ValueError:
            continue
        if isinstance(schema.get("properties"), dict):
            return schema
    return {}


def forced_call(reply: Reply, tool: ForcedTool | None) -> Reply:
    """Return a call of `tool` in place of a text, with arguments from the text that fit its schema."""
    if tool is None or reply.calls or reply.finish != "stop":
        return reply
    arguments = _Filling(tool.schema, reply.text).value({**tool.schema, "type": "object"})
    return Reply(calls=(PlannedCall(tool.name, arguments if isinstance(arguments, dict) else {}),), finish="tool_calls")


class _Filling:
    def __init__(self, schema: Schema, text: str) -> None:
        self._subschemas = shape_of(schema).subschemas
        self._text = text
        numbers = _NUMBER.findall(text)
        self._number: int | float = json.loads(numbers[-1].lstrip("0") or "0") if numbers else 1

    def value(self, schema: Json | Schema, depth: int = 0) -> Json:
        if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
            return None
        if isinstance(reference := schema.get("$ref"), str) and (found := find(reference, self._subschemas)):
            return self.value(found[1], depth + 1)
        for keyword in ("anyOf", "oneOf", "allOf"):
            if isinstance(forms := schema.get(keyword), list) and forms:
                return self.value(forms[0], depth + 1)
        if "const" in schema:
            return schema["const"]
        if isinstance(choices := schema.get("enum"), list) and choices:
            return next((each for each in choices if str(each).lower() in self._text.lower()), choices[0])
        kind = schema.get("type")
        return self._of_type(kind[0] if isinstance(kind, list) and kind else kind, schema, depth)

    def _of_type(self, kind: Json, schema: Schema, depth: int) -> Json:
        match kind:
            case "integer":
                return int(self._number)
            case "number":
                return self._number
            case "boolean":
                return True
            case "null":
                return None
            case "array":
                return [self.value(schema.get("items") or {"type": "string"}, depth + 1)]
            case "string":
                return _TEXTS.get(str(schema.get("format")), self._text)
            case _:
                properties = schema.get("properties")
                named = properties if isinstance(properties, dict) else {}
                return {name: self.value(sub, depth + 1) for name, sub in named.items()}
