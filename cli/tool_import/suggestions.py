"""Suggested settings of tools from the responses and parameters of operations."""

from collections.abc import Iterator
from typing import Final

from cli.tool_import.arguments import Arguments
from cli.tool_import.document import Document, JsonObject, NotImportableError, object_of
from flexchat.messages import Json

MAX_PROPERTIES: Final = 8
"""Properties of a response around a list; one with more is a resource that has a list."""

_CURSORS: Final = ("cursor", "page_token", "pageToken", "next_token", "nextToken", "starting_after", "after")


def suggestions(document: Document, operation: JsonObject, arguments: Arguments, method: str) -> Iterator[str]:
    """Return settings of the implementation that may fit an operation."""
    try:
        response = _success(document, operation)
        schema = _schema(document, response)
        properties = object_of(schema.get("properties"))
        lists = [name for name, value in properties.items() if document.resolved(value).get("type") == "array"]
    except NotImportableError:
        return
    if method != "GET":
        return
    if len(lists) == 1 and lists[0].isidentifier() and 1 < len(properties) <= MAX_PROPERTIES:
        yield f'response_path: "$.{lists[0]}"'
    if "link" in {name.lower() for name in object_of(response.get("headers"))}:
        yield 'pagination: {"type": "link"}'
        return
    for argument in arguments.items:
        if argument.location != "query":
            continue
        if argument.name in _CURSORS:
            yield f'pagination: {{"type": "cursor", "parameter": "{argument.name}", "cursor_path": "$.…"}}'
            return
        if argument.name == "page":
            yield 'pagination: {"type": "page", "parameter": "page"}'
            return


def _success(document: Document, operation: JsonObject) -> JsonObject:
    responses = object_of(operation.get("responses"))
    status = next((name for name in ("200", "201", "2XX", "default") if name in responses), None)
    return document.resolved(responses[status]) if status else {}


def _schema(document: Document, response: JsonObject) -> JsonObject:
    if document.version == "2.0":
        return document.resolved(response.get("schema"))
    content = object_of(response.get("content"))
    media: Json = next((value for name, value in content.items() if "json" in name), None)
    return document.resolved(object_of(media).get("schema"))
