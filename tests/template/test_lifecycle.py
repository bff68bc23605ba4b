"""Creation order of a stack's resources, and the resources that a deployment or deletion retains."""

import json
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from typing import Any, cast

import pytest

from cli.options import STAGE
from tests.template.resolver import Resolved, section
from tests.template.transform import Transformed, transform

LONGEST_BUCKET_NAME = 63
LONGEST_DESCRIPTION = 256
OF_NO_VERSION = {"AuthorizerConcurrency"}
"""Parameters of settings that belong to a function and not to its versions."""

LONGEST_REGION = "us-isof-south-1"


def references(template: Any) -> Iterator[str]:
    """The logical ids that a value refers to, by Ref, Fn::GetAtt and Fn::Sub."""
    match template:
        case {"Ref": str(name)}:
            yield name
        case {"Fn::GetAtt": [str(name), _]}:
            yield name
        case {"Fn::Sub": [str(text), variables]}:
            yield from {name for name in _substituted(text) if name not in variables}
            yield from references(variables)
        case {"Fn::Sub": str(text)}:
            yield from _substituted(text)
        case dict():
            yield from references(list(cast("dict[str, Any]", template).values()))
        case list():
            for each in cast("list[Any]", template):
                yield from references(each)
        case _:
            pass


def _substituted(text: str) -> list[str]:
    return [name.partition(".")[0] for name in re.findall(r"\$\{([^!}]+)\}", text)]


def _order(template: Transformed) -> list[str]:
    """The resources in an order that CloudFormation may make them in. Raises CycleError."""
    dependencies: dict[str, set[str]] = {}
    for name, resource in template.resources.items():
        depends_on = resource.get("DependsOn", [])
        dependencies[name] = {
            *([depends_on] if isinstance(depends_on, str) else depends_on),
            *references([resource.get("Properties"), resource.get("Metadata")]),
        } & template.resources.keys()
    return list(TopologicalSorter(dependencies).static_order())


def _needs(template: Transformed, name: str) -> set[str]:
    """Everything that is made before `name`."""
    resource = template.resources.get(name)
    if resource is None:
        return set()
    direct = {*references([resource.get("Properties"), resource.get("Metadata")])}
    depends_on = resource.get("DependsOn", [])
    direct |= {depends_on} if isinstance(depends_on, str) else set(depends_on)
    return direct.union(*(_needs(template, each) for each in direct - {name}))


def test_the_account_gets_its_logging_role_after_the_api_and_before_the_stage(template: Transformed) -> None:
    """In an account without any API the setting may be refused, and a stage with an access log is without the role."""
    order = _order(template)

    assert "Api" in _needs(template, "ApiGatewayAccount")
    assert "ApiGatewayAccount" in _needs(template, "ApiStage")
    assert order.index("Api") < order.index("ApiGatewayAccount") < order.index("ApiStage")


def test_functions_have_no_permission_to_create_log_groups(template: Transformed) -> None:
    """A line that arrives after the stack's deletion would bring its group back, and the next deploy would fail."""
    statement = {"Sid": "DenyLogGroupCreation", "Effect": "Deny", "Action": "logs:CreateLogGroup", "Resource": "*"}
    roles = [function["Properties"]["Role"] for function in template.of_type("AWS::Lambda::Function").values()]

    assert len(roles) >= 7
    for role in roles:
        assert statement in template.statements(role["Fn::GetAtt"][0])


def test_a_changed_layer_publishes_a_version_of_every_function(template: Transformed) -> None:
    """The alias would otherwise still invoke the versions with the earlier layer."""
    versions = template.of_type("AWS::Lambda::Version").keys()
    changed = transform(layer="changed-package").of_type("AWS::Lambda::Version").keys()

    assert len(versions) == len(changed) == len(template.of_type("AWS::Lambda::Function"))
    assert not versions & changed


def test_a_changed_parameter_publishes_a_version_of_the_functions_that_use_it(template: Transformed) -> None:
    """A version is replaced when its description changes. Lambda publishes none of a function that did not change, so
    a description must have exactly the parameters of its function, or of the layer, which changes every function."""
    parameters = section("Parameters").keys() - {"Stage", *OF_NO_VERSION}
    read = {
        name: parameters & _with_conditions(function["Properties"])
        for name, function in template.of_type("AWS::Lambda::Function").items()
    }
    described = {
        version["Properties"]["FunctionName"]["Ref"]: parameters
        & _with_conditions(version["Properties"]["Description"])
        for version in template.of_type("AWS::Lambda::Version").values()
    }

    (layer,) = template.of_type("AWS::Lambda::LayerVersion")
    of_layer = parameters & {*references(_layer_description())}
    assert of_layer == {"AllowedOrigins", "DetailedToolMetrics", "McpLayer"}
    assert described == {name: each - of_layer for name, each in read.items()}
    for version in template.of_type("AWS::Lambda::Version").values():
        assert layer in references(version["Properties"]["Description"])
    assert read["ChatFunction"] >= {"AllowedOrigins", "CatalogTtlSeconds", "LogLevel", "SnapStartEnabled"}


