"""View of the live configuration for an operator, without secrets and prompts, with its problems."""

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlsplit

from flexchat.config.catalog import Catalog, EntryKind
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.parameters import NAME_DIGITS
from flexchat.config.phase_models import Phase
from functions.chat.inspection.listings import disabled_views
from functions.chat.inspection.rules import configured_rules, model_problems
from functions.chat.inspection.views import (
    ConfigurationView,
    ConfiguredLlmView,
    ConfiguredPhaseView,
    ConfiguredServiceView,
    ConfiguredToolView,
    LimitSettingsView,
    LimitsView,
    OpenAiApiView,
    PhasesView,
    ScheduleBudgetView,
    SessionSettingsView,
    ToolSettingsView,
    ValidationSettingsView,
)
from functions.chat.phases.llm_call import model_of
from functions.chat.runtime import Runtime


def configuration_view(runtime: Runtime, *, stage: str) -> ConfigurationView:
    """Return the view of the configuration of `stage`."""
    catalog = runtime.catalog
    configuration, changed = catalog.configuration, catalog.changed
    return ConfigurationView(
        stage=stage,
        version=catalog.version[:NAME_DIGITS],
        revision=changed.revision if changed else None,
        changed_at=_moment(changed.at) if changed else None,
        read_at=_moment(catalog.read_at) if catalog.read_at is not None else None,
        tool_settings=_tool_settings(configuration),
        tools=tuple(_tools(runtime)),
        rules=tuple(configured_rules(runtime)),
        llms=tuple(_llms(catalog)),
        services=tuple(_services(catalog)),
        phases=_phases(runtime),
        caller_fields=configuration.profile.caller_fields,
        sessions=SessionSettingsView(
            ttl_days=configuration.sessions.ttl_days, max_history_tokens=configuration.sessions.max_history_tokens
        ),
        limits=_limits(configuration.limits),
        validation=_validation(catalog),
        openai_api=OpenAiApiView(
            rules=configuration.openai_api.rules,
            models=configuration.openai_api.models,
            embedding_model=configuration.openai_api.embedding_model,
        ),
        disabled=disabled_views(runtime),
    )


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _unusable(catalog: Catalog, kind: EntryKind) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the disabled entries of one kind with their problems."""
    yield from ((entry.name, entry.problems) for entry in catalog.disabled if entry.kind == kind)


def _tool_settings(configuration: Configuration) -> ToolSettingsView:
    tools = configuration.tools
    return ToolSettingsView(
        enabled=tools.enabled,
        max_iterations=tools.max_iterations,
        max_calls_per_turn=tools.max_calls_per_turn,
        max_tool_calls=tools.max_tool_calls,
        default_timeout_ms=tools.default_timeout_ms,
        max_parallel=tools.max_parallel,
        disabled_types=tools.disabled_types,
    )


def _tools(runtime: Runtime) -> Iterator[ConfiguredToolView]:
    tools, withheld = runtime.catalog.configuration.tools, runtime.tools.withheld()
    configured = {tool.name for tool in tools.registry}
    discovered = (tool for tool in runtime.tools.get_registry().list() if tool.name not in configured)
    for tool in (*tools.registry, *discovered):
        yield _tool(tool, tools.default_timeout_ms, withheld.get(tool.name, ()))
    for name, problems in _unusable(runtime.catalog, "tool"):
        yield ConfiguredToolView(name=name, problems=problems)


def _tool(tool: ToolDefinition, default_timeout_ms: int, problems: tuple[str, ...]) -> ConfiguredToolView:
    return ConfiguredToolView(
        name=tool.name,
        type=tool.implementation_type,
        enabled=tool.enabled,
        timeout_ms=tool.timeout_ms or default_timeout_ms,
        idempotent=tool.idempotent,
        repeatable=tool.repeatable,
        sequential=tool.sequential,
        per_principal=tool.per_principal,
        problems=problems,
    )


def _llms(catalog: Catalog) -> Iterator[ConfiguredLlmView]:
    for name, llm in catalog.configuration.llms.items():
        yield _llm(name, llm, tuple(model_problems(llm.fallbacks, catalog)))
    for name, problems in _unusable(catalog, "llm"):
        llm = catalog.unusable_llms.get(name)
        yield ConfiguredLlmView(name=name, problems=problems) if llm is None else _llm(name, llm, problems)


def _llm(name: str, llm: LlmConfig, problems: tuple[str, ...]) -> ConfiguredLlmView:
    return ConfiguredLlmView(
        name=name,
        type=llm.type,
        host=_host(llm.base_url),
        region=llm.region,
        has_key=llm.api_key is not None,
        demo=llm.demo or None,
        models=llm.models,
        fallbacks=llm.fallbacks,
        problems=problems,
    )


def _services(catalog: Catalog) -> Iterator[ConfiguredServiceView]:
    for name, service in catalog.configuration.rag_services.items():
        embedding = () if service.embedding_model is None else (service.embedding_model,)
        yield ConfiguredServiceView(
            name=name,
            type=service.type,
            host=_host(service.url),
            region=service.region,
            collections=service.collection_names(name),
            match_threshold=service.match_threshold,
            partial_threshold=service.partial_threshold,
            max_distance=service.max_distance,
            top_k=service.top_k,
            problems=tuple(model_problems(embedding, catalog)),
        )
    for name, problems in _unusable(catalog, "service"):
        yield ConfiguredServiceView(name=name, problems=problems)


def _host(url: str | None) -> str | None:
    """Return the host and port of a URL; the rest may contain a secret.

    None for a URL with an `@` behind the host: a password with a `/` would be parsed as the host.
    """
    try:
        parts = urlsplit(url or "")
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if host is None or "@" in f"{parts.path}{parts.query}{parts.fragment}":
        return None
    bracketed = f"[{host}]" if ":" in host else host
    return bracketed if port is None else f"{bracketed}:{port}"


def _phases(runtime: Runtime) -> PhasesView:
    topic, intent = runtime.catalog.configuration.topic, runtime.catalog.configuration.intent
    return PhasesView(
        topic=None if topic is None else _phase(runtime, "topic", enabled=topic.enabled),
        intent=None
        if intent is None
        else _phase(runtime, "intent", enabled=intent.enabled, intents=tuple(intent.detection.intents)),
    )


def _phase(runtime: Runtime, phase: Phase, *, enabled: bool, intents: tuple[str, ...] = ()) -> ConfiguredPhaseView:
    model = model_of(phase, runtime.catalog.configuration, runtime.candidate)
    problems = () if model.problem is None else (model.problem,)
    return ConfiguredPhaseView(enabled=enabled, model=model.name, intents=intents, problems=problems)


def _limits(config: LimitsConfig) -> LimitSettingsView:
    return LimitSettingsView(
        caller=_limits_view(config.caller),
        roles={role: _limits_view(limits) for role, limits in config.roles.items()},
        principals={name: _limits_view(limits) for name, limits in config.principals.items()},
        session=_limits_view(config.session),
        reserved_tokens=config.reserved_tokens,
    )


def _limits_view(limits: Limits) -> LimitsView:
    return LimitsView(
        requests_per_minute=limits.requests_per_minute,
        tool_calls_per_minute=limits.tool_calls_per_minute,
        tokens_per_day=limits.tokens_per_day,
    )


def _validation(catalog: Catalog) -> ValidationSettingsView:
    settings = catalog.configuration.validation
    budget = settings.budget
    return ValidationSettingsView(
        models=settings.models,
        suite=settings.suite,
        repeats=settings.repeats,
        stop_early=settings.stop_early,
        budget=ScheduleBudgetView(calls=budget.calls, tokens=budget.tokens, usd=budget.usd),
        problems=tuple(model_problems(settings.models, catalog)),
    )
