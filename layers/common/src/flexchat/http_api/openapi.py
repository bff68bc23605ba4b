"""OpenAPI document of a function's routes."""

import json
from collections.abc import Iterable
from http import HTTPStatus
from types import UnionType
from typing import Any, cast

from aws_lambda_powertools.event_handler import APIGatewayRestResolver
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse, OpenAPIResponseContentModel
from pydantic import BaseModel

from flexchat.api import ErrorResponse
from flexchat.http_api.api import Endpoint

ROLE_EXTENSION = "x-role"
"""Key of the role that a route requires; absent where no token is required."""

_NO_CONTENT = str(HTTPStatus.NO_CONTENT.value)

RIGHT_EXTENSION = "x-right"
"""Key of the right that admits callers without the role."""


def responses(
    model: type[BaseModel] | UnionType | None,
    *,
    status: int = HTTPStatus.OK,
    errors: Iterable[int] = (400, 401, 403, 413, 415, 429, 500, 502, 503, 504),
) -> dict[int, OpenAPIResponse]:
    """Return the documented responses of a route: its success, without content for None, and the error envelope."""
    documented: dict[int, OpenAPIResponse] = {}
    if model is None:
        documented[int(HTTPStatus.NO_CONTENT)] = {"description": "Deleted"}
    else:
        documented[int(status)] = {
            "description": "The answer",
            "content": {"application/json": {"model": cast("Any", model)}},
        }
    for code in errors:
        content = {"application/json": OpenAPIResponseContentModel(model=ErrorResponse)}
        documented[code] = {"description": HTTPStatus(code).phrase, "content": {**content}}
    return documented


def openapi_document(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of `endpoints`."""
    # Its import builds the models of OpenAPI, a tenth of a cold start.
    from aws_lambda_powertools.event_handler.openapi.models import HTTPBearer

    resolver = APIGatewayRestResolver(enable_validation=True)
    documented = tuple(endpoints)
    for endpoint in documented:
        resolver.route(
            endpoint.path,
            endpoint.method,
            summary=endpoint.summary,
            description=endpoint.description,
            tags=list(endpoint.tags),
            responses=endpoint.responses,
            status_code=endpoint.status_code,
            openapi_extensions=_extensions(endpoint),
        )(endpoint.handler)
    text = resolver.get_openapi_json_schema(
        title="Flexchat",
        version="1.0.0",
        description="A chat that calls tools. Every route but /health requires `Authorization: Bearer <token>`.",
        security_schemes={"bearer": HTTPBearer()},
        security=[{"bearer": []}],
    )
    document: dict[str, Any] = json.loads(text)
    for path in document["paths"].values():
        for operation in path.values():
            if "HTTPValidationError" in json.dumps(operation["responses"].get("422", {})):
                del operation["responses"]["422"]  # the router's own; an invalid body is a 400 here
            # The router documents JSON of its handler's type, but a 204 has no body.
            operation["responses"].get(_NO_CONTENT, {}).pop("content", None)
    for endpoint in documented:
        if endpoint.request_body is not None:
            document["paths"][endpoint.path][endpoint.method.lower()]["requestBody"] = dict(endpoint.request_body)
    return document


def _extensions(endpoint: Endpoint) -> dict[str, Any] | None:
    if endpoint.role is None:
        return None
    return {ROLE_EXTENSION: endpoint.role, **({RIGHT_EXTENSION: endpoint.right} if endpoint.right else {})}
