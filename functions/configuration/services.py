"""Services that the routes of the configuration function use."""

from functools import cached_property, partial
from typing import Protocol

from flexchat.audit import Auditor, AuditRecord
from flexchat.deadline import Deadline
from flexchat.http_api.api import ApiRouter
from functions.configuration.editor import ConfigurationEditor
from functions.configuration.tokens import TokenManager


class AuditWriter(Protocol):
    """Writer of audit records. Raises UnavailableError and ConfigError."""

    def write(self, record: AuditRecord, *, deadline: Deadline) -> bool: ...


class ConfigurationServices(Protocol):
    """Services of one environment, each created on first use."""

    @cached_property
    def editor(self) -> ConfigurationEditor: ...

    @cached_property
    def tokens(self) -> TokenManager: ...

    @cached_property
    def audit(self) -> AuditWriter: ...


class ConfigurationRouter(ApiRouter[ConfigurationServices]):
    """Routes of the configuration function."""

    @property
    def author(self) -> str:
        """Return the name and the id of the caller's token, or of the person who signed in."""
        caller = self.caller
        kind = "person" if caller.is_person else "token"
        return f"{caller.name} ({kind} {caller.principal})" if caller.name else caller.principal

    @property
    def auditor(self) -> Auditor:
        """Return the writer of the records of this request."""
        caller = self.caller
        return Auditor(
            write=partial(self.services.audit.write, deadline=self.deadline()),
            principal=caller.principal,
            request_id=self.request_id,
            front_end="api",
            name=caller.name or None,
        )
