"""The configuration function: its settings and its services."""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import os
import time
from functools import cache, cached_property
from typing import Any, Literal

from flexchat.aws.audit_log import DEFAULT_DAYS, AuditLog
from flexchat.aws.clients import AwsClients, close_connections
from flexchat.aws.configuration_objects import ConfigurationObjects
from flexchat.aws.objects import ObjectStore
from flexchat.aws.parameters import ParameterStore
from flexchat.aws.tokens import TokenStore
from flexchat.http_api.deadline import RequestDeadlines
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.settings import Settings, read_environment
from flexchat.snapstart import before_snapshot
from functions.configuration.api import ConfigurationApi
from functions.configuration.editor import ConfigurationEditor
from functions.configuration.tokens import TokenManager

type Switch = Literal["auto", "on", "off"]


class ConfigurationSettings(Settings):
    """Environment of the function.

    `FLEXCHAT_CONFIGURATION_EDITING` is `on`, `off` or `auto`: drafts may be published unless the stage has
    `FLEXCHAT_PROTECT_DATA`. `FLEXCHAT_MANAGE_TOKENS` is the same for tokens. `FLEXCHAT_ALLOWED_ORIGINS` is a list
    separated by commas.
    """

    stage: str
    audit_table: str
    configuration_bucket: str
    tokens_table: str
    audit_retention_days: int = DEFAULT_DAYS
    configuration_editing: Switch = "auto"
    manage_tokens: Switch = "auto"
    protect_data: bool = True
    allowed_origins: str = ""

    @property
    def edits(self) -> bool:
        """Return whether drafts may be published; the role of the function has the same condition."""
        return self._is_on(self.configuration_editing)

    @property
    def manages_tokens(self) -> bool:
        """Return whether tokens may be created and revoked; the role of the function has the same condition."""
        return self._is_on(self.manage_tokens)

    def _is_on(self, switch: Switch) -> bool:
        return switch == "on" or (switch == "auto" and not self.protect_data)


class ConfigurationFunction:
    """Services of one environment, each created on first use, and the handler of its events."""

    def __init__(
        self, settings: ConfigurationSettings, clients: AwsClients | None = None, *, clock: WallClock = time.time
    ) -> None:
        self._settings = settings
        self._clients = clients or AwsClients()
        self._clock = clock

    def prepare(self) -> None:
        """Create the clients and services before a snapshot."""
        _ = self.api, self.editor, self.tokens, self.audit
        close_connections()

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Return the response to a REST API proxy event."""
        return self.api.resolve(event, context)

    @cached_property
    def api(self) -> ConfigurationApi:
        origins = tuple(filter(None, self._settings.allowed_origins.split(",")))
        return ConfigurationApi(self, allowed_origins=origins, deadlines=RequestDeadlines(now=self._clock))

    @cached_property
    def editor(self) -> ConfigurationEditor:
        settings = self._settings
        bucket = ObjectStore(self._clients.s3, settings.configuration_bucket)
        objects = ConfigurationObjects(lambda: bucket, stage=settings.stage)
        return ConfigurationEditor(
            ParameterStore(self._clients.ssm),
            packed=objects,
            history=objects,
            stage=settings.stage,
            editing=settings.edits,
            clock=self._clock,
        )

    @cached_property
    def audit(self) -> AuditLog:
        settings = self._settings
        return AuditLog(
            self._clients.dynamodb, settings.audit_table, days=settings.audit_retention_days, clock=self._clock
        )

    @cached_property
    def tokens(self) -> TokenManager:
        settings = self._settings
        return TokenManager(
            TokenStore(self._clients.dynamodb, settings.tokens_table),
            limits=lambda: self.editor.limits(),
            roles=lambda: self.editor.roles(),
            stage=settings.stage,
            managed=settings.manages_tokens,
            clock=self._clock,
        )


@cache
def configuration_function() -> ConfigurationFunction:
    return ConfigurationFunction(read_environment(ConfigurationSettings, os.environ))


@logger.inject_lambda_context(clear_state=True)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Handle a REST API proxy event."""
    return configuration_function().handle(event, context)


before_snapshot(lambda: configuration_function().prepare())
modules_imported()
