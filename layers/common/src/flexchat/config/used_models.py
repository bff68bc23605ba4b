"""Models that a configuration uses."""

from collections.abc import Iterator, Mapping
from contextlib import suppress

from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.phase_models import PHASES, phase_model, title_model


def configured_models(configuration: Configuration, llms: Mapping[str, LlmConfig]) -> Iterator[ModelName]:
    """Yield every model that the configuration names, in the order of the file; some more than once."""
    for llm, config in llms.items():
        yield from (ModelName(llm, model) for model in config.models)
    for phase in PHASES:
        section = configuration.topic if phase == "topic" else configuration.intent
        if section is not None and section.provider.model is not None:
            with suppress(ValueError):
                yield phase_model(configuration, phase)
    title = configuration.sessions.title
    if title is not None and title.model is not None:
        with suppress(ValueError):
            yield title_model(configuration)
    yield from (ModelName(rule.llm, rule.model) for rule in configuration.responses)
    fallbacks = [config.fallbacks for config in llms.values()]
    fallbacks += [rule.fallbacks or () for rule in configuration.responses]
    for text in (text for texts in (*fallbacks, configuration.validation.models) for text in texts):
        try:
            yield model_name(text, llms)
        except ValueError:
            continue


def used_models(configuration: Configuration) -> tuple[ModelName, ...]:
    """Return every model that the configuration names, once, with those of the OpenAI-compatible API and of choices."""
    llms = configuration.llms
    found = list(configured_models(configuration, llms))
    for text in (*configuration.openai_api.models, *configuration.choices.models):
        with suppress(ValueError):
            found.append(model_name(text, llms))
    return tuple(dict.fromkeys(name for name in found if name.llm in llms))
