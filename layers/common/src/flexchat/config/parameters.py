"""One configuration as many parameters, and back.

    /flexchat/<stage>/chat/manifest                     hashes and order of everything below
    /flexchat/<stage>/chat/manifest-parts/<hash>        pieces of a manifest that outgrew one parameter
    /flexchat/<stage>/chat/settings/<hash>              the document without its entries
    /flexchat/<stage>/chat/{tools,llms,rag_services,mcp_servers}/<name>/<hash>
    /flexchat/<stage>/chat/responses/<hash>
    /flexchat/<stage>/secrets/<NAME>                    SecureStrings, never part of a configuration
    /flexchat/<stage>/secrets/<NAME>/hosts              hosts that tools may send a secret to
    /flexchat/<stage>/deployment/mcp-commands           commands of MCP servers, from the template, never pushed
    /flexchat/<stage>/deployment/otlp                   collector of traces, from the template, never pushed

In `<name>` a character that a level of a parameter's name may not have is written as its code between dots:
`github/search` is `github.2f.search`.

A name ends with the hash of its content, so a push never overwrites what a reader may still be reading: the new
manifest switches from the old entries to the new at once. Everything the chat function reads is below its own path.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

from msgspec import Struct
from pydantic import ConfigDict, Field, ValidationError

from flexchat.config.catalog import DisabledEntry, EntryKind
from flexchat.config.document import Source
from flexchat.config.encoding import (
    ENTRY_LIMIT,
    PARAMETER_LIMIT,
    EncodingError,
    decode,
    digest,
    encode,
    text_of,
    value_of,
)
from flexchat.deferred_model import DeferredModel
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json

Section = Literal["llms", "rag_services", "mcp_servers", "tools"]

KINDS: Mapping[Section, EntryKind] = {
    "llms": "llm",
    "rag_services": "service",
    "mcp_servers": "mcp_server",
    "tools": "tool",
}

NAMED_SECTIONS: Final[tuple[Section, ...]] = ("llms", "rag_services", "mcp_servers")
"""Sections that are a mapping of names to entries."""

NAME_DIGITS = 12
"""Number of the hash's digits in a parameter's name."""

PARTS_PREFIX = "parts:"
"""A manifest of about 125 entries or more does not fit one parameter; its value then lists the hashes of its parts."""

REMEDY = "shorten its texts, or split it into several entries"

_NOT_IN_A_LEVEL = re.compile(r"[^a-zA-Z0-9_.-]")

Hashes = dict[str, str]


class Manifest(DeferredModel):
    """Manifest: hashes of the entries by name, and the order of rules and tools.

    It is written without `mcp_servers` where there are none, so that the manifest of such a configuration is the same
    as that of earlier versions, which do not know the section.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    settings: str
    llms: Annotated[Hashes, Field(default_factory=dict[str, str])]
    rag_services: Annotated[Hashes, Field(default_factory=dict[str, str])]
    mcp_servers: Annotated[Hashes, Field(default_factory=dict[str, str])]
    responses: tuple[str, ...] = ()
    tools: Annotated[Hashes, Field(default_factory=dict[str, str])]


class Joined(Struct, frozen=True):
    """Content of a stage's parameters.

    A missing rule is None in `responses`, so that the others keep their position. `disabled` lists the unreadable
    entries; a later reading may find them when a push was in progress.
    """

    source: dict[str, Json]
    disabled: tuple[DisabledEntry, ...]
    version: str


def configuration_path(stage: str) -> str:
    """Return the path of everything that the chat function reads, except the secrets."""
    return f"/flexchat/{stage}/chat"


def manifest_name(stage: str) -> str:
    return f"{configuration_path(stage)}/manifest"


def kms_key_name(stage: str) -> str:
    """Return the name of the parameter with the ARN of the key for secrets, which a stage with `KmsKeyArn` has."""
    return f"/flexchat/{stage}/deployment/kms-key"


def is_manifest(name: str, *, stage: str) -> bool:
    """Return whether a parameter is the manifest or a part of it."""
    return name == manifest_name(stage) or name.startswith(f"{configuration_path(stage)}/manifest-parts/")


def audit_days_name(stage: str) -> str:
    """Return the parameter with the retention of audit records in days; the template writes it."""
    return f"/flexchat/{stage}/deployment/audit-days"


