"""Entries of a configuration as texts, and the configuration of a draft."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from flexchat.config.document import Source
from flexchat.config.problems import path_of
from flexchat.config_check.check import check_publication
from flexchat.config_check.secrets import KeyProblem
from flexchat.errors import Problem
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.redaction import contains_key
from functions.configuration.models import ConfigurationDraft, ConfigurationEntry, DraftProblem, Section

HIDDEN: Final = "[hidden: looks like a secret]"
HIDDEN_REASON: Final = (
    "has a value that looks like a secret and is not shown; name it as '${NAME}' and publish with"
    " `flexchat config push --stage STAGE`"
)
ELSEWHERE: Final = "is published with `flexchat config push --stage STAGE`"
ONLY_ENABLED: Final = "only on or off; the other settings are published with `flexchat config push --stage STAGE`"

_PLACE: Final = re.compile(r" at line (\d+) column (\d+)$")
PRINCIPALS: Final = ("limits", "principals")
_NAMED: Final[tuple[Section, ...]] = ("mcp_servers", "llms", "rag_services")


class DraftError(Exception):
    """Texts of a draft that are no JSON, or that change what only a push may change."""

    def __init__(self, problems: tuple[DraftProblem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems


def entries_of(source: Source, problems: Collection[Problem]) -> Iterator[ConfigurationEntry]:
    """Yield the entries of a source; values that `problems` report as likely secrets are hidden."""
    hidden = frozenset(problem.path for problem in problems if isinstance(problem, KeyProblem))
    rest = dict(source)
    for position, rule in enumerate(_items(rest.pop("responses", None))):
        yield _entry("responses", _name(rule), ("responses", position), rule, hidden)
    tools = rest.get("tools")
    if isinstance(tools, dict):
        rest["tools"] = {key: value for key, value in tools.items() if key != "registry"}
        for position, tool in enumerate(_items(tools.get("registry"))):
            yield _entry("tools", _name(tool), ("tools", "registry", position), tool, hidden)
    for section in ("topic", "intent"):
        if section in rest:
            yield _entry(section, section, (section,), rest.pop(section), hidden)
    for section in _NAMED:
        mapping = rest.pop(section, None)
        for name, entry in mapping.items() if isinstance(mapping, dict) else ():
            if name != "comment":
                reason = ONLY_ENABLED if section == "mcp_servers" else ELSEWHERE
                yield _entry(section, name, (section, name), entry, hidden, reason=reason)
    limits = rest.get("limits")
    if isinstance(limits, dict):
        rest["limits"] = {key: value for key, value in limits.items() if key != "principals"}
        for name, entry in _principals(source).items():
            if name != "comment":
                yield _entry("token_limits", name, (*PRINCIPALS, name), entry, hidden)
    yield _entry("settings", "settings", (), rest, hidden, reason=ELSEWHERE)


def _entry(
    section: Section,
    name: str,
    location: tuple[int | str, ...],
    value: Json,
    hidden: Collection[str],
    *,
    reason: str | None = None,
) -> ConfigurationEntry:
    shown = _without_secrets(value, location, hidden)
    if shown != value:
        reason = HIDDEN_REASON
    return ConfigurationEntry(
        section=section,
        name=name,
        path=path_of(location) or "settings",
        text=entry_text(shown),
        editable=reason is None,
        reason=reason,
    )


def entry_text(value: Json) -> str:
    """Return an entry as an editor shows it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)


def _without_secrets(value: Json, location: tuple[int | str, ...], hidden: Collection[str]) -> Json:
    match value:
        case str():
            return HIDDEN if path_of(location) in hidden or contains_key(value) else value
        case dict():
            return {key: _without_secrets(each, (*location, key), hidden) for key, each in value.items()}
        case list():
            return [_without_secrets(each, (*location, at), hidden) for at, each in enumerate(value)]
        case _:
            return value


