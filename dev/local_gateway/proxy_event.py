"""Event of a REST API for a Lambda function (payload 1.0), with the values of the AWS emulator."""

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, unquote

from dev.local_gateway.messages import GatewayRequest, Headers


@dataclass(frozen=True, slots=True)
class DeployedApi:
    """A deployed REST API: its id, its stage, the id of its account, and the variables of its stage."""

    id: str
    stage: str
    account: str
    variables: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Resource:
    """A path of an API, such as `/api/runs/{id}/events`."""

    id: str
    path: str

    def parameters(self, path: str) -> dict[str, str] | None:
        """Return the parameters of a request's path; None if the path is another one."""
        own, given = self.path.strip("/").split("/"), path.strip("/").split("/")
        if len(own) != len(given):
            return None
        named = {part[1:-1]: value for part, value in zip(own, given, strict=True) if part.startswith("{")}
        matches = all(part == value or part.startswith("{") for part, value in zip(own, given, strict=True))
        return named if matches else None


def proxy_event(
    request: GatewayRequest, resource: Resource, api: DeployedApi, *, authorizer: Mapping[str, str] | None
) -> dict[str, Any]:
    """Return the event for a request to `resource`; `authorizer` is the context that the authorizer returned."""
    path, headers = unquote(request.path), joined(request.headers)
    query = parse_qs(request.target.partition(b"?")[2].decode("ascii"), keep_blank_values=True)
    request_id, now = str(uuid.uuid4()), time.time()
    context: dict[str, Any] = {
        "accountId": api.account,
        "resourceId": resource.id,
        "stage": api.stage,
        "requestId": request_id,
        "extendedRequestId": request_id,
        "requestTime": datetime.fromtimestamp(now, UTC).strftime("%d/%b/%Y:%H:%M:%S +0000"),
        "requestTimeEpoch": int(now * 1000),
        "path": f"/{api.stage}{path}",
        "protocol": "HTTP/1.1",
        "identity": {
            "sourceIp": headers.get("x-forwarded-for", "127.0.0.1").split(",")[0].strip(),
            "userAgent": headers.get("user-agent", ""),
        },
        "resourcePath": resource.path,
        "httpMethod": request.method,
        "apiId": api.id,
    }
    return {
        "version": "1.0",
        "resource": resource.path,
        "path": path,
        "httpMethod": request.method,
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": {name: values[0] for name, values in query.items()} or None,
        "multiValueQueryStringParameters": query or None,
        "pathParameters": resource.parameters(path) or None,
        "stageVariables": dict(api.variables) or None,
        "requestContext": context if authorizer is None else {**context, "authorizer": dict(authorizer)},
        "body": request.body.decode(errors="replace") if request.body else None,
        "isBase64Encoded": False,
    }


def joined(headers: Headers) -> dict[str, str]:
    """Return headers by name; the values of a repeated one are joined."""
    values: dict[str, str] = {}
    for name, value in headers:
        key, text = name.decode("latin-1"), value.decode("latin-1")
        values[key] = f"{values[key]}{'; ' if key == 'cookie' else ', '}{text}" if key in values else text
    return values
