"""Services that the routes of the validation function use."""

from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

from flexchat.config.models.roles import RoleConfig
from flexchat.http_api.api import ApiRouter
from functions.validation.queries import ValidationQueries
from functions.validation.run_starter import RunStarter
from functions.validation.suites import Suites


class ValidationServices(Protocol):
    """Services of one environment, each created on first use."""

    @cached_property
    def queries(self) -> ValidationQueries: ...

    @cached_property
    def run_starter(self) -> RunStarter: ...

    @cached_property
    def suites(self) -> Suites: ...

    def roles(self) -> Mapping[str, RoleConfig]:
        """Return the section `roles` of the configuration. Raises ConfigError and UnavailableError."""
        ...


class ValidationRouter(ApiRouter[ValidationServices]):
    """Routes of the validation function."""
