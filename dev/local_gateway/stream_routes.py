"""Routes of the API whose responses are streamed: authorized, and answered by processes of their function."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps
from typing import Any

from dev.local_gateway.authorizer import Authorizer
from dev.local_gateway.messages import GatewayRequest
from dev.local_gateway.proxy_event import DeployedApi, Resource, proxy_event
from dev.local_gateway.streamed_response import send_invocation
from dev.request_check import Send
from dev.runtime_api.pool import RuntimePool

STREAMING = "/response-streaming-invocations"
"""End of the URI of an integration that streams."""


@dataclass(frozen=True, slots=True)
class StreamRoute:
    """A method of a resource whose integration streams the responses of `function`, an ARN."""

    method: str
    resource: Resource
    function: str
    authorizer_id: str | None


def stream_routes(resources: Sequence[Mapping[str, Any]]) -> Iterator[StreamRoute]:
    """Yield the streaming routes among the resources that API Gateway lists with their methods."""
    for resource in resources:
        methods: Mapping[str, Mapping[str, Any]] = resource.get("resourceMethods") or {}
        for method, settings in methods.items():
            integration: Mapping[str, Any] = settings.get("methodIntegration") or {}
            uri = str(integration.get("uri", ""))
            if uri.endswith(STREAMING):
                function = uri.partition("/functions/")[2].removesuffix(STREAMING)
                found = Resource(resource["id"], resource["path"])
                yield StreamRoute(method, found, function, settings.get("authorizerId"))


@dataclass(frozen=True, slots=True)
class StreamingApi:
    """The streaming routes of a deployed API, with their authorizers by id and the pools of their functions."""

    api: DeployedApi
    region: str
    routes: Sequence[StreamRoute]
    authorizers: Mapping[str, Authorizer]
    pool: Callable[[str], RuntimePool]
    pools: dict[str, RuntimePool] = field(default_factory=dict[str, RuntimePool])

    async def close(self) -> None:
        """End all processes."""
        for pool in self.pools.values():
            await pool.close()

    def route(self, request: GatewayRequest) -> StreamRoute | None:
        """Return the streaming route of a request."""
        return next(
            (
                route
                for route in self.routes
                if route.method == request.method and route.resource.parameters(request.path) is not None
            ),
            None,
        )

    async def answer(self, route: StreamRoute, request: GatewayRequest, send: Send) -> bool:
        """Stream the response to a request; false without a response when the authorizer refuses it."""
        event = proxy_event(request, route.resource, self.api, authorizer=None)
        if route.authorizer_id is not None:
            method_arn = (
                f"arn:aws:execute-api:{self.region}:{self.api.account}:{self.api.id}/{self.api.stage}"
                f"/{request.method}{event['path']}"
            )
            context = await self.authorizers[route.authorizer_id].context(event, method_arn)
            if context is None:
                return False
            event["requestContext"]["authorizer"] = context
        invocation = self._pool(route.function).invoke(dumps(event).encode())
        await send_invocation(invocation, send, stage=self.api.stage)
        return True

    def _pool(self, function: str) -> RuntimePool:
        if function not in self.pools:
            self.pools[function] = self.pool(function)
        return self.pools[function]
