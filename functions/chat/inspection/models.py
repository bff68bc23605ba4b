"""The models that may be asked: those that the configuration names, and what their providers list (decision C32)."""

from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from flexchat.api import Capability, LlmErrorView, ModelList, ModelView, ValidationView
from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.phase_models import PHASES, phase_model
from flexchat.config.providers import PROVIDERS
from flexchat.validation.records import ModelTallies
from flexchat.validation.status import status_view
from functions.chat.providers.base import Provider
from functions.chat.providers.discovery import Discovery, Listing
from functions.chat.providers.factory import families_of
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.profiles import ModelProfile, built_in_profile, configured_profile


def list_models(
    catalog: Catalog,
    discovery: Discovery,
    provider: Callable[[str], Provider],
    tallies: Mapping[str, ModelTallies],
    opened: Container[ModelName],
) -> ModelList:
    """Every configured llm's models, the configured ones first; an llm that cannot be asked is an error beside them.

    `tallies` are what validation knows, by the model's name; one that it does not know was never tested. `opened` are
    the models that users may test.
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
        for model in _models_of(llm, config, listings[llm], [name.model for name in named if name.llm == llm], tallies)
    )
    models = tuple(
        model if ModelName(model.llm, model.name) in opened else model.model_copy(update={"operator_only": True})
        for model in models
    )
    errors = tuple(
        LlmErrorView(llm=llm, error=listing.error) for llm, listing in listings.items() if listing.error is not None
    )
    return ModelList(models=models, errors=errors)


def configured_models(configuration: Configuration, llms: Mapping[str, LlmConfig]) -> Iterator[ModelName]:
    """Every model that the configuration names, in the order of the file."""
    for llm, config in llms.items():
        yield from (ModelName(llm, model) for model in config.models)
    for phase in PHASES:
        section = configuration.topic if phase == "topic" else configuration.intent
        if section is not None and section.provider.model is not None:
            with suppress(ValueError):
                yield phase_model(configuration, phase)
    yield from (ModelName(rule.llm, rule.model) for rule in configuration.responses)
    fallbacks = [config.fallbacks for config in llms.values()]
    fallbacks += [rule.fallbacks or () for rule in configuration.responses]
    for text in (text for texts in (*fallbacks, configuration.validation.models) for text in texts):
        try:
            yield model_name(text, llms)
        except ValueError:
            continue


def _models_of(
    llm: str, config: LlmConfig, listing: Listing, named: list[str], tallies: Mapping[str, ModelTallies]
) -> Iterator[ModelView]:
    listed = {_key(config, model.name): model for model in listing.models}
    configured = {_key(config, model): model for model in named}
    for key, model in configured.items():
        yield _view(ModelName(llm, model), config, listed.get(key), tallies, configured=True)
    for key in sorted(listed.keys() - configured.keys()):
        yield _view(ModelName(llm, listed[key].name), config, listed[key], tallies, configured=False)


def _key(config: LlmConfig, model: str) -> str:
    """Ollama's `qwen3` and `qwen3:latest` are one model."""
    return model if ":" in model else f"{model}{PROVIDERS[config.type].default_tag}"


def _view(
    name: ModelName,
    config: LlmConfig,
    listed: ListedModel | None,
    tallies: Mapping[str, ModelTallies],
    *,
    configured: bool,
) -> ModelView:
    """What is known: by the model's name, then by its provider, then by the configuration."""
    listed = listed or ListedModel(name.model)
    known = _as_listed(built_in_profile(families_of(config.type), name.model), listed)
    profile = configured_profile(known, name.model, config)
    return ModelView(
        id=str(name),
        name=name.model,
        llm=name.llm,
        provider=config.type,
        capabilities=tuple(_capabilities(profile, listed)),
        configured=configured,
        context_window=profile.context_window,
        demo=config.demo or None,
        validation=_validation(
            tallies.get(str(name)) or ModelTallies(str(name)), calls_tools=profile.tools, demo=config.demo
        ),
    )


def _validation(tallies: ModelTallies, *, calls_tools: bool, demo: bool) -> ValidationView:
    """The part of a model's status that a list shows; its badge is for models that call tools (decision C33)."""
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


def _as_listed(profile: ModelProfile, listed: ListedModel) -> ModelProfile:
    said = {"tools": listed.tools, "reasoning": listed.reasoning, "context_window": listed.context_window}
    return replace(profile, **{field: value for field, value in said.items() if value is not None})


def _capabilities(profile: ModelProfile, listed: ListedModel) -> Iterator[Capability]:
    yield "chat"
    if profile.tools:
        yield "function-calling"
    if profile.reasoning:
        yield "reasoning"
    if listed.vision:
        yield "vision"
