"""Adapters and built-in profiles by provider type.

Each row of `flexchat.config.providers.PROVIDERS` has a package of its name here:

    adapter.py    create_provider(name, config, *, egress) -> Provider; imports the client library
    models.py     FAMILIES: built-in profiles, and TOOL_FORMAT: format of tools

The packages are imported on first use, since a deployment configures few of the providers.
"""

from importlib import import_module

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS, ProviderType
from flexchat.egress.policy import PUBLIC, EgressPolicy
from functions.chat.providers.base import Provider
from functions.chat.providers.profiles import Families, ModelProfile, model_profile


def create_provider(name: str, config: LlmConfig, *, egress: EgressPolicy = PUBLIC) -> Provider:
    """Create the adapter of the entry `name` of `llms`, with a client of its own: once per environment.

    `config` has its secrets resolved; `egress` limits the addresses of its client. Raises ConfigError for an address, a
    key or a header that cannot be used.
    """
    return import_module(f"{__package__}.{config.type}.adapter").create_provider(name, config, egress=egress)


def import_adapters() -> None:
    """Import the modules of a provider by name, for a snapshot that serves any later configuration."""
    for provider in PROVIDERS:
        for module in ("adapter", "models"):
            import_module(f"{__package__}.{provider}.{module}")


def families_of(provider: ProviderType) -> Families:
    """Return the built-in profiles of a provider's models."""
    return import_module(f"{__package__}.{provider}.models").FAMILIES


def profile_for(provider: ProviderType, model: str, config: LlmConfig) -> ModelProfile:
    """Return the profile of `model`: the built-in one, overridden by the llm's `profiles`."""
    return model_profile(families_of(provider), model, config)
