"""Roles, service accesses and API permissions of a small transformed template."""

from copy import deepcopy
from typing import Any

import pytest

from tests.iam.calls import Account
from tests.iam.deployment import Deployment, UnresolvedError
from tests.iam.documents import documented_principal
from tests.iam.policies import Access, Statement, evaluate
from tests.iam.report import Grant, Principal, reason, report, stale
from tests.iam.routes import Invocation, Permission, invocations, permissions
from tests.iam.services import service_accesses

ACCOUNT = Account("123456789012", "eu-central-1")
LAMBDA = "arn:aws:lambda:eu-central-1:123456789012:function"
QUEUE = "arn:aws:sqs:eu-central-1:123456789012"
API = "arn:aws:execute-api:eu-central-1:123456789012:a1b2c3"
LOGS = "arn:aws:logs:eu-central-1:123456789012:log-group:/aws/lambda/chat:log-stream:stream"
PROXY = "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Alias}/invocations"

TEMPLATE: dict[str, Any] = {
    "Conditions": {"Extended": {"Fn::Equals": [{"Ref": "Extend"}, "true"]}},
    "Resources": {
        "Role": {
            "Type": "AWS::IAM::Role",
            "Properties": {
                "ManagedPolicyArns": ["arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"],
                "Policies": [
                    {
                        "PolicyName": "Own",
                        "PolicyDocument": {
                            "Statement": [
                                {
                                    "Sid": "Work",
                                    "Effect": "Allow",
                                    "Action": ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"],
                                    "Resource": {"Fn::GetAtt": ["Queue", "Arn"]},
                                },
                                {
                                    "Effect": "Allow",
                                    "Action": "sqs:SendMessage",
                                    "Resource": {"Fn::Sub": "${Dead.Arn}"},
                                },
                                {
                                    "Fn::If": [
                                        "Extended",
                                        {"Sid": "Extra", "Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"},
                                        {"Ref": "AWS::NoValue"},
                                    ]
                                },
                            ]
                        },
                    }
                ],
            },
        },
        "Function": {
            "Type": "AWS::Lambda::Function",
            "Properties": {"Role": {"Fn::GetAtt": ["Role", "Arn"]}, "LoggingConfig": {"LogGroup": {"Ref": "Group"}}},
        },
        "Alias": {"Type": "AWS::Lambda::Alias", "Properties": {"FunctionName": {"Ref": "Function"}}},
        "Group": {"Type": "AWS::Logs::LogGroup"},
        "Queue": {"Type": "AWS::SQS::Queue"},
        "Dead": {"Type": "AWS::SQS::Queue"},
        "Polling": {
            "Type": "AWS::Lambda::EventSourceMapping",
            "Properties": {
                "FunctionName": {"Ref": "Function"},
                "EventSourceArn": {"Fn::GetAtt": ["Queue", "Arn"]},
            },
        },
        "Failures": {
            "Type": "AWS::Lambda::EventInvokeConfig",
            "Properties": {
                "FunctionName": {"Ref": "Function"},
                "DestinationConfig": {"OnFailure": {"Destination": {"Fn::GetAtt": ["Dead", "Arn"]}}},
            },
        },
        "Api": {
            "Type": "AWS::ApiGateway::RestApi",
            "Properties": {
                "Body": {
                    "paths": {
                        "/runs/{id}": {
                            "get": {
                                "x-amazon-apigateway-integration": {
                                    "type": "aws_proxy",
                                    "uri": {"Fn::Sub": PROXY},
                                }
                            }
                        }
                    },
                    "components": {"securitySchemes": {}},
                }
            },
        },
        "Invoke": {
            "Type": "AWS::Lambda::Permission",
            "Properties": {
                "Action": "lambda:InvokeFunction",
                "FunctionName": {"Ref": "Alias"},
                "Principal": "apigateway.amazonaws.com",
                "SourceArn": {
                    "Fn::Sub": [
                        "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${__Id__}/*/GET/runs/*",
                        {"__Id__": {"Ref": "Api"}},
                    ]
                },
            },
        },
    },
}
IDS = {
    "Role": "stack-Role-1",
    "Function": "chat",
    "Alias": f"{LAMBDA}:chat:live",
    "Group": "/aws/lambda/chat",
    "Queue": "https://sqs/123456789012/work",
    "Dead": "https://sqs/123456789012/dead",
    "Api": "a1b2c3",
}
WORK = Statement(
    "Work", "Allow", ("sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"), (f"{QUEUE}:work",)
)
SEND = Statement("Own", "Allow", ("sqs:SendMessage",), (f"{QUEUE}:dead",))
EXTRA = Statement("Extra", "Allow", ("s3:GetObject",), ("*",))


def deployment(template: dict[str, Any] = TEMPLATE, extend: str = "false") -> Deployment:
    return Deployment(template=template, parameters={"Extend": extend}, ids=IDS, account=ACCOUNT)


def principal(found: Deployment) -> Principal:
    return Principal("Role", found.statements("Role"), found.managed_statements("Role"))


def denied(template: dict[str, Any]) -> list[str]:
    found = deployment(template)
    return report(((access, principal(found)) for access in service_accesses(found)), ()).denied


def test_statements_are_resolved_including_conditional_ones() -> None:
    assert deployment().statements("Role") == (WORK, SEND)
    assert deployment(extend="true").statements("Role") == (WORK, SEND, EXTRA)


def test_a_function_is_found_by_its_name_and_by_a_qualified_arn() -> None:
    assert [deployment().role_of(name) for name in ("chat", f"{LAMBDA}:chat:live")] == ["Role", "Role"]
    with pytest.raises(UnresolvedError):
        deployment().role_of("other")


