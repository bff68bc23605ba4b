"""The traces function: its settings, its services and the dispatch of its events."""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import os
import time
from collections.abc import Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from flexchat import __version__
from flexchat.aws.audit_log import DEFAULT_DAYS
from flexchat.aws.clients import AwsClients, close_connections
from flexchat.aws.logs import RequestLogs
from flexchat.aws.parameters import ParameterStore
from flexchat.egress.settings import EgressSettings
from flexchat.http_api.deadline import RequestDeadlines, invocation_deadline
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.settings import read_environment
from flexchat.snapstart import before_snapshot
from flexchat.stage_secrets import StageSecrets
from flexchat.tool_types import REQUEST_FUNCTIONS
from functions.traces.api import TracesApi
from functions.traces.audit import AuditRecords
from functions.traces.aws.audit import DynamoAuditTable
from functions.traces.aws.index import DynamoTraceIndex
from functions.traces.aws.records import TraceObjects
from functions.traces.logs import TraceLogs
from functions.traces.otlp.settings import DEFAULT_SERVICE_NAME, SERVICE_NAME, OtlpSettings
from functions.traces.otlp.stage import StageExport
from functions.traces.queries import TraceQueries
from functions.traces.recorder import Recorder
from functions.traces.usage import UsageReports

if TYPE_CHECKING:
    from functions.traces.otlp.exporter import OtlpExport

RETENTION_DAYS = 30


class TracesSettings(EgressSettings):
    """Environment of the function.

    `FLEXCHAT_TRACE_RETENTION_DAYS` is the longest time that a trace is kept, `FLEXCHAT_AUDIT_RETENTION_DAYS` the time
    that an audit record is; `FLEXCHAT_ALLOWED_ORIGINS` is a list separated by commas.
    """

    stage: str
    audit_table: str
    traces_bucket: str
    traces_table: str
    audit_retention_days: int = DEFAULT_DAYS
    trace_retention_days: int = RETENTION_DAYS
    allowed_origins: str = ""


class TracesFunction:
    """Services of one environment, each created on first use, and the handler of its events."""

    def __init__(
        self,
        settings: TracesSettings,
        clients: AwsClients | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        clock: WallClock = time.time,
    ) -> None:
        self._settings = settings
        self._environment = environment or {}
        self._clients = clients or AwsClients()
        self._clock = clock

    def prepare(self) -> None:
        """Create the clients and services before a snapshot."""
        _ = self.api, self.queries, self.usage, self.recorder, self.audit
        close_connections()

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Return the response to a REST API proxy event; store the audit records and the trace of any other event."""
        if "httpMethod" in event:
            return self.api.resolve(event, context)
        deadline = invocation_deadline(context)
        self.audit.store(event, deadline=deadline)
        if event.keys() in ({"audit"}, {"awslogs"}):
            return {"stored": None}
        record = self.recorder.handle(event, deadline=deadline)
        if record is not None:
            self.export(record, deadline=deadline)
        return {"stored": None if record is None else record.id}

    @cached_property
    def api(self) -> TracesApi:
        origins = tuple(filter(None, self._settings.allowed_origins.split(",")))
        return TracesApi(self, allowed_origins=origins, deadlines=RequestDeadlines(now=self._clock))

    @cached_property
    def queries(self) -> TraceQueries:
        days = self._settings.trace_retention_days
        return TraceQueries(self._index, self._records, retention_days=days, clock=self._clock)

    @cached_property
    def recorder(self) -> Recorder:
        days = self._settings.trace_retention_days
        return Recorder(self._records, self._index, retention_days=days, clock=self._clock)

    @cached_property
    def audit(self) -> AuditRecords:
        settings = self._settings
        days = settings.audit_retention_days
        table = DynamoAuditTable(self._clients.dynamodb, settings.audit_table, days=days, clock=self._clock)
        return AuditRecords(table, retention_days=days, clock=self._clock)

    @cached_property
    def export(self) -> StageExport:
        store = ParameterStore(self._clients.ssm)
        secrets = StageSecrets(store=store, stage=self._settings.stage, ttl_seconds=60.0)

        def new_export(settings: OtlpSettings) -> "OtlpExport":
            from functions.traces.otlp.exporter import otlp_export  # with its HTTP client, only for a collector

            return otlp_export(settings, secrets=secrets, egress=self._settings.egress, resource=self._resource)

        return StageExport(
            store,
            stage=self._settings.stage,
            environment=self._environment,
            new_export=new_export,
        )

    @property
    def _resource(self) -> dict[str, str]:
        """Return the attributes of the service in OpenTelemetry."""
        return {
            "service.name": self._environment.get(SERVICE_NAME, "") or DEFAULT_SERVICE_NAME,
            "service.version": __version__,
            "deployment.environment.name": self._settings.stage,
            "cloud.provider": "aws",
            "cloud.platform": "aws_lambda",
            "cloud.region": self._environment.get("AWS_REGION", ""),
        }

    @cached_property
    def usage(self) -> UsageReports:
        return UsageReports(self._index, clock=self._clock)

    @cached_property
    def logs(self) -> TraceLogs:
        return TraceLogs(RequestLogs(self._clients.logs, stage=self._settings.stage, functions=REQUEST_FUNCTIONS))

    @cached_property
    def _index(self) -> DynamoTraceIndex:
        return DynamoTraceIndex(self._clients.dynamodb, self._settings.traces_table, clock=self._clock)

    @cached_property
    def _records(self) -> TraceObjects:
        return TraceObjects(self._clients.s3, self._settings.traces_bucket)


@cache
def traces_function() -> TracesFunction:
    return TracesFunction(read_environment(TracesSettings, os.environ), environment=os.environ)


@logger.inject_lambda_context(clear_state=True)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Handle a REST API proxy event, or an event with the trace of a chat or with audit records."""
    return traces_function().handle(event, context)


before_snapshot(lambda: traces_function().prepare())
modules_imported()