def mcp_commands_name(stage: str) -> str:
    """Return the parameter with the commands that MCP servers may be started with; the template writes it."""
    return f"/flexchat/{stage}/deployment/mcp-commands"


def split(source: Source, *, stage: str) -> dict[str, str]:
    """Return the parameters of a source by name, the manifest last.

    The form of the source must have been checked. Raises ConfigError with every entry that does not fit into a
    parameter.
    """
    skeleton, sections, rules = _entries(source)
    texts: dict[str, str] = {}
    problems: list[Problem] = []

    def stored(parent: str, text: str, path: str) -> str:
        text_hash = digest(text)
        problems.extend(_too_large(path, text))
        texts[_parameter(stage, parent, text_hash)] = text
        return text_hash

    hashes: dict[Section, Hashes] = {
        section: {name: stored(_parent(section, name), text_of(value), path) for name, (path, value) in entries.items()}
        for section, entries in sections.items()
    }
    manifest = Manifest(
        settings=stored("settings", text_of(skeleton), "the settings outside llms, responses and tools.registry"),
        responses=tuple(
            stored("responses", text_of(rule), f"responses[{position}]") for position, rule in enumerate(rules)
        ),
        **hashes,
    )
    if problems:
        raise ConfigError(tuple(problems))
    values = {name: encode(text) for name, text in texts.items()}
    fields = manifest.model_dump(mode="json", exclude=None if manifest.mcp_servers else {"mcp_servers"})
    return values | _manifest_values(text_of(fields), stage=stage)


def join(parameters: Mapping[str, str], *, stage: str) -> Joined:
    """Return the source of these parameters; a missing or damaged entry is omitted and listed.

    Raises ConfigError when the manifest or the settings cannot be read.
    """
    version = manifest_version(parameters, stage=stage)
    manifest = _read_manifest(parameters, stage=stage)
    disabled: list[DisabledEntry] = []

    def entry(parent: str, text_hash: str, kind: EntryKind, name: str) -> Json:
        try:
            return _read(parameters, _parameter(stage, parent, text_hash), text_hash)
        except EncodingError as exc:
            disabled.append(DisabledEntry(kind=kind, name=name, problems=(str(exc),)))
            return None

    settings = _parameter(stage, "settings", manifest.settings)
    try:
        source = _read(parameters, settings, manifest.settings)
    except EncodingError as exc:
        raise ConfigError((Problem(path=settings, message=str(exc)),)) from exc
    if not isinstance(source, dict):
        raise ConfigError((Problem(path=settings, message="must be a JSON object"),))
    found: dict[Section, dict[str, Json]] = {
        section: {
            name: value
            for name, text_hash in hashes.items()
            if (value := entry(_parent(section, name), text_hash, KINDS[section], name)) is not None
        }
        for section, hashes in _sections(manifest)
    }
    rules = [
        entry("responses", text_hash, "rule", f"responses[{position}]")
        for position, text_hash in enumerate(manifest.responses)
    ]
    return Joined(source=_assembled(source, found, rules), disabled=tuple(disabled), version=version)


def manifest_version(parameters: Mapping[str, str], *, stage: str) -> str:
    """Return the version, which changes with every change of the configuration.

    Raises ConfigError when none is stored.
    """
    name = manifest_name(stage)
    if name not in parameters:
        message = f"no configuration is stored; run `flexchat config push --stage {stage}`"
        raise ConfigError((Problem(path=name, message=message),))
    return digest(parameters[name])


def _read_manifest(parameters: Mapping[str, str], *, stage: str) -> Manifest:
    """Return the manifest. Raises ConfigError."""
    name = manifest_name(stage)
    value = parameters[name]
    try:
        if value.startswith(PARTS_PREFIX):
            parts = value.removeprefix(PARTS_PREFIX).split(",")
            value = "".join(_part(parameters, _parameter(stage, "manifest-parts", part)) for part in parts)
        return Manifest.model_validate(value_of(decode(value)))
    except (EncodingError, ValidationError) as exc:
        message = f"cannot be read by this version; run `flexchat config push --stage {stage}` again"
        raise ConfigError((Problem(path=name, message=message),)) from exc


