"""The chat function: chooses the adapters, and which door an event came through."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pydantic import Json as JsonText
from pydantic import ValidationError

from flexchat.api import ApiModel, ChatRequest, ChatResponse
from flexchat.api.trials import TrialEvent, TrialOutcome
from flexchat.aws.blobs import Blobs
from flexchat.aws.catalog import CatalogSource
from flexchat.aws.clients import close_connections, dynamodb, lambdas, secretsmanager, ssm
from flexchat.aws.lambdas import BackgroundInvoker, LambdaInvoker
from flexchat.aws.parameters import ParameterStore
from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.config.catalog import Catalog
from flexchat.config.models.limits import SessionsConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ConfigError, FlexchatError
from flexchat.http_api.caller import DIRECT, Caller
from flexchat.http_api.deadline import MARGIN_SECONDS, RequestDeadlines
from flexchat.http_api.errors import shape_error
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.settings import Settings, read_environment
from flexchat.snapstart import after_restore, before_snapshot
from flexchat.validation.legacy_export import RETENTION_DAYS
from flexchat.validation.records import ModelTallies
from functions.chat.api.chat import HttpDoor, Services
from functions.chat.api.errors import http_error
from functions.chat.aws.idempotency import Idempotency
from functions.chat.aws.leases import LeaseStore
from functions.chat.aws.limit_counters import LimitCounters
from functions.chat.aws.runs import RunStore
from functions.chat.aws.signing_key import SigningKey
from functions.chat.engine import ChatEngine
from functions.chat.generation.events import Emit
from functions.chat.limits.admission import RateLimits
from functions.chat.providers.factory import create_provider, import_adapters
from functions.chat.resumption.tokens import ResumeTokens
from functions.chat.runs.background import BackgroundRuns
from functions.chat.runs.events import RunOrder
from functions.chat.runs.responder import Delivery
from functions.chat.runs.service import Runs
from functions.chat.runtime import CreateProvider, ReadCatalog
from functions.chat.sessions.api import SessionsApi
from functions.chat.sessions.conversations import Conversations
from functions.chat.sessions.store.sessions import SessionStore
from functions.chat.sessions.store.turns import SessionTurns
from functions.chat.trials.quick_tests import QuickTests
from functions.chat.trials.status_cache import no_tallies

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_ssm import SSMClient


class ChatSettings(Settings):
    """`FLEXCHAT_TOOL_FUNCTIONS` maps tool types to function names as JSON; `FLEXCHAT_ALLOWED_ORIGINS` is a list
    separated by commas; `FLEXCHAT_CATALOG_TTL_SECONDS` is how long a configuration is served before it is read again;
    `FLEXCHAT_SIGNING_SECRET` is the ARN of the secret that resume tokens are signed with. Without a
    `FLEXCHAT_VALIDATION_TABLE` no model counts as tested; the record of a test is kept in it for
    `FLEXCHAT_VALIDATION_RETENTION_DAYS`. Without a `FLEXCHAT_RETRIEVAL_FUNCTION` no collection can be searched.
    """

    stage: str
    tool_functions: JsonText[dict[str, str]]
    retrieval_function: str = ""
    chats_table: str
    idempotency_table: str
    signing_secret: str
    validation_table: str = ""
    validation_retention_days: int = RETENTION_DAYS
    allowed_origins: str = ""
    catalog_ttl_seconds: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clients:
    """How the services of AWS are reached; one that a request does not need is never made."""

    ssm: Callable[[], "SSMClient"] = ssm
    lambdas: Callable[[], "LambdaClient"] = lambdas
    dynamodb: Callable[[], "DynamoDBClient"] = dynamodb
    secretsmanager: Callable[[], "SecretsManagerClient"] = secretsmanager


class _Parts:
    """Everything that the doors of one environment open to, each made when first needed, and kept."""

    def __init__(
        self,
        settings: ChatSettings,
        clients: Clients,
        provider: CreateProvider,
        catalog: ReadCatalog | None,
        clock: Clock,
        now: WallClock,
    ) -> None:
        self._settings = settings
        self._clients = clients
        self._create_provider = provider
        self._catalog = catalog or self._stored_catalog
        self._clock = clock
        self._now = now

    @cached_property
    def engine(self) -> ChatEngine:
        """The engine on the stage's configuration, tool functions and sessions."""
        return ChatEngine(
            catalog=self._catalog,
            invoker=LambdaInvoker(
                client=self._clients.lambdas(),
                functions=self._settings.tool_functions,
                retrieval=self._settings.retrieval_function or None,
            ),
            create_provider=self._create_provider,
            conversations=self._conversations,
            resume_tokens=lambda: self._resume_tokens,
            limits=RateLimits(counters=lambda: self._limit_counters, now=self._now, stage=self._settings.stage),
            tallies=self._tallies if self._settings.validation_table else no_tallies,
            clock=self._clock,
            now=self._now,
        )

    @property
    def sessions(self) -> SessionsApi:
        """The sessions as their owners see them."""
        store = SessionStore(self._clients.dynamodb(), self._settings.chats_table)
        return SessionsApi(store=store, clock=self._now, ttl_days=self.engine.configuration().sessions.ttl_days)

    @property
    def tests(self) -> QuickTests:
        """Tests of models by plain queries."""
        tracker = (lambda: self._tracker) if self._settings.validation_table else None
        days = self._settings.validation_retention_days
        return QuickTests(engine=self.engine, tracker=tracker, retention_days=days, now=self._now)

    @cached_property
    def runs(self) -> Runs:
        """The runs of callers."""
        background = BackgroundInvoker(self._clients.lambdas())
        return Runs(store=self._run_store, blobs=self._blobs, background=background, now=self._now)

    @cached_property
    def background(self) -> BackgroundRuns:
        """Does the runs that this function was ordered to do."""
        return BackgroundRuns(store=self._run_store, blobs=self._blobs, now=self._now)

    @cached_property
    def delivery(self) -> Delivery:
        """Delivers answers later, or again."""
        idempotency = Idempotency(self._clients.dynamodb(), self._settings.idempotency_table)
        return Delivery(runs=self.runs, blobs=self._blobs, idempotency=idempotency, now=self._now)

    def prepare(self) -> None:
        """Make what every chat needs before a snapshot: the adapters, the clients, and the configuration with its
        providers where one is stored by then. The signing key is not read, so that no snapshot has it."""
        import_adapters()
        self._clients.dynamodb()
        self._clients.secretsmanager()
        try:
            self._source.current()  # without a deadline, which would leave a thread at work in the snapshot
            runtime = self.engine.runtime()
        except FlexchatError as error:
            logger.warning("configuration not read before the snapshot", reason=str(error))
        else:
            for name in runtime.catalog.configuration.llms:
                with suppress(ConfigError):  # told to whoever asks it
                    runtime.provider(name)
        close_connections()

    def renew(self) -> None:
        """Have the configuration of a restored snapshot confirmed before it is used."""
        self._source.restored()

    def _stored_catalog(self, deadline: Deadline) -> Catalog:
        return self._source.current(deadline)

    @cached_property
    def _source(self) -> CatalogSource:
        settings = self._settings
        store = ParameterStore(self._clients.ssm())
        return CatalogSource(store=store, stage=settings.stage, ttl_seconds=settings.catalog_ttl_seconds)

    def _conversations(self, config: SessionsConfig) -> Conversations:
        turns = SessionTurns(self._clients.dynamodb(), self._settings.chats_table)
        return Conversations(
            turns=turns, clock=self._now, ttl_days=config.ttl_days, max_history_tokens=config.max_history_tokens
        )

    @cached_property
    def _resume_tokens(self) -> ResumeTokens:
        claims = LeaseStore(self._clients.dynamodb(), self._settings.chats_table)
        key = SigningKey(self._clients.secretsmanager(), self._settings.signing_secret)
        return ResumeTokens(states=self._blobs, claims=claims, key=key.read, clock=self._now)

    @cached_property
    def _limit_counters(self) -> LimitCounters:
        return LimitCounters(self._clients.dynamodb(), self._settings.chats_table)

    @cached_property
    def _tracker(self) -> ModelValidationTracker:
        return ModelValidationTracker(self._clients.dynamodb(), self._settings.validation_table)

    def _tallies(self, deadline: Deadline) -> tuple[ModelTallies, ...]:
        return self._tracker.all(deadline=deadline)

    @cached_property
    def _blobs(self) -> Blobs:
        return Blobs(self._clients.dynamodb(), self._settings.chats_table)

    @cached_property
    def _run_store(self) -> RunStore:
        return RunStore(self._clients.dynamodb(), self._settings.chats_table)


