"""Problems of the section `roles`, and of the names of roles in other sections."""

from collections.abc import Collection, Iterable, Iterator

from flexchat.config.access import is_named
from flexchat.config.models.configuration import Configuration
from flexchat.config.problems import path_of
from flexchat.config.suggestions import did_you_mean
from flexchat.config.used_models import used_models
from flexchat.errors import Problem
from flexchat.tokens import ROLES


def role_problems(configuration: Configuration, *, rules: Collection[str], tools: Collection[str]) -> Iterator[Problem]:
    """Report unknown roles, and warn of names in a role that stand for nothing.

    `rules` and `tools` are the configured names, those of entries with problems included.
    """
    yield from _unknown_roles(configuration)
    models = {str(name) for name in used_models(configuration)}
    collections = {
        collection
        for name, service in configuration.rag_services.items()
        for collection in service.collection_names(name)
    }
    # Tools of MCP servers, and collections of a service without a list, are not in the configuration.
    open_tools = bool(configuration.mcp_servers)
    open_collections = any(not service.collection_names(name) for name, service in configuration.rag_services.items())
    for name, role in configuration.roles.items():
        path = path_of(("roles", name))
        yield from _unused(f"{path}.rules", "rule", role.rules, rules)
        yield from _unused(f"{path}.models", "model", role.models, models)
        if not open_tools:
            yield from _unused(f"{path}.tools", "tool", role.tools, tools)
        if not open_collections:
            yield from _unused(f"{path}.collections", "collection", role.collections, collections)
        if "chat" in role.views and not any(is_named(rule, role.rules) for rule in rules):
            yield Problem(f"{path}.rules", "no rule answers people with this role alone", "warning")


def _unknown_roles(configuration: Configuration) -> Iterator[Problem]:
    known = {*ROLES, *configuration.roles}
    tools = {f"tools.registry[{place}]": tool for place, tool in enumerate(configuration.tools.registry)}
    settings = {
        path_of(("mcp_servers", name, "tool_settings", tool)): each
        for name, server in configuration.mcp_servers.items()
        for tool, each in server.tool_settings.items()
    }
    lists: tuple[tuple[str, Iterable[str]], ...] = (
        ("limits.roles", configuration.limits.roles),
        ("limits.role_totals", configuration.limits.role_totals),
        ("choices.roles", configuration.choices.roles),
        ("sessions.sharing.roles", configuration.sessions.sharing.roles),
        *((f"{path}.approvers", each.approvers) for path, each in (*tools.items(), *settings.items())),
    )
    for path, names in lists:
        for position, name in enumerate(names):
            if name not in known:
                place = path_of((*path.split("."), name)) if path.startswith("limits.") else f"{path}[{position}]"
                yield Problem(place, f"no role named {name!r}{did_you_mean(name, known)}")


def _unused(path: str, kind: str, patterns: tuple[str, ...], names: Collection[str]) -> Iterator[Problem]:
    """Warn of each pattern that stands for none of `names`."""
    for position, pattern in enumerate(patterns):
        if pattern != "*" and not any(is_named(name, (pattern,)) for name in names):
            yield Problem(
                f"{path}[{position}]", f"no {kind} named {pattern!r}{did_you_mean(pattern, names)}", "warning"
            )
