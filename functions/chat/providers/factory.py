"""Adapters by provider type.

Each row of `flexchat.config.providers.PROVIDERS` has a package of its name here:

    adapter.py    create_provider(name, config, *, egress) -> Provider; imports the client library
    models.py     TOOL_FORMAT: format of tools, and the parser of the list of models

The packages are imported on first use, since a deployment configures few of the providers.
"""

from importlib import import_module

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS, ProviderType
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.model_families import model_families
from functions.chat.providers.base import Provider


def create_provider(name: str, config: LlmConfig, *, egress: EgressPolicy = PUBLIC) -> Provider:
    """Create the adapter of the entry `name` of `llms`, with a client of its own: once per environment.

    `config` has its secrets resolved; `egress` limits the addresses of its client. Raises ConfigError for an address, a
    key or a header that cannot be used.
    """
    return import_module(f"{__package__}.{config.type}.adapter").create_provider(name, config, egress=egress)


def import_adapters() -> None:
    """Load the modules and profiles of all providers, for a snapshot that serves any later configuration."""
    model_families()
    for provider in PROVIDERS:
        import_adapter(provider)


def import_adapter(provider: ProviderType) -> None:
    """Load the modules of one provider."""
    for module in ("adapter", "models"):
        import_module(f"{__package__}.{provider}.{module}")
