"""OpenAPI document of the whole service; `python -m dev.openapi` writes it beside the routes that serve it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from pydantic.json_schema import models_json_schema

from flexchat.deferred_model import build_all_models
from flexchat.http_api.api import ApiRouter
from flexchat.http_api.openapi import openapi_document
from functions.chat.api.api import ROUTERS as CHAT
from functions.chat.api.api import operation_routers
from functions.chat.api.service import OPENAPI_FILE
from functions.chat.streaming.events import EVENTS
from functions.configuration.api import ROUTERS as CONFIGURATION
from functions.retrieval.routes import ROUTERS as RETRIEVAL
from functions.tools.mcp.discovery.routes import ROUTERS as MCP
from functions.traces.api import ROUTERS as TRACES
from functions.validation.api import ROUTERS as VALIDATION


def service_document() -> dict[str, Any]:
    """Return the document of the routes of all functions.

    Raises ValueError for two different schemas of one name.
    """
    build_all_models()
    document, *others = map(
        _document, ((*CHAT, *operation_routers()), RETRIEVAL, VALIDATION, TRACES, MCP, CONFIGURATION)
    )
    schemas = document["components"]["schemas"]
    for other in others:
        document["paths"] |= other["paths"]
        for name, schema in other["components"]["schemas"].items():
            if schemas.setdefault(name, schema) != schema:
                raise ValueError(f"two functions have different schemas of the name {name!r}; rename one")
    schemas |= _event_schemas()
    document["paths"]["/health"]["get"]["security"] = []
    return document


def _event_schemas() -> dict[str, Any]:
    """Return the schemas of server-sent events by name, and that of a stream of them."""
    own = {name: model for name, model in EVENTS.items() if name not in ("answer", "error")}
    template = "#/components/schemas/{model}"
    _, definitions = models_json_schema([(model, "serialization") for model in own.values()], ref_template=template)
    data = {name: {"$ref": template.format(model=model.__name__)} for name, model in EVENTS.items()}
    stream = {
        "type": "string",
        "title": "ChatEvents",
        "description": "Server-sent events; `x-events` has the schema of their data by name. The last one is `answer` "
        "or `error`. Lines that begin with a colon are heartbeats.",
        "x-events": data,
    }
    return {**definitions["$defs"], "ChatEvents": stream}


def file_text(document: Mapping[str, Any]) -> str:
    """Return the text of the file, with one line for each operation and schema."""
    return _lines(document, depth=3) + "\n"


def main(file: Path = OPENAPI_FILE) -> None:
    file.write_text(file_text(service_document()), encoding="utf-8")


def _lines(value: Any, depth: int) -> str:
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    members = cast("dict[str, Any]", value).items()
    return "{\n" + ",\n".join(f"{json.dumps(name)}:{_lines(member, depth - 1)}" for name, member in members) + "\n}"


def _document(routers: tuple[ApiRouter[Any], ...]) -> dict[str, Any]:
    return openapi_document(endpoint for router in routers for endpoint in router.endpoints)


if __name__ == "__main__":
    main()
