"""Check of imported definitions: that of the configuration, and the compilation for every provider."""

from collections.abc import Callable, Sequence

from flexchat.config.encoding import ENTRY_LIMIT, PARAMETER_LIMIT, encode, text_of
from flexchat.config.providers import PROVIDER_TYPES
from flexchat.errors import Problem
from flexchat.messages import Json

_SECTION = "tools.registry["


def definition_problems(
    definitions: Sequence[dict[str, Json]], *, advance: Callable[[], object] = lambda: None
) -> dict[str, str]:
    """Return the errors of definitions by the tool's name; `advance` is called after each tool."""
    from flexchat.config_check.check import check_source
    from flexchat.tool_types import TOOL_TYPES
    from functions.chat.tools.formats import tool_format
    from functions.chat.tools.schema_compiler import compile_tool

    if not definitions:
        return {}
    configuration, found = check_source({"tools": {"enabled": True, "registry": [*definitions]}}, TOOL_TYPES)
    problems: dict[str, list[str]] = {
        str(definition["name"]): [problem] for definition in definitions if (problem := size_problem(definition))
    }
    for problem in found:
        if (place := _position(problem)) is not None:
            problems.setdefault(str(definitions[place]["name"]), []).append(_relative(problem))
    dialects = [tool_format(provider).dialect for provider in PROVIDER_TYPES]
    for tool in configuration.tools.registry:
        if tool.name not in problems:
            for dialect in dialects:
                compile_tool(tool, dialect, wire_name=tool.name)
        advance()
    return {name: "; ".join(messages) for name, messages in problems.items()}


def size_problem(definition: dict[str, Json]) -> str | None:
    """Return the reason why a definition is too large for an entry of the configuration; None if it fits."""
    text = text_of(definition)
    if len(text) > ENTRY_LIMIT:
        return f"has {len(text)} bytes, at most {ENTRY_LIMIT} are accepted"
    size = len(encode(text))
    return f"has {size} bytes after gzip, at most {PARAMETER_LIMIT} are accepted" if size > PARAMETER_LIMIT else None


def _position(problem: Problem) -> int | None:
    """Return the position of the tool that an error belongs to."""
    if problem.severity != "error" or not problem.path.startswith(_SECTION):
        return None
    return int(problem.path.removeprefix(_SECTION).partition("]")[0])


def _relative(problem: Problem) -> str:
    path = problem.path.partition("]")[2].removeprefix(".")
    return f"{path}: {problem.message}" if path else problem.message
