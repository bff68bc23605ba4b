"""API keys that a configuration contains instead of references to secrets: errors, and warnings for likely ones."""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import replace
from itertools import takewhile
from math import log2
from typing import Final
from urllib.parse import parse_qsl

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.guardrails import GuardrailConfig
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
DECLARE_IT = "or declare in not_secrets, with the SHA-256 of the value, that it is none"
LOOKS_LIKE_ONE = (
    "has the name of a secret, and a value of its own; name it, as '${NAME}', or declare in not_secrets that it is none"
)
RANDOM = "looks like a key; name it, as '${NAME}', or declare in not_secrets that it is none"

MIN_ENTROPY: Final = 3.5
"""Shannon entropy in bits of each character above which a long word is taken for a key; hex has up to 4."""

_ADDRESSES: Final = ("base_url", "url")

_NAME_MAPPINGS: Final = frozenset({"params_mapping", "argument_names"})
"""Fields whose values are names of parameters."""

_SECRET_FIELDS: Final = frozenset(
    (("auth", "token"), ("auth", "password"), ("auth", "value"), ("auth", "client_secret"))
)
"""Fields of an `implementation` or a connection that have a secret and nothing else."""

_RANDOM: Final = re.compile(r"[A-Za-z0-9+/_=-]{20,512}")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_TEMPLATE: Final = re.compile(r"\{\{[^{}]*\}\}")

_SETTING: Final = re.compile(r"[-_](?:file|path|dir|url|uri|mode|type|method|scheme|name|header|format)$", re.I)
"""Names of settings about a secret: where it is, or how it is used."""

_WORDS: Final = frozenset(
    [
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
        "oauth2",
        "off",
        "on",
        "optional",
        "public",
        "required",
        "session",
        "true",
        "yes",
    ]
)
"""Values of settings whose name is that of a secret: `X-CSRF-Token: fetch`, `AUTH: none`."""


class KeyProblem(Problem, frozen=True):
    """Problem of a value that is, or looks like, a secret.

    `sha256` is the hash of a value with a key of a known format; empty for one that is reported for its name or field.
    """

    sha256: str = ""


def llm_key_problems(path: str, llm: LlmConfig) -> Iterator[Problem]:
    """Return literal keys of an llm: its `api_key`, its headers, and its address."""
    if llm.api_key and llm.api_key not in PLACEHOLDER_KEYS:
        yield from _value_problems(f"{path}.api_key", "api_key", llm.api_key, of_secret=True)
    yield from _headers_and_address(path, llm, "base_url", llm.base_url)


def service_key_problems(path: str, service: RagServiceConfig | GuardrailConfig) -> Iterator[Problem]:
    """Return literal keys of a service or a guardrail: its headers and its address."""
    yield from _headers_and_address(path, service, "url", service.url)


def tool_key_problems(path: str, tool: ToolDefinition) -> Iterator[Problem]:
    """Return literal keys anywhere in a tool's definition.

    A key of a known format is an error. In `implementation` so is any value of a field for a secret, as `auth.token`;
    a value that looks like one, by the name beside it or by its characters, is a warning. The names of parameters in a
    mapping are none.
    """
    fields: dict[str, Json] = {"description": tool.description, "parameters": tool.parameters}
    for location, text in _texts(fields, ()):
        yield from _known_keys(f"{path}.{path_of(location)}", text, REMOVE_IT)
    for location, text in _texts(tool.implementation, ("implementation",)):
        where = f"{path}.{path_of(location)}"
        if location[1] in PREPARED_DATA:
            yield from _known_keys(where, text, REMOVE_IT)
        elif not _NAME_MAPPINGS.intersection(location):
            yield from _value_problems(where, str(location[-1]), text, of_secret=location[1:] in _SECRET_FIELDS)


def connection_key_problems(path: str, connection: Mapping[str, Json]) -> Iterator[Problem]:
    """Return literal keys of the connection of an MCP server at `path`, as in a tool's `implementation`."""
    for location, text in _texts(dict(connection), ()):
        # An address with a user and a password is already an error.
        if location[0] == "url":
            if "@" not in text:
                yield from _known_keys(f"{path}.url", text, NAME_IT) or _secret_parameters(f"{path}.url", text)
        elif location != ("auth", "token_url"):
            where = f"{path}.{path_of(location)}"
            yield from _value_problems(where, str(location[-1]), text, of_secret=location in _SECRET_FIELDS)


