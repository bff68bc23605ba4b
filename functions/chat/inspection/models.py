"""Models that the configuration names or the providers list (decision C32)."""

from collections.abc import Callable, Container, Iterator, Mapping
from copy import replace

from flexchat.api.listings import Capability, LlmErrorView, ModelList, ModelView, ValidationView
from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import model_key
from flexchat.config.used_models import configured_models
from flexchat.validation.records import ModelTallies
from flexchat.validation.status import status_view
from functions.chat.inspection.model_profiles import profile_values
from functions.chat.providers.base import ListedModel, Provider
from functions.chat.providers.discovery import Discovery, Listing
from functions.chat.providers.fallback import models_of
from functions.chat.providers.profiles import ModelProfile, built_in_profile, configured_profile
from functions.chat.runtime import Runtime


def model_list(
    catalog: Catalog,
    discovery: Discovery,
    provider: Callable[[str], Provider],
    tallies: Mapping[str, ModelTallies],
    open_to_users: Container[ModelName],
) -> ModelList:
    """Return every configured llm's models, the configured ones first, and an error per unusable llm.

    `tallies` are by model name; a model without one was never tested. Users may test `open_to_users`.
    """
    llms = {**catalog.configuration.llms, **catalog.unusable_llms}
    listings = {
        **discovery.listings(catalog.configuration.llms, provider),
        **{entry.name: Listing(error="; ".join(entry.problems)) for entry in catalog.disabled if entry.kind == "llm"},
    }
    named = list(configured_models(catalog.configuration, llms))
    models = tuple(
        model
        for llm, config in llms.items()
        for model in _views(llm, config, listings[llm], [name.model for name in named if name.llm == llm], tallies)
    )
    models = tuple(
        model if ModelName(model.llm, model.name) in open_to_users else model.model_copy(update={"operator_only": True})
        for model in models
    )
    errors = tuple(
        LlmErrorView(llm=llm, error=listing.error) for llm, listing in listings.items() if listing.error is not None
    )
    return ModelList(models=models, errors=errors)


def models_open_to_users(runtime: Runtime) -> Mapping[ModelName, frozenset[str]]:
    """Return every model that a rule names, fallbacks included, with the tools that those rules offer it."""
    configuration, manager = runtime.catalog.configuration, runtime.tools
    opened: dict[ModelName, frozenset[str]] = {}
    for rule in configuration.responses:
        tools = frozenset[str]()
        if manager.is_enabled() and rule.tools is not None and rule.tools.enabled:
            tools = manager.offered(rule.tools.allowed_tools)
        for name in models_of(rule, configuration.llms):
            opened[name] = opened.get(name, frozenset()) | tools
    return opened


def _views(
    llm: str, config: LlmConfig, listing: Listing, named: list[str], tallies: Mapping[str, ModelTallies]
) -> Iterator[ModelView]:
    listed = {model_key(config.type, model.name): model for model in listing.models}
    configured = {model_key(config.type, model): model for model in named}
    for key, model in configured.items():
        yield _view(ModelName(llm, model), config, listed.get(key), tallies, configured=True)
    for key in sorted(listed.keys() - configured.keys()):
        yield _view(ModelName(llm, listed[key].name), config, listed[key], tallies, configured=False)


def _view(
    name: ModelName,
    config: LlmConfig,
    listed: ListedModel | None,
    tallies: Mapping[str, ModelTallies],
    *,
    configured: bool,
) -> ModelView:
    """View of a model; later sources override: built-in profile, provider's listing, configuration."""
    listed = listed or ListedModel(name.model)
    listed_profile = _with_listed(built_in_profile(config.type, name.model), listed)
    profile = configured_profile(listed_profile, name.model, config)
    return ModelView(
        id=str(name),
        name=name.model,
        llm=name.llm,
        provider=config.type,
        capabilities=tuple(_capabilities(profile)),
        configured=configured,
        context_window=profile.context_window,
        demo=config.demo or None,
        profile=tuple(profile_values(name, config, listed, profile)),
        validation=_validation(
            tallies.get(str(name)) or ModelTallies(str(name)), calls_tools=profile.tools, demo=config.demo
        ),
    )


def _validation(tallies: ModelTallies, *, calls_tools: bool, demo: bool) -> ValidationView:
    """Return the part of a model's status in a list; its badge is for models that call tools (decision C33)."""
    status = status_view(tallies, demo=demo)
    return ValidationView(
        model_id=status.model_id,
        tested=status.tested,
        validated=status.validated,
        state=status.state,
        rate=status.rate,
        last_tested=status.last_tested,
        badge=status.badge if calls_tools else None,
    )


def _with_listed(profile: ModelProfile, listed: ListedModel) -> ModelProfile:
    reported = {
        "tools": listed.tools,
        "reasoning": listed.reasoning,
        "vision": listed.vision,
        "context_window": listed.context_window,
    }
    return replace(profile, **{field: value for field, value in reported.items() if value is not None})


def _capabilities(profile: ModelProfile) -> Iterator[Capability]:
    yield "chat"
    if profile.tools:
        yield "function-calling"
    if profile.reasoning:
        yield "reasoning"
    if profile.vision:
        yield "vision"
