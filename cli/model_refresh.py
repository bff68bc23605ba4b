"""Renewal of the profiles in a configuration file from a price list."""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Any, Final

from cli.configuration import read_file
from cli.files import write_text
from cli.price_list import PriceList
from flexchat.config.document import parse
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.config.used_models import used_models
from flexchat.errors import ConfigError
from flexchat.messages import Json

_ABOUT: Final = ("source", "date")


@dataclass(frozen=True, slots=True)
class ValueChange:
    """Change of one value of a model; `configured` is the operator's own value, which stays in effect."""

    model: str
    name: str
    old: Json
    new: Json
    configured: Json = None

    def as_json(self) -> dict[str, Json]:
        return {"model": self.model, "name": self.name, "old": self.old, "new": self.new, "configured": self.configured}


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """Changes of a renewal, the models whose values are the same, and those that the price list does not have."""

    changes: tuple[ValueChange, ...] = ()
    unchanged: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Json]:
        return {
            "changes": [change.as_json() for change in self.changes],
            "unchanged": [*self.unchanged],
            "unknown": [*self.unknown],
        }


def refresh_file(
    path: Path, prices: PriceList, *, date: str, providers: Mapping[str, str], writes: bool = True
) -> RefreshReport:
    """Write the values of `prices` into the profiles of the models that a configuration file uses.

    `providers` are the names of servers in the list by llm, where the address of the llm does not tell. Values are
    written into `refreshed` of a profile alone, and never over those of the operator. Raises ConfigError.
    """
    source = read_file(path)
    parsed = parse(source)
    if parsed.problems:
        raise ConfigError(parsed.problems)
    configuration = parsed.configuration
    written: Any = deepcopy(source)
    changes: list[ValueChange] = []
    unchanged: list[str] = []
    unknown: list[str] = []
    for name in used_models(configuration):
        config = configuration.llms[name.llm]
        has_entry = name.llm in written.get("llms", {})
        values = prices.values_of(name.model, config, providers.get(name.llm)) if has_entry else None
        if values is None:
            unknown.append(str(name))
            continue
        found = _changes(name, config, values)
        if not found:
            unchanged.append(str(name))
            continue
        changes += found
        profile = written["llms"][name.llm].setdefault("profiles", {}).setdefault(escape(name.model), {})
        profile["refreshed"] = {"source": prices.source, "date": date, **values}
    if changes and writes:
        write_text(path, json.dumps(written, indent=2, ensure_ascii=False) + "\n")
    return RefreshReport(tuple(changes), tuple(unchanged), tuple(unknown))


def _changes(name: ModelName, config: LlmConfig, values: Mapping[str, Json]) -> list[ValueChange]:
    refreshed = config.refreshed_of(name.model)
    old: dict[str, Json] = {} if refreshed is None else refreshed.model_dump(exclude_none=True, exclude={*_ABOUT})
    typed = config.profiles_of(name.model)

    def configured(field: str) -> Json:
        return next((value for each in reversed(typed) if (value := getattr(each, field)) is not None), None)

    return [
        ValueChange(str(name), field, old.get(field), values.get(field), configured(field))
        for field in dict.fromkeys((*values, *old))
        if old.get(field) != values.get(field)
    ]
