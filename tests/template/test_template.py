"""Properties of `template.yaml`, checked after the SAM transform."""

import json
import re
from importlib import import_module
from typing import Any

import pytest

from flexchat.runs import QUEUED_SECONDS
from flexchat.tool_types import TOOL_TYPES
from functions.chat.runs.events import ALIAS
from functions.validation.queue_messages import MAX_RECEIVES
from tests.contract.tool_lambdas import sample_of
from tests.template.resolver import Resolved
from tests.template.transform import ROOT, Transformed, authored

PAGE_ROUTES = {
    ("/", "get"),
    ("/tools-testing", "get"),
    ("/chat", "get"),
    ("/validation", "get"),
    ("/retrieval", "get"),
    ("/configuration", "get"),
    ("/assets/{file+}", "get"),
}
OPEN_ROUTES = {("/health", "get"), *PAGE_ROUTES}
CHAT_ROUTES = {
    ("/api/chat", "post"),
    ("/api/topic/test", "post"),
    ("/api/intent/test", "post"),
    ("/api/config", "get"),
    ("/api/config/match", "post"),
    ("/api/sessions", "get"),
    ("/api/sessions", "post"),
    ("/api/sessions/{id}", "get"),
    ("/api/sessions/{id}", "patch"),
    ("/api/sessions/{id}", "delete"),
    ("/api/sessions/{id}/messages", "get"),
    ("/api/runs/{id}", "get"),
    ("/api/runs/{id}", "delete"),
    ("/api/tools/list", "get"),
    ("/api/tools/test", "post"),
    ("/api/tools/call", "post"),
    ("/api/models/list", "get"),
    ("/api/connections/llm/discovery/models", "post"),
    ("/api/me", "get"),
    ("/api/openapi.json", "get"),
    ("/mcp", "post"),
    ("/mcp", "get"),
    ("/mcp", "delete"),
    ("/health", "get"),
}
COLLECTION_ROUTES = {
    ("/api/collections", "get"),
    ("/api/collections", "post"),
    ("/api/collections/{name}", "get"),
    ("/api/collections/{name}", "patch"),
    ("/api/collections/{name}", "delete"),
    ("/api/collections/{name}/documents", "post"),
    ("/api/collections/{name}/documents", "delete"),
    ("/api/collections/{name}/documents/{id}", "delete"),
    ("/api/collections/{name}/query", "post"),
    ("/api/collections/{name}/calibrate", "post"),
}
VALIDATION_ROUTES = {
    ("/api/tools/validate", "get"),
    ("/api/tools/validate", "post"),
    ("/api/tools/validate/{model}", "delete"),
    ("/api/tools/validate/{model}", "get"),
    ("/api/tools/validation", "get"),
    ("/api/validation/runs", "get"),
    ("/api/validation/runs/{id}", "get"),
    ("/api/validation/runs/{id}", "delete"),
    ("/api/validation/runs/{id}/resume", "post"),
    ("/api/validation/suites", "get"),
    ("/api/validation/suites/{name}", "get"),
    ("/api/validation/suites/{name}", "put"),
    ("/api/validation/suites/{name}", "delete"),
}
PREFLIGHTS = {(path, "options") for path, _ in CHAT_ROUTES | COLLECTION_ROUTES | VALIDATION_ROUTES if path != "/health"}
PARAMETERS = "arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter/flexchat/${Stage}"
CHAT_FUNCTION = "arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:flexchat-${Stage}-chat"
TOOL_FUNCTIONS = CHAT_FUNCTION.removesuffix("-chat") + "-tool"
MODELS = "arn:${AWS::Partition}:bedrock"
READS_CONFIGURATION: list[dict[str, Any]] = [
    {
        "Sid": "ReadConfiguration",
        "Effect": "Allow",
        "Action": ["ssm:GetParameters", "ssm:GetParametersByPath"],
        "Resource": [{"Fn::Sub": PARAMETERS + "/chat"}, {"Fn::Sub": PARAMETERS + "/chat/*"}],
    },
    {
        "Sid": "ReadSecrets",
        "Effect": "Allow",
        "Action": "ssm:GetParameters",
        "Resource": {"Fn::Sub": PARAMETERS + "/secrets/*"},
    },
]
INVOKES_MODELS: dict[str, Any] = {
    "Effect": "Allow",
    "Action": "bedrock:InvokeModel",
    "Resource": [
        {"Fn::Sub": MODELS + ":*::foundation-model/*"},
        {"Fn::Sub": MODELS + ":*:${AWS::AccountId}:inference-profile/*"},
        {"Fn::Sub": MODELS + ":*:${AWS::AccountId}:application-inference-profile/*"},
    ],
}
MANAGED_POLICIES = [
    "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
    "arn:aws:iam::aws:policy/AWSXrayWriteOnlyAccess",
]
"""Permissions of every function besides its own statements: its log, and traces, which support no resource but `*`."""