def with_draft(source: Source, draft: ConfigurationDraft) -> dict[str, Json]:
    """Return the source with the changes of a draft. Raises DraftError.

    A text with hidden values is the entry that it was shown for, unchanged.
    """
    problems: list[DraftProblem] = []
    shown = _hidden_entries(source) if any(HIDDEN in text for text in _texts(draft)) else {}
    changed = dict(source)
    if draft.responses is not None:
        changed["responses"] = [
            _parsed(f"responses[{at}]", text, problems, shown) for at, text in enumerate(draft.responses)
        ]
    if draft.tools is not None:
        tools = source.get("tools")
        registry = [_parsed(f"tools.registry[{at}]", text, problems, shown) for at, text in enumerate(draft.tools)]
        changed["tools"] = {**(tools if isinstance(tools, dict) else {}), "registry": registry}
    for section, text in (("topic", draft.topic), ("intent", draft.intent)):
        if text is None:
            continue
        if text.strip():
            changed[section] = _parsed(section, text, problems, shown)
        else:
            changed.pop(section, None)
    if draft.mcp_servers:
        changed["mcp_servers"] = _servers(source.get("mcp_servers"), draft.mcp_servers, problems)
    if draft.token_limits:
        changed |= _limited(source, draft.token_limits, problems, shown)
        if not changed["limits"]:
            del changed["limits"]
    if problems:
        raise DraftError(tuple(problems))
    return changed


def _limited(
    source: Source, texts: Mapping[str, str], problems: list[DraftProblem], shown: Mapping[str, Json]
) -> dict[str, Json]:
    """Return the section `limits` with the changes of a draft to its `principals`."""
    principals = _principals(source)
    for name, text in texts.items():
        path = path_of((*PRINCIPALS, name))
        if name == "comment":
            problems.append(DraftProblem(severity="error", path=path, message="is a comment, not the id of a token"))
        elif text.strip():
            principals[name] = _parsed(path, text, problems, shown)
        else:
            principals.pop(name, None)
    limits = {**_object(source.get("limits")), "principals": principals}
    return {"limits": {key: value for key, value in limits.items() if key != "principals" or value}}


def _principals(source: Source) -> dict[str, Json]:
    """Return `limits.principals` with its comment."""
    return dict(_object(_object(source.get("limits")).get("principals")))


def _servers(section: Json, enabled: Mapping[str, bool], problems: list[DraftProblem]) -> dict[str, Json]:
    servers = dict(section) if isinstance(section, dict) else {}
    for name, is_enabled in enabled.items():
        server = servers.get(name)
        path = path_of(("mcp_servers", name))
        if not isinstance(server, dict) or name == "comment":
            message = "no such MCP server; a draft turns configured servers on or off"
            problems.append(DraftProblem(severity="error", path=path, message=message))
        elif is_enabled is not server.get("enabled", True):
            servers[name] = {**server, "enabled": is_enabled}
    return servers


def _texts(draft: ConfigurationDraft) -> Iterator[str]:
    yield from (*(draft.responses or ()), *(draft.tools or ()), draft.topic or "", draft.intent or "")
    yield from (draft.token_limits or {}).values()


def _hidden_entries(source: Source) -> dict[str, Json]:
    """Return the entries of a source that are shown with hidden values, by their text."""
    _, problems = check_publication(source)
    hidden = frozenset(problem.path for problem in problems if isinstance(problem, KeyProblem))
    tools = source.get("tools")
    registry = _items(tools.get("registry")) if isinstance(tools, dict) else []
    entries: dict[tuple[int | str, ...], Json] = {
        **{("responses", at): rule for at, rule in enumerate(_items(source.get("responses")))},
        **{("tools", "registry", at): tool for at, tool in enumerate(registry)},
        **{(section,): source[section] for section in ("topic", "intent") if section in source},
        **{(*PRINCIPALS, name): entry for name, entry in _principals(source).items()},
    }
    shown = {location: _without_secrets(value, location, hidden) for location, value in entries.items()}
    return {entry_text(shown[location]): value for location, value in entries.items() if shown[location] != value}


def _parsed(path: str, text: str, problems: list[DraftProblem], shown: Mapping[str, Json]) -> Json:
    if text in shown:
        return shown[text]
    try:
        value = safe_loads(text)
    except JsonError as exc:
        message = str(exc)
        place = _PLACE.search(message)
        line, column = (int(place[1]), int(place[2])) if place else (None, None)
        problem = DraftProblem(
            severity="error", path=path, message=f"must be JSON: {message}", line=line, column=column
        )
        problems.append(problem)
        return None
    if not isinstance(value, dict):
        problems.append(DraftProblem(severity="error", path=path, message="must be a JSON object"))
    elif HIDDEN in text:
        message = f"contains {HIDDEN!r}, which stands in place of a value that is not shown"
        problems.append(DraftProblem(severity="error", path=path, message=message))
    return value


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _object(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _name(entry: Json) -> str:
    name = entry.get("name") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else ""