def test_a_recorded_principal_has_the_documented_policies_of_its_stage() -> None:
    own, other = (documented_principal(name, ACCOUNT) for name in ("operator", "deployer+operator@second"))
    token = Access("", "dynamodb:PutItem", "arn:aws:dynamodb:eu-central-1:123456789012:table/flexchat-second-tokens")

    assert own is not None
    assert other is not None
    assert [evaluate(token, found.own).allowed for found in (own, other)] == [False, True]
    assert documented_principal("flexchat-local-chat", ACCOUNT) is None


def test_an_intrinsic_function_that_is_not_resolved_is_an_error() -> None:
    with pytest.raises(UnresolvedError, match="Fn::ImportValue"):
        deployment().resolve({"Fn::ImportValue": "queue"})


def test_services_poll_deliver_and_log_with_the_role_of_the_function() -> None:
    assert list(service_accesses(deployment())) == [
        Access("Role", "logs:CreateLogStream", LOGS),
        Access("Role", "logs:PutLogEvents", LOGS),
        Access("Role", "sqs:DeleteMessage", f"{QUEUE}:work"),
        Access("Role", "sqs:GetQueueAttributes", f"{QUEUE}:work"),
        Access("Role", "sqs:ReceiveMessage", f"{QUEUE}:work"),
        Access("Role", "sqs:SendMessage", f"{QUEUE}:dead"),
    ]
    assert denied(TEMPLATE) == []


def test_a_removed_action_is_reported_with_the_nearest_statement() -> None:
    template = deepcopy(TEMPLATE)
    document = template["Resources"]["Role"]["Properties"]["Policies"][0]["PolicyDocument"]
    document["Statement"][0]["Action"].remove("sqs:ReceiveMessage")

    assert denied(template) == [
        (
            f"Role: sqs:ReceiveMessage on {QUEUE}:work is denied; nearest is Role Work, "
            f"which allows sqs:DeleteMessage, sqs:GetQueueAttributes on {QUEUE}:work"
        )
    ]


def test_a_destination_without_send_permission_is_denied() -> None:
    template = deepcopy(TEMPLATE)
    document = template["Resources"]["Role"]["Properties"]["Policies"][0]["PolicyDocument"]
    document["Statement"][1]["Resource"] = {"Fn::GetAtt": ["Queue", "Arn"]}

    assert denied(template) == [
        (
            f"Role: sqs:SendMessage on {QUEUE}:dead is denied; nearest is Role Own, "
            f"which allows sqs:SendMessage on {QUEUE}:work"
        )
    ]


def test_an_explicit_deny_is_reported_by_its_name() -> None:
    deny = Statement("Never", "Deny", ("sqs:*",), ("*",))
    access = Access("Role", "sqs:SendMessage", f"{QUEUE}:dead")

    assert report([(access, Principal("Role", (SEND, deny)))], ()).denied == [
        f"Role: sqs:SendMessage on {QUEUE}:dead is denied by Role Never"
    ]


def test_unused_actions_and_resources_are_listed() -> None:
    role = Principal("Role", (WORK, SEND))
    access = Access("chat", "sqs:DeleteMessage", f"{QUEUE}:work")
    rest = {Grant("Role", "Work", action) for action in ("sqs:GetQueueAttributes", "sqs:ReceiveMessage")}

    unused = report([(access, role)], [role]).unused

    assert set(unused) == {*rest, Grant("Role", "Own", "sqs:SendMessage"), Grant("Role", "Own", f"{QUEUE}:dead")}


def test_a_reason_applies_to_one_grant_or_its_whole_statement() -> None:
    work, send = Grant("Role", "Work", "sqs:DeleteMessage"), Grant("Role", "Own", "sqs:SendMessage")
    reasons = {"Role Work: sqs:DeleteMessage": "only when it fails", "Role Extra": "only when it is extended"}

    assert [reason(grant, reasons) for grant in (work, send)] == ["only when it fails", None]
    assert reason(Grant("Role", "Extra", "s3:GetObject"), reasons) == "only when it is extended"
    assert stale([work, send], reasons) == ("Role Extra",)


def test_a_route_and_its_permission_have_the_same_alias() -> None:
    (invocation,), (permission,) = invocations(deployment()), permissions(deployment())

    assert invocation == Invocation("GET /runs/{id}", f"{LAMBDA}:chat:live", f"{API}/stage/GET/runs/x")
    assert permission == Permission("Invoke", f"{LAMBDA}:chat:live", f"{API}/*/GET/runs/*")
    assert permission.admits(invocation)


def test_a_route_that_streams_invokes_its_function() -> None:
    template = deepcopy(TEMPLATE)
    operation = template["Resources"]["Api"]["Properties"]["Body"]["paths"]["/runs/{id}"]["get"]
    streamed = PROXY.replace("2015-03-31", "2021-11-15").replace("/invocations", "/response-streaming-invocations")
    operation["x-amazon-apigateway-integration"]["uri"] = {"Fn::Sub": streamed}

    assert list(invocations(deployment(template))) == list(invocations(deployment()))


@pytest.mark.parametrize(
    "permission",
    [
        Permission("on the function", f"{LAMBDA}:chat", f"{API}/*/GET/runs/*"),
        Permission("for a method", f"{LAMBDA}:chat:live", f"{API}/*/POST/runs/*"),
        Permission("for an API", f"{LAMBDA}:chat:live", f"{API.replace('a1b2c3', 'z9')}/*/GET/runs/*"),
    ],
    ids=lambda permission: permission.name,
)
def test_a_permission_for_another_resource_does_not_allow_the_route(permission: Permission) -> None:
    (invocation,) = invocations(deployment())

    assert not permission.admits(invocation)