SAMPLES = {kind: sample_of(kind) for kind, row in TOOL_TYPES.items() if row.service.startswith("tool-")}
"""Samples of tool types whose functions do nothing else."""

SCHEDULE_PARAMETERS = ("Schedule", "TimeZone", "ScheduleState")

GATEWAY_RESPONSES: dict[str, tuple[str | None, str]] = {
    "UNAUTHORIZED": ("401", "unauthorized"),
    "ACCESS_DENIED": ("403", "forbidden"),
    "MISSING_AUTHENTICATION_TOKEN": ("404", "not_found"),
    "REQUEST_TOO_LARGE": ("413", "payload_too_large"),
    "UNSUPPORTED_MEDIA_TYPE": ("415", "unsupported_media_type"),
    "THROTTLED": ("429", "rate_limited"),
    "INTEGRATION_FAILURE": ("502", "bad_gateway"),
    "INTEGRATION_TIMEOUT": ("504", "timeout"),
    "AUTHORIZER_FAILURE": (None, "internal_error"),
    "DEFAULT_4XX": (None, "invalid_request"),
    "DEFAULT_5XX": (None, "internal_error"),
}


def test_the_api_has_exactly_these_routes(template: Transformed) -> None:
    routes = {(path, method) for path, method, _ in template.operations()}

    assert routes == PREFLIGHTS | PAGE_ROUTES | CHAT_ROUTES | COLLECTION_ROUTES | VALIDATION_ROUTES


def test_every_route_except_health_and_the_page_calls_the_authorizer(template: Transformed) -> None:
    security = {(path, method): operation.get("security") for path, method, operation in template.operations()}

    assert security == {
        route: None if route in PREFLIGHTS else [{"NONE" if route in OPEN_ROUTES else "TokenAuthorizer": []}]
        for route in security
    }


def test_the_authorizer_is_called_with_the_authorization_header_and_cached_briefly(template: Transformed) -> None:
    schemes = template.properties("Api")["Body"]["components"]["securitySchemes"]

    assert list(schemes) == ["TokenAuthorizer"]
    authorizer = schemes["TokenAuthorizer"]["x-amazon-apigateway-authorizer"]
    function = authorizer.pop("authorizerUri")["Fn::Sub"][1]["__FunctionArn__"]
    assert function == {"Ref": "AuthorizerFunctionAliaslive"}
    assert authorizer == {
        "type": "request",
        "identitySource": "method.request.header.Authorization",
        "authorizerResultTtlInSeconds": 60,
    }


def test_every_route_invokes_the_alias_of_its_function(template: Transformed) -> None:
    targets = {
        (path, method): operation["x-amazon-apigateway-integration"]["uri"]["Fn::Sub"]
        for path, method, operation in template.operations()
        if method != "options"
    }
    function = "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${%s}/invocations"

    assert targets == {
        **dict.fromkeys(CHAT_ROUTES, function % "ChatFunctionAliaslive"),
        **dict.fromkeys(COLLECTION_ROUTES, function % "RetrievalFunctionAliaslive"),
        **dict.fromkeys(VALIDATION_ROUTES, function % "ValidationFunctionAliaslive"),
        **dict.fromkeys(PAGE_ROUTES, function % "PageFunctionAliaslive"),
    }


