"""Functions of the template: aliases, snapshots, environments, logs and tool types."""

import json
import re
from importlib import import_module
from typing import Any

import pytest

from flexchat.audit import LINE_KEY
from flexchat.tool_types import TOOL_TYPES
from functions.chat.runs.service import ALIAS
from tests.template.resolver import Resolved
from tests.template.tool_samples import SAMPLES
from tests.template.transform import ROOT, Transformed, authored

pytestmark = pytest.mark.slow

WRAPPER = "AWS_LAMBDA_EXEC_WRAPPER"


def test_every_function_is_started_from_a_snapshot(template: Transformed) -> None:
    """Lambda refuses SnapStart for a function with more than 512 MB in /tmp, EFS or provisioned concurrency.

    The streaming function, whose runtime is not Lambda's, has a condition of its own.
    """
    conditions = {"ChatStreamFunction": "StreamsFromSnapshots"}
    refused = {"EphemeralStorage", "FileSystemConfigs", "ProvisionedConcurrencyConfig"}

    for name, function in template.of_type("AWS::Lambda::Function").items():
        assert function["Properties"]["SnapStart"] == {
            "ApplyOn": {"Fn::If": [conditions.get(name, "StartsFromSnapshots"), "PublishedVersions", "None"]}
        }, name
        assert not refused & function["Properties"].keys(), name
        assert template.properties(f"{name}Aliaslive")["Name"] == ALIAS


def test_a_changed_function_setting_publishes_a_version() -> None:
    flags = {name: r["Properties"].get("AutoPublishAliasAllProperties") for name, r in _functions().items()}

    assert flags == dict.fromkeys(flags, True)


def test_no_function_is_invoked_without_its_alias(template: Transformed) -> None:
    """An unqualified reference starts $LATEST, which has no snapshot."""
    functions = template.of_type("AWS::Lambda::Function").keys()
    attached = {"AWS::Lambda::Alias", "AWS::Lambda::EventInvokeConfig", "AWS::Lambda::Version"}
    observing = {"AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard"}  # they invoke nothing
    found = {
        (name, function)
        for name, resource in template.resources.items()
        if resource["Type"] not in attached | observing
        for function in functions
        if re.search(rf'"Ref": "{function}"|"{function}", "Arn"|\$\{{{function}[.}}]', json.dumps(resource))
    }

    assert found == set()


def test_every_function_has_its_log_group_with_retention(template: Transformed) -> None:
    groups = template.of_type("AWS::Logs::LogGroup")
    used = {
        name: function["Properties"]["LoggingConfig"]["LogGroup"]["Ref"]
        for name, function in template.of_type("AWS::Lambda::Function").items()
    }

    assert sorted([*used.values(), "ApiAccessLogGroup"]) == sorted(groups)
    assert all(group["Properties"]["RetentionInDays"] == {"Ref": "LogRetentionDays"} for group in groups.values())


OTHER_LAYERS = {
    "flexchat-${Stage}-tool-mcp": [{"Fn::If": ["HasMcpLayer", {"Ref": "McpLayer"}, {"Ref": "AWS::NoValue"}]}]
}
"""Layers beside the common one, by the name of the function."""


def test_every_function_is_traced_on_the_same_runtime_and_processor(template: Transformed) -> None:
    functions = template.of_type("AWS::Lambda::Function")
    layers = [{"Ref": layer} for layer in template.of_type("AWS::Lambda::LayerVersion")]

    assert len(layers) == 1
    assert authored()["Resources"]["CommonLayer"]["Metadata"] == {
        "BuildMethod": "python3.13",
        "BuildArchitecture": {"Ref": "Architecture"},
    }
    for function in functions.values():
        shared = {key: function["Properties"][key] for key in ("Runtime", "Architectures", "TracingConfig", "Layers")}
        assert shared == {
            "Runtime": "python3.13",
            "Architectures": [{"Ref": "Architecture"}],
            "TracingConfig": {"Mode": "Active"},
            "Layers": [*layers, *OTHER_LAYERS.get(function["Properties"]["FunctionName"]["Fn::Sub"], [])],
        }


