"""Permissions of the roles of the template."""

import json
import re
from fnmatch import fnmatchcase
from typing import Any

import pytest

from flexchat.config.packed import PACKED_KEY
from flexchat.limits.counting import Account
from flexchat.tool_types import REQUEST_FUNCTIONS, TOOL_TYPES
from functions.chat.runs.service import ALIAS
from tests.template.tool_samples import SAMPLES
from tests.template.transform import Transformed, authored

PARAMETERS = "arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter/flexchat/${Stage}"
MANAGED_POLICIES = [
    "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
    "arn:aws:iam::aws:policy/AWSXrayWriteOnlyAccess",
    "arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole",
]
"""Permissions of every function besides its own statements: its log, traces and network interfaces, which support no
resource but `*`. SAM adds the last one also without a VPC."""


STORES: dict[str, set[str]] = {
    "ChatsTable": {"ChatFunctionRole", "RetrievalFunctionRole"},
    "IdempotencyTable": {"ChatFunctionRole"},
    "SigningSecret": {"ChatFunctionRole"},
    "RunsFailedQueue": {"ChatFunctionRole"},
    "ValidationTable": {"ChatFunctionRole", "ValidationFunctionRole"},
    "ValidationQueue": {"ValidationFunctionRole"},
    "ValidationDeadLetters": {"ValidationFunctionRole", "ValidationScheduleRole"},
    "CollectionsBucket": {
        "ChatFunctionRole",
        "ConfigurationFunctionRole",
        "McpToolFunctionRole",
        "RetrievalFunctionRole",
        "ValidationFunctionRole",
    },
    "AuditTable": {"AuthorizerFunctionRole", "ConfigurationFunctionRole", "TracesFunctionRole"},
    "TracesBucket": {"TracesFunctionRole"},
    "TracesTable": {"TracesFunctionRole"},
    "TracesFailedQueue": {"TracesFunctionRole"},
    "TokensTable": {"AuthorizerFunctionRole", "ConfigurationFunctionRole"},
    "ToolStateTable": {"ChatFunctionRole", "HttpToolFunctionRole", "McpToolFunctionRole"},
}
"""Roles with access to each store."""

WITHOUT_RESOURCES = ("ListBedrockModels", "ExportSpans", "ReportSmokeTest")
"""Statements whose actions support no resources."""

SCHEDULE_ROLES = ("McpRefreshScheduleRole", "ValidationScheduleRole")
"""Roles without managed policies: they write no log."""

STORE_TYPES = ("AWS::DynamoDB::Table", "AWS::SQS::Queue", "AWS::S3::Bucket", "AWS::SecretsManager::Secret")


def _roles(template: Transformed) -> dict[str, list[dict[str, Any]]]:
    """Return the statements of each role of a function, conditional ones included, without those that deny and that of
    the key of KMS."""
    roles = [name for name in template.of_type("AWS::IAM::Role") if name.endswith("FunctionRole")]
    found = {role: [s["Fn::If"][1] if "Fn::If" in s else s for s in template.statements(role)] for role in roles}
    return {
        role: [s for s in statements if s["Effect"] == "Allow" and s.get("Sid") != "UseKey"]
        for role, statements in found.items()
    }


def test_only_the_listed_roles_have_access_to_a_store(template: Transformed) -> None:
    stores = [name for kind in STORE_TYPES for name in template.of_type(kind)]
    roles = template.of_type("AWS::IAM::Role")

    assert {
        store: {role for role in roles if re.search(rf"\b{store}\b", json.dumps(template.statements(role)))}
        for store in stores
    } == STORES


def test_statements_of_functions_list_their_actions_and_resources(template: Transformed) -> None:
    for role, statements in _roles(template).items():
        for statement in statements:
            action: Any = statement["Action"]
            actions: list[str] = [action] if isinstance(action, str) else action
            assert "Sid" in statement or actions == ["sqs:SendMessage"], (role, statement)
            assert not [action for action in actions if "*" in action], (role, statement)
            assert statement["Resource"] != "*" or statement["Sid"] in WITHOUT_RESOURCES, (role, statement)
            assert "NotResource" not in statement, (role, statement)