def without_declared(
    problems: Iterable[Problem], configuration: Configuration, positions: Sequence[int]
) -> Iterator[Problem]:
    """Return problems without those of values that `not_secrets` declares, and a warning for each unused entry.

    A key of a known format must be declared with its `sha256`. `positions` are those of the tools in the source.
    """
    names = {
        f"tools.registry[{at}]": tool.name for at, tool in zip(positions, configuration.tools.registry, strict=True)
    }
    declared = {entry.path: entry for entry in configuration.not_secrets}
    used: set[str] = set()
    for problem in problems:
        entry = declared.get(_named_path(problem.path, names)) if isinstance(problem, KeyProblem) else None
        if entry is not None and isinstance(problem, KeyProblem):
            used.add(entry.path)
            if not problem.sha256 or problem.sha256 == entry.sha256:
                continue
        yield problem
    for position, entry in enumerate(configuration.not_secrets):
        if entry.path not in used:
            yield Problem(f"not_secrets[{position}]", f"no value at {entry.path!r} looks like a secret", "warning")


def _named_path(path: str, names: Mapping[str, str]) -> str:
    """Return the path of a problem with the name of a tool in place of its position."""
    entry, bracket, rest = path.partition("]")
    name = names.get(f"{entry}]") if bracket else None
    return path if name is None else f"tools.registry.{name}{rest}"


def _value_problems(path: str, name: str, text: str, *, of_secret: bool) -> Iterator[Problem]:
    """Return the problem of a value beside `name`; `of_secret` is that of a field that has a secret and nothing else.

    References and templates are none, nor is a word that no secret is. A malformed reference is reported as such.
    """
    own = _TEMPLATE.sub("", SECRET_REFERENCE.sub("", text))
    if contains_key(own):
        yield from _known_keys(path, text, NAME_IT)
    elif not own.strip() or "${" in text or own.strip().lower() in _WORDS:
        return
    elif of_secret:
        yield KeyProblem(path, f"{NAME_IT}, or declare in not_secrets that it is none")
    elif is_secret_name(name) and not _SETTING.search(name):
        yield KeyProblem(path, LOOKS_LIKE_ONE, "warning")
    elif _is_random(own):
        yield KeyProblem(path, RANDOM, "warning")


def _known_keys(path: str, text: str, message: str) -> list[Problem]:
    """Return the error of a text with keys of a known format."""
    if not contains_key(text):
        return []
    return [KeyProblem(path, f"{message}, {DECLARE_IT}", "error", hashlib.sha256(text.encode()).hexdigest())]


def _secret_parameters(path: str, address: str) -> list[Problem]:
    return [KeyProblem(path, LOOKS_LIKE_ONE, "warning")] if _has_secret_parameter(address) else []


def _is_random(text: str) -> bool:
    """Return whether a text is one long word of mixed characters, as keys without a known format are; no UUID."""
    if not _RANDOM.fullmatch(text) or _UUID.fullmatch(text) or not re.search(r"[0-9]", text):
        return False
    counts = Counter(text)
    entropy = -sum(count / len(text) * log2(count / len(text)) for count in counts.values())
    return entropy >= MIN_ENTROPY and re.search(r"[A-Za-z]", text) is not None


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

    `reported` are the paths of errors and of likely keys; their values are not reported again. No path shows a key.
    """
    for location in _names(dict(source), ()):
        if contains_key(str(location[-1])):
            yield Problem(_path_without_keys(location), "has a name that looks like a key; remove it", "warning")
    for location, text in _texts(dict(source), ()):
        path = _path_without_keys(location)
        if path in reported or location[0] == "not_secrets":
            continue
        if known := _known_keys(path, text, REMOVE_IT):
            yield from (replace(problem, severity="warning") for problem in known)
        elif location[-1] in _ADDRESSES and _has_secret_parameter(text):
            yield KeyProblem(path, REMOVE_IT, "warning")


def _path_without_keys(location: Location) -> str:
    """Return the path of `location` up to the first name that looks like a key."""
    shown = takewhile(lambda part: not (isinstance(part, str) and contains_key(part)), location)
    return path_of(tuple(shown))


def _has_secret_parameter(address: str) -> bool:
    """Return whether the query of an address has a parameter with the name of a secret, such as `api_key`."""
    _, _, query = SECRET_REFERENCE.sub("", address).partition("?")
    return any(is_secret_name(name) for name, value in parse_qsl(query) if value)


def _headers_and_address(
    path: str, entry: LlmConfig | RagServiceConfig | GuardrailConfig, field: str, address: str | None
) -> Iterator[Problem]:
    for name, text in entry.headers.items():
        yield from _value_problems(f"{path}.headers.{name}", name, text, of_secret=False)
    # An address with a user and a password is already an error.
    if address is not None and "@" not in address:
        yield from _known_keys(f"{path}.{field}", address, REMOVE_IT)


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
