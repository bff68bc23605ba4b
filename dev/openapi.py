"""The other functions' parts of the OpenAPI document: `python -m dev.openapi` writes them.

`python -m dev.openapi --whole` prints the document that the service serves instead.
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Never

from functions.chat.api.chat import HttpDoor, Services
from functions.chat.api.openapi import COLLECTIONS_FILE, VALIDATION_FILE
from functions.retrieval.routes import CollectionsApi
from functions.validation.api import Services as ValidationServices
from functions.validation.api import ValidationDoor


def collections_part() -> str:
    """The text of the collections' part, from the routes that are served."""
    return _part(CollectionsApi(collections=_nothing).document())


def validation_part() -> str:
    """The text of validation's part, from the routes that are served."""
    return _part(ValidationDoor(ValidationServices(progress=_nothing, starter=_nothing, suites=_nothing)).document())


def whole_document() -> str:
    """The text of the document of the whole service."""
    services = Services(stage="", engine=_nothing, sessions=_nothing, runs=_nothing, delivery=_nothing, tests=_nothing)
    return HttpDoor(services).openapi


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
    if sys.argv[1:] == ["--whole"]:
        sys.stdout.write(whole_document())
    else:
        main()