def test_environment_variables_contain_names_and_no_secrets(template: Transformed) -> None:
    shared: dict[str, Any] = {
        "AWS_ENDPOINT_URL": {"Ref": "AWS::NoValue"},
        "RES_OPTIONS": "timeout:1 attempts:3",
        "FLEXCHAT_STAGE": {"Ref": "Stage"},
        "POWERTOOLS_METRICS_NAMESPACE": {"Fn::Sub": "Flexchat/${Stage}"},
        "POWERTOOLS_LOG_LEVEL": {"Ref": "LogLevel"},
        "FLEXCHAT_DETAILED_TOOL_METRICS": {"Ref": "DetailedToolMetrics"},
        "PYDANTIC_DISABLE_PLUGINS": "__all__",
        "PYTHONTZPATH": "/usr/share/zoneinfo",
    }
    own: dict[str, dict[str, Any]] = {}
    for name, function in template.of_type("AWS::Lambda::Function").items():
        variables = function["Properties"]["Environment"]["Variables"]
        service = function["Properties"]["FunctionName"]["Fn::Sub"].removeprefix("flexchat-${Stage}-")
        assert variables.items() >= {**shared, "POWERTOOLS_SERVICE_NAME": service}.items(), name
        own[name] = {key: variables[key] for key in variables.keys() - shared.keys() - {"POWERTOOLS_SERVICE_NAME"}}
    literals = [(name, key) for name, each in own.items() for key, value in each.items() if isinstance(value, str)]

    assert {TOOL_TYPES[kind].function: own[TOOL_TYPES[kind].function] for kind in SAMPLES} == {
        TOOL_TYPES[kind].function: sample.environment for kind, sample in SAMPLES.items()
    }
    assert literals == [("ChatStreamFunction", WRAPPER)]
    assert not [key for each in own.values() for key in each if not key.startswith("FLEXCHAT_") and key != WRAPPER]
    assert not [name for name, parameter in authored()["Parameters"].items() if parameter.get("NoEcho")]


def test_the_function_timeout_of_a_tool_type_is_one_second_above_the_longest_tool_timeout(
    template: Transformed,
) -> None:
    timeouts = {kind: template.properties(row.function)["Timeout"] for kind, row in TOOL_TYPES.items()}

    assert timeouts == {kind: row.timeout_limit_ms / 1000 + 1 for kind, row in TOOL_TYPES.items()}


def test_the_function_of_a_tool_type_has_the_name_that_the_chat_function_may_invoke(template: Transformed) -> None:
    stack = Resolved(template, {"Stage": "prod"})
    aliases = {kind: template.properties(f"{row.function}Aliaslive")["Name"] for kind, row in TOOL_TYPES.items()}
    names = {
        kind: f"{stack.properties(row.function)['FunctionName']}:{aliases[kind]}" for kind, row in TOOL_TYPES.items()
    }
    [statement] = [each for each in template.statements("ChatFunctionRole") if each.get("Sid") == "InvokeTools"]
    tools, retrieval = statement["Resource"]
    prefix = stack.value(tools).rpartition(":function:")[2].removesuffix(f"*:{ALIAS}")

    assert names == {kind: row.function_name("prod") for kind, row in TOOL_TYPES.items()}
    assert retrieval == {"Ref": "RetrievalFunctionAliaslive"}
    assert [kind for kind, name in names.items() if not name.startswith(prefix)] == ["internal"]


def test_a_tool_function_reads_secrets_only_if_its_tool_type_needs_them(template: Transformed) -> None:
    reading = {
        kind: any(statement.get("Sid") == "ReadSecrets" for statement in template.statements(f"{row.function}Role"))
        for kind, row in TOOL_TYPES.items()
    }

    assert reading == {kind: row.reads_secrets for kind, row in TOOL_TYPES.items()}
    assert reading == {kind: bool(row.implementation().secret_fields) for kind, row in TOOL_TYPES.items()}


