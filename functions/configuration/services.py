"""Services that the routes of the configuration function use."""

from functools import cached_property
from typing import Protocol

from flexchat.http_api.api import ApiRouter
from functions.configuration.editor import ConfigurationEditor
from functions.configuration.tokens import TokenManager


class ConfigurationServices(Protocol):
    """Services of one environment, each created on first use."""

    @cached_property
    def editor(self) -> ConfigurationEditor: ...

    @cached_property
    def tokens(self) -> TokenManager: ...


class ConfigurationRouter(ApiRouter[ConfigurationServices]):
    """Routes of the configuration function."""

    @property
    def author(self) -> str:
        """Return the name and the id of the caller's token, or of the person who signed in."""
        caller = self.caller
        kind = "person" if caller.is_person else "token"
        return f"{caller.name} ({kind} {caller.principal})" if caller.name else caller.principal
