"""The JSON Schema of the configuration, for editors: `python -m cli.schema` writes config/flexchat.schema.json."""

import json
from pathlib import Path

from flexchat.config.models import Configuration

SCHEMA_FILE = Path(__file__).parent.parent / "config" / "flexchat.schema.json"


def configuration_schema() -> str:
    """The schema's text, from the models that read the file."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Configuration.model_json_schema(by_alias=True),
        "title": "Flexchat configuration",
    }
    return json.dumps(schema, indent=2) + "\n"


def main(file: Path = SCHEMA_FILE) -> None:
    """Write the schema, by default beside the configuration."""
    file.write_text(configuration_schema(), encoding="utf-8")


if __name__ == "__main__":
    main()
