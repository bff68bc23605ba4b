"""API Gateway's own refusals, from the deployed template to the emulator."""

from typing import Any

from dev.local_stack.gateway import GatewayResponse, gateway_responses, put_gateway_responses


class Recorded:
    """API Gateway client that records its calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def put_gateway_response(self, **request: Any) -> None:
        self.calls.append(("put", request))

    def create_deployment(self, **request: Any) -> None:
        self.calls.append(("deploy", request))


def test_each_gateway_response_is_put_before_the_deployment() -> None:
    gateway = Recorded()
    responses = (
        GatewayResponse("ACCESS_DENIED", "403", {"gatewayresponse.header.A": "'b'"}, {"application/json": "{}"}),
        GatewayResponse("DEFAULT_4XX", None, {}, {}),
    )

    put_gateway_responses(gateway, responses, api="abc", stage="local")

    assert gateway.calls == [
        (
            "put",
            {
                "restApiId": "abc",
                "responseType": "ACCESS_DENIED",
                "responseParameters": {"gatewayresponse.header.A": "'b'"},
                "responseTemplates": {"application/json": "{}"},
                "statusCode": "403",
            },
        ),
        (
            "put",
            {
                "restApiId": "abc",
                "responseType": "DEFAULT_4XX",
                "responseParameters": {},
                "responseTemplates": {},
            },
        ),
        ("deploy", {"restApiId": "abc", "stageName": "local"}),
    ]


def test_gateway_responses_are_read_from_the_template_without_conditional_headers() -> None:
    refusals: dict[str, Any] = {
        "UNAUTHORIZED": {
            "statusCode": "401",
            "responseParameters": {
                "gatewayresponse.header.WWW-Authenticate": "'Bearer'",
                "gatewayresponse.header.Access-Control-Allow-Origin": {
                    "Fn::If": ["AllowsOrigins", "'*'", {"Ref": "AWS::NoValue"}]
                },
            },
            "responseTemplates": {"application/json": "{}"},
        },
        "DEFAULT_5XX": {},
    }
    template: dict[str, Any] = {
        "Resources": {
            "Api": {
                "Type": "AWS::ApiGateway::RestApi",
                "Properties": {"Body": {"x-amazon-apigateway-gateway-responses": refusals}},
            },
            "Empty": {"Type": "AWS::ApiGateway::RestApi"},
            "Table": {"Type": "AWS::DynamoDB::Table", "Properties": {}},
        }
    }

    assert gateway_responses(template) == (
        GatewayResponse(
            "UNAUTHORIZED",
            "401",
            {"gatewayresponse.header.WWW-Authenticate": "'Bearer'"},
            {"application/json": "{}"},
        ),
        GatewayResponse("DEFAULT_5XX", None, {}, {}),
    )
