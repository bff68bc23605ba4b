"""Errors for API keys that a configuration contains instead of references to secrets."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Final
from urllib.parse import parse_qsl

from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.problems import Location, path_of
from flexchat.config.secrets import PREPARED_DATA, secret_fields
from flexchat.errors import Problem
from flexchat.messages import Json
from flexchat.redaction import contains_key, is_secret_name
from flexchat.secret_references import SECRET_REFERENCE, is_secret_field, references_in
from flexchat.tool_types import ToolType

PLACEHOLDER_KEYS = ("demo", "none", "unused")
"""Values of `api_key` for a server that requires a key and accepts any."""

NAME_IT = (
    "the key itself is in the file; name it, as '${NAME}', and store it with `flexchat secrets set NAME --stage STAGE`"
)
REMOVE_IT = "holds what looks like a key; remove it"

_ADDRESSES: Final = ("base_url", "url")

_NAME_MAPPINGS: Final = frozenset({"params_mapping", "argument_names"})
"""Fields whose values are names of parameters."""

_TEMPLATE: Final = re.compile(r"\{\{[^{}]*\}\}")

_SETTING: Final = re.compile(r"[-_](?:file|path|dir|url|uri|mode|type|method|scheme|name|header|format)$", re.I)
"""Names of settings about a secret: where it is, or how it is used."""

_WORDS: Final = frozenset(
    {
        *(
            "anonymous",
            "basic",
            "bearer",
            "cookie",
            "default",
            "digest",
            "false",
            "fetch",
            "no",
            "none",
            "null",
            "oauth",
        ),
        *("oauth2", "off", "on", "optional", "public", "required", "session", "true", "yes"),
    }
)
"""Values of settings whose name is that of a secret: `X-CSRF-Token: fetch`, `AUTH: none`."""


def llm_key_problems(path: str, llm: LlmConfig) -> Iterator[Problem]:
    """Return literal keys of an llm: its `api_key`, its headers, and its address."""
    if llm.api_key and llm.api_key not in PLACEHOLDER_KEYS and _is_key("api_key", llm.api_key):
        yield Problem(f"{path}.api_key", NAME_IT)
    yield from _headers_and_address(path, llm, "base_url", llm.base_url)


def service_key_problems(path: str, service: RagServiceConfig) -> Iterator[Problem]:
    """Return literal keys of a service: its headers and its address."""
    yield from _headers_and_address(path, service, "url", service.url)


def tool_key_problems(path: str, tool: ToolDefinition) -> Iterator[Problem]:
    """Return literal keys anywhere in a tool's definition.

    A value is a key by its form, and in `implementation` also by its name: `Authorization`, `api_key`. The names of
    parameters in a mapping are none.
    """
    fields: dict[str, Json] = {"description": tool.description, "parameters": tool.parameters}
    for location, text in _texts(fields, ()):
        if contains_key(text):
            yield Problem(f"{path}.{path_of(location)}", REMOVE_IT)
    for location, text in _texts(tool.implementation, ("implementation",)):
        invented = location[1] in PREPARED_DATA
        if contains_key(text) and invented:
            yield Problem(f"{path}.{path_of(location)}", REMOVE_IT)
        elif not invented and not _NAME_MAPPINGS.intersection(location) and _is_key(str(location[-1]), text):
            yield Problem(f"{path}.{path_of(location)}", NAME_IT)


def connection_key_problems(path: str, connection: Mapping[str, Json]) -> Iterator[Problem]:
    """Return literal keys of the connection of an MCP server at `path`, by their form or their name."""
    for location, text in _texts(dict(connection), ()):
        # An address with a user and a password is already an error.
        if location[0] == "url":
            if "@" not in text and (contains_key(text) or _has_secret_parameter(text)):
                yield Problem(f"{path}.url", NAME_IT)
        elif location != ("auth", "token_url") and _is_key(str(location[-1]), text):
            yield Problem(f"{path}.{path_of(location)}", NAME_IT)


def secret_field_problems(path: str, tool: ToolDefinition, row: ToolType) -> Iterator[Problem]:
    """Return an error for each secret that a tool names in a field that its type does not resolve.

    `path` is that of the tool's `implementation`.
    """
    fields = row.implementation().secret_fields
    for field, text in secret_fields(tool):
        below = field.removeprefix("implementation.")
        if references_in(text) and not is_secret_field(below, fields):
            names = ", ".join(map(repr, fields))
            where = f"resolve secrets only in {names}" if fields else "resolve no secrets"
            yield Problem(f"{path}.{below}", f"names a secret; tools of type {tool.implementation_type!r} {where}")


def stray_key_problems(source: Mapping[str, Json], reported: Collection[str]) -> Iterator[Problem]:
    """Return warnings for keys in any other part of a source: a prompt, a comment, a name, the query of an address.

    `reported` are the paths of errors; their values are not reported again. No path shows a key.
    """
    for location in _names(dict(source), ()):
        if contains_key(str(location[-1])):
            yield Problem(_path_without_keys(location), "has a name that looks like a key; remove it", "warning")
    for location, text in _texts(dict(source), ()):
        path = _path_without_keys(location)
        is_key = contains_key(text) or (location[-1] in _ADDRESSES and _has_secret_parameter(text))
        if is_key and path not in reported:
            yield Problem(path, REMOVE_IT, "warning")


def _path_without_keys(location: Location) -> str:
    """Return the path of `location` up to the first name that looks like a key."""
    shown = takewhile(lambda part: not (isinstance(part, str) and contains_key(part)), location)
    return path_of(tuple(shown))


def _has_secret_parameter(address: str) -> bool:
    """Return whether the query of an address has a parameter with the name of a secret, such as `api_key`."""
    _, _, query = SECRET_REFERENCE.sub("", address).partition("?")
    return any(is_secret_name(name) for name, value in parse_qsl(query) if value)


def _headers_and_address(
    path: str, entry: LlmConfig | RagServiceConfig, field: str, address: str | None
) -> Iterator[Problem]:
    for name, text in entry.headers.items():
        if _is_key(name, text):
            yield Problem(f"{path}.headers.{name}", NAME_IT)
    # An address with a user and a password is already an error.
    if address is not None and "@" not in address and contains_key(address):
        yield Problem(f"{path}.{field}", REMOVE_IT)


def _is_key(name: str, text: str) -> bool:
    """Return whether `text` is a key by its form, or by its name when it is a value of its own.

    References and templates are none, nor is a word that no secret is. A malformed reference is reported as such.
    """
    own = _TEMPLATE.sub("", SECRET_REFERENCE.sub("", text))
    if contains_key(own):
        return True
    if not is_secret_name(name) or _SETTING.search(name) or "${" in text:
        return False
    return bool(own.strip()) and own.strip().lower() not in _WORDS


def _texts(value: Json, location: Location) -> Iterator[tuple[Location, str]]:
    if isinstance(value, str):
        yield location, value
    for part, each in _parts(value):
        yield from _texts(each, (*location, part))


def _names(value: Json, location: Location) -> Iterator[Location]:
    """Return the location of every name inside of `value`."""
    for part, each in _parts(value):
        if isinstance(part, str):
            yield (*location, part)
        yield from _names(each, (*location, part))


def _parts(value: Json) -> Iterable[tuple[int | str, Json]]:
    match value:
        case dict():
            return value.items()
        case list():
            return enumerate(value)
        case _:
            return ()
