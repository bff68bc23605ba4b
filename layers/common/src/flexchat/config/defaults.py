"""Default configuration values."""

from collections.abc import Collection, Iterator, Mapping

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS

DEFAULT_LLMS: Mapping[str, LlmConfig] = {
    name: LlmConfig.model_construct(type=name, api_key=f"${{{entry.api_key_secret}}}" if entry.api_key_secret else None)
    for name, entry in PROVIDERS.items()
}


def with_default_llms(configuration: Configuration, *, except_for: Collection[str] = ()) -> Configuration:
    """Return `configuration` with an entry for every provider type that is used by its name alone.

    A rule may use `openai` or `ollama` in a configuration without `llms`. `except_for` are names of existing entries
    that cannot be used: a default must not replace them.
    """
    missing = {
        name: DEFAULT_LLMS[name]
        for name in llms_used(configuration)
        if name in DEFAULT_LLMS and name not in configuration.llms and name not in except_for
    }
    return configuration.model_copy(update={"llms": {**configuration.llms, **missing}}) if missing else configuration


def llms_used(configuration: Configuration) -> Iterator[str]:
    """Return the llms of all rules, phases, titles, fallbacks, validated and chosen models, and the OpenAI API."""
    yield from (rule.llm for rule in configuration.responses)
    sections = (section for section in (configuration.topic, configuration.intent) if section is not None)
    choices = (*(section.provider for section in sections), configuration.sessions.title)
    yield from (choice.llm for choice in choices if choice is not None and choice.llm is not None)
    fallbacks = [llm.fallbacks for llm in configuration.llms.values()]
    fallbacks += [rule.fallbacks or () for rule in configuration.responses]
    api = configuration.openai_api
    fallbacks += [api.models, (api.embedding_model or "",), configuration.choices.models]
    yield from (name.partition(":")[0] for names in (*fallbacks, configuration.validation.models) for name in names)
