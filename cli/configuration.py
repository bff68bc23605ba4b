"""Publishing of a configuration: check, conversion to parameters, write of the changes; and the reverse.

A source is the JSON object of the file (`flexchat.config.document.read_source`), so that comments are stored in SSM and
read back.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import replace
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from cli.config_diff import Change, diff
from cli.files import read_text
from cli.secret_hosts import (
    bind_secret,
    bind_unbound,
    provider_destinations,
    secret_destinations,
    unbound_secrets,
)
from flexchat.config.document import Source, parse, read_source
from flexchat.config.encoding import PARAMETER_LIMIT, REQUEST_LIMIT, EncodingError, decode
from flexchat.config.models.configuration import Configuration
from flexchat.config.parameters import configuration_path, join, manifest_name, mcp_commands_name, split
from flexchat.config.problems import path_of
from flexchat.config.secrets import references
from flexchat.errors import ConfigError, Problem, UnavailableError
from flexchat.messages import Json
from flexchat.redaction import MIN_SECRET
from flexchat.secret_references import SECRET_NAME, is_reserved, secret_name


class Parameters(Protocol):
    """Store that a configuration is published to, such as a ParameterStore."""

    def read_path(self, path: str) -> Mapping[str, str]: ...

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...

    def put(self, name: str, value: str, *, secret: bool = False) -> None: ...

    def delete(self, names: Iterable[str]) -> None: ...


class PackedWriter(Protocol):
    """Writer of the packed copy of a configuration that functions read when they start, such as a PackedCopy."""

    def write(self, parameters: Mapping[str, str]) -> bool: ...


@dataclass(frozen=True, slots=True)
class PushSummary:
    """Result of a push, by entry (`tools.registry.calculate`, `responses[1]`).

    `secrets` are the names it stored, `missing_secrets` those that the configuration refers to and the stage lacks,
    `unbound_secrets` the hosts of entries that a secret is not bound to, so that it is not sent there.
    """

    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    missing_secrets: tuple[str, ...] = ()
    unbound_secrets: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    warnings: tuple[Problem, ...] = ()

    @property
    def changed(self) -> bool:
        return bool(self.created or self.updated or self.deleted or self.secrets)


def read_file(path: Path) -> dict[str, Json]:
    """Return the source in a file. Raises ConfigError, with the line of a fault in its JSON."""
    text = read_text(path)
    try:
        return read_source(text)
    except ConfigError as exc:
        from cli.json_position import with_place

        raise ConfigError(
            tuple(
                replace(problem, path=problem.path or str(path), message=with_place(problem.message, text.decode()))
                for problem in exc.problems
            )
        ) from exc


def checked(source: Source) -> tuple[Configuration, tuple[Problem, ...]]:
    """Return the configuration of a source and every problem it has, including its size."""
    # Imports jsonschema, which pull and diff never need.
    from cli.config_check.check import check_source
    from flexchat.tool_types import TOOL_TYPES

    configuration, problems = check_source(source, TOOL_TYPES)
    if not any(problem.severity == "error" for problem in problems):
        try:
            split(source, stage="any")
        except ConfigError as exc:
            problems = (*problems, *exc.problems)
    return configuration, problems


def push_configuration(
    source: Source,
    *,
    stage: str,
    store: Parameters,
    packed: PackedWriter | None = None,
    secrets: Mapping[str, str] | None = None,
    rebinds: bool = False,
) -> PushSummary:
    """Publish `source` as the configuration of a stage, and store changed `secrets`.

    A secret that is stored for the first time is bound to the hosts that receive it. A stored one of an llm or a
    service without hosts is bound to those that received it before, else to the new ones. With `rebinds`, the `secrets`
    of llms and services are bound to the present hosts alone: their values were given for these.

    Readers get the old configuration or the new one, never a mixture: new parameters are written first, then the
    manifest and the `packed` copy, and unused parameters are deleted last. Nothing is written when nothing changed.
    Raises ConfigError with every problem before the first write, and UnavailableError; the next push repairs an
    interrupted one. A packed copy that cannot be written is a warning: functions read the parameters then.
    """
    configuration, problems = checked(source)
    errors = tuple(problem for problem in problems if problem.severity == "error")
    if errors:
        raise ConfigError(errors)
    wanted = split(source, stage=stage)
    stored = store.read_path(configuration_path(stage))
    last = _source_in(stored, stage)
    changes = diff(last, source)
    hosts, of_providers = secret_destinations(configuration), provider_destinations(configuration)
    given = secrets or {}
    new = tuple(name for name in given if name in hosts and not store.read((secret_name(stage, name),)))
    for each in (parse(last).configuration, configuration):
        bind_unbound(each, stage=stage, store=store)
    written = store_secrets(given, stage=stage, store=store)
    for name in dict.fromkeys((*new, *(name for name in given if rebinds and name in of_providers))):
        bind_secret(name, hosts[name], stage=stage, store=store)
    for name, value in wanted.items():
        if not _same(stored.get(name), value):
            store.put(name, value)
    unpacked = tuple(_pack(wanted, packed))
    if removed := tuple(name for name in stored if name not in wanted):
        store.delete(removed)
    missing = missing_secrets(configuration, stage=stage, store=store)
    # `secrets set` binds a missing secret of an llm or a service.
    to_bind = {name: found for name, found in hosts.items() if name not in missing or name not in of_providers}
    created = _paths(changes, "added")
    updated = _paths(changes, "changed", "moved")
    return PushSummary(
        created=created,
        updated=updated,
        deleted=_paths(changes, "removed"),
        unchanged=tuple(path for path in _paths(diff({}, source), "added") if path not in {*created, *updated}),
        secrets=written,
        missing_secrets=missing,
        unbound_secrets=unbound_secrets(to_bind, stage=stage, store=store),
        warnings=(
            *problems,
            *unpacked,
            *_reads_of_a_start(configuration),
            *_unlisted_commands(configuration, stage=stage, store=store),
        ),
    )


def _pack(parameters: Mapping[str, str], packed: PackedWriter | None) -> Iterator[Problem]:
    """Write the packed copy; yield a warning where that fails."""
    try:
        if packed is not None:
            packed.write(parameters)
    except (ConfigError, UnavailableError) as exc:
        message = f"the packed configuration was not written, so each start reads every entry: {exc}"
        yield Problem("", message, "warning")


def _reads_of_a_start(configuration: Configuration) -> Iterator[Problem]:
    """Return a warning for so many secrets that a start needs several requests of SSM: the manifest, secrets, hosts."""
    secrets = sum(not is_reserved(name) for name in references(configuration))
    requests = -(-(1 + 2 * secrets) // REQUEST_LIMIT)
    if requests > 1:
        message = (
            f"each start of a function reads {secrets} secrets in {requests} requests of SSM, which accepts 40 a second"
            f" from the account, {40 // requests} starts a second: if more start at once, set the account's"
            " high-throughput-enabled (docs/operations.md)"
        )
        yield Problem("", message, "warning")


def _unlisted_commands(configuration: Configuration, *, stage: str, store: Parameters) -> Iterator[Problem]:
    """Return a warning for each MCP server whose command the deployment does not list."""
    commands = {
        name: server.command
        for name, server in configuration.mcp_servers.items()
        if server.command is not None and server.enabled
    }
    parameter = mcp_commands_name(stage)
    try:
        listed = store.read((parameter,)).get(parameter) if commands else None
    except ConfigError:  # policies of an earlier version do not allow the operator to read it
        return
    if listed is None:
        return
    from flexchat.config.models.mcp_connections import is_listed_command

    for name, command in commands.items():
        if not is_listed_command(command, listed):
            message = (
                f"{command!r} is not among the commands of the stage: deploy with McpCommands={command},… to start it"
            )
            yield Problem(path_of(("mcp_servers", name, "command")), message, "warning")


def bind_stored_secrets(*, stage: str, store: Parameters) -> None:
    """Bind secrets without hosts of the llms and services of a stage to the addresses in its stored configuration."""
    source = _source_in(store.read_path(configuration_path(stage)), stage)
    bind_unbound(parse(source).configuration, stage=stage, store=store)


def store_secrets(secrets: Mapping[str, str], *, stage: str, store: Parameters) -> tuple[str, ...]:
    """Store the secrets whose value differs from the stored one and return their names.

    Raises ConfigError for an invalid name.
    """
    parameters = {name: secret_name(stage, name) for name in secrets}
    if problems := tuple(problem for name in secrets for problem in secret_problems(name, secrets[name])):
        raise ConfigError(problems)
    stored = store.read(parameters.values())
    changed = tuple(name for name in secrets if stored.get(parameters[name]) != secrets[name])
    for name in changed:
        store.put(parameters[name], secrets[name], secret=True)
    return changed


def secret_problems(name: str, value: str) -> tuple[Problem, ...]:
    """Return the reason why a secret cannot be stored; the messages do not contain its value."""
    if not SECRET_NAME.match(name):
        return (
            Problem(
                path=name,
                message="a secret's name must have only letters, digits and _, and must not begin with a digit",
            ),
        )
    if is_reserved(name):
        return (Problem(path=name, message="AWS_*, LAMBDA_* and _X_* are reserved for the function"),)
    if not value or not value.isprintable() or len(value.encode()) > PARAMETER_LIMIT:
        return (Problem(path=name, message=f"must be 1 to {PARAMETER_LIMIT} printable characters on one line"),)
    if len(" ".join(value.split())) < MIN_SECRET:
        message = (
            f"must have at least {MIN_SECRET} characters: "
            "shorter values cannot be removed from logs, errors and results; use a longer secret"
        )
        return (Problem(path=name, message=message),)
    return ()


def missing_secrets(configuration: Configuration, *, stage: str, store: Parameters) -> tuple[str, ...]:
    """Return the secrets that the configuration refers to and the stage lacks."""
    stored = stored_secrets(configuration, stage=stage, store=store)
    return tuple(name for name in references(configuration) if name not in stored)


def stored_secrets(configuration: Configuration, *, stage: str, store: Parameters) -> dict[str, str]:
    """Return the values of the secrets that the configuration refers to and the stage has."""
    parameters = {name: secret_name(stage, name) for name in references(configuration)}
    stored = store.read(parameters.values())
    return {name: stored[parameter] for name, parameter in parameters.items() if parameter in stored}


def pull_configuration(*, stage: str, store: Parameters) -> dict[str, Json]:
    """Return the source that was pushed to a stage. Raises ConfigError when a part of it is missing or damaged."""
    joined = join(store.read_path(configuration_path(stage)), stage=stage)
    if joined.disabled:
        raise ConfigError(
            tuple(
                Problem(path=f"{entry.kind} {entry.name}", message=message)
                for entry in joined.disabled
                for message in entry.problems
            )
        )
    return joined.source


def diff_configuration(source: Source, *, stage: str, store: Parameters) -> tuple[Change, ...]:
    """Return the changes that a push of `source` would make. A stage without a configuration has no entries."""
    parameters = store.read_path(configuration_path(stage))
    if manifest_name(stage) not in parameters:
        return diff({}, source)
    return diff(join(parameters, stage=stage).source, source)


def secrets_held(configuration: Configuration, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the secrets that the configuration refers to and the environment has."""
    return {
        name: environment[name] for name in references(configuration) if environment.get(name) and not is_reserved(name)
    }


def _source_in(parameters: Mapping[str, str], stage: str) -> Source:
    """Return the readable part of the stored configuration: unreadable parts are written again."""
    try:
        return join(parameters, stage=stage).source
    except ConfigError:
        return {}


def _same(stored: str | None, value: str) -> bool:
    """Return true when a stored value is equal; compressed values are compared by their content."""
    if stored is None:
        return False
    try:
        return decode(stored) == decode(value)
    except EncodingError:
        return False


def _paths(changes: Iterable[Change], *kinds: str) -> tuple[str, ...]:
    return tuple(change.path for change in changes if change.kind in kinds)
