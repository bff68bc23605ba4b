"""Gateway responses of API Gateway on the emulator, which omits them when it deploys the template."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

REST_API = "AWS::ApiGateway::RestApi"
GATEWAY_RESPONSES = "x-amazon-apigateway-gateway-responses"


class ApiGateway(Protocol):
    """Operations of API Gateway's client that are used."""

    def put_gateway_response(self, **request: Any) -> object: ...

    def create_deployment(self, **request: Any) -> object: ...


@dataclass(frozen=True, slots=True)
class GatewayResponse:
    """One gateway response; with `status` None its type determines the status."""

    kind: str
    status: str | None
    headers: Mapping[str, str]
    templates: Mapping[str, str]


def gateway_responses(template: Mapping[str, Any]) -> tuple[GatewayResponse, ...]:
    """Return the gateway responses of a template, with its macros processed, for its REST APIs.

    A conditional header is omitted: it is one of CORS, and the emulator answers preflights without CORS headers.
    """
    bodies = [
        resource.get("Properties", {}).get("Body", {})
        for resource in template["Resources"].values()
        if resource["Type"] == REST_API
    ]
    return tuple(
        GatewayResponse(
            kind=kind,
            status=response.get("statusCode"),
            headers={
                name: value for name, value in response.get("responseParameters", {}).items() if isinstance(value, str)
            },
            templates=response.get("responseTemplates", {}),
        )
        for body in bodies
        for kind, response in body.get(GATEWAY_RESPONSES, {}).items()
    )


def put_gateway_responses(client: ApiGateway, responses: tuple[GatewayResponse, ...], *, api: str, stage: str) -> None:
    """Add `responses` to the API with the id `api` and deploy them to `stage`."""
    for response in responses:
        status = {} if response.status is None else {"statusCode": response.status}
        client.put_gateway_response(
            restApiId=api,
            responseType=response.kind,
            responseParameters=dict(response.headers),
            responseTemplates=dict(response.templates),
            **status,
        )
    client.create_deployment(restApiId=api, stageName=stage)
