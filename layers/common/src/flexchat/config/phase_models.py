"""Which model the topic and the intent are asked of, where a section leaves it open."""

from dataclasses import replace
from typing import Literal

from flexchat.config.model_names import ModelName
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.phases import ModelChoice
from flexchat.config.suggestions import did_you_mean

Phase = Literal["topic", "intent"]

PHASES: tuple[Phase, ...] = ("topic", "intent")


def phase_model(configuration: Configuration, phase: Phase) -> ModelName:
    """The model of `phase`: its own; else, for the topic, the intent's; else the fallback rule's.

    A model without an llm is one of the llm that would be asked otherwise. An llm without a model is asked for the
    first that it lists, else for the fallback rule's model where that is of the same llm. Raises ValueError saying what
    is missing.
    """
    sections = (configuration.topic, configuration.intent) if phase == "topic" else (configuration.intent,)
    return _chosen([section.provider for section in sections if section is not None], configuration)


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
    raise ValueError("there is no model to ask: name llm and model, or add a rule without 'match'")


def _model_of(llm: str, configuration: Configuration) -> str:
    """The model that an llm named alone stands for."""
    config: LlmConfig | None = configuration.llms.get(llm)
    if config is None:
        raise ValueError(f"no llm named {llm!r}{did_you_mean(llm, configuration.llms)}")
    if config.models:
        return config.models[0]
    for rule in configuration.responses:
        if rule.is_fallback and rule.llm == llm:
            return rule.model
    raise ValueError(f"there is no model to ask: llms.{llm} lists no models; name one as 'model'")