def _layer_description() -> Any:
    """The description of the layer as it is written: SAM resolves its parameters."""
    return section("Resources")["CommonLayer"]["Properties"]["Description"]


def _with_conditions(template: Any) -> set[str]:
    """The names that a value refers to, also by the conditions of its Fn::If."""
    names = set(references(template))
    conditions = set(re.findall(r'"Fn::If": \["(\w+)"', json.dumps(template)))
    return names.union(*(references(section("Conditions")[condition]) for condition in conditions))


LONGEST = {
    "Architecture": "x86_64",
    "AllowedHosts": "h" * section("Parameters")["AllowedHosts"]["MaxLength"],
    "AllowedOrigins": "o" * section("Parameters")["AllowedOrigins"]["MaxLength"],
    "CatalogTtlSeconds": "1" * len("31536000"),
    "DetailedToolMetrics": "false",
    "LogLevel": "WARNING",
    "McpLayer": f"arn:aws:lambda:eu-central-1:123456789012:layer:{'l' * 40}:99999",
    "SnapStartEnabled": "false",
    "StreamingSnapStartEnabled": "false",
    "TraceRetentionDays": "365",
    "ValidationRetentionDays": "3650",
    "IsolatedSecurityGroupIds": ",".join(["sg-" + "a" * 17] * 2),
    "IsolatedSubnetIds": ",".join(["subnet-" + "a" * 17] * 3),
    "VpcSecurityGroupIds": ",".join(["sg-" + "a" * 17] * 2),
    "VpcSubnetIds": ",".join(["subnet-" + "a" * 17] * 3),
}


@pytest.mark.parametrize("isolate", ["true", "false"])
def test_the_longest_values_are_within_the_limit_of_descriptions(template: Transformed, isolate: str) -> None:
    """Lambda takes 256 characters."""
    for name, value in LONGEST.items():
        assert re.fullmatch(section("Parameters")[name].get("AllowedPattern", ".*"), value) or name == "AllowedOrigins"
    stack = Resolved(template, {**LONGEST, "IsolateMcpServers": isolate}, layer_version=99_999)

    descriptions = [stack.properties(name)["Description"] for name in template.of_type("AWS::Lambda::Version")]
    for description in (*descriptions, stack.value(_layer_description())):
        assert len(description) <= LONGEST_DESCRIPTION
    assert stack.value(_layer_description()).endswith(f" {'l' * 40}:99999")
    assert Resolved(template).value(_layer_description()) == " false :"


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (f"{network}{ids}", ",".join([prefix + "a" * 17] * count))
        for network in ("Isolated", "Vpc")
        for ids, prefix, count in (("SubnetIds", "subnet-", 4), ("SecurityGroupIds", "sg-", 3))
    ],
)
def test_more_ids_of_a_network_than_the_descriptions_have_room_for_are_refused(parameter: str, value: str) -> None:
    assert not re.fullmatch(section("Parameters")[parameter]["AllowedPattern"], value)


def test_a_bucket_and_its_policy_are_retained_together(template: Transformed) -> None:
    policies = {
        name: (template.resources[name]["DeletionPolicy"], template.resources[name]["UpdateReplacePolicy"])
        for bucket in template.of_type("AWS::S3::Bucket")
        for name in (bucket, f"{bucket}Policy")
    }

    assert policies == dict.fromkeys(policies, ("RetainExceptOnCreate", "Retain"))


@pytest.mark.parametrize("type", ["AWS::S3::Bucket", "AWS::CloudWatch::Dashboard"])
def test_globally_unique_names_contain_the_region(template: Transformed, type: str) -> None:
    names = {"AWS::S3::Bucket": "BucketName", "AWS::CloudWatch::Dashboard": "DashboardName"}
    stack = Resolved(template, {"Stage": "prod"}, region="eu-north-1")

    (named,) = [each for each in map(stack.properties, template.of_type(type)) if names[type] in each]
    assert named[names[type]].endswith("-eu-north-1")


def test_roles_are_named_by_cloudformation(template: Transformed) -> None:
    """Roles belong to the account, so that a name of ours would be taken in a second region."""
    assert not [name for name in template.of_type("AWS::IAM::Role") if "RoleName" in template.properties(name)]


def test_the_longest_stage_name_of_template_and_commands_gives_a_valid_bucket_name() -> None:
    longest = "s" * 25

    for allowed in (re.compile(section("Parameters")["Stage"]["AllowedPattern"]), STAGE):
        assert allowed.match(longest)
        assert not allowed.match(longest + "s")
    assert len(f"flexchat-{longest}-123456789012-{LONGEST_REGION}") <= LONGEST_BUCKET_NAME
