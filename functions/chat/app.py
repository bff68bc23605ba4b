"""The chat function: its services and the dispatch of its events."""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import os
import time
from contextlib import suppress
from functools import cache, cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

from flexchat.api.answer import ChatResponse, StepView, ToolCallView, UsageView
from flexchat.api.request import ChatRequest
from flexchat.aws.blobs import Blobs
from flexchat.aws.catalog import CatalogSource
from flexchat.aws.clients import AwsClients, close_connections
from flexchat.aws.lambdas import BackgroundInvoker, LambdaInvoker
from flexchat.aws.limit_counters import LimitCounters
from flexchat.aws.packed_configuration import PackedObject
from flexchat.aws.parameters import ParameterStore
from flexchat.config.models.configuration import Configuration
from flexchat.config.parameters import Manifest
from flexchat.deadline import Clock, Deadline
from flexchat.deferred_model import build_models
from flexchat.errors import ConfigError, FlexchatError
from flexchat.http_api.deadline import RequestDeadlines
from flexchat.limits.rate_limits import RateLimits
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.schema import load_validator
from flexchat.settings import read_environment
from flexchat.snapstart import after_restore, before_snapshot
from flexchat.tool_types import TOOL_TYPES
from flexchat.tools import ToolReply
from functions.chat.api.api import ChatApi
from functions.chat.api.direct import DirectInvocations
from functions.chat.aws.leases import LeaseStore
from functions.chat.aws.runs import ChatRunStore
from functions.chat.aws.signing_key import SigningKey
from functions.chat.chat_limits import ChatLimits
from functions.chat.engine import ChatEngine
from functions.chat.files.message_files import Fetch
from functions.chat.files.services import FileServices
from functions.chat.guardrails.base import CreateGuardrail
from functions.chat.guardrails.factory import create_guardrail
from functions.chat.providers.factory import create_provider, import_adapters
from functions.chat.resumption.approvals import ApprovalRequests
from functions.chat.resumption.tokens import ResumeTokens
from functions.chat.resumption.waiting_chats import WaitingChats
from functions.chat.runs.background import BackgroundRuns
from functions.chat.runs.responder import ChatResponder
from functions.chat.runs.service import Runs, own_alias
from functions.chat.runtime import CreateProvider, ReadCatalog, RuntimeCache
from functions.chat.sessions.conversations import Conversations
from functions.chat.sessions.store.turns import SessionTurns
from functions.chat.sessions.titles import TitleQueue, TitleRequest
from functions.chat.settings import ChatSettings
from functions.chat.tracing.sender import TraceSender
from functions.chat.validated_models import no_tallies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flexchat.aws.validation.tracker import ModelValidationTracker
    from flexchat.config.models.mcp_servers import McpServerConfig
    from flexchat.http_api.streams import ResponseStream
    from flexchat.validation.records import ModelTallies
    from functions.chat.api.operations import Operations
    from functions.chat.aws.approvals import ApprovalStore
    from functions.chat.aws.idempotency import IdempotencyStore
    from functions.chat.mcp_server.server import McpServer
    from functions.chat.openai_api.background import BackgroundResponses
    from functions.chat.openai_api.embeddings import Embeddings
    from functions.chat.openai_api.responses import Responses
    from functions.chat.runs.approvals import Approvals
    from functions.chat.streaming.chats import ChatStreams
    from functions.chat.tools.discovered.listings import Listed, ListingCache


_LATER_MODULES = (
    "flexchat.aws.mcp_listings",
    "flexchat.aws.validation.tracker",
    "functions.chat.api.streaming",
    "functions.chat.aws.approvals",
    "functions.chat.aws.idempotency",
    "functions.chat.files.fetching",
    "functions.chat.guardrails.aws.bedrock",
    "functions.chat.guardrails.http",
    "functions.chat.openai_api.background",
    "functions.chat.runs.approvals",
    "functions.chat.streaming.events",
    "functions.chat.title_writer",
    "functions.chat.tools.discovered.definitions",
    "functions.chat.tools.discovered.listings",
)
"""Modules that some requests import, and that each snapshot has."""


