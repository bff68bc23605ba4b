"""Resource-based permissions: what lets API Gateway invoke the functions of its routes and its authorizer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.iam.deployment import Deployment
from tests.iam.policies import matches

_FUNCTION = re.compile(
    r":lambda:path/(?:2015-03-31/functions/(.+)/invocations|2021-11-15/functions/(.+)/response-streaming-invocations)$"
)
_PARAMETER = re.compile(r"\{[^{}]+\}")


@dataclass(frozen=True, slots=True)
class Invocation:
    """API Gateway's call of a function: its ARN with the qualifier, and the caller's ARN that Lambda checks."""

    route: str
    function: str
    source: str


@dataclass(frozen=True, slots=True)
class Permission:
    """An AWS::Lambda::Permission for API Gateway."""

    name: str
    function: str
    source: str

    def admits(self, invocation: Invocation) -> bool:
        """Return true for this caller, function and qualifier, which Lambda compares exactly."""
        return self.function == invocation.function and matches(self.source, invocation.source)


def invocations(deployment: Deployment) -> Iterator[Invocation]:
    """Every function that the APIs of the template invoke."""
    for name, api in deployment.of_type("AWS::ApiGateway::RestApi"):
        source = deployment.account.arn("execute-api", deployment.id(name))
        body: dict[str, Any] = api["Body"]
        for path, methods in body["paths"].items():
            for method, operation in methods.items():
                integration = operation.get("x-amazon-apigateway-integration", {})
                if integration.get("type") == "aws_proxy":
                    target = _PARAMETER.sub("x", path)
                    yield Invocation(
                        f"{method.upper()} {path}",
                        _function(integration["uri"]),
                        f"{source}/stage/{method.upper()}{target}",
                    )
        for scheme, security in body["components"]["securitySchemes"].items():
            authorizer = security["x-amazon-apigateway-authorizer"]
            yield Invocation(f"authorizer {scheme}", _function(authorizer["authorizerUri"]), f"{source}/authorizers/id")


def permissions(deployment: Deployment) -> Iterator[Permission]:
    """Every permission of API Gateway on a function; one without a source would admit any API of any account."""
    for name, properties in deployment.of_type("AWS::Lambda::Permission"):
        if properties["Principal"] != "apigateway.amazonaws.com" or properties["Action"] != "lambda:InvokeFunction":
            continue
        function = properties["FunctionName"]
        arn = function if function.startswith("arn:") else deployment.account.arn("lambda", f"function:{function}")
        yield Permission(name, arn, properties["SourceArn"])


def _function(uri: str) -> str:
    found = _FUNCTION.search(uri)
    if found is None:
        raise ValueError(f"{uri!r} invokes no function")
    return found[1] or found[2]
