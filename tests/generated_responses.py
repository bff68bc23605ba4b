"""Responses of the API that are generated from its OpenAPI document, with long texts in every field."""

import json
import re
from functools import cache
from typing import Any

from flexchat.messages import Json
from tests.documents import ROOT

START = "long-"
TEXTS = tuple(f"{START}{'0123456789' * tens}-end" for tens in (6, 5, 2))
"""Values of texts, the longest first: each begins with START, and none is the beginning of another."""
TIME = "2026-11-20T09:00:00.000000+00:00"
_TIMES = re.compile(r"(^|_)(at|since|until)$|^last_tested$")
"""Names of properties that are times; most are texts in the document."""
_PATH_PARAMETER = re.compile(r"\{[^}]+\}")


@cache
def _document() -> dict[str, Any]:
    return json.loads((ROOT / "functions" / "chat" / "api" / "openapi.json").read_text(encoding="utf-8"))


def generated_response(method: str, path: str) -> tuple[int, Json]:
    """Return the status and the body of a successful response. Raises LookupError for a path without a route."""
    for template, routes in _document()["paths"].items():
        pattern = _PATH_PARAMETER.sub("[^/]+", template)
        if method.lower() in routes and re.fullmatch(pattern, path):
            responses: dict[str, Any] = routes[method.lower()]["responses"]
            status, response = next((code, each) for code, each in responses.items() if code.startswith("2"))
            return int(status), _value(response["content"]["application/json"]["schema"])
    raise LookupError(f"no route {method} {path}")


def _value(schema: Any, depth: int = 0) -> Any:
    """Return a value of a schema: every property, two items of each array, one item of a recursive one."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return _value(_document()["components"]["schemas"][name], depth + 1)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return _value(next(each for each in schema[keyword] if each.get("type") != "null"), depth)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "string":
            return _text(schema)
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return True
        case "array":
            return [_value(schema["items"], depth)] * (2 if depth < 20 else 0)
        case "object":
            properties: dict[str, Any] = schema.get("properties", {})
            return {name: _property(name, each, depth) for name, each in properties.items()}
        case _:
            return TEXTS[0]


def _property(name: str, schema: Any, depth: int) -> Any:
    if name == "cursor":
        return None  # the last page
    return TIME if _TIMES.search(name) else _value(schema, depth)


def _text(schema: Any) -> str:
    if schema.get("format") == "date-time":
        return TIME
    most, pattern = schema.get("maxLength", 1_000), schema.get("pattern", "")
    return next(text for text in TEXTS if len(text) <= most and re.search(pattern, text))
