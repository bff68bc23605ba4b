"""The OpenAPI document of the whole service: the chat's own routes and those of the collections' function.

That function's part is a committed file, since no function imports another; `make schema` writes it from its routes.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

COLLECTIONS_FILE: Final = Path(__file__).with_name("collections.openapi.json")


def whole_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """`document` with the collections' routes, and the models these need."""
    part: dict[str, Any] = json.loads(COLLECTIONS_FILE.read_text(encoding="utf-8"))
    components = document["components"]
    return {
        **document,
        "paths": {**document["paths"], **part["paths"]},
        "components": {**components, "schemas": {**part["schemas"], **components["schemas"]}},
    }
