"""HTTP API of MCP servers."""

from functools import cached_property
from typing import Annotated, Protocol

from aws_lambda_powertools.event_handler.openapi.params import Body

from flexchat.http_api.api import ApiRouter, HttpApi
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.openapi import responses
from functions.tools.mcp.discovery.servers import McpServers
from functions.tools.mcp.views import McpApproval, McpServerList, McpServerView, McpTrial, McpTrialView

TAGS = ("mcp",)


class McpServices(Protocol):
    """Services of one environment, each created on first use."""

    @cached_property
    def servers(self) -> McpServers: ...


class McpRouter(ApiRouter[McpServices]):
    """Routes of MCP servers."""


router = McpRouter()


@router.endpoint(
    "GET",
    "/api/mcp/servers",
    role="operator",
    summary="List the MCP servers",
    tags=TAGS,
    responses=responses(McpServerList, errors=(401, 403, 429, 500, 503)),
)
def list_servers() -> McpServerList:
    return router.services.servers.list(deadline=router.deadline())


@router.endpoint(
    "POST",
    "/api/mcp/servers/<name>/refresh",
    role="operator",
    body="none",
    summary="List the tools of an MCP server again",
    tags=TAGS,
    responses=responses(McpServerView, errors=(401, 403, 404, 409, 429, 500, 503)),
)
def refresh(name: str) -> McpServerView:
    return router.services.servers.refresh(name, deadline=router.deadline())


@router.endpoint(
    "POST",
    "/api/mcp/servers/<name>/approve",
    role="operator",
    summary="Approve the tools of an MCP server",
    tags=TAGS,
    responses=responses(McpServerView, errors=(400, 401, 403, 404, 409, 413, 415, 429, 500, 503)),
)
def approve(name: str, approval: Annotated[McpApproval, Body()]) -> McpServerView:
    return router.services.servers.approve(
        name, approval, by=router.caller, request_id=router.request_id, deadline=router.deadline()
    )


@router.endpoint(
    "POST",
    "/api/mcp/trials",
    role="operator",
    summary="List the tools of an MCP server that is not configured",
    tags=TAGS,
    responses=responses(McpTrialView, errors=(400, 401, 403, 413, 415, 422, 429, 500, 503)),
)
def try_out(trial: Annotated[McpTrial, Body()]) -> McpTrialView:
    return router.services.servers.try_out(trial, deadline=router.deadline())


ROUTERS = (router,)


class McpApi(HttpApi[McpServices]):
    """MCP servers of the configuration, approvals of their tools, and trials of new servers."""

    routers = ROUTERS
    body = BodyLimit('{"hash": "…"}')
