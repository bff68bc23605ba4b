"""Resources of the template that cost money, for given values of its parameters."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from cli.errors import DeploymentError

FUNCTION = "AWS::Serverless::Function"


@dataclass(frozen=True, slots=True)
class Function:
    """A deployed function: its memory in GB, and whether its versions have a snapshot."""

    memory_gb: float
    has_snapshot: bool


@dataclass(frozen=True, slots=True)
class Inventory:
    """Resources of a stage by their kind."""

    architecture: str
    functions: Mapping[str, Function]
    releases: int
    alarms: int
    dashboards: int
    secrets: int
    tables: int
    refreshes_a_month: float
    has_tool_metrics: bool

    @property
    def snapshot_gb(self) -> float:
        """Return the memory of all snapshots of one release."""
        return sum(function.memory_gb for function in self.functions.values() if function.has_snapshot)


class _Loader(yaml.SafeLoader):
    """Loader that reads the short form of CloudFormation's functions: `!If [...]` as `{"!If": [...]}`."""


def _function(loader: yaml.SafeLoader, tag: str, node: yaml.Node) -> dict[str, Any]:
    match node:
        case yaml.ScalarNode():
            value: Any = loader.construct_scalar(node)
        case yaml.SequenceNode():
            value = loader.construct_sequence(node, deep=True)
        case _:
            value = loader.construct_mapping(cast("yaml.MappingNode", node), deep=True)
    return {f"!{tag}": value}


cast("Any", _Loader).add_multi_constructor("!", _function)

MINUTES_A_MONTH = 730 * 60


def read_inventory(template: Path, parameters: Mapping[str, str]) -> Inventory:
    """Return the resources of a stage with these parameters. Raises DeploymentError for a name that does not exist."""
    document: dict[str, Any] = yaml.load(template.read_text(encoding="utf-8"), _Loader)  # noqa: S506 (a SafeLoader)
    known: dict[str, Any] = document["Parameters"]
    if unknown := sorted(parameters.keys() - known.keys()):
        raise DeploymentError(f"the template has no parameter {unknown[0]!r}")
    defaults = {name: str(each.get("Default", "")) for name, each in known.items()}
    stack = _Stack({**defaults, **parameters}, document["Conditions"])
    resources = {name: each for name, each in document["Resources"].items() if stack.exists(each)}
    shared = document["Globals"]["Function"]
    functions = {
        name: Function(
            memory_gb=stack.value(each["Properties"]["MemorySize"]) / 1024,
            has_snapshot=stack.value({**shared, **each["Properties"]}["SnapStart"]["ApplyOn"]) == "PublishedVersions",
        )
        for name, each in resources.items()
        if each["Type"] == FUNCTION
    }
    counts = [each["Type"] for each in resources.values()]
    values = stack.parameters
    return Inventory(
        architecture=values["Architecture"],
        functions=functions,
        releases=2 if values["ProtectData"] == "true" else 1,
        alarms=counts.count("AWS::CloudWatch::Alarm"),
        dashboards=counts.count("AWS::CloudWatch::Dashboard"),
        secrets=counts.count("AWS::SecretsManager::Secret"),
        tables=counts.count("AWS::DynamoDB::Table"),
        refreshes_a_month=(
            MINUTES_A_MONTH / float(values["McpRefreshMinutes"]) if values["McpRefreshState"] == "ENABLED" else 0.0
        ),
        has_tool_metrics=values["DetailedToolMetrics"] == "true",
    )


@dataclass(frozen=True, slots=True)
class _Stack:
    """Values of the parameters, and the conditions on them."""

    parameters: Mapping[str, str]
    conditions: Mapping[str, Any]

    def exists(self, resource: Mapping[str, Any]) -> bool:
        condition = resource.get("Condition")
        return condition is None or self._holds(self.conditions[condition])

    def value(self, node: Any) -> Any:
        match node:
            case {"!Ref": str(name)}:
                return self.parameters[name]
            case {"!If": [str(condition), then, otherwise]}:
                return self.value(then if self._holds(self.conditions[condition]) else otherwise)
            case _:
                return node

    def _holds(self, test: Any) -> bool:
        match test:
            case {"!Equals": [first, second]}:
                return str(self.value(first)) == str(self.value(second))
            case {"!Not": [inner]}:
                return not self._holds(inner)
            case {"!And": tests}:
                return all(map(self._holds, tests))
            case {"!Or": tests}:
                return any(map(self._holds, tests))
            case {"!Condition": str(name)} | {"Condition": str(name)}:
                return self._holds(self.conditions[name])
            case _:
                raise DeploymentError(f"the template has a condition that cannot be read: {test!r}")