def test_every_function_is_started_from_a_snapshot(template: Transformed) -> None:
    """Lambda refuses SnapStart for a function with more than 512 MB in /tmp, EFS or provisioned concurrency."""
    refused = {"EphemeralStorage", "FileSystemConfigs", "ProvisionedConcurrencyConfig"}

    for name, function in template.of_type("AWS::Lambda::Function").items():
        assert function["Properties"]["SnapStart"] == {
            "ApplyOn": {"Fn::If": ["StartsFromSnapshots", "PublishedVersions", "None"]}
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


@pytest.mark.parametrize("name", GATEWAY_RESPONSES)
def test_api_gateway_errors_have_the_error_envelope(template: Transformed, name: str) -> None:
    status, code = GATEWAY_RESPONSES[name]
    response = template.properties("Api")["Body"]["x-amazon-apigateway-gateway-responses"][name]
    body = response["responseTemplates"]["application/json"].replace("$context.error.messageString", '"what was wrong"')
    envelope = json.loads(body)

    assert response.get("statusCode") == status
    assert envelope == {"error": code, "message": envelope["message"], "request_id": "$context.requestId"}
    assert envelope["message"]


def test_no_other_gateway_response_is_configured(template: Transformed) -> None:
    responses = template.properties("Api")["Body"]["x-amazon-apigateway-gateway-responses"]

    assert responses.keys() == GATEWAY_RESPONSES.keys()
    assert responses["UNAUTHORIZED"]["responseParameters"]["gatewayresponse.header.WWW-Authenticate"] == "'Bearer'"


def test_the_api_is_regional_compressed_throttled_traced_and_logs_no_bodies(template: Transformed) -> None:
    (stage,) = template.of_type("AWS::ApiGateway::Stage").values()

    assert template.properties("Api")["EndpointConfiguration"] == {"Types": ["REGIONAL"]}
    assert template.properties("Api")["MinimumCompressionSize"] == 1024
    assert stage["Properties"]["TracingEnabled"] is True
    assert stage["Properties"]["MethodSettings"] == [
        {
            "HttpMethod": "*",
            "ResourcePath": "/*",
            "ThrottlingRateLimit": {"Ref": "ThrottlingRateLimit"},
            "ThrottlingBurstLimit": {"Ref": "ThrottlingBurstLimit"},
            "MetricsEnabled": {"Fn::If": ["HasDetailedApiMetrics", True, False]},
            "LoggingLevel": "OFF",
            "DataTraceEnabled": False,
        }
    ]


def test_the_access_log_is_one_json_object_without_the_token(template: Transformed) -> None:
    (stage,) = template.of_type("AWS::ApiGateway::Stage").values()
    setting = stage["Properties"]["AccessLogSetting"]
    line = json.loads(setting["Format"])

    assert setting["DestinationArn"] == {"Fn::GetAtt": ["ApiAccessLogGroup", "Arn"]}
    assert line["request_id"] == "$context.requestId"
    assert not [value for value in line.values() if "header" in value or "body" in value]


def test_roles_have_exactly_these_statements(template: Transformed) -> None:
    roles = {name for name in template.of_type("AWS::IAM::Role") if name.endswith("FunctionRole")}

    assert {role: _without_denial(template, role) for role in roles} == {
        "ChatFunctionRole": [
            {
                "Effect": "Allow",
                "Action": "sqs:SendMessage",
                "Resource": {"Fn::GetAtt": ["RunsFailedQueue", "Arn"]},
            },
            {
                "Sid": "InvokeTools",
                "Effect": "Allow",
                "Action": "lambda:InvokeFunction",
                "Resource": [
                    {"Fn::Sub": f"{TOOL_FUNCTIONS}-*:{ALIAS}"},
                    {"Ref": "RetrievalFunctionAliaslive"},
                ],
            },
            {
                "Sid": "InvokeSelfAsync",
                "Effect": "Allow",
                "Action": "lambda:InvokeFunction",
                "Resource": {"Fn::Sub": f"{CHAT_FUNCTION}:{ALIAS}"},
            },
            {
                "Sid": "ReadWriteChats",
                "Effect": "Allow",
                "Action": [
                    "dynamodb:BatchWriteItem",
                    "dynamodb:ConditionCheckItem",
                    "dynamodb:DeleteItem",
                    "dynamodb:GetItem",
                    "dynamodb:PutItem",
                    "dynamodb:Query",
                    "dynamodb:UpdateItem",
                ],
                "Resource": {"Fn::GetAtt": ["ChatsTable", "Arn"]},
            },
            {
                "Sid": "ListChats",
                "Effect": "Allow",
                "Action": "dynamodb:Query",
                "Resource": {"Fn::Sub": "${ChatsTable.Arn}/index/by_owner"},
            },
            {
                "Sid": "ReadWriteIdempotencyRecords",
                "Effect": "Allow",
                "Action": ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
                "Resource": {"Fn::GetAtt": ["IdempotencyTable", "Arn"]},
            },
            {
                "Sid": "RecordToolTests",
                "Effect": "Allow",
                "Action": ["dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"],
                "Resource": {"Fn::GetAtt": ["ValidationTable", "Arn"]},
            },
            {
                "Sid": "ReadSigningSecret",
                "Effect": "Allow",
                "Action": "secretsmanager:GetSecretValue",
                "Resource": {"Ref": "SigningSecret"},
            },
            *READS_CONFIGURATION,
            _if("AllowsBedrock", {"Sid": "InvokeBedrockModels", **INVOKES_MODELS}),
            _if(
                "AllowsBedrock",
                {
                    "Sid": "ListBedrockModels",
                    "Effect": "Allow",
                    "Action": ["bedrock:ListFoundationModels", "bedrock:ListInferenceProfiles"],
                    "Resource": "*",
                },
            ),
        ],
        "RetrievalFunctionRole": [
            {
                "Sid": "ReadWriteCollections",
                "Effect": "Allow",
                "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
                "Resource": {"Fn::Sub": "${CollectionsBucket.Arn}/collections/*"},
            },
            {
                "Sid": "ListCollections",
                "Effect": "Allow",
                "Action": "s3:ListBucket",
                "Resource": {"Fn::GetAtt": ["CollectionsBucket", "Arn"]},
            },
            *READS_CONFIGURATION,
            _if("AllowsBedrock", {"Sid": "InvokeEmbeddingModels", **INVOKES_MODELS}),
            _if(
                "AllowsBedrock",
                {
                    "Sid": "SearchKnowledgeBases",
                    "Effect": "Allow",
                    "Action": "bedrock:Retrieve",
                    "Resource": {"Fn::Sub": MODELS + ":*:${AWS::AccountId}:knowledge-base/*"},
                },
            ),
            _if(
                "AllowsS3Vectors",
                {
                    "Sid": "SearchVectorBuckets",
                    "Effect": "Allow",
                    "Action": ["s3vectors:QueryVectors", "s3vectors:GetVectors"],
                    "Resource": {"Fn::Sub": "arn:${AWS::Partition}:s3vectors:*:${AWS::AccountId}:bucket/*/index/*"},
                },
            ),
        ],
        "ValidationFunctionRole": [
            {
                "Effect": "Allow",
                "Action": "sqs:SendMessage",
                "Resource": {"Fn::GetAtt": ["ValidationDeadLetters", "Arn"]},
            },
            {
                "Sid": "InvokeChat",
                "Effect": "Allow",
                "Action": "lambda:InvokeFunction",
                "Resource": {"Ref": "ChatFunctionAliaslive"},
            },
            {
                "Sid": "ReadWriteValidations",
                "Effect": "Allow",
                "Action": [
                    "dynamodb:DeleteItem",
                    "dynamodb:GetItem",
                    "dynamodb:PutItem",
                    "dynamodb:Query",
                    "dynamodb:UpdateItem",
                ],
                "Resource": {"Fn::GetAtt": ["ValidationTable", "Arn"]},
            },
            {
                "Sid": "ListValidations",
                "Effect": "Allow",
                "Action": "dynamodb:Query",
                "Resource": {"Fn::Sub": "${ValidationTable.Arn}/index/by_series"},
            },
            {
                "Sid": "ConsumeQueue",
                "Effect": "Allow",
                "Action": [
                    "sqs:ChangeMessageVisibility",
                    "sqs:DeleteMessage",
                    "sqs:GetQueueAttributes",
                    "sqs:ReceiveMessage",
                    "sqs:SendMessage",
                ],
                "Resource": {"Fn::GetAtt": ["ValidationQueue", "Arn"]},
            },
            {
                "Sid": "PublishRegressionEvents",
                "Effect": "Allow",
                "Action": "events:PutEvents",
                "Resource": {
                    "Fn::Sub": "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:event-bus/default"
                },
            },
            {
                "Sid": "ReadConfiguration",
                "Effect": "Allow",
                "Action": "ssm:GetParametersByPath",
                "Resource": {"Fn::Sub": PARAMETERS + "/chat"},
            },
        ],
        "AuthorizerFunctionRole": [
            {
                "Sid": "ReadTokens",
                "Effect": "Allow",
                "Action": "dynamodb:GetItem",
                "Resource": {"Fn::GetAtt": ["TokensTable", "Arn"]},
            }
        ],
        "PageFunctionRole": [],
        **{f"{TOOL_TYPES[kind].function}Role": list(sample.statements) for kind, sample in SAMPLES.items()},
    }


def _without_denial(template: Transformed, role: str) -> list[dict[str, Any]]:
    """Return the statements of a function's role without the one that denies creation of log groups."""
    return [statement for statement in template.statements(role) if statement.get("Sid") != "DenyLogGroupCreation"]


def test_the_schedule_can_only_start_validations(template: Transformed) -> None:
    role = template.properties("ValidationScheduleRole")

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
    ]
    assert role["AssumeRolePolicyDocument"]["Statement"] == [
        {
            "Effect": "Allow",
            "Principal": {"Service": "scheduler.amazonaws.com"},
            "Action": "sts:AssumeRole",
            "Condition": {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}},
        }
    ]


