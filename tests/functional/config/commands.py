"""Runs of `flexchat config` and `flexchat secrets`."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from cli.commands import config as config_commands
from cli.commands import secrets as secrets_commands
from flexchat.messages import Json

STAGE = "dev"
TEMPLATE = '{"Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}}'


def write(path: Path, document: dict[str, Json]) -> None:
    path.write_text(json.dumps(document), encoding="utf-8")


def config(*arguments: str | Path) -> Result:
    return CliRunner().invoke(config_commands.app, [str(argument) for argument in arguments])


def secrets(*arguments: str, value: str | None = None) -> Result:
    return CliRunner().invoke(secrets_commands.app, list(arguments), input=value)
