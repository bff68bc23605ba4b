"""View of the live configuration for an operator, without secrets and prompts, with its problems."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from flexchat.api import FallbackView
from flexchat.api.listings import DisabledView, LlmErrorView, ModelList, ToolList, ToolView
from flexchat.config.catalog import Catalog, EntryKind
from flexchat.config.hosts import host_of
from flexchat.config.matching import match_rule, matched_fields
from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.parameters import NAME_DIGITS
from flexchat.config.phase_models import Phase
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, FlexchatError
from flexchat.http_api.caller import Caller
from flexchat.tool_types import call_timeout_ms
from flexchat.validation.records import ModelTallies
from functions.chat.inspection.explain import rule_views, tool_views
from functions.chat.inspection.models import model_list, models_open_to_users
from functions.chat.inspection.views import (
    ChoiceSettingsView,
    ConfigurationView,
    ConfiguredLlmView,
    ConfiguredPhaseView,
    ConfiguredRuleView,
    ConfiguredServiceView,
    ConfiguredToolView,
    LimitSettingsView,
    LimitsView,
    OpenAiApiView,
    PhasesView,
    RuleMatch,
    RuleMatchView,
    ScheduleBudgetView,
    SessionSettingsView,
    ToolSettingsView,
    ValidationSettingsView,
)
from functions.chat.phases.llm_call import model_of
from functions.chat.phases.profile import given_profile
from functions.chat.providers.discovery import Discovery
from functions.chat.providers.fallback import Candidates
from functions.chat.providers.profiles import model_profile
from functions.chat.runtime import Runtime, RuntimeCache


def configured_rules(runtime: Runtime) -> Iterator[ConfiguredRuleView]:
    """Yield the rules in the order of the file, then the invalid ones."""
    has_fallback = False
    for name, rule in runtime.catalog.named_rules():
        is_unused = rule.is_fallback and has_fallback
        has_fallback = has_fallback or rule.is_fallback
        yield _view(name, rule, runtime, is_unused=is_unused)
    for entry in runtime.catalog.disabled:
        if entry.kind == "rule":
            yield ConfiguredRuleView(name=entry.name, problems=entry.problems)


def model_problems(models: Iterable[str], catalog: Catalog) -> Iterator[str]:
    """Yield a problem for each of `models` that is unusable."""
    for text in models:
        try:
            model_name(text, catalog.configuration.llms)
        except ValueError as exc:
            reasons = "; ".join(catalog.why_disabled("llm", text.partition(":")[0]))
            yield f"{text!r} cannot be called: {reasons or exc}"


def _view(name: str, rule: ResponseRule, runtime: Runtime, *, is_unused: bool) -> ConfiguredRuleView:
    configuration = runtime.catalog.configuration
    llm = configuration.llms.get(rule.llm)
    fallbacks = rule.fallbacks if rule.fallbacks is not None else llm.fallbacks if llm is not None else ()
    limits = runtime.tools.get_limits(rule.tools) if rule.tools is not None and rule.tools.enabled else None
    return ConfiguredRuleView(
        name=name,
        match=rule.match,
        fallback=rule.is_fallback,
        llm=rule.llm,
        model=rule.model,
        fallbacks=fallbacks,
        require_validated=rule.require_validated,
        allowed_tools=rule.tools.allowed_tools if rule.tools is not None and limits is not None else (),
        max_iterations=limits.iterations if limits is not None else None,
        max_calls_per_turn=limits.calls_per_iteration if limits is not None else None,
        max_tool_calls=limits.tool_calls if limits is not None else None,
        problems=tuple(_problems(rule, fallbacks, runtime, is_unused=is_unused)),
    )


def _problems(rule: ResponseRule, fallbacks: tuple[str, ...], runtime: Runtime, *, is_unused: bool) -> Iterator[str]:
    if is_unused:
        yield "never used: only the first rule without match is"
    yield from model_problems((str(ModelName(rule.llm, rule.model)), *fallbacks), runtime.catalog)
    guards = rule.guardrails
    for name in dict.fromkeys((*guards.input, *guards.output)) if guards is not None else ():
        if name not in runtime.catalog.configuration.guardrails:
            reasons = "; ".join(runtime.catalog.why_disabled("guardrail", name))
            yield f"it answers no message: the guardrail {name!r} cannot be used: {reasons or 'it is not configured'}"
    if rule.tools is not None and rule.tools.enabled:
        yield from _tool_problems(rule, runtime)


def _tool_problems(rule: ResponseRule, runtime: Runtime) -> Iterator[str]:
    if not runtime.tools.is_enabled():
        yield "it has tools, but none is offered while tools.enabled is false"
        return
    llm = runtime.catalog.configuration.llms.get(rule.llm)
    if llm is not None and not model_profile(llm.type, rule.model, llm).tools:
        yield "it has tools, but its model does not support tools"
    allowed = (rule.tools.allowed_tools if rule.tools is not None else None) or ()
    for tool in tool_views(rule, runtime.catalog, runtime.tools, takes_tools=True):
        if tool.tool in allowed and not tool.offered:
            yield f"the tool {tool.tool!r} is not offered: {tool.reason}"


def match_profile(match: RuleMatch, runtime: Runtime, *, deadline: Deadline) -> RuleMatchView:
    """Return the outcome of phase 5 for a profile; a chat's ConfigError is returned as `problem`.

    Raises UnavailableError when the rule requires validated models and their statuses cannot be read.
    """
    catalog, profile = runtime.catalog, given_profile(match.profile)
    rules = rule_views(catalog, profile)
    try:
        rule = match_rule(
            catalog.configuration.responses, matched_fields(profile, catalog.configuration.profile.caller_fields)
        )
    except ConfigError as exc:
        return RuleMatchView(problem=str(exc), rules=rules)
    models, problem = _models(rule, runtime, deadline)
    current = models.current if models else None
    fallback = models.fallback if models else None
    tools = tool_views(rule, catalog, runtime.tools, takes_tools=current is None or current.profile.tools)
    return RuleMatchView(
        rule=rules[-1].rule,
        llm=current.provider.name if current else rule.llm,
        model=current.model if current else rule.model,
        fallback=FallbackView(instead_of=fallback.instead_of, reason=fallback.reason) if fallback else None,
        problem=problem,
        rules=rules,
        tools=tuple(tools),
    )


def _models(rule: ResponseRule, runtime: Runtime, deadline: Deadline) -> tuple[Candidates | None, str | None]:
    """Return the candidates of `rule`, or the problem that leaves none."""
    try:
        return runtime.candidates(rule, deadline), None
    except ConfigError as exc:
        return None, str(exc)


MAX_AGE_SECONDS = 1.0
"""Maximum age of the scores in a list: a test that has just ended is in the next list."""

STATUSES_UNREAD = LlmErrorView(
    llm="validation", error="the validation statuses cannot be read now; every model is shown as untested"
)


def list_tools(runtime: Runtime) -> ToolList:
    """Return every offered tool, and every configured entry that is not in use with the reasons."""
    manager = runtime.tools
    if not manager.is_enabled():
        return ToolList(tools=(), disabled=disabled_views(runtime))
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
    return ToolList(tools=tools, disabled=disabled_views(runtime))


def list_models(runtime: Runtime, discovery: Discovery, *, deadline: Deadline) -> ModelList:
    """Return every configured llm's models with their capabilities. Takes seconds when a provider is slow."""
    tallies: Mapping[str, ModelTallies] = {}
    unread: tuple[LlmErrorView, ...] = ()
    try:
        tallies = runtime.statuses.read(deadline, fresh_seconds=MAX_AGE_SECONDS)
    except FlexchatError:
        unread = (STATUSES_UNREAD,)
    listed = model_list(runtime.catalog, discovery, runtime.provider, tallies, models_open_to_users(runtime))
    models = tuple(model for model in listed.models if runtime.rights.may_use_model(model.id))
    return ModelList(models=models, errors=(*listed.errors, *unread))


