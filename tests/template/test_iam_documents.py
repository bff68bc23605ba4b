"""The policies of `docs/iam`, compared with what CloudFormation calls for each resource type of the template.

The handlers of a resource type name the permissions it needs in its registry schema, which cfn-lint has a copy of:
https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html#schema-properties-handlers
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import Any

import pytest

from tests.iam.calls import Account
from tests.iam.documents import DOCUMENTS, FOLDER, KEY_ID, documented
from tests.iam.policies import Access, evaluate
from tests.template.transform import Transformed

ACCOUNT = Account("123456789012", "eu-central-1")
STAGE = "dev"
NAME = f"flexchat-{STAGE}"
MANAGED_POLICY_CHARACTERS = 6144
"""Of a customer managed policy, white space not counted: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html"""

APIS = "arn:aws:apigateway:eu-central-1::/restapis/a1b2c3d4e5"
DOMAIN = "arn:aws:apigateway:eu-central-1::/domainnames/chat.example.com"
WEB_ACL = ACCOUNT.arn("wafv2", "regional/webacl/flexchat/a1b2c3")
APPLICATION = f"{NAME}-ServerlessDeploymentApplication-Ab1Cd2Ef3Gh4"
FUNCTION = ACCOUNT.arn("lambda", f"function:{NAME}-chat")
ROLE = f"arn:aws:iam::{ACCOUNT.id}:role/{NAME}-ChatFunctionRole-Ab1Cd2Ef3Gh4"

ARNS: Mapping[str, str] = {
    "AWS::ApiGateway::Account": "arn:aws:apigateway:eu-central-1::/account",
    "AWS::ApiGateway::BasePathMapping": f"{DOMAIN}/basepathmappings/none",
    "AWS::ApiGateway::Deployment": f"{APIS}/deployments/x1y2z3",
    "AWS::ApiGateway::DomainName": DOMAIN,
    "AWS::ApiGateway::RestApi": APIS,
    "AWS::ApiGateway::Stage": f"{APIS}/stages/{STAGE}",
    "AWS::CloudWatch::Alarm": ACCOUNT.arn("cloudwatch", f"alarm:{NAME}-runs-failed"),
    "AWS::CloudWatch::Dashboard": f"arn:aws:cloudwatch::{ACCOUNT.id}:dashboard/{NAME}",
    "AWS::CodeDeploy::Application": ACCOUNT.arn("codedeploy", f"application:{APPLICATION}"),
    "AWS::CodeDeploy::DeploymentGroup": ACCOUNT.arn("codedeploy", f"deploymentgroup:{APPLICATION}/group"),
    "AWS::DynamoDB::Table": ACCOUNT.arn("dynamodb", f"table/{NAME}-chats"),
    "AWS::IAM::Role": ROLE,
    "AWS::Lambda::Alias": f"{FUNCTION}:live",
    "AWS::Lambda::EventInvokeConfig": f"{FUNCTION}:live",
    "AWS::Lambda::EventSourceMapping": ACCOUNT.arn("lambda", "event-source-mapping:f1cb2dd5"),
    "AWS::Lambda::Function": FUNCTION,
    "AWS::Lambda::LayerVersion": ACCOUNT.arn("lambda", f"layer:{NAME}-common:7"),
    "AWS::Lambda::Permission": f"{FUNCTION}:live",
    "AWS::Lambda::Version": f"{FUNCTION}:3",
    "AWS::Logs::LogGroup": ACCOUNT.arn("logs", f"log-group:/aws/lambda/{NAME}-chat"),
    "AWS::Logs::SubscriptionFilter": ACCOUNT.arn("logs", f"log-group:/aws/lambda/{NAME}-tool-mcp"),
    "AWS::S3::Bucket": ACCOUNT.s3(f"{NAME}-{ACCOUNT.id}-{ACCOUNT.region}"),
    "AWS::S3::BucketPolicy": ACCOUNT.s3(f"{NAME}-{ACCOUNT.id}-{ACCOUNT.region}"),
    "AWS::SQS::Queue": ACCOUNT.arn("sqs", f"{NAME}-validation"),
    "AWS::SSM::Parameter": ACCOUNT.arn("ssm", f"parameter/flexchat/{STAGE}/deployment/mcp-commands"),
    "AWS::Scheduler::Schedule": ACCOUNT.arn("scheduler", f"schedule/default/{NAME}-validation"),
    "AWS::SecretsManager::Secret": ACCOUNT.arn("secretsmanager", "secret:SigningSecret-Ab1Cd2Ef3Gh4-Zz9Yy8"),
    "AWS::WAFv2::WebACLAssociation": f"{APIS}/stages/{STAGE}",
}
"""A resource of each type, as the template and the stack `flexchat-dev` name it."""

SHARED: Mapping[str, str] = {
    "codedeploy:CreateDeployment": ARNS["AWS::CodeDeploy::DeploymentGroup"],
    "codedeploy:GetApplicationRevision": ARNS["AWS::CodeDeploy::Application"],
    "codedeploy:GetDeployment": ARNS["AWS::CodeDeploy::DeploymentGroup"],
    "codedeploy:GetDeploymentConfig": ACCOUNT.arn("codedeploy", "deploymentconfig:CodeDeployDefault.LambdaAllAtOnce"),
    "codedeploy:GetDeploymentGroup": ARNS["AWS::CodeDeploy::DeploymentGroup"],
    "codedeploy:RegisterApplicationRevision": ARNS["AWS::CodeDeploy::Application"],
    "iam:PassRole": ROLE,
    "iam:GetRole": ROLE,
    "lambda:GetLayerVersion": ARNS["AWS::Lambda::LayerVersion"],
    "wafv2:GetWebACL": WEB_ACL,
    **{
        f"kms:{action}": ACCOUNT.arn("kms", f"key/{KEY_ID}")
        for action in ("CreateGrant", "Decrypt", "DescribeKey", "Encrypt", "GenerateDataKey", "RevokeGrant")
    },
    "s3:GetObject": ACCOUNT.s3("aws-sam-cli-managed-default-samclisourcebucket-ab1cd2", "package"),
    "s3:GetObjectVersion": ACCOUNT.s3("aws-sam-cli-managed-default-samclisourcebucket-ab1cd2", "package"),
}
"""Resources of actions that several types need on something else than themselves."""

UNUSED: Mapping[str, tuple[str, ...]] = {
    "no function mounts a file system": ("elasticfilesystem:*", "s3files:*"),
    "CodeDeploy deploys to no machine": ("codedeploy:RegisterOnPremisesInstance",),
    "no function has provisioned concurrency or a scaling configuration": (
        "lambda:*ProvisionedConcurrencyConfig",
        "lambda:PutFunctionScalingConfig",
        "lambda:PassCapacityProvider",
    ),
    "no function has code signing, a pinned runtime or a setting for recursion": (
        "lambda:*CodeSigningConfig",
        "lambda:PutRuntimeManagementConfig",
        "lambda:AssociateRuntimeAlias",
        "lambda:PutFunctionRecursionConfig",
    ),
    "the subscription of a log has a function, which needs no role": ("AWS::Logs::SubscriptionFilter iam:PassRole",),
    "no role has a permissions boundary": ("iam:*PermissionsBoundary",),
    "no table has replicas, and so no linked role": ("dynamodb:*TableReplica", "AWS::DynamoDB::Table iam:*"),
    "no table is filled when it is created, so that CloudFormation touches no item": (
        "dynamodb:*Item",
        "dynamodb:Query",
        "dynamodb:Scan",
        "dynamodb:ImportTable",
        "dynamodb:DescribeImport",
        "AWS::DynamoDB::Table logs:*",
        "AWS::DynamoDB::Table s3:*",
    ),
    "no table has streams, insights or a policy of its own": (
        "kinesis:*",
        "dynamodb:*ableKinesisStreamingDestination",
        "dynamodb:UpdateKinesisStreamingDestination",
        "dynamodb:UpdateContributorInsights",
        "dynamodb:PutResourcePolicy",
        "dynamodb:DeleteResourcePolicy",
    ),
    "no log group is delivered, protected, indexed or shared": (
        "firehose:*",
        "logs:*LogDelivery",
        "logs:PutDataProtectionPolicy",
        "logs:DeleteDataProtectionPolicy",
        "logs:PutIndexPolicy",
        "logs:DeleteIndexPolicy",
        "logs:PutResourcePolicy",
        "logs:DeleteResourcePolicy",
        "logs:PutBearerTokenAuthentication",
        "logs:PutLogGroupDeletionProtection",
        "s3:REST.PUT.OBJECT",
    ),
    "the bucket sets encryption, ownership, public access, tags, versions and a lifecycle, and nothing else": (
        "s3:*Abac",
        "s3:*Acl",
        "s3:*MetadataTableConfiguration",
        "s3:*MetadataAnnotationTableConfiguration",
        "s3:*MetadataInventoryTableConfiguration",
        "s3:*MetadataJournalTableConfiguration",
        "s3:*BucketAnalyticsConfiguration",
        "s3:*BucketC[oO]*",
        "s3:*BucketMetricsConfiguration",
        "s3:*BucketReplication",
        "s3:*BucketWebsite",
        "s3:DeleteBucketEncryption",
        "s3:DeleteBucketLifecycle",
        "s3:DeleteObject",
        "s3:Put*AccelerateConfiguration",
        "s3:Put*AnalyticsConfiguration",
        "s3:Put*BucketLogging",
        "s3:Put*BucketNotification",
        "s3:Put*IntelligentTieringConfiguration",
        "s3:Put*InventoryConfiguration",
        "s3:Put*MetricsConfiguration",
        "s3:Put*ObjectLockConfiguration",
        "s3:PutReplicationConfiguration",
        "s3tables:*",
    ),
    "no API has a resource policy": ("apigateway:UpdateRestApiPolicy",),
    "the web ACL is associated with a stage of API Gateway, and the stack has no rule group": (
        "AWS::WAFv2::WebACLAssociation amplify:*",
        "AWS::WAFv2::WebACLAssociation apprunner:*",
        "AWS::WAFv2::WebACLAssociation appsync:*",
        "AWS::WAFv2::WebACLAssociation bedrock-agentcore:*",
        "AWS::WAFv2::WebACLAssociation cognito-idp:*",
        "AWS::WAFv2::WebACLAssociation ec2:*",
        "AWS::WAFv2::WebACLAssociation elasticloadbalancing:*",
        "wafv2:*PermissionPolicy",
    ),
    "the secret is not replicated": ("secretsmanager:*Regions*",),
}
"""Permissions of handlers for properties that the template does not set: actions, or a type with its actions."""

WITHOUT_RESOURCE = "*"


def cfn_lint_data(*path: str) -> Any:
    return json.loads(files("cfnlint.data").joinpath(*path).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def actions() -> Mapping[str, Any]:
    """The actions of each service with the types of their resources, by service and lowercase action."""
    return cfn_lint_data("AdditionalSpecs", "Policies.json")


def needed(type: str, actions: Mapping[str, Any]) -> Iterator[Access]:
    """Actions of CloudFormation to create, read, update and delete a resource of a type."""
    schema = cfn_lint_data("schemas", "providers", "us-east-1.json")[type]
    handlers: dict[str, Any] = cfn_lint_data("schemas", "resources", f"{schema}.json")["handlers"]
    excluded = [pattern for patterns in UNUSED.values() for pattern in patterns]
    for permission in sorted(
        {name for use, handler in handlers.items() if use != "list" for name in handler["permissions"]}
    ):
        if any(fnmatchcase(name, pattern) for name in (permission, f"{type} {permission}") for pattern in excluded):
            continue
        service, _, action = permission.partition(":")
        existing = actions[service]["Actions"].get(action.lower(), {})
        resource = SHARED.get(permission, ARNS[type]) if existing.get("Resources") else WITHOUT_RESOURCE
        context = {
            "iam:PassedToService": "lambda.amazonaws.com",
            "iam:PolicyARN": "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
            "lambda:FunctionArn": FUNCTION,
        }
        yield Access("deployer", permission, resource, context)


def test_the_documented_bucket_name_equals_that_of_the_template(template: Transformed) -> None:
    name = template.properties("CollectionsBucket")["BucketName"]["Fn::Sub"]
    for reference, value in {"Stage": STAGE, "AWS::AccountId": ACCOUNT.id, "AWS::Region": ACCOUNT.region}.items():
        name = name.replace(f"${{{reference}}}", value)

    assert ACCOUNT.s3(name) == ARNS["AWS::S3::Bucket"]
    assert evaluate(
        Access("operator", "s3:ListBucket", ACCOUNT.s3(name)), documented("operator", ACCOUNT, stage=STAGE)
    ).allowed


ROLE_ACTIONS = ("iam:CreateRole", "iam:PutRolePolicy", "iam:PassRole")
STAGES = ("a", "dev", "x" * 14, "x" * 15, "x" * 16, "stage-of-a-long-name-2025")


@pytest.mark.parametrize("stage", STAGES)
def test_the_deployer_can_manage_roles_with_names_truncated_by_cloudformation(
    stage: str, template: Transformed
) -> None:
    """Seen names of long stacks are 25 characters of the stack, 25 of the resource and 12 random ones."""
    statements, stack = documented("deployer", ACCOUNT, stage=stage), f"flexchat-{stage}"
    roles = [name for name, resource in template.resources.items() if resource["Type"] == "AWS::IAM::Role"]
    names = {
        f"{part}-{role[:25]}-Ab1Cd2Ef3Gh4"
        for role in roles
        for part in ((stack,) if len(f"{stack}-{role}-Ab1Cd2Ef3Gh4") <= 64 else (stack[:24], stack[:25], stack[:34]))
    }

    denied = [
        (action, name)
        for name in sorted(names)
        for action in ROLE_ACTIONS
        if not evaluate(
            Access(
                "deployer",
                action,
                f"arn:aws:iam::{ACCOUNT.id}:role/{name}",
                {"iam:PassedToService": "lambda.amazonaws.com"},
            ),
            statements,
        ).allowed
    ]
    others = Access("deployer", "iam:CreateRole", f"arn:aws:iam::{ACCOUNT.id}:role/flexchat-other-ChatFunctionRole-1")

    assert len(roles) > 5
    assert denied == []
    assert not evaluate(others, statements).allowed


def test_the_deployer_can_enable_tracing_for_api_gateway(template: Transformed) -> None:
    """The registry does not list it: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-enabling-xray.html"""
    service = "ops.apigateway.amazonaws.com"
    role = f"arn:aws:iam::{ACCOUNT.id}:role/aws-service-role/{service}/AWSServiceRoleForAPIGateway"
    created = Access("deployer", "iam:CreateServiceLinkedRole", role, {"iam:AWSServiceName": service})

    assert template.properties("ApiStage")["TracingEnabled"]
    assert evaluate(created, documented("deployer", ACCOUNT, stage=STAGE)).allowed


def test_the_deployer_has_the_permissions_of_cloudformation_for_each_resource(
    template: Transformed, actions: Mapping[str, Any]
) -> None:
    statements = documented("deployer", ACCOUNT, stage=STAGE)
    types = {resource["Type"] for resource in template.resources.values()}

    denied = [
        str(access)
        for name in sorted(types)
        for access in needed(name, actions)
        if not evaluate(access, statements).allowed
    ]

    assert denied == []


def test_the_deployer_has_the_same_permissions_for_the_bucket_whose_name_cloudformation_makes(
    actions: Mapping[str, Any],
) -> None:
    statements = documented("deployer", ACCOUNT, stage=STAGE)
    generated = ACCOUNT.s3(f"{NAME}-tracesbucket-ab1cd2ef3gh4")
    accesses = [
        replace(access, resource=generated)
        for access in needed("AWS::S3::Bucket", actions)
        if access.resource == ARNS["AWS::S3::Bucket"]
    ]

    assert len(accesses) > 10
    assert [str(access) for access in accesses if not evaluate(access, statements).allowed] == []


def test_the_deployer_has_no_permission_for_another_stage(template: Transformed, actions: Mapping[str, Any]) -> None:
    statements = documented("deployer", ACCOUNT, stage="prod")
    types = {resource["Type"] for resource in template.resources.values()}

    allowed = {
        access.action
        for name in types
        for access in needed(name, actions)
        if NAME in access.resource and evaluate(access, statements).allowed
    }

    assert allowed == {"lambda:GetLayerVersion"}  # McpLayer may be any layer, and is only read


def test_roles_are_passed_only_to_their_service_and_get_only_the_listed_managed_policies() -> None:
    statements = documented("deployer", ACCOUNT, stage=STAGE)
    passed = Access("deployer", "iam:PassRole", ROLE, {"iam:PassedToService": "ec2.amazonaws.com"})
    attached = Access(
        "deployer", "iam:AttachRolePolicy", ROLE, {"iam:PolicyARN": "arn:aws:iam::aws:policy/AdministratorAccess"}
    )

    assert [evaluate(access, statements).allowed for access in (passed, attached)] == [False, False]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_documented_action_exists(name: str, actions: Mapping[str, Any]) -> None:
    written = {action for statement in documented(name, ACCOUNT, stage=STAGE) for action in statement.actions}

    unknown = {
        action
        for action in written
        if not any(
            fnmatchcase(existing, action.partition(":")[2].lower())
            for existing in actions[action.split(":")[0]]["Actions"]
        )
    }

    assert unknown == set()


@pytest.mark.parametrize("file", [file for files in DOCUMENTS.values() for file in files])
def test_a_documented_policy_is_within_the_size_limit_and_has_its_placeholders(file: str) -> None:
    text = (FOLDER / file).read_text(encoding="utf-8")
    compact = "".join(text.replace("STAGE", "s" * 20).replace("REGION", "ap-southeast-2").split())

    assert len(compact) <= MANAGED_POLICY_CHARACTERS
    assert {"ACCOUNT_ID", "REGION", "STAGE"} <= set(text.replace(":", " ").replace("-", " ").replace("/", " ").split())


def test_the_deployer_may_use_a_layer_of_mcp_servers_of_any_account() -> None:
    """Lambda checks the permission of the caller on each layer of a function.

    https://docs.aws.amazon.com/lambda/latest/dg/permissions-layer-cross-account.html
    """
    layers = (ACCOUNT.arn("lambda", "layer:mcp-servers:3"), "arn:aws:lambda:eu-central-1:999999999999:layer:node:12")
    statements = documented("deployer", ACCOUNT, stage=STAGE)

    for layer in layers:
        assert evaluate(Access("deployer", "lambda:GetLayerVersion", layer), statements).allowed
        assert not evaluate(Access("deployer", "lambda:PublishLayerVersion", layer), statements).allowed
