"""Models and tools that the response rules open to users."""

from collections.abc import Mapping

from flexchat.config.model_names import ModelName
from functions.chat.providers.fallback import models_of
from functions.chat.runtime import Runtime


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
