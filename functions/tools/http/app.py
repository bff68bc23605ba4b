"""Lambda handler and composition root of tools of type http."""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import os
import time
from collections.abc import Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

from flexchat.aws.clients import close_connections, dynamodb, ssm
from flexchat.aws.parameters import ParameterStore
from flexchat.egress.settings import EgressSettings
from flexchat.http_client import BoundedHttpClient
from flexchat.messages import Json
from flexchat.settings import read_environment
from flexchat.snapstart import before_snapshot
from flexchat.stage_secrets import StageSecrets
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool
from functions.tools.http.aws.tool_state import ToolStateTable
from functions.tools.http.implementation import Implementation, environment
from functions.tools.http.sender import HttpSender
from functions.tools.http.shared_state import SharedState
from functions.tools.http.tool import HttpTool

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_ssm import SSMClient


class HttpToolSettings(EgressSettings):
    """Environment of the function."""

    stage: str
    tool_state_table: str
    catalog_ttl_seconds: float = 60.0


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
        client = BoundedHttpClient(egress=policy, compressed=False)
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
    """Build the client before a snapshot, without a connection, and import the parts that only some tools use."""
    from flexchat.html_text import html_text

    html_text("<p></p>")
    environment()
    _ = http_tool_function().tool
    close_connections()


before_snapshot(prepare)
modules_imported()