def _manifest_values(text: str, *, stage: str) -> dict[str, str]:
    """Return the manifest in one parameter, or in parts followed by a parameter that lists them."""
    value = encode(text)
    if len(value) <= PARAMETER_LIMIT:
        return {manifest_name(stage): value}
    pieces = [value[start : start + PARAMETER_LIMIT] for start in range(0, len(value), PARAMETER_LIMIT)]
    parts = {_parameter(stage, "manifest-parts", digest(piece)): piece for piece in pieces}
    listed = ",".join(digest(piece)[:NAME_DIGITS] for piece in pieces)
    return {**parts, manifest_name(stage): PARTS_PREFIX + listed}


def _part(parameters: Mapping[str, str], name: str) -> str:
    if name not in parameters:
        raise EncodingError(f"the parameter {name!r} is missing")
    return parameters[name]


def _sections(manifest: Manifest) -> Iterator[tuple[Section, Hashes]]:
    yield "llms", manifest.llms
    yield "rag_services", manifest.rag_services
    yield "mcp_servers", manifest.mcp_servers
    yield "tools", manifest.tools


def _entries(source: Source) -> tuple[dict[str, Json], dict[Section, dict[str, tuple[str, Json]]], list[Json]]:
    """Return the document without its entries, the entries by section and name with their path, and the rules."""
    skeleton = dict(source)
    sections: dict[Section, dict[str, tuple[str, Json]]] = {section: {} for section in KINDS}
    for section in NAMED_SECTIONS:
        mapping = source.get(section)
        if isinstance(mapping, dict):
            skeleton[section] = {name: value for name, value in mapping.items() if name == "comment"}
            sections[section] = {
                name: (f"{section}.{name}", value) for name, value in mapping.items() if name != "comment"
            }
    rules = source.get("responses")
    if isinstance(rules, list):
        skeleton["responses"] = []
    tools = source.get("tools")
    registry = tools.get("registry") if isinstance(tools, dict) else None
    if isinstance(tools, dict) and isinstance(registry, list):
        skeleton["tools"] = {**tools, "registry": []}
        for position, tool in enumerate(registry):
            if isinstance(tool, dict):
                sections["tools"][str(tool.get("name"))] = (f"tools.registry[{position}]", tool)
    return skeleton, sections, rules if isinstance(rules, list) else []


def _assembled(
    source: dict[str, Json], found: Mapping[Section, Mapping[str, Json]], rules: list[Json]
) -> dict[str, Json]:
    """Return the document with its entries in their positions."""
    whole = dict(source)
    for section in NAMED_SECTIONS:
        mapping = source.get(section)
        if isinstance(mapping, dict):
            whole[section] = {**mapping, **found[section]}
    if "responses" in source:
        whole["responses"] = rules
    tools = source.get("tools")
    if isinstance(tools, dict) and "registry" in tools:
        whole["tools"] = {**tools, "registry": list(found["tools"].values())}
    return whole


def _parent(section: Section, name: str) -> str:
    """Return the name of an entry's parameter. If two names are encoded alike, the hashes of their contents differ."""
    return f"{section}/{_NOT_IN_A_LEVEL.sub(lambda found: f'.{ord(found[0]):02x}.', name)}"


def _parameter(stage: str, parent: str, text_hash: str) -> str:
    return f"{configuration_path(stage)}/{parent}/{text_hash[:NAME_DIGITS]}"


def _read(parameters: Mapping[str, str], name: str, text_hash: str) -> Json:
    if name not in parameters:
        raise EncodingError(f"the parameter {name!r} is missing")
    text = decode(parameters[name])
    if digest(text) != text_hash:
        raise EncodingError(f"the parameter {name!r} was changed directly: its hash differs from the manifest's")
    return value_of(text)


def _too_large(path: str, text: str) -> Iterator[Problem]:
    size = len(encode(text))
    if len(text) > ENTRY_LIMIT:
        yield Problem(path, f"has {len(text)} bytes, at most {ENTRY_LIMIT} are accepted: {REMEDY}")
    elif size > PARAMETER_LIMIT:
        yield Problem(path, f"has {size} bytes after gzip, at most {PARAMETER_LIMIT} are accepted: {REMEDY}")
