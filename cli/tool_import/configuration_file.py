"""Imported tools in a configuration file."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from cli.configuration import read_file
from cli.files import file_error, write_text
from cli.tool_import.report import ImportReport
from flexchat.json import MAX_BYTES
from flexchat.messages import Json

_REGISTRY: Final = "\x00registry\x00"
"""Place of the registry in the text around it."""


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
    tools = tools if source else dict[str, Json](enabled=True)
    content = _content(source, tools, registry, report)
    if excess := max(0, len(content.encode()) - MAX_BYTES):
        reason = f"{path} would have more than {MAX_BYTES} bytes; choose fewer operations with --only"
        report = report.without(dict.fromkeys(_last(report, excess), reason))
        if not report.tools:
            return report
        content = _content(source, tools, registry, report)
    write_text(path, content)
    return report


def _last(report: ImportReport, size: int) -> Iterator[str]:
    """Return the names of the last tools that have at least `size` bytes in the file."""
    for tool in reversed(report.tools):
        if size <= 0:
            return
        size -= len(_on_one_line(tool.definition).encode())
        yield tool.name


def _content(source: Mapping[str, Json], tools: dict[str, Json], registry: list[Json], report: ImportReport) -> str:
    """Return the text of the file with the tools of a report.

    A file that would be too large to be read again with indented tools has each tool on one line.
    """
    new = {tool.name: tool.definition for tool in report.tools}
    kept: list[Json] = [
        new.pop(str(entry.get("name")), entry) if isinstance(entry, dict) else entry for entry in registry
    ]
    entries: list[Json] = [*kept, *new.values()]
    text = _dumps({**source, "tools": {**tools, "registry": entries}}, indent=2)
    if len(text.encode()) >= MAX_BYTES:
        lines = ",\n".join(f"      {_on_one_line(entry)}" for entry in entries)
        outer = _dumps({**source, "tools": {**tools, "registry": _REGISTRY}}, indent=2)
        text = outer.replace(_dumps(_REGISTRY), f"[\n{lines}\n    ]", 1)
    return f"{text}\n"


def _dumps(value: Json, *, indent: int | None = None) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False)


def _on_one_line(entry: Json) -> str:
    return json.dumps(entry, separators=(",", ":"), ensure_ascii=False)
