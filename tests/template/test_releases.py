"""Gradual deployments of the transformed template: traffic shifts, their alarms and smoke test, retained versions."""

import re
from typing import Any

import pytest

from flexchat.tool_types import TOOL_TYPES
from tests.template.resolver import Resolved
from tests.template.test_lifecycle import references
from tests.template.transform import TEMPLATE, Transformed, authored, transform

SHIFTED = {"DeploymentPreference": "Canary10Percent5Minutes"}
CANARY = "CodeDeployDefault.LambdaCanary10Percent5Minutes"
HOOK = "BeforeAllowTrafficHook"


def aliases(template: Transformed) -> dict[str, dict[str, Any]]:
    """Return the aliases by their function."""
    found = template.of_type("AWS::Lambda::Alias").values()
    return {alias["Properties"]["FunctionName"]["Ref"]: alias for alias in found}


def shifts(template: Transformed) -> dict[str, dict[str, Any]]:
    """Return the CodeDeploy updates of aliases by their function."""
    return {
        name: alias["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]
        for name, alias in aliases(template).items()
        if "UpdatePolicy" in alias
    }


def test_the_traffic_of_all_functions_shifts_gradually(template: Transformed) -> None:
    stack = Resolved(template, SHIFTED)
    groups = template.of_type("AWS::CodeDeploy::DeploymentGroup")

    assert stack.holds("DeploysGradually")
    assert shifts(template).keys() == template.of_type("AWS::Lambda::Function").keys()
    for name in groups:
        group = stack.properties(name)
        assert group["DeploymentConfigName"] == CANARY
        assert group["AutoRollbackConfiguration"]["Events"] == [
            "DEPLOYMENT_FAILURE",
            "DEPLOYMENT_STOP_ON_ALARM",
            "DEPLOYMENT_STOP_ON_REQUEST",
        ]


def test_errors_of_the_function_or_the_api_stop_its_traffic_shift(template: Transformed) -> None:
    """A deployment group takes at most ten alarms: https://docs.aws.amazon.com/codedeploy/latest/userguide/limits.html"""
    for name, shift in shifts(template).items():
        alarms = template.properties(shift["DeploymentGroupName"]["Ref"])["AlarmConfiguration"]
        api, own = (alarm["Name"]["Ref"] for alarm in alarms["Alarms"])
        watched = template.properties(own)

        assert alarms["Enabled"]
        assert api == "ApiErrorsAlarm"
        assert (watched["MetricName"], watched["Dimensions"][0]["Value"]) == ("Errors", {"Ref": name})


def test_the_chat_function_is_tested_before_its_traffic_moves(template: Transformed) -> None:
    hooked = {name: shift[HOOK] for name, shift in shifts(template).items() if HOOK in shift}

    assert hooked == {"ChatFunction": {"Ref": "ChatFunction"}}
    statements = template.statements("TrafficShiftRole")
    assert [(each["Action"], each["Resource"]["Fn::Sub"].rpartition(":")[2]) for each in statements] == [
        ("lambda:InvokeFunction", "flexchat-${Stage}-chat")
    ]
    conditional = [each["Fn::If"] for each in template.statements("ChatFunctionRole") if "Fn::If" in each]
    assert [each["Action"] for condition, each, _ in conditional if condition == "DeploysGradually"] == [
        "codedeploy:PutLifecycleEventHookExecutionStatus"
    ]


def test_tool_functions_are_deployed_before_the_functions_that_invoke_them(template: Transformed) -> None:
    """A new version of a tool function accepts the events of the previous chat function, but not the reverse."""
    chat, stream = template.resources["ChatFunction"], template.resources["ChatStreamFunction"]
    tools = {TOOL_TYPES[kind].function for kind in ("builtin", "http", "mcp", "mock")}

    assert set(chat["DependsOn"]) >= {f"{name}Aliaslive" for name in tools}
    assert {"RetrievalFunctionAliaslive", "TracesFunctionAliaslive"} <= set(references(chat["Properties"]))
    assert "ChatFunctionAliaslive" in set(references(stream["Properties"]))


@pytest.mark.parametrize("preference", authored()["Parameters"]["DeploymentPreference"]["AllowedValues"])
def test_the_parameter_selects_the_traffic_shift(preference: str) -> None:
    parameters, gradual = {"DeploymentPreference": preference}, preference != "None"
    template = transform(parameters=parameters)
    stack = Resolved(template, parameters)
    groups = template.of_type("AWS::CodeDeploy::DeploymentGroup")

    assert stack.holds("DeploysGradually") is stack.exists("TrafficShiftRole") is gradual
    assert bool(groups) is bool(shifts(template)) is gradual
    assert {stack.properties(name)["DeploymentConfigName"] for name in groups} == (
        {f"CodeDeployDefault.Lambda{preference}"} if gradual else set()
    )


def test_without_parameters_no_resource_of_codedeploy_is_deployed() -> None:
    """Emulators have none, and some transform the template without the values of parameters."""
    template = transform()

    assert not [name for name, each in template.resources.items() if each["Type"].startswith("AWS::CodeDeploy")]
    assert shifts(template) == {}


@pytest.mark.parametrize(("parameters", "protected"), [({}, True), ({"ProtectData": "false"}, False)])
@pytest.mark.parametrize("stage", ["prod", "dev"])
def test_tables_are_protected_unless_a_parameter_allows_their_deletion(
    template: Transformed, parameters: dict[str, str], stage: str, *, protected: bool
) -> None:
    stack = Resolved(template, {"Stage": stage, **parameters})
    tables = [stack.properties(name) for name in template.of_type("AWS::DynamoDB::Table")]

    assert {table["DeletionProtectionEnabled"] for table in tables} == {protected}


def test_the_traffic_shift_publishes_no_version_by_itself(template: Transformed) -> None:
    """Lambda refuses to publish a version of an unchanged function."""
    at_once = transform()

    assert at_once.of_type("AWS::Lambda::Version").keys() == template.of_type("AWS::Lambda::Version").keys()


def test_replaced_versions_are_retained_for_a_rollback(template: Transformed) -> None:
    """A changed layer or code removes a version from the template; a changed description replaces it."""
    policies = {
        version["Properties"]["FunctionName"]["Ref"]: (version["DeletionPolicy"], version["UpdateReplacePolicy"])
        for version in template.of_type("AWS::Lambda::Version").values()
    }

    assert policies == dict.fromkeys(template.of_type("AWS::Lambda::Function"), ("Retain", "Retain"))


def test_no_condition_depends_on_the_name_of_a_stage() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")

    assert not re.search(r"!Equals \[!Ref Stage", text)
    assert not re.search(r"\bprod\b", text)
