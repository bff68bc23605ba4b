"""JSON Schemas of the configuration and of suites for editors; `python -m dev.config_schema` writes them to config/."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import BaseModel

from flexchat.config.models.configuration import Configuration
from flexchat.deferred_model import build_all_models
from flexchat.validation.cases import Suite

FOLDER = Path(__file__).parent.parent / "config"

SCHEMA_FILE = FOLDER / "flexchat.schema.json"


def configuration_schema() -> str:
    """Return the schema of a configuration, from the models that parse the file."""
    return _schema(Configuration, "Flexchat configuration")


def suite_schema() -> str:
    """Return the schema of a suite of cases, from the models that parse the file."""
    return _schema(Suite, "Flexchat suite of cases")


SCHEMAS: Mapping[str, Callable[[], str]] = {
    SCHEMA_FILE.name: configuration_schema,
    "suite.schema.json": suite_schema,
}
"""Schema files with the functions that return their text."""


def main(folder: Path = FOLDER) -> None:
    """Write the schemas, by default beside the configuration."""
    for name, text in SCHEMAS.items():
        (folder / name).write_text(text(), encoding="utf-8")


def _schema(model: type[BaseModel], title: str) -> str:
    build_all_models()
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **model.model_json_schema(by_alias=True),
        "title": title,
    }
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    main()
