"""Table of tool types: one row each.

The chat function, the configuration check, the lock script and the tests read it. A tool type is a row here, a package
of its own below `functions`, and a function in template.yaml. The names of its function follow from its package. Run as
a module, it lists the requirements of each type's function as `folder:group`.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from flexchat.config.models.tools import ToolDefinition
    from flexchat.errors import Problem
    from flexchat.messages import Json
    from flexchat.tool_implementation import ToolImplementation


class ToolTraits(NamedTuple):
    """Traits of a tool: its results are private data or untrusted content; its calls send data to another party, or
    have an effect.

    A model that has read `untrusted` content may follow instructions in it, and pass on what a tool that
    `reads_private` returned, through one with `egress` or one that `writes`.
    """

    reads_private: bool = False
    egress: bool = False
    writes: bool = False
    untrusted: bool = False


EVERY_TRAIT: Final = ToolTraits(reads_private=True, egress=True, writes=True, untrusted=True)


class ToolType(NamedTuple):
    """One tool type: a named tuple, since a dataclass takes a millisecond of the chat function's cold start.

    `package` is the Python package with its `app` and its `implementation`. `requirements` is the dependency group of
    packages that are not in the layer. `timeout_limit_ms` is the longest timeout of a call; the function may run a
    second longer. `timeout_ms` is the timeout of a call of a tool without its own, None for that of all tools. A type
    with `reads_secrets` may read the stage's secrets; one with `searches_services` searches the configured RAG
    services; one with `checks_parameters` has a module `checks`, which compares a tool's parameters with its
    implementation. The calls of one with `counts_callers` carry a hash of the caller. `traits` are those of a tool
    whose configuration states none (`flexchat.tool_traits`).
    """

    package: str
    requirements: str | None = None
    timeout_limit_ms: int = 60_000
    timeout_ms: int | None = None
    reads_secrets: bool = False
    searches_services: bool = False
    checks_parameters: bool = False
    counts_callers: bool = False
    traits: ToolTraits = ToolTraits()

    @property
    def folder(self) -> str:
        """Folder of the function's code, from the root of the repository."""
        return self.package.replace(".", "/")

    @property
    def service(self) -> str:
        """Name of the function within a stage: `tool-mock` for `functions.tools.mock`."""
        return self.package.removeprefix("functions.").replace("tools.", "tool-")

    @property
    def function(self) -> str:
        """Logical id of the function in template.yaml: `MockToolFunction` for `functions.tools.mock`."""
        return "".join(part.title() for part in reversed(self.service.split("-"))) + "Function"

    def function_name(self, stage: str) -> str:
        """Return the name of the type's function in a stage, with its alias."""
        return f"flexchat-{stage}-{self.service}:live"

    def implementation(self) -> "type[ToolImplementation]":
        """Import and return the model of a tool's `implementation`, which only the package of the type has."""
        return import_module(f"{self.package}.implementation").Implementation

    def problems(
        self,
        implementation: "Mapping[str, Json]",
        *,
        handler: str | None = None,
        parameters: "Mapping[str, Json] | None" = None,
        idempotent: bool = False,
    ) -> "tuple[Problem, ...]":
        """Return the problems of a tool's `implementation`; paths are relative to it.

        `handler` is the tool's own, outside of its implementation (decision C21). Without `parameters`, the schema of
        the tool's arguments, the implementation is not compared with them.
        """
        from pydantic import ValidationError

        from flexchat.config.problems import problem_of

        model = self.implementation()
        try:
            part = model.model_validate(model.with_handler(implementation, handler))
        except ValidationError as exc:
            return tuple(problem_of(error, model) for error in exc.errors(include_url=False))
        if parameters is None or not self.checks_parameters:
            return ()
        checks = import_module(f"{self.package}.checks")
        return tuple(checks.definition_problems(part, parameters, idempotent=idempotent))


TOOL_TYPES: Final[Mapping[str, ToolType]] = {
    "mock": ToolType(package="functions.tools.mock"),
    "builtin": ToolType(package="functions.tools.builtin", requirements="builtin"),
    "internal": ToolType(
        package="functions.retrieval",
        requirements="internal",
        reads_secrets=True,
        searches_services=True,
        traits=ToolTraits(reads_private=True, untrusted=True),
    ),
    "http": ToolType(
        package="functions.tools.http",
        requirements="http",
        timeout_ms=10_000,
        reads_secrets=True,
        checks_parameters=True,
        counts_callers=True,
        traits=EVERY_TRAIT,
    ),
    "mcp": ToolType(package="functions.tools.mcp", requirements="mcp", reads_secrets=True, traits=EVERY_TRAIT),
}


REQUEST_FUNCTIONS: Final = (
    "authorizer",
    "chat",
    "chat-stream",
    *(row.service for row in TOOL_TYPES.values()),
    "traces",
)
"""Functions that log lines of a request, by the end of their names."""


def call_timeout_ms(tool: "ToolDefinition", default_ms: int) -> int:
    """Return the timeout of the calls of a tool: its own, else that of its type, else the default of all tools."""
    row = TOOL_TYPES.get(tool.implementation_type)
    return tool.timeout_ms or (row.timeout_ms if row else None) or default_ms


if __name__ == "__main__":
    for row in TOOL_TYPES.values():
        print(f"{row.folder}:{row.requirements or ''}")  # noqa: T201 # read by scripts/lock.sh