def _if(condition: str, statement: dict[str, Any]) -> dict[str, Any]:
    return {"Fn::If": [condition, statement, {"Ref": "AWS::NoValue"}]}


def test_tools_have_no_access_to_user_data_and_signing_secrets(template: Transformed) -> None:
    restricted = (
        "ChatsTable",
        "IdempotencyTable",
        "SigningSecret",
        "RunsFailedQueue",
        "TokensTable",
        "ValidationTable",
        "ValidationQueue",
    )
    roles = [f"{row.function}Role" for row in TOOL_TYPES.values()]

    assert not [role for role in roles if any(name in json.dumps(template.statements(role)) for name in restricted)]


@pytest.mark.parametrize("service", ["Bedrock", "S3Vectors"])
def test_resources_with_fixed_costs_need_a_parameter(service: str) -> None:
    assert authored()["Parameters"][f"Allow{service}"]["Default"] == "false"
    assert authored()["Conditions"][f"Allows{service}"] == {"Fn::Equals": [{"Ref": f"Allow{service}"}, "true"]}


def test_only_the_function_of_http_tools_may_use_the_state_of_tools(template: Transformed) -> None:
    users = {
        name for name in template.of_type("AWS::IAM::Role") if "ToolStateTable" in json.dumps(template.resources[name])
    }

    assert users == {"HttpToolFunctionRole"}


