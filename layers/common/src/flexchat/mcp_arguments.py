"""Names of arguments as the server declares them (decision C45).

The configured names apply first. A name that the server's schema declares is left, any other one with underscores
becomes camelCase. An argument that already has the resulting name takes precedence.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from flexchat.messages import Json
from flexchat.observability import logger

_COMPOSED = ("allOf", "anyOf", "oneOf")

_MAX_DEPTH = 12


def needs_schema(arguments: Mapping[str, Json], configured: Mapping[str, str]) -> bool:
    """Return true when the server's schema decides about a name."""
    return any(camel_case(name) != name for name in arguments if name not in configured)


def renamed(
    arguments: Mapping[str, Json],
    *,
    configured: Mapping[str, str],
    schema: Mapping[str, Any] | None,
    tool: str,
) -> dict[str, Json]:
    """Return `arguments` by the server's names; changed names are logged, without values."""
    declared = frozenset(_declared(schema, 0)) if schema is not None else frozenset[str]()
    names = {name: _target(name, configured, declared) for name in arguments}
    kept = {name for name, target in names.items() if target == name}
    result: dict[str, Json] = {}
    changed: dict[str, str] = {}
    for name, value in arguments.items():
        target = names[name]
        if target != name and (target in kept or target in result):
            logger.warning("mcp argument dropped", tool=tool, argument=name, kept=target)
            continue
        result[target] = value
        if target != name:
            changed[name] = target
    if changed:
        before = ", ".join(f'{name}: "..."' for name in changed)
        after = ", ".join(f'{name}: "..."' for name in changed.values())
        logger.info("mcp argument names changed", tool=tool, summary=f"{{{before}}} → {{{after}}}")
    return result


def _target(name: str, configured: Mapping[str, str], declared: frozenset[str]) -> str:
    if name in configured:
        return configured[name]
    return name if name in declared else camel_case(name)


def camel_case(name: str) -> str:
    """Return `new_parameter_name` as `newParameterName`; without changing underscores at both ends."""
    inner = name.strip("_")
    if not inner:
        return name
    start = name[: len(name) - len(name.lstrip("_"))]
    end = name[len(name.rstrip("_")) :]
    first, *others = [part for part in inner.split("_") if part]
    return start + first + "".join(part[0].upper() + part[1:] for part in others) + end


def _declared(schema: Any, depth: int) -> Iterator[str]:
    """Yield the names of properties that a schema declares, also in alternatives of it."""
    if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
        return
    found = cast("Mapping[str, Any]", schema)
    properties = found.get("properties")
    if isinstance(properties, Mapping):
        yield from map(str, cast("Mapping[str, Any]", properties))
    for keyword in _COMPOSED:
        branches = found.get(keyword)
        for branch in cast("list[Any]", branches) if isinstance(branches, list) else []:
            yield from _declared(branch, depth + 1)