def test_handler_and_code_of_a_tool_function_equal_its_tool_type() -> None:
    for row in TOOL_TYPES.values():
        properties = authored()["Resources"][row.function]["Properties"]
        assert (properties["CodeUri"], properties["Handler"]) == (
            f"{row.folder}/",
            f"{row.package}.app.lambda_handler",
        )


def test_no_other_resource_is_deployed(template: Transformed) -> None:
    """A new resource type (a bucket, a function URL) needs an assertion of its own."""
    assert {resource["Type"] for resource in template.resources.values()} == {
        "AWS::ApiGateway::Account",
        "AWS::ApiGateway::BasePathMapping",
        "AWS::ApiGateway::Deployment",
        "AWS::ApiGateway::DomainName",
        "AWS::ApiGateway::RestApi",
        "AWS::ApiGateway::Stage",
        "AWS::CloudWatch::Alarm",
        "AWS::CloudWatch::Dashboard",
        "AWS::CodeDeploy::Application",
        "AWS::CodeDeploy::DeploymentGroup",
        "AWS::DynamoDB::Table",
        "AWS::IAM::Role",
        "AWS::Lambda::Alias",
        "AWS::Lambda::EventInvokeConfig",
        "AWS::Lambda::EventSourceMapping",
        "AWS::Lambda::Function",
        "AWS::Lambda::LayerVersion",
        "AWS::Lambda::Permission",
        "AWS::Lambda::Version",
        "AWS::Logs::LogGroup",
        "AWS::Logs::SubscriptionFilter",
        "AWS::S3::Bucket",
        "AWS::S3::BucketPolicy",
        "AWS::SQS::Queue",
        "AWS::SSM::Parameter",
        "AWS::Scheduler::Schedule",
        "AWS::SecretsManager::Secret",
        "AWS::WAFv2::WebACLAssociation",
    }


def _functions() -> dict[str, dict[str, Any]]:
    resources = authored()["Resources"]
    return {name: r for name, r in resources.items() if r["Type"] == "AWS::Serverless::Function"}


@pytest.mark.parametrize("name", _functions())
def test_every_handler_is_in_its_build_folder(name: str) -> None:
    function = _functions()[name]
    module, _, handler = function["Properties"]["Handler"].rpartition(".")
    imported = import_module(module)

    assert callable(getattr(imported, handler))
    folder = ROOT / function["Properties"]["CodeUri"]
    # The configuration function contains the packages of all functions.
    assert imported.__file__ == str(folder / ("configuration/app.py" if name == "ConfigurationFunction" else "app.py"))
    assert function["Metadata"]["BuildProperties"] == {"ParentPackageMode": "auto"}
    assert (ROOT / function["Properties"]["CodeUri"] / "requirements.txt").is_file()


def test_every_finding_of_checkov_that_is_not_corrected_has_a_reason() -> None:
    skipped = {
        name: resource["Metadata"]["checkov"]["skip"]
        for name, resource in authored()["Resources"].items()
        if "checkov" in resource.get("Metadata", {})
    }

    assert _functions().keys() <= skipped.keys()
    for entries in skipped.values():
        assert all(each.keys() == {"id", "comment"} and " " in each["comment"] for each in entries)


def test_only_approvals_are_delivered_from_a_log(template: Transformed) -> None:
    (subscription,) = template.of_type("AWS::Logs::SubscriptionFilter").values()

    assert subscription["Properties"] == {
        "LogGroupName": {"Ref": "McpToolLogGroup"},
        "FilterName": {"Fn::Sub": "flexchat-${Stage}-approvals"},
        "FilterPattern": f'"{LINE_KEY}"',
        "DestinationArn": {"Ref": "TracesFunctionAliaslive"},
    }
