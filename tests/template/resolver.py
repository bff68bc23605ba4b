"""The transformed template with its parameters, conditions and names resolved, as CloudFormation does for one stack."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

from tests.template.transform import Transformed, authored

PSEUDO_PARAMETERS = {
    "AWS::AccountId": "123456789012",
    "AWS::Partition": "aws",
    "AWS::StackName": "flexchat-test",
    "AWS::URLSuffix": "amazonaws.com",
}
NAMES = ("FunctionName", "QueueName", "TableName", "BucketName", "LogGroupName", "AlarmName", "DashboardName")
NO_VALUE = object()


@cache
def section(name: str) -> dict[str, Any]:
    """A section of the template as it is written. Reading the template takes a second."""
    return authored()[name]


@dataclass(frozen=True, slots=True)
class Resolved:
    """One stack of the template. `parameters` replace the defaults."""

    template: Transformed
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])
    region: str = "eu-central-1"
    layer_version: int = 1

    def properties(self, name: str) -> dict[str, Any]:
        """The properties of a resource with every intrinsic function resolved."""
        return self.value(self.template.properties(name))

    def exists(self, name: str) -> bool:
        """Return true when the resource has no condition or its condition holds."""
        condition = self.template.resources[name].get("Condition")
        return condition is None or self.holds(condition)

    def holds(self, condition: str) -> bool:
        return self.is_true(section("Conditions")[condition])

    def is_true(self, test: Any) -> bool:
        """Return the result of a condition, or of an assertion of a rule."""
        match test:
            case {"Fn::And": tests}:
                return all(map(self.is_true, tests))
            case {"Fn::Or": tests}:
                return any(map(self.is_true, tests))
            case {"Fn::Equals": [left, right]}:
                return str(self.value(left)) == str(self.value(right))
            case {"Fn::Not": [inner]}:
                return not self.is_true(inner)
            case {"Condition": str(name)}:
                return self.holds(name)
            case _:
                raise AssertionError(f"a condition that is not resolved: {test!r}")

    def value(self, template: Any) -> Any:
        """`template` without intrinsic functions; an entry of `AWS::NoValue` is left out."""
        match template:
            case {"Ref": "AWS::NoValue"}:
                return NO_VALUE
            case {"Ref": str(name)}:
                return self._reference(name)
            case {"Fn::GetAtt": [str(name), str(attribute)]}:
                return self._attribute(name, attribute)
            case {"Fn::If": [str(condition), then, otherwise]}:
                return self.value(then if self.holds(condition) else otherwise)
            case {"Fn::FindInMap": [str(name), first, second]}:
                return section("Mappings")[name][self.value(first)][self.value(second)]
            case {"Fn::Sub": str(text)}:
                return self._substituted(text, {})
            case {"Fn::Sub": [str(text), variables]}:
                return self._substituted(text, variables)
            case {"Fn::Join": [str(delimiter), values]}:
                return delimiter.join(self.value(values))
            case {"Fn::Split": [str(delimiter), text]}:
                return str(self.value(text)).split(delimiter)
            case {"Fn::Select": [int(place), values]}:
                return self.value(values)[place]
            case dict():
                entries = cast("dict[str, Any]", template)
                return {key: each for key, raw in entries.items() if (each := self.value(raw)) is not NO_VALUE}
            case list():
                values = cast("list[Any]", template)
                return [each for raw in values if (each := self.value(raw)) is not NO_VALUE]
            case _:
                return template

    def _substituted(self, text: str, variables: Mapping[str, Any]) -> str:
        def replace(match: re.Match[str]) -> str:
            name = match[1]
            if name in variables:
                return str(self.value(variables[name]))
            resource, _, attribute = name.partition(".")
            return str(self._attribute(resource, attribute) if attribute else self._reference(name))

        return re.sub(r"\$\{([^!}]+)\}", replace, text)

    def _reference(self, name: str) -> str:
        if name == "AWS::Region":
            return self.region
        if name in PSEUDO_PARAMETERS:
            return PSEUDO_PARAMETERS[name]
        parameters = section("Parameters")
        if name in parameters:
            return str(self.parameters.get(name, parameters[name]["Default"]))
        resource = self.template.resources[name]
        for key in NAMES:
            if key in resource["Properties"] and resource["Type"] != "AWS::Lambda::Alias":
                return str(self.value(resource["Properties"][key]))
        if resource["Type"] == "AWS::Lambda::LayerVersion":
            return (
                f"arn:aws:lambda:{self.region}:{PSEUDO_PARAMETERS['AWS::AccountId']}:layer:{name}:{self.layer_version}"
            )
        if resource["Type"] == "AWS::ApiGateway::Stage":
            return str(self.value(resource["Properties"]["StageName"]))
        return name

    def _attribute(self, name: str, attribute: str) -> str:
        if attribute in NAMES:
            return self._reference(name)
        assert attribute == "Arn", f"an attribute that is not resolved: {name}.{attribute}"
        _, service, kind = self.template.resources[name]["Type"].split("::")
        account = PSEUDO_PARAMETERS["AWS::AccountId"]
        return f"arn:aws:{service.lower()}:{self.region}:{account}:{kind.lower()}:{self._reference(name)}"
