"""Differences between two configuration documents, entry by entry."""

import json
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct

from flexchat.config.document import Source
from flexchat.config.problems import path_of
from flexchat.messages import Json

ChangeKind = Literal["added", "removed", "changed", "moved"]

SIGNS: Mapping[ChangeKind, str] = {"added": "+", "removed": "-", "changed": "~", "moved": "~"}

SECTIONS = ("llms", "rag_services", "mcp_servers", "guardrails")


class Change(Struct, frozen=True):
    """A changed entry or setting: `keys` are the paths of the changes in it, never their values."""

    kind: ChangeKind
    path: str
    keys: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The change as a line, such as `~ responses[0] (weather): prompt`."""
        detail = "order" if self.kind == "moved" else ", ".join(self.keys)
        return f"{SIGNS[self.kind]} {self.path}" + (f": {detail}" if detail else "")


def diff(before: Source, after: Source) -> tuple[Change, ...]:
    """Return the changes from one source to another. Tools and named rules are matched by name."""
    return (
        *(
            change
            for section in SECTIONS
            for change in _named(section, _mapping(before, section), _mapping(after, section))
        ),
        *_rules(_items(before.get("responses")), _items(after.get("responses"))),
        *_tools(_registry(before), _registry(after)),
        *_settings(before, after),
    )


def _named(section: str, before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[Change]:
    for name in (*before, *(name for name in after if name not in before)):
        path = path_of((*section.split("."), name))
        if name not in after:
            yield Change("removed", path)
        elif name not in before:
            yield Change("added", path)
        elif keys := tuple(_keys(before[name], after[name])):
            yield Change("changed", path, keys)


def _tools(before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[Change]:
    yield from _named("tools.registry", before, after)
    if [name for name in before if name in after] != [name for name in after if name in before]:
        yield Change("moved", "tools.registry")


def _rules(before: list[Json], after: list[Json]) -> Iterator[Change]:
    """Compare rules by order: between two equal rules, rules were changed, added or removed."""
    matcher = SequenceMatcher(
        a=[_identity(rule) for rule in before], b=[_identity(rule) for rule in after], autojunk=False
    )
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        shared = end - start if tag == "equal" else min(end - start, new_end - new_start) if tag == "replace" else 0
        for offset in range(shared):
            old, new = before[start + offset], after[new_start + offset]
            if keys := tuple(_keys(old, new)):
                yield Change("changed", _rule_path(new, new_start + offset), keys)
        for position in range(start + shared, end):
            yield Change("removed", _rule_path(before[position], position))
        for position in range(new_start + shared, new_end):
            yield Change("added", _rule_path(after[position], position))


def _identity(rule: Json) -> str:
    name = rule.get("name") if isinstance(rule, dict) else None
    return name if isinstance(name, str) else json.dumps(rule, sort_keys=True)


def _rule_path(rule: Json, position: int) -> str:
    name = rule.get("name") if isinstance(rule, dict) else None
    return f"responses[{position}] ({name})" if isinstance(name, str) else f"responses[{position}]"


def _settings(before: Source, after: Source) -> Iterator[Change]:
    old, new = _without_entries(before), _without_entries(after)
    for key in (*old, *(key for key in new if key not in old)):
        if key not in new:
            yield Change("removed", key)
        elif key not in old:
            yield Change("added", key)
        elif keys := tuple(_keys(old[key], new[key])):
            yield Change("changed", key, () if keys == ("",) else keys)


def _without_entries(source: Source) -> dict[str, Json]:
    settings = {key: value for key, value in source.items() if key not in {"responses", *SECTIONS}}
    for section in SECTIONS:
        mapping = source.get(section)
        if isinstance(mapping, dict) and "comment" in mapping:
            settings[f"{section}.comment"] = mapping["comment"]
    tools = settings.get("tools")
    if isinstance(tools, dict):
        settings["tools"] = {key: value for key, value in tools.items() if key != "registry"}
    return settings


def _keys(before: Json, after: Json, path: str = "") -> Iterator[str]:
    """Return the shortest paths at which two values differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in (*before, *(key for key in after if key not in before)):
            below = f"{path}.{key}" if path else key
            if key in before and key in after:
                yield from _keys(before[key], after[key], below)
            else:
                yield below
    elif json.dumps(before) != json.dumps(after):
        yield path


def _mapping(source: Source, section: str) -> dict[str, Json]:
    mapping = source.get(section)
    return {name: entry for name, entry in mapping.items() if name != "comment"} if isinstance(mapping, dict) else {}


def _registry(source: Source) -> dict[str, Json]:
    tools = source.get("tools")
    registry = _items(tools.get("registry")) if isinstance(tools, dict) else []
    return {str(tool.get("name")): tool for tool in registry if isinstance(tool, dict)}


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
