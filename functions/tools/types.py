"""Table of tool types: one row each, read by the configuration check, the lock script and the tests.

No function imports it: a deployed package has its own folder only. Run as a module, it lists the requirements of each
type's function as `folder:group`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from flexchat.errors import Problem
    from flexchat.messages import Json
    from flexchat.tool_implementation import ToolImplementation


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolType:
    """One tool type.

    `function` is the logical id of its Lambda function in template.yaml, `package` the Python package with its `app`.
    `implementation()` imports and returns the model of a tool's `implementation`. `requirements` is the dependency
    group of packages that are not in the layer. `timeout_limit_ms` is the longest timeout of a call; the function may
    run a second longer. A type with `reads_secrets` may read the stage's secrets; one with `searches_services` searches
    the configured RAG services.
    """

    function: str
    package: str
    implementation: "Callable[[], type[ToolImplementation]]"
    requirements: str | None = None
    timeout_limit_ms: int = 60_000
    reads_secrets: bool = False
    searches_services: bool = False

    @property
    def folder(self) -> str:
        """Folder of the function's code, from the root of the repository."""
        return self.package.replace(".", "/")

    def problems(self, implementation: "Mapping[str, Json]", *, handler: str | None = None) -> "tuple[Problem, ...]":
        """Return the problems of a tool's `implementation`; paths are relative to it.

        `handler` is the tool's own, outside of its implementation (decision C21).
        """
        from pydantic import ValidationError

        from flexchat.config.problems import problem_of

        model = self.implementation()
        try:
            model.model_validate(model.with_handler(implementation, handler))
        except ValidationError as exc:
            return tuple(problem_of(error, model) for error in exc.errors(include_url=False))
        return ()


def _mock() -> "type[ToolImplementation]":
    from functions.tools.mock.implementation import Implementation

    return Implementation


def _builtin() -> "type[ToolImplementation]":
    from functions.tools.builtin.implementation import Implementation

    return Implementation


def _internal() -> "type[ToolImplementation]":
    from functions.retrieval.implementation import Implementation

    return Implementation


TOOL_TYPES: Final[Mapping[str, ToolType]] = {
    "mock": ToolType(function="MockToolFunction", package="functions.tools.mock", implementation=_mock),
    "builtin": ToolType(
        function="BuiltinToolFunction",
        package="functions.tools.builtin",
        implementation=_builtin,
        requirements="builtin",
    ),
    "internal": ToolType(
        function="RetrievalFunction",
        package="functions.retrieval",
        implementation=_internal,
        requirements="internal",
        reads_secrets=True,
        searches_services=True,
    ),
}

PLANNED_TYPES: Final = ("http", "mcp")
"""Tool types of the specification that no function runs yet."""


if __name__ == "__main__":
    for row in TOOL_TYPES.values():
        print(f"{row.folder}:{row.requirements or ''}")  # noqa: T201 # read by scripts/lock.sh
