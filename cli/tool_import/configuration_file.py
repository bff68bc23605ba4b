"""Imported tools in a configuration file."""

import json
from collections.abc import Mapping
from pathlib import Path

from cli.configuration import read_file
from cli.files import file_error, write_text
from cli.tool_import.report import ImportReport
from flexchat.messages import Json


def add_to_file(path: Path, report: ImportReport, *, replace: bool) -> ImportReport:
    """Write the tools into the registry of a configuration file, which is created if it does not exist.

    Returns the report of what was written: a tool with the name of an existing one is left out unless `replace`.
    Raises ConfigError.
    """
    source: Mapping[str, Json] = read_file(path) if path.exists() else {}
    tools = source.get("tools", {})
    registry = tools.get("registry", []) if isinstance(tools, dict) else None
    if not isinstance(tools, dict) or not isinstance(registry, list):
        raise file_error(path, "tools.registry must be a list")
    existing = {str(entry.get("name")) for entry in registry if isinstance(entry, dict)}
    if not replace:
        reason = f"a tool of this name is in {path}; --replace replaces it"
        report = report.without({tool.name: reason for tool in report.tools if tool.name in existing})
    if not report.tools:
        return report
    new = {tool.name: tool.definition for tool in report.tools}
    kept: list[Json] = [
        new.pop(str(entry.get("name")), entry) if isinstance(entry, dict) else entry for entry in registry
    ]
    if not source:
        tools = {"enabled": True}
    written = {**source, "tools": {**tools, "registry": [*kept, *new.values()]}}
    write_text(path, json.dumps(written, indent=2, ensure_ascii=False) + "\n")
    return report