def create_function(
    settings: ChatSettings,
    clients: Clients | None = None,
    *,
    provider: CreateProvider = create_provider,
    catalog: ReadCatalog | None = None,
    clock: Clock = time.monotonic,
    now: WallClock = time.time,
) -> "ChatFunction":
    """The chat function of one environment; `catalog` takes the place of the stage's stored configuration.

    `clock` measures deadlines; leases and expiry times are compared with `now`.
    """
    parts = _Parts(settings, clients or Clients(), provider, catalog, clock, now)
    services = Services(
        stage=settings.stage,
        engine=lambda: parts.engine,
        sessions=lambda: parts.sessions,
        runs=lambda: parts.runs,
        delivery=lambda: parts.delivery,
        tests=lambda: parts.tests,
    )
    origins = tuple(filter(None, settings.allowed_origins.split(",")))
    deadlines = RequestDeadlines(clock=clock, now=now)
    return ChatFunction(
        services,
        background=lambda: parts.background,
        allowed_origins=origins,
        deadlines=deadlines,
        prepare=parts.prepare,
        renew=parts.renew,
    )


class ChatFunction:
    """The doors of one environment. `background` does the runs that it was ordered to do.

    `prepare` makes what chats need before a snapshot, `renew` has its configuration confirmed after a restore.
    """

    def __init__(
        self,
        services: Services,
        *,
        background: Callable[[], BackgroundRuns],
        allowed_origins: tuple[str, ...] = (),
        deadlines: RequestDeadlines | None = None,
        prepare: Callable[[], None] = lambda: None,
        renew: Callable[[], None] = lambda: None,
    ) -> None:
        deadlines = deadlines or RequestDeadlines()
        self.prepare = prepare
        self.renew = renew
        self._engine = services.engine
        self._clock = deadlines.clock
        self._background = background
        self._context: Any = None
        self._http = HttpDoor(services, allowed_origins=allowed_origins, deadlines=deadlines)

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        self._context = context
        if "httpMethod" in event:
            return self._http.resolve(event, context)
        if "run" in event:
            return self._run(event, context)
        with logger.append_context_keys(request_id=context.aws_request_id):
            return self._trial(event, context) if "trial" in event else self._direct(event, context)

    def _direct(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """A bare ChatRequest as the event: the answer, or the error envelope, as a plain object."""
        request_id: str = context.aws_request_id
        try:
            request = _parsed(ChatRequest, event)
            deadline = self._limit(request.deadline_ms)
            response = self._engine().run_chat(request, caller=DIRECT, deadline=deadline, request_id=request_id)
        except FlexchatError as error:
            return http_error(error, request_id).body.model_dump(mode="json")
        return response.model_dump(mode="json")

    def _trial(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """A TrialEvent: what came of it, as a plain object. IAM says who may send one; no token does."""
        request_id: str = context.aws_request_id
        try:
            trial = _parsed(TrialEvent, event).trial
            deadline = self._limit(trial.deadline_ms)
            outcome = TrialOutcome(answer=self._engine().run_trial(trial, deadline=deadline, request_id=request_id))
        except FlexchatError as error:
            outcome = TrialOutcome(error=http_error(error, request_id).body)
        return outcome.model_dump(mode="json")

    def _run(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """A run that was begun at the HTTP door, done in the background. Raises when it has failed."""
        order, begun = RunOrder.read(event), False

        def run_chat(
            request: ChatRequest, caller: Caller, deadline: Deadline, request_id: str, observe: Emit
        ) -> ChatResponse:
            nonlocal begun
            begun = True
            return self._engine().run_chat(
                request,
                caller=caller,
                deadline=deadline,
                request_id=request_id,
                observe=observe,
                reservations=order.reservations,
            )

        outcome = self._background().execute(event, context, run_chat)
        if outcome["status"] == "cancelled" and not begun and order.reservations:
            self._engine().release(order.caller, order.reservations, deadline=self._limit(None))
        return outcome

    def _limit(self, deadline_ms: int | None) -> Deadline:
        """The earlier of the caller's deadline and the end of this invocation."""
        left = self._context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS
        wanted = left if deadline_ms is None else deadline_ms / 1000
        return Deadline.after(max(0.0, min(wanted, left)), clock=self._clock)


def _parsed[T: ApiModel](model: type[T], event: dict[str, Any]) -> T:
    try:
        return model.model_validate(event)
    except ValidationError as exc:
        raise shape_error(exc.errors(include_url=False), model) from exc


@cache
def chat_function() -> ChatFunction:
    return create_function(read_environment(ChatSettings, os.environ))


@logger.inject_lambda_context(clear_state=True)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Answer a REST API proxy event, a bare `ChatRequest` or a `TrialEvent` sent straight to the function, or do a
    background run."""
    return chat_function().handle(event, context)


before_snapshot(lambda: chat_function().prepare())
after_restore(lambda: chat_function().renew())
