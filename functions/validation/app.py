"""The validation function: chooses the adapters, and which door an event came through."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from flexchat.api.validation import NewRun
from flexchat.aws.clients import close_connections, dynamodb, events, lambdas, sqs, ssm
from flexchat.aws.parameters import ParameterStore
from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.deadline import MARGIN_SECONDS, RequestDeadlines
from flexchat.http_api.errors import http_error, shape_error
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.settings import Settings, read_environment
from flexchat.snapstart import before_snapshot
from flexchat.validation.suites import built_in_suites
from functions.validation.api import Services, ValidationDoor
from functions.validation.aws.event_bus import EventBus
from functions.validation.aws.queues import WorkQueue
from functions.validation.aws.runs import RunStore
from functions.validation.aws.suites import SuiteStore
from functions.validation.aws.trials import TrialInvoker
from functions.validation.case_worker import Worker
from functions.validation.configuration import ConfigurationSource
from functions.validation.queries import Progress
from functions.validation.queue_handler import QueueDoor
from functions.validation.run_finisher import Closing
from functions.validation.run_planner import Planner
from functions.validation.run_starter import Starter
from functions.validation.schedule import Schedule, ScheduleEvent
from functions.validation.suite_cache import Snapshots
from functions.validation.suites import Suites
from functions.validation.views import run_view

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_ssm import SSMClient

EVENT_SOURCE = "flexchat.validation"


class ValidationSettings(Settings):
    """`FLEXCHAT_CHAT_FUNCTION` is the chat function with its alias, `FLEXCHAT_VALIDATION_QUEUE` the queue's URL;
    `FLEXCHAT_ALLOWED_ORIGINS` is a list separated by commas; `FLEXCHAT_CATALOG_TTL_SECONDS` is how long a configuration
    is used before it is read again.
    """

    stage: str
    chat_function: str
    validation_queue: str
    validation_table: str
    validation_retention_days: int = 90
    allowed_origins: str = ""
    catalog_ttl_seconds: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clients:
    """How the services of AWS are reached; one that an event does not need is never made."""

    ssm: "Callable[[], SSMClient]" = ssm
    lambdas: "Callable[[], LambdaClient]" = lambdas
    dynamodb: "Callable[[], DynamoDBClient]" = dynamodb
    sqs: "Callable[[], SQSClient]" = sqs
    events: "Callable[[], EventBridgeClient]" = events


class ValidationFunction:
    """Everything that the doors of one environment open to, each made when first needed, and kept."""

    def __init__(
        self, settings: ValidationSettings, clients: Clients | None = None, *, clock: WallClock = time.time
    ) -> None:
        self._settings = settings
        self._clients = clients or Clients()
        self._clock = clock
        services = Services(progress=lambda: self._progress, starter=lambda: self._starter, suites=lambda: self._suites)
        origins = tuple(filter(None, settings.allowed_origins.split(",")))
        self._http = ValidationDoor(services, allowed_origins=origins, deadlines=RequestDeadlines(now=clock))

    def prepare(self) -> None:
        """Make the clients and parts before a snapshot. The configuration is not read: it would be of that day."""
        _ = self._progress, self._schedule, self._queue_door
        close_connections()

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        if "httpMethod" in event:
            return self._http.resolve(event, context)
        deadline = Deadline.after(max(0.0, context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS))
        if "Records" in event:
            return self._queue_door.resolve(event, deadline)
        if "schedule" in event:
            due = ScheduleEvent.model_validate(event["schedule"])
            begun = self._schedule.start(due, request_id=context.aws_request_id, deadline=deadline)
            return {"run": None if begun is None else begun.id}
        with logger.append_context_keys(request_id=context.aws_request_id):
            return self._direct(event, context.aws_request_id, deadline)

    def _direct(self, event: dict[str, Any], request_id: str, deadline: Deadline) -> dict[str, Any]:
        """`{"validate": NewRun}`: the run that was begun, or the error envelope, as a plain object."""
        try:
            run = self._starter.start(_wanted(event), deadline=deadline)
        except FlexchatError as error:
            return http_error(error, request_id).body.model_dump(mode="json")
        return run_view(run).model_dump(mode="json")

    @cached_property
    def _progress(self) -> Progress:
        return Progress(runs=self._runs, tracker=self._tracker, configuration=self._configuration.current)

    @cached_property
    def _starter(self) -> Starter:
        return Starter(
            runs=self._runs,
            kept=self._suite_store,
            suites=self._suites,
            queue=self._queue,
            configuration=self._configuration.current,
            retention_days=self._settings.validation_retention_days,
            clock=self._clock,
        )

    @cached_property
    def _schedule(self) -> Schedule:
        return Schedule(starter=self._starter, configuration=self._configuration.current)

    @cached_property
    def _queue_door(self) -> QueueDoor:
        snapshots = Snapshots(self._suite_store, self._runs, clock=self._clock)
        bus = EventBus(self._clients.events(), source=EVENT_SOURCE)
        closing = Closing(runs=self._runs, tracker=self._tracker, bus=bus, stage=self._settings.stage)
        planner = Planner(
            runs=self._runs, snapshots=snapshots, tracker=self._tracker, queue=self._queue, closing=closing
        )
        worker = Worker(
            runs=self._runs,
            snapshots=snapshots,
            tracker=self._tracker,
            trials=TrialInvoker(self._clients.lambdas(), self._settings.chat_function),
            closing=closing,
            configuration=self._configuration.current,
            clock=self._clock,
        )
        return QueueDoor(planner=planner, worker=worker, queue=self._queue)

    @cached_property
    def _suites(self) -> Suites:
        return Suites(self._suite_store, built_in=built_in_suites(), clock=self._clock)

    @cached_property
    def _configuration(self) -> ConfigurationSource:
        store = ParameterStore(self._clients.ssm())
        return ConfigurationSource(store, stage=self._settings.stage, ttl_seconds=self._settings.catalog_ttl_seconds)

    @cached_property
    def _queue(self) -> WorkQueue:
        return WorkQueue(self._clients.sqs(), self._settings.validation_queue)

    @cached_property
    def _runs(self) -> RunStore:
        return RunStore(self._clients.dynamodb(), self._settings.validation_table, clock=self._clock)

    @cached_property
    def _tracker(self) -> ModelValidationTracker:
        return ModelValidationTracker(self._clients.dynamodb(), self._settings.validation_table, clock=self._clock)

    @cached_property
    def _suite_store(self) -> SuiteStore:
        return SuiteStore(self._clients.dynamodb(), self._settings.validation_table)


def _wanted(event: dict[str, Any]) -> NewRun:
    try:
        return NewRun.model_validate(event.get("validate"))
    except ValidationError as exc:
        raise shape_error(exc.errors(include_url=False), NewRun) from exc


@cache
def validation_function() -> ValidationFunction:
    return ValidationFunction(read_environment(ValidationSettings, os.environ))


@logger.inject_lambda_context(clear_state=True)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Answer a REST API proxy event, work messages of the queue off, or begin a run by the schedule or directly."""
    return validation_function().handle(event, context)


before_snapshot(lambda: validation_function().prepare())
