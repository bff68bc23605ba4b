"""Small OpenAPI documents."""

import json
from typing import Any

from cli.tool_import.document import Document, read_document
from cli.tool_import.openapi import import_operations, operations
from cli.tool_import.report import ImportedTool, ImportReport

SERVER = "https://api.example.com/v1"


def document(paths: dict[str, Any], *, version: str = "3.0.3", **parts: Any) -> Document:
    """Return a document of `paths`; `parts` are further parts of it."""
    if version == "2.0":
        own: dict[str, Any] = {"swagger": "2.0", "host": "api.example.com", "basePath": "/v1", "schemes": ["https"]}
    else:
        own = {"openapi": version, "servers": [{"url": SERVER}]}
    source = {**own, "info": {"title": "Example", "version": "1"}, "paths": paths, **parts}
    return read_document(json.dumps(source).encode(), name="api.json")


def report(paths: dict[str, Any], *, version: str = "3.0.3", server: str | None = None, **parts: Any) -> ImportReport:
    """Return the report of the import of every operation."""
    read = document(paths, version=version, **parts)
    return import_operations(read, operations(read), server=server)


def only_tool(
    paths: dict[str, Any], *, version: str = "3.0.3", server: str | None = None, **parts: Any
) -> ImportedTool:
    """Return the tool of a document with one operation."""
    found = report(paths, version=version, server=server, **parts)
    assert found.left_out == ()
    (tool,) = found.tools
    return tool


def only_reason(paths: dict[str, Any], *, version: str = "3.0.3", **parts: Any) -> str:
    """Return the reason why the only operation of a document is left out."""
    found = report(paths, version=version, **parts)
    assert found.tools == ()
    (left_out,) = found.left_out
    return left_out.reason


def get(*parameters: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """Return the paths of one GET operation."""
    return {"/items": {"get": {"operationId": "listItems", "parameters": list(parameters), **parts}}}


def post(schema: Any, *, media: str = "application/json", required: bool = True, **parts: Any) -> dict[str, Any]:
    """Return the paths of one POST operation with a body."""
    body = {"required": required, "content": {media: {"schema": schema}}}
    return {"/items": {"post": {"operationId": "createItem", "requestBody": body, **parts}}}


def query(name: str, schema: Any, **parts: Any) -> dict[str, Any]:
    """Return a parameter of the query."""
    return {"name": name, "in": "query", "schema": schema, **parts}


def properties(tool: ImportedTool) -> Any:
    """Return the schemas of a tool's parameters by name."""
    parameters: Any = tool.definition["parameters"]
    return parameters["properties"]


def implementation(tool: ImportedTool) -> Any:
    """Return the implementation of a tool."""
    return tool.definition["implementation"]
