"""The OpenAPI document of the whole service: the chat's own routes, and those of the functions beside it.

Their parts are committed files, since no function imports another; `make schema` writes them from the routes.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

COLLECTIONS_FILE: Final = Path(__file__).with_name("collections.openapi.json")
VALIDATION_FILE: Final = Path(__file__).with_name("validation.openapi.json")


def whole_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """`document` with the routes of the other functions, and the models these need."""
    paths, schemas = dict[str, Any](), dict[str, Any]()
    for file in (COLLECTIONS_FILE, VALIDATION_FILE):
        part: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        paths |= part["paths"]
        schemas |= part["schemas"]
    components = document["components"]
    return {
        **document,
        "paths": {**document["paths"], **paths},
        "components": {**components, "schemas": {**schemas, **components["schemas"]}},
    }
