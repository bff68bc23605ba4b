"""Configuration document: read as JSON, parsed entry by entry, with every problem reported at once.

A *source* is the JSON object as the operator wrote it, with comments; a Configuration is the parsed result.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct, field
from pydantic import ValidationError

from flexchat.config.catalog import DisabledEntry, EntryKind
from flexchat.config.defaults import with_default_llms
from flexchat.config.models.configuration import Configuration
from flexchat.config.problems import path_of, problem_of
from flexchat.errors import ConfigError, Problem
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json

Source = Mapping[str, Json]

Location = tuple[int | str, ...]

KINDS: Mapping[str, EntryKind] = {
    "llms": "llm",
    "rag_services": "service",
    "mcp_servers": "mcp_server",
    "guardrails": "guardrail",
    "responses": "rule",
}


class Parsed(Struct, frozen=True):
    """Parsed source: the usable entries and all problems.

    `problems` are all problems by path. `broken` are those of single entries; `rule_positions` and `tool_positions` are
    the positions of the usable rules and tools in the source.
    """

    configuration: Configuration
    problems: tuple[Problem, ...] = ()
    broken: tuple[DisabledEntry, ...] = ()
    rule_positions: tuple[int, ...] = field(default=())
    tool_positions: tuple[int, ...] = field(default=())

    @property
    def is_whole(self) -> bool:
        """Return true when every problem concerns a single entry."""
        return len(self.problems) == sum(len(entry.problems) for entry in self.broken)


def read_source(text: str | bytes) -> dict[str, Json]:
    """Return the JSON object in `text`. Raises ConfigError."""
    try:
        source = safe_loads(text)
    except JsonError as exc:
        raise ConfigError((Problem(path="", message=str(exc)),)) from exc
    if not isinstance(source, dict):
        raise ConfigError((Problem(path="", message="a configuration must be a JSON object"),))
    return source


def parse(source: Source, *, missing_llms: Collection[str] = ()) -> Parsed:
    """Parse every entry on its own, so that a broken entry does not hide the others or their problems.

    `missing_llms` are names of llms that the operator wrote but that `source` lacks: they get no default entry.
    """
    try:
        configuration = Configuration.model_validate(source)
    except ValidationError as exc:
        return _salvage(source, exc, missing_llms)
    return Parsed(
        configuration=with_default_llms(configuration, except_for=missing_llms),
        rule_positions=tuple(range(len(configuration.responses))),
        tool_positions=tuple(range(len(configuration.tools.registry))),
    )


def _salvage(source: Source, found: ValidationError, missing_llms: Collection[str]) -> Parsed:
    """Parse the source without the entries that `found` names."""
    messages: dict[Location, list[Problem]] = {}
    for error in found.errors(include_url=False):
        messages.setdefault(_entry_of(error["loc"]), []).append(problem_of(error))
    configuration = Configuration.model_validate(_without(source, messages))
    broken = tuple(_broken_entries(source, messages))
    broken_llms = (entry.name for entry in broken if entry.kind == "llm")
    return Parsed(
        configuration=with_default_llms(configuration, except_for={*missing_llms, *broken_llms}),
        problems=tuple(problem for problems in messages.values() for problem in problems),
        broken=broken,
        rule_positions=_positions(source.get("responses"), messages, ("responses",)),
        tool_positions=_positions(_registry(source), messages, ("tools", "registry")),
    )


def _entry_of(location: Location) -> Location:
    """Return the smallest removable part: one entry, one setting of `tools`, or one section."""
    match location:
        case ("tools", "registry", int(), *_):
            return location[:3]
        case ("llms" | "rag_services" | "mcp_servers" | "guardrails" | "responses" | "tools", _, *_):
            return location[:2]
        case _:
            return location[:1]


def _kind(location: Location) -> EntryKind | None:
    match location:
        case ("tools", "registry", int()):
            return "tool"
        case (str() as section, _):
            return KINDS.get(section)
        case _:
            return None


def _broken_entries(source: Source, messages: Mapping[Location, Sequence[Problem]]) -> Iterator[DisabledEntry]:
    for location, problems in messages.items():
        kind = _kind(location)
        if kind is not None:
            name = str(location[-1]) if kind not in ("rule", "tool") else _own_name(source, location)
            yield DisabledEntry(kind=kind, name=name, problems=tuple(str(problem) for problem in problems))


def _own_name(source: Source, location: Location) -> str:
    """Return the `name` of a rule or a tool, else its position."""
    entry: object = source
    for part in location:
        entry = cast("dict[int | str, object]", entry)[part]
    name = cast("dict[str, object]", entry).get("name") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else path_of(location)


def _without(source: Source, locations: Mapping[Location, object]) -> dict[str, object]:
    healthy: dict[str, object] = {}
    for key, section in source.items():
        if (key,) in locations:
            continue
        match section:
            case dict():
                healthy[key] = _without_keys(section, locations, (key,))
            case list():
                healthy[key] = [item for place, item in enumerate(section) if (key, place) not in locations]
            case _:
                healthy[key] = section
    return healthy


def _without_keys(
    section: Mapping[str, Json], locations: Mapping[Location, object], within: Location
) -> dict[str, object]:
    healthy: dict[str, object] = {}
    for key, value in section.items():
        place = (*within, key)
        if place in locations:
            continue
        if place == ("tools", "registry") and isinstance(value, list):
            healthy[key] = [item for index, item in enumerate(value) if (*place, index) not in locations]
        else:
            healthy[key] = value
    return healthy


def _registry(source: Source) -> Json:
    tools = source.get("tools")
    return tools.get("registry") if isinstance(tools, dict) else None


def _positions(entries: Json, broken: Mapping[Location, object], within: Location) -> tuple[int, ...]:
    if not isinstance(entries, list) or any(within[:depth] in broken for depth in range(1, len(within) + 1)):
        return ()
    return tuple(index for index in range(len(entries)) if (*within, index) not in broken)
