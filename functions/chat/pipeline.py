"""The one engine behind every door: a chat request goes in, a well-formed answer comes out before its deadline."""

import time
from collections.abc import Callable
from functools import partial

from flexchat.api import ChatRequest, ChatResponse, DisabledView, ModelList, ToolList, ToolView
from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName
from flexchat.config.models import LlmConfig, ResponseRule
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ConfigError, Problem
from flexchat.observability import logger
from functions.chat.answer import chat_response
from functions.chat.generation.generator import ResponseGenerator
from functions.chat.generation.model import GenerationContext
from functions.chat.generation.trace import Trace
from functions.chat.measures import measure
from functions.chat.models import list_models
from functions.chat.phases.profile import build_profile
from functions.chat.phases.rag import retrieve
from functions.chat.phases.rules import match_rule
from functions.chat.providers.base import Provider
from functions.chat.providers.discovery import Discovery
from functions.chat.providers.fallback import Candidate, Candidates, models_of
from functions.chat.providers.profiles import profile_for
from functions.chat.tools.invoker import ToolInvoker
from functions.chat.tools.manager import ToolManager

ANSWER_SECONDS = 0.3
"""Kept back from every deadline to write the answer."""

CreateProvider = Callable[[str, LlmConfig], Provider]


class ChatEngine:
    """Runs chats on the configuration of the moment; what a configuration needs is made once and kept until it changes.

    `catalog` gives the current configuration, `create_provider` an adapter for one llm.
    """

    def __init__(
        self,
        *,
        catalog: Callable[[], Catalog],
        invoker: ToolInvoker,
        create_provider: CreateProvider,
        clock: Clock = time.monotonic,
    ) -> None:
        self._current = catalog
        self._invoker = invoker
        self._create_provider = create_provider
        self._clock = clock
        self._catalog: Catalog | None = None
        self._tools: ToolManager | None = None
        self._discovery = Discovery(clock=clock)
        self._providers: dict[str, tuple[LlmConfig, Provider]] = {}

    def run_chat(self, request: ChatRequest, *, deadline: Deadline, request_id: str) -> ChatResponse:
        """The answer to one message.

        Raises ConfigError when the configuration cannot answer it, ModelError when the provider fails before any tool
        has run, UnavailableError when the configuration cannot be read.
        """
        trace = Trace(clock=self._clock)
        catalog = self._load()
        history = [message for entry in request.history if (message := entry.as_message()) is not None]
        due = deadline.minus(ANSWER_SECONDS)
        retrieved = retrieve(
            request,
            is_first_turn=not history,
            catalog=catalog,
            invoker=self._invoker,
            deadline=due,
            request_id=request_id,
            emit=trace.emit,
        )
        profile = build_profile(request, retrieved)
        rule = match_rule(catalog.configuration.responses, profile)
        generator = ResponseGenerator(tool_manager=self._tools)
        result = generator.generate_response(
            profile=profile,
            rule=rule,
            models=self._models(catalog, rule),
            user_message=request.message,
            previous_messages=history,
            context=GenerationContext(deadline=due, request_id=request_id, emit=trace.emit),
        )
        response = chat_response(result, retrieved, trace, request_id)
        logger.info(
            "chat answered",
            model=f"{response.service}:{response.model}",
            instead_of=response.fallback.instead_of if response.fallback else None,
            status=response.status,
            finish_reason=response.finish_reason,
            tool_calls=len(response.tool_calls),
            total_ms=response.timings.total_ms,
            total_tokens=response.usage.total_tokens,
        )
        measure(response)
        return response

    def list_tools(self) -> ToolList:
        """Every tool that is offered, and every configured entry that is not served with the reason."""
        catalog = self._load()
        manager = self._tools
        if manager is None or not manager.is_enabled():
            return ToolList(tools=(), disabled=_disabled(catalog))
        offered = manager.offered(None)
        tools = tuple(
            ToolView(
                name=tool.name,
                description=tool.description,
                handler=tool.handler,
                parameters=tool.parameters,
                implementation={"type": tool.implementation_type},
            )
            for tool in manager.get_registry().list()
            if tool.name in offered
        )
        withheld = tuple(
            DisabledView(kind="tool", name=name, problems=problems) for name, problems in manager.withheld().items()
        )
        return ToolList(tools=tools, disabled=(*withheld, *_disabled(catalog)))

    def list_models(self) -> ModelList:
        """Every configured llm's models, with what each can do. Takes seconds when a provider is slow to say."""
        catalog = self._load()
        return list_models(catalog, self._discovery, partial(self._provider, catalog))

    def _load(self) -> Catalog:
        """The current catalog, with its tools loaded when it is a new one."""
        catalog = self._current()
        if catalog is not self._catalog:
            self._tools = ToolManager(config=catalog.configuration.tools, invoker=self._invoker)
            self._catalog = catalog
            logger.info("configuration loaded", version=catalog.version, disabled=len(catalog.disabled))
        return catalog

    def _models(self, catalog: Catalog, rule: ResponseRule) -> Candidates:
        """Who may answer by `rule`. Raises ConfigError when its own model cannot be used."""
        llms = catalog.configuration.llms

        def make(name: ModelName) -> Candidate:
            provider = self._provider(catalog, name.llm)
            return Candidate(provider, name.model, profile_for(provider.type, name.model, llms[name.llm]))

        return Candidates(models_of(rule, llms), make)

    def _provider(self, catalog: Catalog, name: str) -> Provider:
        """The provider of an llm, kept with its connections for as long as the entry stays the same."""
        config = catalog.configuration.llms.get(name)
        if config is None:
            reasons = [entry.problems for entry in catalog.disabled if entry.kind == "llm" and entry.name == name]
            reason = f": {'; '.join(reasons[0])}" if reasons else ""
            raise ConfigError((Problem(path=f"llms.{name}", message=f"Provider {name} not found{reason}"),))
        kept = self._providers.get(name)
        if kept is None or kept[0] != config:
            kept = (config, self._create_provider(name, config))
            self._providers[name] = kept
        return kept[1]


def _disabled(catalog: Catalog) -> tuple[DisabledView, ...]:
    return tuple(DisabledView(kind=entry.kind, name=entry.name, problems=entry.problems) for entry in catalog.disabled)
