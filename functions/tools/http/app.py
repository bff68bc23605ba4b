"""Lambda handler and composition root of tools of type http."""

import os
import time
from collections.abc import Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

import httpx

from flexchat.aws.clients import close_connections, dynamodb, ssm
from flexchat.aws.parameters import ParameterStore
from flexchat.egress.httpx_transport import GuardedTransport
from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient
from flexchat.messages import Json
from flexchat.settings import Settings, read_environment
from flexchat.snapstart import before_snapshot
from flexchat.stage_secrets import StageSecrets
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool
from functions.tools.http.aws.tool_state import ToolStateTable
from functions.tools.http.implementation import Implementation
from functions.tools.http.sender import HttpSender
from functions.tools.http.shared_state import SharedState
from functions.tools.http.tool import HttpTool

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_ssm import SSMClient


class HttpToolSettings(Settings):
    """Environment of the function.

    `FLEXCHAT_ALLOWED_HOSTS` is a list separated by commas, empty for every host that a tool names;
    `FLEXCHAT_ALLOW_LOOPBACK` is true only at the local stage.
    """

    stage: str
    tool_state_table: str
    allowed_hosts: str = ""
    allow_loopback: bool = False
    catalog_ttl_seconds: float = 60.0

    @property
    def egress(self) -> EgressPolicy:
        hosts = frozenset(filter(None, (host.strip().lower() for host in self.allowed_hosts.split(","))))
        return EgressPolicy(allowed_hosts=hosts or None, loopback=self.allow_loopback)


class HttpToolFunction:
    """Container of one Lambda environment: connections, access tokens and secrets."""

    def __init__(self, settings: HttpToolSettings, *, parameters: "SSMClient", tables: "DynamoDBClient") -> None:
        self._settings = settings
        self._tables = tables
        store = ParameterStore(parameters)
        self.secrets = StageSecrets(store=store, stage=settings.stage, ttl_seconds=settings.catalog_ttl_seconds)

    @cached_property
    def tool(self) -> HttpTool:
        policy = self._settings.egress
        limits = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=60)
        client = BoundedHttpClient(transport=GuardedTransport(policy, limits=limits), compressed=False)
        state = SharedState(
            ToolStateTable(self._tables, self._settings.tool_state_table), stage=self._settings.stage, clock=time.time
        )
        return HttpTool(HttpSender(client, policy), state=state)


@cache
def http_tool_function() -> HttpToolFunction:
    settings = read_environment(HttpToolSettings, os.environ)
    return HttpToolFunction(settings, parameters=ssm(), tables=dynamodb())


def _call(call: CallTool, implementation: Implementation) -> Json:
    return http_tool_function().tool(call, implementation)


class _Secrets:
    """Secrets of the stage, read when a call needs them."""

    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]:
        return http_tool_function().secrets(names)

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
        return http_tool_function().secrets.hosts(names)


lambda_handler = tool_handler(Implementation, _call, secrets=_Secrets())


def prepare() -> None:
    """Build the client before a snapshot, without a connection."""
    _ = http_tool_function().tool
    close_connections()


before_snapshot(prepare)
