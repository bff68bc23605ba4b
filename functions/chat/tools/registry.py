"""Which tools there are, and how each provider is told of them."""

from collections.abc import Mapping, Sequence

from flexchat.config.models import ProviderType, ToolDefinition
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.schema import ArgumentChecker, check_schema
from functions.chat.tools.formats import FORMATS, ProviderTools


class ToolRegistry:
    """The definitions by name, each with its prebuilt argument checker (document 003, lines 400-515).

    A registry is filled once per configuration and then only read, so provider formats are made once and kept.
    """

    def __init__(self) -> None:
        self._tools: dict[str, ToolDefinition] = {}
        self._checkers: dict[str, ArgumentChecker] = {}
        self._formats: dict[tuple[ProviderType, frozenset[str] | None], ProviderTools] = {}

    def register(self, tool: ToolDefinition, *, replace: bool = False) -> None:
        """Add a tool.

        Raises ConfigError when its schema is unusable or its name is taken; with `replace`, which is for a dynamic
        source registering its own tool again, the earlier one is overwritten with a warning (decision C01).
        """
        if tool.name in self._tools:
            if not replace:
                raise ConfigError((Problem(path=tool.name, message=f"Tool {tool.name} already registered"),))
            logger.warning("tool replaced", tool=tool.name)
        problems = check_schema(tool.parameters)
        if problems:
            raise ConfigError(tuple(Problem(path=f"{tool.name}.parameters", message=problem) for problem in problems))
        self._tools[tool.name] = tool
        self._checkers[tool.name] = ArgumentChecker(tool.parameters)
        self._formats.clear()
        logger.debug("tool registered", tool=tool.name, implementation=tool.implementation_type)

    def get(self, name: str) -> ToolDefinition | None:
        return self._tools.get(name)

    def has(self, name: str) -> bool:
        return name in self._tools

    def list(self) -> tuple[ToolDefinition, ...]:
        """Every tool, in the order of registration."""
        return tuple(self._tools.values())

    def check_arguments(self, name: str, arguments: Mapping[str, Json]) -> dict[str, Json]:
        """The arguments with the schema's defaults applied; raises ToolInputError with every reason at once."""
        return self._checkers[name].check(arguments)

    def to_provider_format(
        self, provider: ProviderType, allowed_tools: Sequence[str] | frozenset[str] | None = None
    ) -> ProviderTools:
        """The tools as `provider` takes them; `None` or an empty `allowed_tools` means all (decision C14).

        Raises ConfigError for a provider that is not known.
        """
        key = (provider, frozenset(allowed_tools) if allowed_tools else None)
        if key not in self._formats:
            if provider not in FORMATS:
                raise ConfigError((Problem(path="llms", message=f"Unknown provider: {provider}"),))
            tools = [tool for name, tool in self._tools.items() if key[1] is None or name in key[1]]
            self._formats[key] = FORMATS[provider](tools)
        return self._formats[key]
