"""`template.yaml` after the SAM transform, in the process of the tests."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import boto3
from samtranslator import yaml_helper
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "template.yaml"

Resource = dict[str, Any]


def authored(path: Path = TEMPLATE) -> dict[str, Any]:
    """Read the source template with its intrinsic functions in their long form."""
    untyped = cast("Any", yaml_helper)
    return untyped.yaml_parse(path.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Transformed:
    """The transformed template for `parameters`; conditions stay unresolved, as on AWS."""

    resources: Mapping[str, Resource]

    def of_type(self, type: str) -> dict[str, Resource]:
        return {name: resource for name, resource in self.resources.items() if resource["Type"] == type}

    def properties(self, name: str) -> dict[str, Any]:
        return self.resources[name]["Properties"]

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Return every method of the API as `(path, method, operation)`, conditional ones included."""
        for path, methods in self.properties("Api")["Body"]["paths"].items():
            for method, operation in methods.items():
                yield path, method, operation["Fn::If"][1] if "Fn::If" in operation else operation

    def statements(self, role: str) -> list[dict[str, Any]]:
        """Return the statements of a role's own policies."""
        policies = self.properties(role).get("Policies", [])
        return [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]


def transform(
    path: Path = TEMPLATE, *, layer: str = "package", parameters: Mapping[str, str] | None = None
) -> Transformed:
    """Transform the template as if its code were packaged; `layer` is the package of the layer.

    `parameters` are those that SAM resolves, such as the type of a traffic shift.
    """
    template = authored(path)
    for resource in template["Resources"].values():
        for uri, package in {"CodeUri": "package", "ContentUri": layer}.items():
            if uri in resource["Properties"]:
                resource["Properties"][uri] = f"s3://artifacts/{package}"
    session = boto3.Session(region_name="us-east-1")
    translated = Translator({}, Parser(), boto_session=session).translate(template, dict(parameters or {}))
    return Transformed(json.loads(json.dumps(translated))["Resources"])
