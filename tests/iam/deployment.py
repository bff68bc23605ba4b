"""The transformed template as deployed: its policies with every reference resolved."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, cast

from tests.iam.calls import Account
from tests.iam.policies import Statement, parse_policy

NO_VALUE = object()
"""Value of `AWS::NoValue`: the property or item is absent."""

ARNS: Mapping[str, str] = {
    "AWS::DynamoDB::Table": "arn:{partition}:dynamodb:{region}:{account}:table/{id}",
    "AWS::IAM::Role": "arn:{partition}:iam::{account}:role/{id}",
    "AWS::Lambda::Function": "arn:{partition}:lambda:{region}:{account}:function:{id}",
    "AWS::Logs::LogGroup": "arn:{partition}:logs:{region}:{account}:log-group:{id}:*",
    "AWS::S3::Bucket": "arn:{partition}:s3:::{id}",
    "AWS::SNS::Topic": "{id}",
    "AWS::SQS::Queue": "arn:{partition}:sqs:{region}:{account}:{name}",
    "AWS::SecretsManager::Secret": "{id}",
}
"""The `Arn` attribute of each resource type; `name` is the last part of a URL."""

_REFERENCE = re.compile(r"\$\{([^!{}][^{}]*)\}")


class UnresolvedError(Exception):
    """The template refers to something that is not resolved here."""


@dataclass(frozen=True)
class Deployment:
    """A transformed template with the values that CloudFormation gave it.

    `template` has Resources, Conditions and Mappings; `parameters` is every parameter's value; `ids` is the physical id
    of each resource, by its logical id.
    """

    template: Mapping[str, Any]
    parameters: Mapping[str, str]
    ids: Mapping[str, str]
    account: Account

    @cached_property
    def resources(self) -> Mapping[str, Mapping[str, Any]]:
        """Resources whose condition holds."""
        found: dict[str, Mapping[str, Any]] = self.template["Resources"]
        return {
            name: resource
            for name, resource in found.items()
            if "Condition" not in resource or self.holds(resource["Condition"])
        }

    def of_type(self, type: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Each resource of a type as its logical id and its resolved properties."""
        for name, resource in self.resources.items():
            if resource["Type"] == type:
                yield name, self.resolve(resource.get("Properties", {}))

    def id(self, name: str) -> str:
        """The physical id of a resource; what is not deployed keeps its logical id, which no call names."""
        return self.ids.get(name, name)

    def arn(self, name: str) -> str:
        kind = self.resources[name]["Type"]
        if kind not in ARNS:
            raise UnresolvedError(f"no ARN of {name!r}, which is an {kind}")
        physical = self.id(name)
        return ARNS[kind].format(
            id=physical,
            name=physical.rpartition("/")[2],
            partition=self.account.partition,
            region=self.account.region,
            account=self.account.id,
        )

    def holds(self, condition: str) -> bool:
        """Return true when a named condition holds for these parameters."""
        return bool(self.resolve(self.template["Conditions"][condition]))

    def resolve(self, node: Any) -> Any:
        """Return `node` with its intrinsic functions replaced by their values."""
        if isinstance(node, list):
            values = [self.resolve(part) for part in cast("list[object]", node)]
            return [value for value in values if value is not NO_VALUE]
        if not isinstance(node, dict):
            return node
        properties = cast("dict[str, Any]", node)
        if len(properties) == 1:
            ((function, argument),) = properties.items()
            if function == "Ref" or function.startswith("Fn::"):
                return self._call(function, argument)
        resolved = {name: self.resolve(value) for name, value in properties.items()}
        return {name: value for name, value in resolved.items() if value is not NO_VALUE}

    def _call(self, function: str, argument: Any) -> Any:
        match function:
            case "Ref":
                return self._reference(argument)
            case "Fn::GetAtt":
                return self._attribute(*(argument.split(".", 1) if isinstance(argument, str) else argument))
            case "Fn::Sub":
                return self._substitute(argument)
            case "Fn::If":
                name, then, otherwise = argument
                return self.resolve(then if self.holds(name) else otherwise)
            case "Fn::Equals":
                first, second = self.resolve(argument)
                return str(first) == str(second)
            case "Fn::Not":
                return not self.resolve(argument)[0]
            case "Fn::And":
                return all(self.resolve(argument))
            case "Fn::Or":
                return any(self.resolve(argument))
            case "Condition":
                return self.holds(argument)
            case "Fn::FindInMap":
                name, first, second = self.resolve(argument)
                return self.template["Mappings"][name][first][second]
            case "Fn::Join":
                separator, parts = argument
                return separator.join(str(part) for part in self.resolve(parts))
            case "Fn::Select":
                place, values = argument
                return self.resolve(values)[int(place)]
            case "Fn::Split":
                separator, text = argument
                return self.resolve(text).split(separator)
            case _:
                raise UnresolvedError(f"{function} is not resolved")

    def _reference(self, name: str) -> Any:
        pseudo = {
            "AWS::AccountId": self.account.id,
            "AWS::NoValue": NO_VALUE,
            "AWS::Partition": self.account.partition,
            "AWS::Region": self.account.region,
            "AWS::URLSuffix": "amazonaws.com",
        }
        if name in pseudo:
            return pseudo[name]
        return self.parameters[name] if name in self.parameters else self.id(name)

    def _attribute(self, name: str, attribute: str) -> str:
        if attribute == "Arn":
            return self.arn(name)
        # Other attributes are parts of no policy; a text that names them stays as readable as it was.
        return f"{name}.{attribute}"

    def _substitute(self, argument: Any) -> str:
        text: str = argument if isinstance(argument, str) else argument[0]
        values: dict[str, Any] = {} if isinstance(argument, str) else self.resolve(argument[1])

        def replaced(found: re.Match[str]) -> str:
            name = found[1].strip()
            if name in values:
                return str(values[name])
            return str(self._attribute(*name.split(".", 1)) if "." in name else self._reference(name))

        return _REFERENCE.sub(replaced, text).replace("${!", "${")

    def role_of(self, function: str) -> str:
        """The logical id of a function's role, by the function's ARN or name."""
        name = function.split(":function:")[-1].split(":")[0]
        for logical, properties in self.of_type("AWS::Lambda::Function"):
            if self.id(logical) == name:
                return self.role_named(properties["Role"])
        raise UnresolvedError(f"no function {name!r} in the template")

    def has_function(self, name: str) -> bool:
        """Return true when a function of this name is deployed."""
        return any(self.id(logical) == name for logical, _ in self.of_type("AWS::Lambda::Function"))

    def role_named(self, arn: str) -> str:
        """The logical id of the role with this ARN."""
        return next(name for name, _ in self.of_type("AWS::IAM::Role") if self.arn(name) == arn)

    def statements(self, role: str) -> tuple[Statement, ...]:
        """The statements of a role's own policies."""
        properties: Mapping[str, Any] = self.resolve(self.resources[role]["Properties"])
        return tuple(
            statement
            for policy in properties.get("Policies", [])
            for statement in parse_policy(policy["PolicyDocument"], name=policy["PolicyName"])
        )

    def managed_statements(self, role: str) -> tuple[Statement, ...]:
        """The statements of the policies of AWS that a role has."""
        properties: Mapping[str, Any] = self.resolve(self.resources[role]["Properties"])
        names = [arn.rpartition("/")[2] for arn in properties.get("ManagedPolicyArns", [])]
        return tuple(
            statement for name in names for statement in parse_policy(_managed_policies()[name]["Document"], name=name)
        )


@cache
def _managed_policies() -> Mapping[str, Mapping[str, Any]]:
    # Loaded here: it is a text of 5 MB.
    from moto.iam.aws_managed_policies import aws_managed_policies_data

    return json.loads(aws_managed_policies_data)