def disabled_views(runtime: Runtime) -> tuple[DisabledView, ...]:
    """Return every configured entry that is not in use, with the reasons.

    Tools that are withheld because `tools.enabled` is false are not named.
    """
    withheld = runtime.tools.withheld().items()
    return (
        *(DisabledView(kind="tool", name=name, problems=problems) for name, problems in withheld),
        *(DisabledView(kind=each.kind, name=each.name, problems=each.problems) for each in runtime.catalog.disabled),
    )


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
        choices=ChoiceSettingsView(
            roles=configuration.choices.roles,
            rules=configuration.choices.rules,
            models=configuration.choices.models,
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
        timeout_ms=call_timeout_ms(tool, default_timeout_ms),
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
        host=host_of(llm.base_url),
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
            host=host_of(service.url),
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
        role_totals={role: _limits_view(limits) for role, limits in config.role_totals.items()},
        session=_limits_view(config.session),
        reserved_tokens=config.reserved_tokens,
        reserved_usd=config.reserved_usd,
    )


def _limits_view(limits: Limits) -> LimitsView:
    return LimitsView.model_validate(limits.model_dump())


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


LISTING_SECONDS = 25.0
"""Maximum time of a list, inside the limit of the API."""


class Inspector:
    """Read-only views of the current configuration of a stage.

    Every method raises ConfigError or UnavailableError when the configuration cannot be read.
    """

    def __init__(self, *, runtimes: RuntimeCache, stage: str) -> None:
        self._runtimes = runtimes
        self._stage = stage

    def list_tools(self, caller: Caller, deadline: Deadline) -> ToolList:
        """Return every tool that a caller may use, and every configured entry that is not in use with the reasons."""
        return list_tools(self._runtimes.usable(caller, deadline.within(LISTING_SECONDS)))

    def list_models(self, caller: Caller, deadline: Deadline) -> ModelList:
        """Return the models of every configured llm that a caller may use, with their capabilities.

        Takes seconds when a provider is slow.
        """
        due = deadline.within(LISTING_SECONDS)
        return list_models(self._runtimes.usable(caller, due), self._runtimes.discovery, deadline=due)

    def show_configuration(self) -> ConfigurationView:
        """Return the live configuration without prompts, keys and headers."""
        return configuration_view(self._runtimes.current(), stage=self._stage)

    def match_rule(self, match: RuleMatch, *, deadline: Deadline) -> RuleMatchView:
        """Return the rule, model and tools for a profile."""
        return match_profile(match, self._runtimes.current(), deadline=deadline)
