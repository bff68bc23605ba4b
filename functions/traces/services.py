"""Services that the routes of the traces function use."""

from functools import cached_property
from typing import Protocol

from flexchat.http_api.api import ApiRouter
from functions.traces.audit import AuditRecords
from functions.traces.logs import TraceLogs
from functions.traces.queries import TraceQueries
from functions.traces.usage import UsageReports


class TraceServices(Protocol):
    """Services of one environment, each created on first use."""

    @cached_property
    def queries(self) -> TraceQueries: ...

    @cached_property
    def usage(self) -> UsageReports: ...

    @cached_property
    def logs(self) -> TraceLogs: ...

    @cached_property
    def audit(self) -> AuditRecords: ...


class TraceRouter(ApiRouter[TraceServices]):
    """Routes of the traces function."""
