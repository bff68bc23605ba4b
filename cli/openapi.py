"""The collections' part of the OpenAPI document: `python -m cli.openapi` writes it where the chat serves it."""

import json
from pathlib import Path
from typing import Any

from functions.chat.openapi import COLLECTIONS_FILE
from functions.tools.internal.collections import Collections
from functions.tools.internal.http import CollectionsDoor


def collections_part() -> str:
    """The part's text, from the routes that are served."""
    document = CollectionsDoor(collections=_none).document()
    part: dict[str, Any] = {"paths": document["paths"], "schemas": document["components"]["schemas"]}
    return json.dumps(part, indent=2, ensure_ascii=False) + "\n"


def _none() -> Collections:
    raise AssertionError("a document needs no collection")


def main(file: Path = COLLECTIONS_FILE) -> None:
    """Write the part, by default beside the chat function."""
    file.write_text(collections_part(), encoding="utf-8")


if __name__ == "__main__":
    main()
