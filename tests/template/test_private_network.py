"""Functions in a VPC: subnets, security groups, isolation, permissions of interfaces, and required endpoints."""

import re
from itertools import product
from typing import Any

import pytest

from flexchat.aws.clients import AwsClients
from flexchat.tool_types import TOOL_TYPES
from tests.iam.policies import Access, evaluate, parse_policy
from tests.template.resolver import Resolved, section
from tests.template.tool_samples import SAMPLES
from tests.template.transform import ROOT, Transformed

NETWORK = {"VpcSubnetIds": "subnet-0a1b2c3d,subnet-1a1b2c3d", "VpcSecurityGroupIds": "sg-0a1b2c3d"}
ISOLATED = {
    "IsolatedSubnetIds": "subnet-2a1b2c3d,subnet-3a1b2c3d",
    "IsolatedSecurityGroupIds": "sg-1a1b2c3d,sg-2a1b2c3d",
}
NETWORK_CONFIG = {"SubnetIds": ["subnet-0a1b2c3d", "subnet-1a1b2c3d"], "SecurityGroupIds": ["sg-0a1b2c3d"]}
ISOLATED_CONFIG = {
    "SubnetIds": ["subnet-2a1b2c3d", "subnet-3a1b2c3d"],
    "SecurityGroupIds": ["sg-1a1b2c3d", "sg-2a1b2c3d"],
}
WITHOUT_EGRESS = {TOOL_TYPES[kind].function for kind, sample in SAMPLES.items() if not sample.statements}
"""Functions of tool types that send no request at all: without a permission they need no endpoint in the VPC."""

INTERFACES = ("ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface")

ENDPOINTS = {"events": "events", "lambdas": "lambda"}
"""Names of endpoints that differ from those of the clients."""


def test_all_functions_are_in_the_subnets_of_the_parameters(template: Transformed) -> None:
    default, private = Resolved(template), Resolved(template, NETWORK)

    for name in template.of_type("AWS::Lambda::Function"):
        assert "VpcConfig" not in default.properties(name)
        assert private.properties(name)["VpcConfig"] == NETWORK_CONFIG


@pytest.mark.parametrize(("others", "config"), [({}, None), (NETWORK, NETWORK_CONFIG)])
@pytest.mark.parametrize(("with_mcp", "more"), [("false", set[str]()), ("true", {"McpToolFunction"})])
def test_only_functions_that_need_no_egress_are_in_the_isolated_subnets(
    template: Transformed, others: dict[str, str], config: dict[str, Any] | None, with_mcp: str, more: set[str]
) -> None:
    stack = Resolved(template, {**others, **ISOLATED, "IsolateMcpServers": with_mcp})
    functions = template.of_type("AWS::Lambda::Function")

    assert {name: stack.properties(name).get("VpcConfig") for name in functions} == {
        name: ISOLATED_CONFIG if name in WITHOUT_EGRESS | more else config for name in functions
    }


def test_functions_in_isolated_subnets_may_make_no_request_to_aws(template: Transformed) -> None:
    assert {"BuiltinToolFunction", "MockToolFunction"} <= WITHOUT_EGRESS
    for name in WITHOUT_EGRESS:
        assert not [each for each in template.statements(f"{name}Role") if each.get("Effect") != "Deny"]


@pytest.mark.parametrize(
    ("changed", "published"),
    [
        ({"IsolatedSubnetIds": "subnet-2a1b2c3d"}, WITHOUT_EGRESS),
        ({"IsolatedSecurityGroupIds": "sg-1a1b2c3d"}, WITHOUT_EGRESS),
        ({"IsolatedSubnetIds": "", "IsolatedSecurityGroupIds": ""}, WITHOUT_EGRESS),
        ({"IsolateMcpServers": "true"}, {"McpToolFunction"}),
    ],
)
def test_a_changed_isolation_publishes_the_functions_whose_network_changes(
    template: Transformed, changed: dict[str, str], published: set[str]
) -> None:
    stacks = [Resolved(template, {**NETWORK, **ISOLATED, **parameters}) for parameters in ({}, changed)]

    assert {
        version["Properties"]["FunctionName"]["Ref"]
        for name, version in template.of_type("AWS::Lambda::Version").items()
        if len({stack.properties(name)["Description"] for stack in stacks}) == 2
    } == published