class ChatFunction:
    """Services of one environment, each made on first use, and the handler of its events.

    `catalog` takes the place of the stage's stored configuration. `clock` measures deadlines; leases and expiry times
    are compared with `now`.
    """

    def __init__(
        self,
        settings: ChatSettings,
        clients: AwsClients | None = None,
        *,
        provider: CreateProvider | None = None,
        guardrail: CreateGuardrail | None = None,
        catalog: ReadCatalog | None = None,
        clock: Clock = time.monotonic,
        now: WallClock = time.time,
        fetch: Fetch | None = None,
    ) -> None:
        self._fetch = fetch
        self._function = ""
        self._settings = settings
        self._clients = clients or AwsClients()
        self._create_provider = provider or partial(create_provider, egress=settings.egress)
        self._create_guardrail = guardrail or partial(create_guardrail, egress=settings.egress)
        self._catalog: ReadCatalog = catalog or (lambda deadline: self._source.current(deadline))
        self._clock = clock
        self._now = now

    @overload
    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]: ...

    @overload
    def handle(self, event: dict[str, Any], context: Any, stream: "ResponseStream | None") -> dict[str, Any] | None: ...

    def handle(
        self, event: dict[str, Any], context: Any, stream: "ResponseStream | None" = None
    ) -> dict[str, Any] | None:
        """Return the response to a REST API proxy event, or to a direct invocation; None when it was sent by
        `stream`."""
        try:
            if "httpMethod" in event:
                return self.api.resolve(event, context, stream)
            return self.direct.handle(event, context)
        finally:
            self._function = self._settings.runs_function or own_alias(context.invoked_function_arn)
            if stream is None:
                self.finish()

    def finish(self) -> None:
        """Send the traces and audit records of an answered event, and the requests for titles."""
        self.traces.flush()
        self.titles.flush(self._function)

    def prepare(self) -> None:
        """Import all modules, create clients and providers before a snapshot, and read the configuration if one is
        stored.

        The signing key is not read, so that no snapshot contains it.
        """
        for module in _LATER_MODULES:
            import_module(module)
        load_validator()
        import_adapters()
        self.api.include_all()
        _ = self.operations, self.mcp, self.streams, self._clients.dynamodb, self._clients.secretsmanager
        try:
            self._source.current()  # without a deadline, which would leave a thread at work in the snapshot
            runtime = self.runtimes.prepared()
        except FlexchatError as error:
            logger.warning("configuration not read before the snapshot", reason=str(error))
        else:
            for name in runtime.catalog.configuration.llms:
                with suppress(ConfigError):  # raised again when it is used
                    runtime.provider(name)
            for name in runtime.catalog.configuration.guardrails:
                with suppress(ConfigError):
                    runtime.guardrail(name)
        close_connections()

    def renew(self) -> None:
        """Check the configuration of a restored snapshot before its next use."""
        self._source.restored()

    @cached_property
    def api(self) -> ChatApi:
        deadlines = RequestDeadlines(clock=self._clock, now=self._now, stream_seconds=self._settings.stream_seconds)
        return ChatApi(self, allowed_origins=self._allowed_origins, deadlines=deadlines)

    @property
    def _allowed_origins(self) -> tuple[str, ...]:
        return tuple(filter(None, self._settings.allowed_origins.split(",")))

    @cached_property
    def direct(self) -> DirectInvocations:
        return DirectInvocations(
            engine=self.engine,
            trial=lambda event, context: self.operations.trial(event, context),
            smoke_test=self._smoke_test,
            title=self._write_title,
            limits=self.limits,
            background_runs=BackgroundRuns(
                store=self._run_store,
                blobs=self._blobs,
                now=self._now,
                observe=lambda run, worker, storing: self.streams.observe(run, worker, storing),
            ),
            responses=lambda: self.background_responses,
            approvals=lambda: self.approvals,
            clock=self._clock,
        )

    def _smoke_test(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Run the smoke test of a deployment, whose client of CodeDeploy no other event needs."""
        from functions.chat.api.smoke_test import SmokeTest
        from functions.chat.aws.lifecycle_hooks import CodeDeployHooks

        hooks = CodeDeployHooks(self._clients.codedeploy)
        return SmokeTest(engine=self.engine, hooks=hooks, clock=self._clock).handle(event, context)

    @cached_property
    def engine(self) -> ChatEngine:
        """Return the engine on the stage's configuration, tool functions and sessions."""
        return ChatEngine(
            runtimes=self.runtimes,
            invoker=self._invoker,
            conversations=Conversations(turns=lambda: self._session_turns, clock=self._now),
            resume_tokens=self._resume_tokens,
            waiting_chats=WaitingChats(states=lambda: self._blobs, clock=self._now),
            approvals=ApprovalRequests(records=self._approval_store, states=lambda: self._blobs, clock=self._now),
            files=self.files.messages,
            limits=self.limits,
            traces=self.traces,
            titles=self.titles,
            clock=self._clock,
        )

    @cached_property
    def titles(self) -> TitleQueue:
        """Return the requests for titles, which this function or that of background runs answers."""
        return TitleQueue(lambda: BackgroundInvoker(self._clients.lambdas))

    def _write_title(self, event: dict[str, Any], request_id: str) -> dict[str, Any]:
        """Write a title, whose modules no other event needs."""
        from functions.chat.sessions.store.sessions import SessionStore
        from functions.chat.title_writer import TitleWriter

        writer = TitleWriter(
            runtimes=self.runtimes,
            store=SessionStore(self._clients.dynamodb, self._settings.chats_table),
            limits=self._rate_limits,
            traces=self.traces,
            clock=self._clock,
            now=self._now,
        )
        return writer.write(TitleRequest.parse(event), request_id=request_id)

    @cached_property
    def traces(self) -> TraceSender:
        """Return the sender of traces and audit records, which the runtime of a streaming function flushes after each
        response."""
        return TraceSender(
            self._settings.traces_function,
            lambda: BackgroundInvoker(self._clients.lambdas),
            stage=self._settings.stage,
            now=self._now,
        )

    @cached_property
    def files(self) -> FileServices:
        """Return the services for the files of callers."""
        return FileServices(self._settings, self._clients, reader=self._invoker, fetch=self._fetch, clock=self._now)

    @cached_property
    def runtimes(self) -> RuntimeCache:
        return RuntimeCache(
            catalog=self._catalog,
            invoker=self._invoker,
            create_provider=self._create_provider,
            create_guardrail=self._create_guardrail,
            tallies=self._tallies if self._settings.validation_table else no_tallies,
            listed=self._listed if self._settings.tool_state_table else None,
            clock=self._clock,
        )

    @cached_property
    def limits(self) -> ChatLimits:
        return ChatLimits(limits=self._rate_limits, runtimes=self.runtimes, resume_tokens=self._resume_tokens)

    @cached_property
    def operations(self) -> "Operations":
        """Return the services that no chat uses; they are imported with their models on first use."""
        from functions.chat.api.operations import Operations

        return Operations(
            stage=self._settings.stage,
            runtimes=self.runtimes,
            invoker=self._invoker,
            limits=self._rate_limits,
            tracker=(lambda: self._tracker) if self._settings.validation_table else None,
            retention_days=self._settings.validation_retention_days,
            traces=self.traces,
            sessions=lambda: (self._clients.dynamodb, self._settings.chats_table),
            files=self.files.messages,
            clock=self._clock,
            now=self._now,
        )

    @cached_property
    def mcp(self) -> "McpServer":
        """Return the MCP server, whose modules are imported on first use."""
        from functions.chat.mcp_server.elicitation import Grants
        from functions.chat.mcp_server.methods import McpTools, Methods
        from functions.chat.mcp_server.server import McpServer

        tools = McpTools(
            runtimes=self.runtimes,
            engine=lambda: self.engine,
            invoker=self._invoker,
            limits=self._rate_limits,
            grants=Grants(
                key=lambda deadline: self._signing_key.read(deadline), leases=lambda: self._leases, clock=self._now
            ),
            traces=self.traces,
            clock=self._clock,
        )
        return McpServer(Methods(tools), allowed_origins=self._allowed_origins, clock=self._clock)

    @cached_property
    def runs(self) -> Runs:
        """Return the background runs of callers."""
        background = BackgroundInvoker(self._clients.lambdas)
        return Runs(store=self._run_store, blobs=self._blobs, background=background, now=self._now)

    @cached_property
    def approvals(self) -> "Approvals":
        """Return the decisions on tool calls that wait, whose modules are imported on first use."""
        from functions.chat.runs.approvals import Approvals

        return Approvals(
            records=self._approval_store(), states=self._blobs, runs=self.runs, audit=self.traces.decided, now=self._now
        )

    def _approval_store(self) -> "ApprovalStore":
        from functions.chat.aws.approvals import ApprovalStore

        return ApprovalStore(self._clients.dynamodb, self._settings.chats_table)

    @property
    def runs_function(self) -> str:
        """Function that executes background runs; empty for this one."""
        return self._settings.runs_function

    @cached_property
    def responder(self) -> ChatResponder:
        """Return the responder for background runs and repeated requests."""
        return ChatResponder(runs=self.runs, blobs=self._blobs, idempotency=lambda: self._idempotency, now=self._now)

    @cached_property
    def streams(self) -> "ChatStreams":
        """Return the streamed chats, whose modules are imported on first use."""
        from functions.chat.streaming.chats import ChatStreams

        return ChatStreams(store=self._run_store, blobs=self._blobs, now=self._now, clock=self._clock)

    @cached_property
    def responses(self) -> "Responses":
        """Return the Responses API, whose modules are imported on first use."""
        from functions.chat.openai_api.responses import Responses, StoredResponses

        stored = StoredResponses(blobs=self._blobs, runs=self.runs, now=self._now)
        return Responses(
            engine=self.engine, runtimes=self.runtimes, stored=stored, files=self.files.messages, now=self._now
        )

    @cached_property
    def background_responses(self) -> "BackgroundResponses":
        """Return the responses that background runs answer, whose modules are imported on first use."""
        from functions.chat.openai_api.background import BackgroundResponses

        return BackgroundResponses(
            responses=self.responses, runs=self.runs, limits=self.limits, blobs=self._blobs, now=self._now
        )

    @cached_property
    def embeddings(self) -> "Embeddings":
        """Return the Embeddings API, whose modules are imported on first use."""
        from functions.chat.openai_api.embeddings import Embeddings

        return Embeddings(runtimes=self.runtimes, invoker=self._invoker, limits=self._rate_limits, clock=self._clock)

    @cached_property
    def _idempotency(self) -> "IdempotencyStore":
        from functions.chat.aws.idempotency import IdempotencyStore

        return IdempotencyStore(self._clients.dynamodb, self._settings.idempotency_table)

    @cached_property
    def _source(self) -> CatalogSource:
        settings = self._settings
        return CatalogSource(
            store=ParameterStore(self._clients.ssm),
            packed=PackedObject.of(lambda: self._clients.s3, settings.configuration_bucket, stage=settings.stage),
            stage=settings.stage,
            ttl_seconds=settings.catalog_ttl_seconds,
        )

    def _listed(self, servers: "Mapping[str, McpServerConfig]", deadline: Deadline) -> "Listed":
        return self._listings.current(servers, deadline)

    @cached_property
    def _listings(self) -> "ListingCache":
        """Listings of MCP servers, for a configuration that has some."""
        from flexchat.aws.mcp_listings import McpListingTable
        from functions.chat.tools.discovered.listings import ListingCache

        table = McpListingTable(self._clients.dynamodb, self._settings.tool_state_table)
        return ListingCache(
            table.read_all, self._request_refresh, ttl_seconds=self._settings.catalog_ttl_seconds, clock=self._now
        )

    def _request_refresh(self, servers: tuple[str, ...], deadline: Deadline) -> None:
        from flexchat.mcp import RefreshServers

        function = self._tool_functions.get("mcp")
        if function is not None:
            event = RefreshServers(servers=servers).model_dump(mode="json")
            BackgroundInvoker(self._clients.lambdas).invoke(function, event, deadline=deadline)

    @cached_property
    def _invoker(self) -> LambdaInvoker:
        return LambdaInvoker(
            client=self._clients.lambdas,
            functions=self._tool_functions,
            retrieval=self._settings.retrieval_function or None,
        )

    @property
    def _tool_functions(self) -> dict[str, str]:
        stage, functions = self._settings.stage, self._settings.tool_functions
        return {name: row.function_name(stage) for name, row in TOOL_TYPES.items()} if functions is None else functions

    @cached_property
    def _session_turns(self) -> SessionTurns:
        return SessionTurns(self._clients.dynamodb, self._settings.chats_table)

    @cached_property
    def _resume_tokens(self) -> ResumeTokens:
        return ResumeTokens(
            states=lambda: self._blobs,
            leases=lambda: self._leases,
            key=lambda deadline: self._signing_key.read(deadline),
            clock=self._now,
        )

    @cached_property
    def _leases(self) -> LeaseStore:
        return LeaseStore(self._clients.dynamodb, self._settings.chats_table)

    @cached_property
    def _signing_key(self) -> SigningKey:
        return SigningKey(self._clients.secretsmanager, self._settings.signing_secret)

    @cached_property
    def _rate_limits(self) -> RateLimits:
        return RateLimits(counters=lambda: self._limit_counters, now=self._now, stage=self._settings.stage)

    @cached_property
    def _limit_counters(self) -> LimitCounters:
        return LimitCounters(self._clients.dynamodb, self._settings.chats_table)

    @cached_property
    def _tracker(self) -> "ModelValidationTracker":
        from flexchat.aws.validation.tracker import ModelValidationTracker

        return ModelValidationTracker(self._clients.dynamodb, self._settings.validation_table)

    def _tallies(self, deadline: Deadline) -> "tuple[ModelTallies, ...]":
        return self._tracker.all(deadline=deadline)

    @cached_property
    def _blobs(self) -> Blobs:
        return Blobs(self._clients.dynamodb, self._settings.chats_table)

    @cached_property
    def _run_store(self) -> ChatRunStore:
        return ChatRunStore(self._clients.dynamodb, self._settings.chats_table)


@cache
def chat_function() -> ChatFunction:
    return ChatFunction(read_environment(ChatSettings, os.environ))


@logger.inject_lambda_context(clear_state=True)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Handle a REST API proxy event, or a direct invocation: a bare `ChatRequest`, a `TrialEvent`, a background
    run, a request for a title or a hook of CodeDeploy."""
    return chat_function().handle(event, context)


@logger.inject_lambda_context(clear_state=True)
def stream_handler(event: dict[str, Any], context: Any, stream: "ResponseStream") -> dict[str, Any] | None:
    """Handle an event as `lambda_handler` does, but send a streamed response by `stream`; the result is None then."""
    return chat_function().handle(event, context, stream)


def after_response() -> None:
    """Send what an event that `stream_handler` has handled leaves, when its response has ended."""
    chat_function().finish()


build_models(Manifest, Configuration, ChatRequest, ToolReply, StepView, ToolCallView, UsageView, ChatResponse)
before_snapshot(lambda: chat_function().prepare())
after_restore(lambda: chat_function().renew())
modules_imported()