def test_statements_of_functions_name_resources_of_their_stage_only(template: Transformed) -> None:
    named = {
        text
        for statements in _roles(template).values()
        for text in re.findall(r'"(arn:[^"]*flexchat[^"]*)"', json.dumps(statements))
    }

    assert named
    assert not [text for text in named if "flexchat-${Stage}-" not in text and "flexchat/${Stage}/" not in text]


def test_only_the_listed_functions_read_the_configuration_and_the_secrets(template: Transformed) -> None:
    readers = {
        path: {
            role for role, statements in _roles(template).items() if f"{PARAMETERS}/{path}" in json.dumps(statements)
        }
        for path in ("chat", "deployment", "secrets")
    }
    secret_readers = {f"{row.function}Role" for row in TOOL_TYPES.values() if row.reads_secrets}

    assert readers == {
        "chat": {
            "ChatFunctionRole",
            "ConfigurationFunctionRole",
            "McpToolFunctionRole",
            "RetrievalFunctionRole",
            "ValidationFunctionRole",
        },
        "deployment": {"McpToolFunctionRole", "TracesFunctionRole"},
        "secrets": {"ChatFunctionRole", "RetrievalFunctionRole", "TracesFunctionRole"} | secret_readers,
    }


def test_functions_invoke_only_aliases(template: Transformed) -> None:
    statements = [s for role in template.of_type("AWS::IAM::Role") for s in template.statements(role)]
    invoked: list[dict[str, str]] = []
    for statement in statements:
        if statement.get("Action") == "lambda:InvokeFunction":
            resource: Any = statement["Resource"]
            invoked += resource if isinstance(resource, list) else [resource]
    targets = [each.get("Ref", each.get("Fn::Sub", "")) for each in invoked]

    (smoke_test,) = template.statements("TrafficShiftRole")
    targets.remove(smoke_test["Resource"]["Fn::Sub"])
    assert targets
    assert not [target for target in targets if not target.endswith((f"Alias{ALIAS}", f":{ALIAS}"))]


def test_tool_functions_have_the_statements_of_their_sample(template: Transformed) -> None:
    roles = _roles(template)

    assert {kind: roles[f"{TOOL_TYPES[kind].function}Role"] for kind in SAMPLES} == {
        kind: list(sample.statements) for kind, sample in SAMPLES.items()
    }


@pytest.mark.parametrize("function", ["Chat", "McpTool", "Retrieval", "Validation"])
def test_a_function_reads_the_packed_configuration_and_no_other_object(template: Transformed, function: str) -> None:
    statements = {each["Sid"]: each for each in _roles(template)[f"{function}FunctionRole"] if "Sid" in each}

    assert statements["ReadPackedConfiguration"] == {
        "Sid": "ReadPackedConfiguration",
        "Effect": "Allow",
        "Action": "s3:GetObject",
        "Resource": {"Fn::Sub": "${CollectionsBucket.Arn}/configuration/*"},
    }
    assert PACKED_KEY.startswith("configuration/")
    lists = [each for each in statements.values() if each["Action"] == "s3:ListBucket"]
    assert [(each["Resource"], "Condition" in each) for each in lists] == [
        ({"Fn::GetAtt": ["CollectionsBucket", "Arn"]}, False)
    ]


def test_the_chat_function_only_reads_the_state_of_tools(template: Transformed) -> None:
    assert [s["Action"] for s in _roles(template)["ChatFunctionRole"] if "ToolStateTable" in json.dumps(s)] == [
        "dynamodb:BatchGetItem"
    ]


def test_the_retrieval_function_only_changes_counters_of_callers(template: Transformed) -> None:
    assert [s for s in _roles(template)["RetrievalFunctionRole"] if "ChatsTable" in json.dumps(s)] == [
        {
            "Sid": "CountRequests",
            "Effect": "Allow",
            "Action": ["dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"],
            "Resource": {"Fn::GetAtt": ["ChatsTable", "Arn"]},
            "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": "L#*"}},
        }
    ]
    assert Account("k7m2p9qx4d").pk.startswith("L#")