def test_managed_policies_are_the_listed_exceptions(template: Transformed) -> None:
    managed = {
        name: role["Properties"]["ManagedPolicyArns"]
        for name, role in template.of_type("AWS::IAM::Role").items()
        if name != "ValidationScheduleRole"  # it writes no log and has none
    }

    assert managed.pop("ApiGatewayLoggingRole") == [
        {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"}
    ]
    assert "ManagedPolicyArns" not in template.properties("ValidationScheduleRole")
    assert managed == dict.fromkeys(managed, MANAGED_POLICIES)
    assert template.of_type("AWS::IAM::ManagedPolicy") == template.of_type("AWS::IAM::Policy") == {}


def test_only_this_api_can_invoke_the_functions_behind_it(template: Transformed) -> None:
    permissions = [resource["Properties"] for resource in template.of_type("AWS::Lambda::Permission").values()]

    assert permissions
    for permission in permissions:
        assert permission["Principal"] == "apigateway.amazonaws.com"
        assert "${__ApiId__}" in permission["SourceArn"]["Fn::Sub"][0]
        assert permission["SourceArn"]["Fn::Sub"][1]["__ApiId__"] == {"Ref": "Api"}


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
    environments = {
        name: function["Properties"]["Environment"]["Variables"]
        for name, function in template.of_type("AWS::Lambda::Function").items()
    }
    shared: dict[str, Any] = {
        "AWS_ENDPOINT_URL": {"Fn::If": ["HasEndpoint", {"Ref": "EndpointUrl"}, {"Ref": "AWS::NoValue"}]},
        "RES_OPTIONS": "timeout:1 attempts:3",
        "FLEXCHAT_STAGE": {"Ref": "Stage"},
        "POWERTOOLS_METRICS_NAMESPACE": {"Fn::Sub": "Flexchat/${Stage}"},
        "POWERTOOLS_LOG_LEVEL": {"Ref": "LogLevel"},
    }

    assert environments == {
        "ChatFunction": {
            **shared,
            "POWERTOOLS_SERVICE_NAME": "chat",
            "FLEXCHAT_ALLOWED_ORIGINS": {"Ref": "AllowedOrigins"},
            "FLEXCHAT_CATALOG_TTL_SECONDS": {"Ref": "CatalogTtlSeconds"},
            "FLEXCHAT_CHATS_TABLE": {"Ref": "ChatsTable"},
            "FLEXCHAT_IDEMPOTENCY_TABLE": {"Ref": "IdempotencyTable"},
            "FLEXCHAT_RETRIEVAL_FUNCTION": {"Ref": "RetrievalFunctionAliaslive"},
            "FLEXCHAT_SIGNING_SECRET": {"Ref": "SigningSecret"},
            "FLEXCHAT_VALIDATION_RETENTION_DAYS": {"Ref": "ValidationRetentionDays"},
            "FLEXCHAT_VALIDATION_TABLE": {"Ref": "ValidationTable"},
        },
        **{
            TOOL_TYPES[kind].function: {
                **shared,
                "POWERTOOLS_SERVICE_NAME": TOOL_TYPES[kind].service,
                **sample.environment,
            }
            for kind, sample in SAMPLES.items()
        },
        "RetrievalFunction": {
            **shared,
            "POWERTOOLS_SERVICE_NAME": "retrieval",
            "FLEXCHAT_ALLOWED_ORIGINS": {"Ref": "AllowedOrigins"},
            "FLEXCHAT_CATALOG_TTL_SECONDS": {"Ref": "CatalogTtlSeconds"},
            "FLEXCHAT_COLLECTIONS_BUCKET": {"Ref": "CollectionsBucket"},
        },
        "ValidationFunction": {
            **shared,
            "POWERTOOLS_SERVICE_NAME": "validation",
            "FLEXCHAT_ALLOWED_ORIGINS": {"Ref": "AllowedOrigins"},
            "FLEXCHAT_CATALOG_TTL_SECONDS": {"Ref": "CatalogTtlSeconds"},
            "FLEXCHAT_CHAT_FUNCTION": {"Ref": "ChatFunctionAliaslive"},
            "FLEXCHAT_VALIDATION_QUEUE": {"Ref": "ValidationQueue"},
            "FLEXCHAT_VALIDATION_RETENTION_DAYS": {"Ref": "ValidationRetentionDays"},
            "FLEXCHAT_VALIDATION_TABLE": {"Ref": "ValidationTable"},
        },
        "AuthorizerFunction": {
            **shared,
            "POWERTOOLS_SERVICE_NAME": "authorizer",
            "FLEXCHAT_TOKENS_TABLE": {"Ref": "TokensTable"},
        },
        "PageFunction": {**shared, "POWERTOOLS_SERVICE_NAME": "page"},
    }


def test_tables_are_on_demand_recoverable_encrypted_and_expire(template: Transformed) -> None:
    tables = template.of_type("AWS::DynamoDB::Table")

    assert {name: table["Properties"]["TimeToLiveSpecification"] for name, table in tables.items()} == {
        "TokensTable": {"AttributeName": "expires_at", "Enabled": True},
        "ChatsTable": {"AttributeName": "expires_at", "Enabled": True},
        "IdempotencyTable": {"AttributeName": "expiration", "Enabled": True},
        "ToolStateTable": {"AttributeName": "expires_at", "Enabled": True},
        "ValidationTable": {"AttributeName": "expires_at", "Enabled": True},
    }
    for table in tables.values():
        own = {"TableName", "KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes", "TimeToLiveSpecification"}
        assert {key: table["Properties"][key] for key in table["Properties"].keys() - own} == {
            "BillingMode": "PAY_PER_REQUEST",
            "DeletionProtectionEnabled": {"Fn::If": ["IsProduction", True, False]},
            "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
            "SSESpecification": {"SSEEnabled": True},
        }


def test_table_keys_equal_those_of_the_stores(template: Transformed) -> None:
    def keys(name: str) -> tuple[Any, ...]:
        table = template.properties(name)
        return table["TableName"], table["KeySchema"], table["AttributeDefinitions"]

    by_id = [{"AttributeName": "id", "KeyType": "HASH"}], [{"AttributeName": "id", "AttributeType": "S"}]
    assert keys("TokensTable") == ({"Fn::Sub": "flexchat-${Stage}-tokens"}, *by_id)
    assert keys("IdempotencyTable") == ({"Fn::Sub": "flexchat-${Stage}-idempotency"}, *by_id)
    assert keys("ToolStateTable") == (
        {"Fn::Sub": "flexchat-${Stage}-tool-state"},
        [{"AttributeName": "pk", "KeyType": "HASH"}],
        [{"AttributeName": "pk", "AttributeType": "S"}],
    )
    assert keys("ChatsTable") == (
        {"Fn::Sub": "flexchat-${Stage}-chats"},
        [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "owner", "updated_at")],
    )
    assert template.properties("ChatsTable")["GlobalSecondaryIndexes"] == [
        {
            "IndexName": "by_owner",
            "KeySchema": [
                {"AttributeName": "owner", "KeyType": "HASH"},
                {"AttributeName": "updated_at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ]
    assert keys("ValidationTable") == (
        {"Fn::Sub": "flexchat-${Stage}-validation"},
        [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "series", "at")],
    )
    assert template.properties("ValidationTable")["GlobalSecondaryIndexes"] == [
        {
            "IndexName": "by_series",
            "KeySchema": [
                {"AttributeName": "series", "KeyType": "HASH"},
                {"AttributeName": "at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ]


DEAD_LETTERS = {"MessageRetentionPeriod": 14 * 24 * 3_600, "SqsManagedSseEnabled": True}


def _watched(template: Transformed, alarm: str) -> dict[str, Any]:
    """Return the metric settings of an alarm that notifies the alarm topic."""
    properties = template.properties(alarm)
    assert properties["AlarmActions"] == {"Fn::If": ["HasAlarmTopic", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]}
    return {key: value for key, value in properties.items() if not key.startswith("Alarm")}


def _waiting_in(queue: str) -> dict[str, Any]:
    return {
        "Namespace": "AWS/SQS",
        "MetricName": "ApproximateNumberOfMessagesVisible",
        "Dimensions": [{"Name": "QueueName", "Value": {"Fn::GetAtt": [queue, "QueueName"]}}],
        "Statistic": "Maximum",
        "Period": 60,
        "EvaluationPeriods": 1,
        "Threshold": 0,
        "ComparisonOperator": "GreaterThanThreshold",
        "TreatMissingData": "notBreaching",
    }


def test_a_run_that_fails_for_good_is_stored_in_a_queue_and_raises_an_alarm(template: Transformed) -> None:
    assert template.properties("ChatFunctionEventInvokeConfig") == {
        "FunctionName": {"Ref": "ChatFunction"},
        "Qualifier": ALIAS,
        "MaximumEventAgeInSeconds": 3_600,
        "MaximumRetryAttempts": 1,
        "DestinationConfig": {"OnFailure": {"Destination": {"Fn::GetAtt": ["RunsFailedQueue", "Arn"]}}},
    }
    assert template.properties("RunsFailedQueue") == {
        "QueueName": {"Fn::Sub": "flexchat-${Stage}-runs-failed"},
        **DEAD_LETTERS,
    }
    assert _watched(template, "RunsFailedAlarm") == _waiting_in("RunsFailedQueue")
    assert authored()["Parameters"]["AlarmTopic"]["Default"] == ""
    assert authored()["Conditions"]["HasAlarmTopic"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "AlarmTopic"}, ""]}]}


def test_a_run_has_the_lambda_timeout_and_the_event_age_of_the_domain(
    template: Transformed,
) -> None:
    configuration = template.properties("ChatFunctionEventInvokeConfig")

    assert template.properties("ChatFunction")["Timeout"] == 900
    assert configuration["MaximumEventAgeInSeconds"] < QUEUED_SECONDS


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


def test_validation_cases_are_queued_and_processed_one_by_one_with_limited_concurrency(template: Transformed) -> None:
    seconds = template.properties("ValidationFunction")["Timeout"]

    assert template.properties("ValidationQueue") == {
        "QueueName": {"Fn::Sub": "flexchat-${Stage}-validation"},
        "VisibilityTimeout": 6 * seconds,
        "MessageRetentionPeriod": 4 * 24 * 3_600,
        "SqsManagedSseEnabled": True,
        "RedrivePolicy": {
            "deadLetterTargetArn": {"Fn::GetAtt": ["ValidationDeadLetters", "Arn"]},
            "maxReceiveCount": MAX_RECEIVES,
        },
    }
    assert template.properties("ValidationWork") == {
        "FunctionName": {"Ref": "ValidationFunctionAliaslive"},
        "EventSourceArn": {"Fn::GetAtt": ["ValidationQueue", "Arn"]},
        "BatchSize": 1,
        "FunctionResponseTypes": ["ReportBatchItemFailures"],
        "ScalingConfig": {"MaximumConcurrency": {"Ref": "ValidationConcurrency"}},
    }
    parameter = authored()["Parameters"]["ValidationConcurrency"]
    assert (parameter["Default"], parameter["MinValue"]) == (4, 2)  # Lambda takes no fewer


def test_a_validation_that_fails_for_good_and_a_model_that_regresses_raise_alarms(template: Transformed) -> None:
    assert template.properties("ValidationDeadLetters") == {
        "QueueName": {"Fn::Sub": "flexchat-${Stage}-validation-failed"},
        **DEAD_LETTERS,
    }
    assert template.properties("ValidationFunctionEventInvokeConfig") == {
        "FunctionName": {"Ref": "ValidationFunction"},
        "Qualifier": "live",
        "MaximumEventAgeInSeconds": 3_600,
        "MaximumRetryAttempts": 2,
        "DestinationConfig": {"OnFailure": {"Destination": {"Fn::GetAtt": ["ValidationDeadLetters", "Arn"]}}},
    }
    assert _watched(template, "ValidationFailedAlarm") == _waiting_in("ValidationDeadLetters")
    assert _watched(template, "RegressionAlarm") == {
        "Namespace": {"Fn::Sub": "Flexchat/${Stage}"},
        "MetricName": "ModelRegressions",
        "Dimensions": [{"Name": "stage", "Value": {"Ref": "Stage"}}],
        "Statistic": "Sum",
        "Period": 300,
        "EvaluationPeriods": 1,
        "Threshold": 0,
        "ComparisonOperator": "GreaterThanThreshold",
        "TreatMissingData": "notBreaching",
    }


def test_the_schedule_is_disabled_by_default_and_names_its_execution(template: Transformed) -> None:
    schedule = template.properties("ScheduledValidation")
    target = {key: value for key, value in schedule["Target"].items() if key != "Input"}
    defaults = {name: authored()["Parameters"][f"Validation{name}"]["Default"] for name in SCHEDULE_PARAMETERS}

    assert defaults == {"Schedule": "cron(0 3 * * ? *)", "TimeZone": "UTC", "ScheduleState": "DISABLED"}
    assert {key: value for key, value in schedule.items() if key not in ("Description", "Target")} == {
        "Name": {"Fn::Sub": "flexchat-${Stage}-validation"},
        "ScheduleExpression": {"Ref": "ValidationSchedule"},
        "ScheduleExpressionTimezone": {"Ref": "ValidationTimeZone"},
        "State": {"Ref": "ValidationScheduleState"},
        "FlexibleTimeWindow": {"Mode": "OFF"},
    }
    assert target == {
        "Arn": {"Ref": "ValidationFunctionAliaslive"},
        "RoleArn": {"Fn::GetAtt": ["ValidationScheduleRole", "Arn"]},
        "RetryPolicy": {"MaximumEventAgeInSeconds": 3_600, "MaximumRetryAttempts": 10},
        "DeadLetterConfig": {"Arn": {"Fn::GetAtt": ["ValidationDeadLetters", "Arn"]}},
    }
    assert json.loads(schedule["Target"]["Input"]["Fn::Sub"]) == {
        "schedule": {
            "name": "flexchat-${Stage}-validation",
            "execution_id": "<aws.scheduler.execution-id>",
            "scheduled_time": "<aws.scheduler.scheduled-time>",
        }
    }


def test_the_signing_secret_is_generated_by_aws(template: Transformed) -> None:
    (secret,) = template.of_type("AWS::SecretsManager::Secret").values()

    assert secret["Properties"].keys() == {"Description", "GenerateSecretString"}
    assert secret["Properties"]["GenerateSecretString"] == {"PasswordLength": 64, "ExcludePunctuation": True}


def test_collections_are_in_a_private_encrypted_versioned_and_retained_bucket(template: Transformed) -> None:
    (bucket,) = template.of_type("AWS::S3::Bucket").values()

    assert (bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    assert bucket["Properties"] == {
        "BucketName": {"Fn::Sub": "flexchat-${Stage}-${AWS::AccountId}-${AWS::Region}"},
        "BucketEncryption": {
            "ServerSideEncryptionConfiguration": [{"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]
        },
        "OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]},
        "PublicAccessBlockConfiguration": dict.fromkeys(
            ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"), True
        ),
        "VersioningConfiguration": {"Status": "Enabled"},
        "LifecycleConfiguration": {
            "Rules": [
                {
                    "Id": "forget-old-versions",
                    "Status": "Enabled",
                    "NoncurrentVersionExpiration": {"NoncurrentDays": 7},
                    "ExpiredObjectDeleteMarker": True,
                },
                {
                    "Id": "forget-incomplete-uploads",
                    "Status": "Enabled",
                    "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1},
                },
            ]
        },
    }


def test_the_bucket_accepts_tls_only(template: Transformed) -> None:
    (policy,) = template.of_type("AWS::S3::BucketPolicy").values()

    assert policy["Properties"]["Bucket"] == {"Ref": "CollectionsBucket"}
    assert policy["Properties"]["PolicyDocument"]["Statement"] == [
        {
            "Sid": "DenyInsecureTransport",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": [{"Fn::GetAtt": ["CollectionsBucket", "Arn"]}, {"Fn::Sub": "${CollectionsBucket.Arn}/*"}],
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        }
    ]


def test_no_other_resource_is_deployed(template: Transformed) -> None:
    """A new resource type (a bucket, a function URL) needs an assertion of its own."""
    assert {resource["Type"] for resource in template.resources.values()} == {
        "AWS::ApiGateway::Account",
        "AWS::ApiGateway::Deployment",
        "AWS::ApiGateway::RestApi",
        "AWS::ApiGateway::Stage",
        "AWS::CloudWatch::Alarm",
        "AWS::CloudWatch::Dashboard",
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
        "AWS::S3::Bucket",
        "AWS::S3::BucketPolicy",
        "AWS::SQS::Queue",
        "AWS::Scheduler::Schedule",
        "AWS::SecretsManager::Secret",
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
    assert imported.__file__ == str(ROOT / function["Properties"]["CodeUri"] / "app.py")
    assert function["Metadata"] == {"BuildProperties": {"ParentPackageMode": "auto"}}
    assert (ROOT / function["Properties"]["CodeUri"] / "requirements.txt").is_file()
