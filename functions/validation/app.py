"""The validation function: its settings, its services and the dispatch of its events."""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import os
import time
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

from pydantic import ValidationError

from flexchat.aws.clients import AwsClients, close_connections
from flexchat.aws.packed_configuration import PackedObject
from flexchat.aws.parameters import ParameterStore
from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.config.models.roles import RoleConfig
from flexchat.config.source import ConfigurationSource
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.deadline import RequestDeadlines, invocation_deadline
from flexchat.http_api.errors import shape_error, to_http_error
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.schema import load_validator
from flexchat.settings import Settings, read_environment
from flexchat.snapstart import before_snapshot
from flexchat.validation.records import RETENTION_DAYS
from flexchat.validation.suites import built_in_suites
from flexchat.validation.views import NewRun
from functions.validation.api import ValidationApi
from functions.validation.aws.queues import EventBus, WorkQueue
from functions.validation.aws.runs import ValidationRunStore
from functions.validation.aws.suites import SuiteStore
from functions.validation.aws.trials import TrialInvoker
from functions.validation.case_worker import CaseWorker
from functions.validation.queries import ValidationQueries, run_view
from functions.validation.queue_handler import QueueHandler
from functions.validation.run_finisher import RunFinisher
from functions.validation.run_starter import RunPlanner, RunStarter
from functions.validation.schedule import Schedule, ScheduleEvent
from functions.validation.suites import SuiteCache, Suites

EVENT_SOURCE = "flexchat.validation"


class ValidationSettings(Settings):
    """Environment of the function.

    `FLEXCHAT_CHAT_FUNCTION` is the chat function with its alias, `FLEXCHAT_VALIDATION_QUEUE` the queue's URL;
    `FLEXCHAT_ALLOWED_ORIGINS` is a list separated by commas; `FLEXCHAT_CATALOG_TTL_SECONDS` is the time after which the
    configuration is read again; `FLEXCHAT_CONFIGURATION_BUCKET` has the packed configuration, without which entries are
    read one by one.
    """

    stage: str
    chat_function: str
    validation_queue: str
    validation_table: str
    validation_retention_days: int = RETENTION_DAYS
    allowed_origins: str = ""
    catalog_ttl_seconds: float = 60.0
    configuration_bucket: str = ""


class ValidationFunction:
    """Services of one environment, each created on first use, and the handler of its events."""

    def __init__(
        self, settings: ValidationSettings, clients: AwsClients | None = None, *, clock: WallClock = time.time
    ) -> None:
        self._settings = settings
        self._clients = clients or AwsClients()
        self._clock = clock

    def prepare(self) -> None:
        """Create the clients and services before a snapshot. The configuration is not read: it would be outdated."""
        load_validator()
        _ = self.api, self.queries, self.schedule, self.queue_handler
        close_connections()

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Return the response to a REST API proxy event, an SQS event, a schedule or a direct invocation."""
        if "httpMethod" in event:
            return self.api.resolve(event, context)
        deadline = invocation_deadline(context)
        if "Records" in event:
            return self.queue_handler.handle(event, deadline)
        if "schedule" in event:
            due = ScheduleEvent.model_validate(event["schedule"])
            run = self.schedule.start(due, request_id=context.aws_request_id, deadline=deadline)
            return {"run": None if run is None else run.id}
        with logger.append_context_keys(request_id=context.aws_request_id):
            return self._start(event, context.aws_request_id, deadline)

    def _start(self, event: dict[str, Any], request_id: str, deadline: Deadline) -> dict[str, Any]:
        """Return the run that `{"validate": NewRun}` starts, or the error envelope, as a plain object."""
        try:
            run = self.run_starter.start(_new_run(event), deadline=deadline)
        except FlexchatError as error:
            return to_http_error(error, request_id).body.model_dump(mode="json")
        return run_view(run).model_dump(mode="json")

    @cached_property
    def api(self) -> ValidationApi:
        origins = tuple(filter(None, self._settings.allowed_origins.split(",")))
        return ValidationApi(self, allowed_origins=origins, deadlines=RequestDeadlines(now=self._clock))

    @cached_property
    def queries(self) -> ValidationQueries:
        return ValidationQueries(runs=self._runs, tracker=self._tracker, configuration=self._configuration.current)

    @cached_property
    def run_starter(self) -> RunStarter:
        return RunStarter(
            runs=self._runs,
            suite_store=self._suite_store,
            suites=self.suites,
            queue=self._queue,
            configuration=self._configuration.current,
            retention_days=self._settings.validation_retention_days,
            clock=self._clock,
        )

    @cached_property
    def schedule(self) -> Schedule:
        return Schedule(starter=self.run_starter, configuration=self._configuration.current)

    @cached_property
    def queue_handler(self) -> QueueHandler:
        suite_cache = SuiteCache(self._suite_store, self._runs, clock=self._clock)
        bus = EventBus(self._clients.events, source=EVENT_SOURCE)
        finisher = RunFinisher(runs=self._runs, tracker=self._tracker, bus=bus, stage=self._settings.stage)
        planner = RunPlanner(
            runs=self._runs, suite_cache=suite_cache, tracker=self._tracker, queue=self._queue, finisher=finisher
        )
        worker = CaseWorker(
            runs=self._runs,
            suite_cache=suite_cache,
            tracker=self._tracker,
            trials=TrialInvoker(self._clients.lambdas, self._settings.chat_function),
            finisher=finisher,
            configuration=self._configuration.current,
            clock=self._clock,
        )
        return QueueHandler(planner=planner, worker=worker, queue=self._queue)

    @cached_property
    def suites(self) -> Suites:
        return Suites(self._suite_store, built_in=built_in_suites(), clock=self._clock)

    def roles(self) -> Mapping[str, RoleConfig]:
        return self._configuration.current().roles

    @cached_property
    def _configuration(self) -> ConfigurationSource:
        settings = self._settings
        return ConfigurationSource(
            ParameterStore(self._clients.ssm),
            packed=PackedObject.of(lambda: self._clients.s3, settings.configuration_bucket, stage=settings.stage),
            stage=settings.stage,
            ttl_seconds=settings.catalog_ttl_seconds,
        )

    @cached_property
    def _queue(self) -> WorkQueue:
        return WorkQueue(self._clients.sqs, self._settings.validation_queue)

    @cached_property
    def _runs(self) -> ValidationRunStore:
        return ValidationRunStore(self._clients.dynamodb, self._settings.validation_table, clock=self._clock)

    @cached_property
    def _tracker(self) -> ModelValidationTracker:
        return ModelValidationTracker(self._clients.dynamodb, self._settings.validation_table, clock=self._clock)

    @cached_property
    def _suite_store(self) -> SuiteStore:
        return SuiteStore(self._clients.dynamodb, self._settings.validation_table)


def _new_run(event: dict[str, Any]) -> NewRun:
    try:
        return NewRun.model_validate(event.get("validate"))
    except ValidationError as exc:
        raise shape_error(exc.errors(include_url=False), NewRun) from exc


@cache
def validation_function() -> ValidationFunction:
    return ValidationFunction(read_environment(ValidationSettings, os.environ))


@logger.inject_lambda_context(clear_state=True)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Handle a REST API proxy event, messages of the queue, a schedule or a direct invocation."""
    return validation_function().handle(event, context)


before_snapshot(lambda: validation_function().prepare())
modules_imported()
