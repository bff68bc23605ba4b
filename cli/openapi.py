"""The other functions' parts of the OpenAPI document: `python -m cli.openapi` writes them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Never

from functions.chat.openapi import COLLECTIONS_FILE, VALIDATION_FILE
from functions.tools.internal.http import CollectionsDoor
from functions.validation.http import Services, ValidationDoor


def collections_part() -> str:
    """The text of the collections' part, from the routes that are served."""
    return _part(CollectionsDoor(collections=_nothing).document())


def validation_part() -> str:
    """The text of validation's part, from the routes that are served."""
    return _part(ValidationDoor(Services(progress=_nothing, starter=_nothing, suites=_nothing)).document())


def _part(document: Mapping[str, Any]) -> str:
    part: dict[str, Any] = {"paths": document["paths"], "schemas": document["components"]["schemas"]}
    return json.dumps(part, indent=2, ensure_ascii=False) + "\n"


def _nothing() -> Never:
    raise AssertionError("a document needs nothing that is behind its routes")


PARTS: Mapping[Path, Callable[[], str]] = {COLLECTIONS_FILE: collections_part, VALIDATION_FILE: validation_part}


def main(folder: Path = COLLECTIONS_FILE.parent) -> None:
    """Write the parts, by default beside the chat function."""
    for file, part in PARTS.items():
        (folder / file.name).write_text(part(), encoding="utf-8")


if __name__ == "__main__":
    main()