def test_a_changed_network_publishes_a_version_of_every_function(template: Transformed) -> None:
    stacks = [Resolved(template, {**NETWORK, **changed}) for changed in ({}, {"VpcSubnetIds": "subnet-0a1b2c3d"})]

    for version in template.of_type("AWS::Lambda::Version"):
        first, second = (stack.properties(version)["Description"] for stack in stacks)
        assert first != second


@pytest.mark.parametrize(("subnets", "groups"), list(product(("", "subnet-0a1b2c3d"), ("", "sg-0a1b2c3d"))))
def test_a_deploy_is_refused_with_subnets_or_security_groups_alone(
    template: Transformed, subnets: str, groups: str
) -> None:
    stack = Resolved(template, {"VpcSubnetIds": subnets, "VpcSecurityGroupIds": groups})
    assertion, *_ = section("Rules")["SubnetsAndSecurityGroups"]["Assertions"]

    assert stack.is_true(assertion["Assert"]) == (bool(subnets) == bool(groups))


@pytest.mark.parametrize(
    ("parameters", "failed"),
    [
        ({}, []),
        (ISOLATED, []),
        ({**ISOLATED, "IsolateMcpServers": "true"}, []),
        (
            {"IsolatedSubnetIds": "subnet-0a1b2c3d"},
            ["IsolatedSubnetIds and IsolatedSecurityGroupIds are set together"],
        ),
        (
            {"IsolatedSecurityGroupIds": "sg-0a1b2c3d"},
            ["IsolatedSubnetIds and IsolatedSecurityGroupIds are set together"],
        ),
        ({"IsolateMcpServers": "true"}, ["IsolateMcpServers requires IsolatedSubnetIds and IsolatedSecurityGroupIds"]),
        (
            {**NETWORK, "IsolateMcpServers": "true"},
            ["IsolateMcpServers requires IsolatedSubnetIds and IsolatedSecurityGroupIds"],
        ),
    ],
)
def test_a_deploy_is_refused_with_half_an_isolation(
    template: Transformed, parameters: dict[str, str], failed: list[str]
) -> None:
    stack = Resolved(template, parameters)
    rule = section("Rules")["SubnetsAndSecurityGroups"]["Assertions"]

    assert [each["AssertDescription"] for each in rule if not stack.is_true(each["Assert"])] == failed


def test_code_of_a_function_may_not_change_network_interfaces(template: Transformed) -> None:
    """Lambda makes them with the role of the function: its requests have no lambda:SourceFunctionArn."""
    stack = Resolved(template, {"Stage": "dev"})
    code = {"lambda:SourceFunctionArn": "arn:aws:lambda:eu-central-1:123456789012:function:flexchat-dev-chat"}
    managed = {"Statement": [{"Effect": "Allow", "Action": list(INTERFACES), "Resource": "*"}]}

    for name, role in template.of_type("AWS::IAM::Role").items():
        if not any("VPCAccess" in str(arn) for arn in role["Properties"].get("ManagedPolicyArns", ())):
            continue
        own = [each["PolicyDocument"] for each in stack.properties(name)["Policies"]]
        statements = [each for policy in (managed, *own) for each in parse_policy(policy, name=name)]
        for action in INTERFACES:
            assert evaluate(Access(name, action, "*"), statements).allowed
            assert not evaluate(Access(name, action, "*", code), statements).allowed


def test_the_page_names_the_endpoint_of_every_client(template: Transformed) -> None:
    text = (ROOT / "docs" / "private-networks.md").read_text(encoding="utf-8")
    listed = {
        name
        for row in re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
        for name in re.findall(r"`([a-z0-9.-]+)`", row)
    }
    clients = [name for name in vars(AwsClients) if not name.startswith("_")]

    assert {ENDPOINTS.get(name, name) for name in clients} <= listed
    assert {"bedrock", "bedrock-runtime", "bedrock-agent-runtime", "s3vectors"} <= listed