def test_the_traces_function_reads_the_logs_of_the_functions_of_a_request(template: Transformed) -> None:
    (statement,) = [s for s in _roles(template)["TracesFunctionRole"] if s.get("Sid") == "ReadLogs"]
    groups = {
        each["Properties"]["LogGroupName"]["Fn::Sub"] for each in template.of_type("AWS::Logs::LogGroup").values()
    }

    assert statement["Action"] == "logs:FilterLogEvents"
    allowed = statement["Resource"]["Fn::Sub"].partition(":log-group:")[2]
    for function in REQUEST_FUNCTIONS:
        group = f"/aws/lambda/flexchat-${{Stage}}-{function}"
        assert group in groups
        assert fnmatchcase(group, allowed.replace("[", "[[]"))


def test_the_schedule_of_mcp_servers_can_only_start_a_refresh(template: Transformed) -> None:
    assert template.statements("McpRefreshScheduleRole") == [
        {
            "Sid": "InvokeMcpTool",
            "Effect": "Allow",
            "Action": "lambda:InvokeFunction",
            "Resource": {"Ref": "McpToolFunctionAliaslive"},
        }
    ]


def test_the_schedule_can_only_start_validations(template: Transformed) -> None:
    role = template.properties("ValidationScheduleRole")

    (key,) = [each for each in template.statements("ChatFunctionRole") if each.get("Fn::If", [""])[0] == "HasKmsKey"]
    assert template.statements("ValidationScheduleRole") == [
        {
            "Sid": "InvokeValidation",
            "Effect": "Allow",
            "Action": "lambda:InvokeFunction",
            "Resource": {"Ref": "ValidationFunctionAliaslive"},
        },
        {
            "Sid": "SendToScheduleDlq",
            "Effect": "Allow",
            "Action": "sqs:SendMessage",
            "Resource": {"Fn::GetAtt": ["ValidationDeadLetters", "Arn"]},
        },
        key,
    ]
    assert role["AssumeRolePolicyDocument"]["Statement"] == [
        {
            "Effect": "Allow",
            "Principal": {"Service": "scheduler.amazonaws.com"},
            "Action": "sts:AssumeRole",
            "Condition": {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}},
        }
    ]


@pytest.mark.parametrize("service", ["Bedrock", "S3Vectors"])
def test_resources_with_fixed_costs_need_a_parameter(service: str) -> None:
    assert authored()["Parameters"][f"Allow{service}"]["Default"] == "false"
    assert authored()["Conditions"][f"Allows{service}"] == {"Fn::Equals": [{"Ref": f"Allow{service}"}, "true"]}


def test_managed_policies_are_the_listed_exceptions(template: Transformed) -> None:
    managed = {
        name: role["Properties"]["ManagedPolicyArns"]
        for name, role in template.of_type("AWS::IAM::Role").items()
        if name not in SCHEDULE_ROLES
    }

    assert managed.pop("ApiGatewayLoggingRole") == [
        {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"}
    ]
    assert managed.pop("TrafficShiftRole") == [
        {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited"}
    ]
    assert not [role for role in SCHEDULE_ROLES if "ManagedPolicyArns" in template.properties(role)]
    assert managed == dict.fromkeys(managed, MANAGED_POLICIES)
    assert template.of_type("AWS::IAM::ManagedPolicy") == template.of_type("AWS::IAM::Policy") == {}


def test_no_function_changes_or_deletes_an_audit_record(template: Transformed) -> None:
    allowed: dict[str, set[str]] = {}
    for role, statements in _roles(template).items():
        for statement in statements:
            if "AuditTable" in json.dumps(statement["Resource"]):
                actions: Any = statement["Action"]
                allowed.setdefault(role, set()).update([actions] if isinstance(actions, str) else actions)

    assert allowed == {
        "AuthorizerFunctionRole": {"dynamodb:PutItem"},
        "ConfigurationFunctionRole": {"dynamodb:PutItem"},
        "TracesFunctionRole": {"dynamodb:PutItem", "dynamodb:Query"},
    }
