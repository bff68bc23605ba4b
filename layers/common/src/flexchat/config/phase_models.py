"""Selection of the model of the topic and intent phases, and of the titles of sessions."""

from copy import replace
from typing import Literal

from flexchat.config.model_names import ModelName
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.phases import ModelChoice
from flexchat.config.suggestions import did_you_mean

Phase = Literal["topic", "intent"]

PHASES: tuple[Phase, ...] = ("topic", "intent")


def phase_model(configuration: Configuration, phase: Phase) -> ModelName:
    """Return the model of `phase`: its own, else for the topic that of the intent, else that of the fallback rule.

    A model without an llm belongs to the llm that would be selected otherwise. An llm without a model uses the first
    model that it lists, else that of the fallback rule when it has the same llm. Raises ValueError with what is
    missing.
    """
    sections = (configuration.topic, configuration.intent) if phase == "topic" else (configuration.intent,)
    return _chosen([section.provider for section in sections if section is not None], configuration)


def title_model(configuration: Configuration) -> ModelName:
    """Return the model of the titles of sessions, as `phase_model` does for an intent.

    Raises ValueError with what is missing.
    """
    title = configuration.sessions.title
    return _chosen([] if title is None else [title], configuration)


def _chosen(choices: list[ModelChoice], configuration: Configuration) -> ModelName:
    if not choices:
        return _of_fallback_rule(configuration)
    own, *others = choices
    if own.llm is None:
        otherwise = _chosen(others, configuration)
        return otherwise if own.model is None else replace(otherwise, model=own.model)
    return ModelName(own.llm, own.model or _model_of(own.llm, configuration))


def _of_fallback_rule(configuration: Configuration) -> ModelName:
    for rule in configuration.responses:
        if rule.is_fallback:
            return ModelName(rule.llm, rule.model)
    raise ValueError("no model is configured: set llm and model, or add a rule without 'match'")


def _model_of(llm: str, configuration: Configuration) -> str:
    """Return the default model of an llm that is configured without a model."""
    config: LlmConfig | None = configuration.llms.get(llm)
    if config is None:
        raise ValueError(f"no llm named {llm!r}{did_you_mean(llm, configuration.llms)}")
    if config.models:
        return config.models[0]
    for rule in configuration.responses:
        if rule.is_fallback and rule.llm == llm:
            return rule.model
    raise ValueError(f"no model is configured: llms.{llm} lists no models; set 'model'")
