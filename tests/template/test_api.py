"""The API of the template: routes, authorizer, errors and access log."""

import json

import pytest

from tests.template.streaming_routes import STREAMING_ROUTES
from tests.template.transform import Transformed

PAGE_ROUTES = {
    ("/", "get"),
    ("/tools-testing", "get"),
    ("/chat", "get"),
    ("/validation", "get"),
    ("/traces", "get"),
    ("/runs/{id}", "get"),
    ("/shared/{id}", "get"),
    ("/usage", "get"),
    ("/retrieval", "get"),
    ("/configuration", "get"),
    ("/assets/{file+}", "get"),
}
OPEN_ROUTES = {("/health", "get"), *PAGE_ROUTES}
OPENAI_ROUTES = {
    ("/v1/models", "get"),
    ("/v1/models/{model+}", "get"),
    ("/v1/chat/completions", "post"),
    ("/v1/responses", "post"),
    ("/v1/responses/{response_id}", "get"),
    ("/v1/responses/{response_id}", "delete"),
    ("/v1/responses/{response_id}/cancel", "post"),
    ("/v1/embeddings", "post"),
    ("/v1/{proxy+}", "get"),
    ("/v1/{proxy+}", "post"),
    ("/v1/{proxy+}", "delete"),
}
CHAT_ROUTES = {
    *OPENAI_ROUTES,
    ("/api/chat", "post"),
    ("/api/topic/test", "post"),
    ("/api/intent/test", "post"),
    ("/api/config", "get"),
    ("/api/config/match", "post"),
    ("/api/files", "post"),
    ("/api/sessions", "get"),
    ("/api/sessions", "post"),
    ("/api/sessions/{id}", "get"),
    ("/api/sessions/{id}", "patch"),
    ("/api/sessions/{id}", "delete"),
    ("/api/sessions/{id}/messages", "get"),
    ("/api/sessions/{id}/files/{file}", "get"),
    ("/api/sessions/{id}/export", "get"),
    ("/api/sessions/{id}/shares", "get"),
    ("/api/sessions/{id}/shares", "post"),
    ("/api/sessions/{id}/shares/{share}", "delete"),
    ("/api/shared/{share}", "get"),
    ("/api/runs/{id}", "get"),
    ("/api/runs/{id}/events", "get"),
    ("/api/runs/{id}", "delete"),
    ("/api/runs/{id}/lease", "post"),
    ("/api/runs/{id}/approvals", "get"),
    ("/api/runs/{id}/approvals", "post"),
    ("/api/approvals", "get"),
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
    ("/api/collections/{name}/documents", "get"),
    ("/api/collections/{name}/documents", "post"),
    ("/api/collections/{name}/documents", "delete"),
    ("/api/collections/{name}/documents/{id}", "delete"),
    ("/api/collections/{name}/reindex", "post"),
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
TRACE_ROUTES = {
    ("/api/traces", "get"),
    ("/api/traces/profiles", "get"),
    ("/api/traces/{id}", "get"),
    ("/api/traces/{id}/case", "get"),
    ("/api/traces/{id}/logs", "get"),
    ("/api/runs/{id}/feedback", "post"),
    ("/api/usage", "get"),
    ("/api/audit", "get"),
}
MCP_ROUTES = {
    ("/api/mcp/servers", "get"),
    ("/api/mcp/servers/{name}/refresh", "post"),
    ("/api/mcp/servers/{name}/approve", "post"),
    ("/api/mcp/trials", "post"),
}
CONFIGURATION_ROUTES = {
    ("/api/configuration", "get"),
    ("/api/configuration/check", "post"),
    ("/api/configuration/match", "post"),
    ("/api/configuration/versions", "get"),
    ("/api/configuration/versions", "post"),
    ("/api/configuration/versions/{number}", "get"),
    ("/api/configuration/versions/{number}/restore", "post"),
    ("/api/tokens", "get"),
    ("/api/tokens", "post"),
    ("/api/tokens/{id}", "delete"),
}
API_ROUTES = CHAT_ROUTES | COLLECTION_ROUTES | VALIDATION_ROUTES | TRACE_ROUTES | MCP_ROUTES | CONFIGURATION_ROUTES
PREFLIGHTS = {(path, "options") for path, _ in API_ROUTES if path != "/health"}

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

    assert routes == PREFLIGHTS | PAGE_ROUTES | API_ROUTES


def test_every_route_except_health_and_the_page_calls_the_authorizer(template: Transformed) -> None:
    security = {(path, method): operation.get("security") for path, method, operation in template.operations()}

    assert security == {
        **{route: [{"TokenAuthorizer": []}] for route in security},
        **{route: [{"OpenAiAuthorizer": []}] for route in OPENAI_ROUTES},
        **{route: [{"NONE": []}] for route in OPEN_ROUTES},
        **dict.fromkeys(PREFLIGHTS),
    }


def test_every_route_below_v1_has_the_authorizer_that_admits_requests_without_a_caller(template: Transformed) -> None:
    """No other route may have it, and its policy allows the methods GET, POST and DELETE only."""
    using = {
        (path, method)
        for path, method, operation in template.operations()
        if operation.get("security") == [{"OpenAiAuthorizer": []}]
    }
    below = {(path, method) for path, method, _ in template.operations() if path.startswith("/v1")}

    assert using == {(path, method) for path, method in below if method != "options"}
    assert all(path.startswith("/v1/") and method in ("get", "post", "delete") for path, method in using)


@pytest.mark.parametrize(
    ("name", "cache"),
    [
        (
            "TokenAuthorizer",
            {"identitySource": "method.request.header.Authorization", "authorizerResultTtlInSeconds": 60},
        ),
        # API Gateway calls it also for a request without the header, and never uses its policy for another request.
        ("OpenAiAuthorizer", {"authorizerResultTtlInSeconds": 0}),
    ],
)
def test_authorizers_are_called_with_the_authorization_header_and_only_that_of_the_own_api_is_cached(
    template: Transformed, name: str, cache: dict[str, str | int]
) -> None:
    schemes = template.properties("Api")["Body"]["components"]["securitySchemes"]

    assert schemes.keys() == {"TokenAuthorizer", "OpenAiAuthorizer"}
    authorizer = dict(schemes[name]["x-amazon-apigateway-authorizer"])
    function = authorizer.pop("authorizerUri")["Fn::Sub"][1]["__FunctionArn__"]
    assert function == {"Ref": "AuthorizerFunctionAliaslive"}
    assert authorizer == {"type": "request", **cache}


@pytest.mark.parametrize("name", ["TokenAuthorizer", "OpenAiAuthorizer"])
def test_api_gateway_may_call_the_function_of_each_authorizer(template: Transformed, name: str) -> None:
    assert template.properties(f"Api{name}AuthorizerPermission") == {
        "Action": "lambda:InvokeFunction",
        "Principal": "apigateway.amazonaws.com",
        "FunctionName": {"Ref": "AuthorizerFunctionAliaslive"},
        "SourceArn": {
            "Fn::Sub": [
                "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${__ApiId__}/authorizers/*",
                {"__ApiId__": {"Ref": "Api"}},
            ]
        },
    }


def test_every_route_invokes_the_alias_of_its_function(template: Transformed) -> None:
    targets = {
        (path, method): operation["x-amazon-apigateway-integration"]["uri"]["Fn::Sub"]
        for path, method, operation in template.operations()
        if method != "options" and (path, method) not in STREAMING_ROUTES
    }
    function = "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${%s}/invocations"

    assert targets == {
        **dict.fromkeys(CHAT_ROUTES - STREAMING_ROUTES.keys(), function % "ChatFunctionAliaslive"),
        **dict.fromkeys(COLLECTION_ROUTES, function % "RetrievalFunctionAliaslive"),
        **dict.fromkeys(VALIDATION_ROUTES, function % "ValidationFunctionAliaslive"),
        **dict.fromkeys(TRACE_ROUTES, function % "TracesFunctionAliaslive"),
        **dict.fromkeys(CONFIGURATION_ROUTES, function % "ConfigurationFunctionAliaslive"),
        **dict.fromkeys(MCP_ROUTES, function % "McpToolFunctionAliaslive"),
        **dict.fromkeys(PAGE_ROUTES, function % "PageFunctionAliaslive"),
    }


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
    assert stage["Properties"]["MethodSettings"][0] == {
        "HttpMethod": "*",
        "ResourcePath": "/*",
        "ThrottlingRateLimit": {"Ref": "ThrottlingRateLimit"},
        "ThrottlingBurstLimit": {"Ref": "ThrottlingBurstLimit"},
        "MetricsEnabled": {"Fn::If": ["HasDetailedApiMetrics", True, False]},
        "LoggingLevel": "OFF",
        "DataTraceEnabled": False,
    }


def test_the_access_log_is_one_json_object_without_the_token(template: Transformed) -> None:
    (stage,) = template.of_type("AWS::ApiGateway::Stage").values()
    setting = stage["Properties"]["AccessLogSetting"]
    line = json.loads(setting["Format"])

    assert setting["DestinationArn"] == {"Fn::GetAtt": ["ApiAccessLogGroup", "Arn"]}
    assert line["request_id"] == "$context.requestId"
    assert not [value for value in line.values() if "header" in value or "body" in value]


def test_only_this_api_can_invoke_the_functions_behind_it(template: Transformed) -> None:
    permissions = {name: each["Properties"] for name, each in template.of_type("AWS::Lambda::Permission").items()}

    assert permissions.pop("ApprovalPermission") == {
        "Action": "lambda:InvokeFunction",
        "Principal": "logs.amazonaws.com",
        "FunctionName": {"Ref": "TracesFunctionAliaslive"},
        "SourceAccount": {"Ref": "AWS::AccountId"},
        "SourceArn": {"Fn::GetAtt": ["McpToolLogGroup", "Arn"]},
    }
    for permission in permissions.values():
        assert permission["Principal"] == "apigateway.amazonaws.com"
        source = permission["SourceArn"]["Fn::Sub"]
        if isinstance(source, str):
            assert ":${Api}/*/" in source
        else:
            assert "${__ApiId__}" in source[0]
            assert source[1]["__ApiId__"] == {"Ref": "Api"}
