"""Publishing of a configuration: check, conversion to parameters, write of the changes; and the reverse.

A source is the JSON object of the file (`flexchat.config.document.read_source`), so that comments are stored in SSM and
read back.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import replace
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cli.errors import UnknownNameError
from cli.files import read_text
from cli.invocation import flexchat
from cli.secret_hosts import (
    bind_secret,
    bind_unbound,
    provider_destinations,
    secret_destinations,
    unbound_secrets,
)
from flexchat.config.changes import Change, diff
from flexchat.config.document import Source, parse, read_source
from flexchat.config.encoding import PARAMETER_LIMIT, REQUEST_LIMIT
from flexchat.config.history import ConfigurationHistory, RecordedVersion, VersionSummary
from flexchat.config.models.configuration import Configuration
from flexchat.config.parameters import configuration_path, join, kms_key_name, manifest_name, mcp_commands_name, split
from flexchat.config.problems import path_of
from flexchat.config.publication import Attribution, PackedWriter, Parameters, StoredSource, publish
from flexchat.config.secrets import references
from flexchat.errors import ConfigError, Problem, UnavailableError
from flexchat.messages import Json
from flexchat.redaction import MIN_SECRET
from flexchat.secret_references import SECRET_NAME, is_reserved, secret_name

if TYPE_CHECKING:
    from flexchat.audit import Auditor


@dataclass(frozen=True, slots=True)
class PushSummary:
    """Result of a push, by entry (`tools.registry.calculate`, `responses[1]`).

    `secrets` are the names it stored, `missing_secrets` those that the configuration refers to and the stage lacks,
    `unbound_secrets` the hosts of entries that a secret is not bound to, so that it is not sent there. `recorded` is
    its version in the history.
    """

    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    missing_secrets: tuple[str, ...] = ()
    unbound_secrets: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    warnings: tuple[Problem, ...] = ()
    recorded: VersionSummary | None = None

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


def checked(source: Source, stage: str | None = None) -> tuple[Configuration, tuple[Problem, ...]]:
    """Return the configuration of a source and every problem it has, including its size; with a `stage`, those of its
    publication there."""
    # Imports jsonschema, which pull and diff never need.
    from flexchat.config_check.check import check_publication

    return check_publication(source, stage=stage)


def push_configuration(
    source: Source,
    *,
    stage: str,
    store: Parameters,
    packed: PackedWriter | None = None,
    history: ConfigurationHistory | None = None,
    attribution: Attribution | None = None,
    audit: "Auditor | None" = None,
    secrets: Mapping[str, str] | None = None,
    rebinds: Collection[str] | None = None,
) -> PushSummary:
    """Publish `source` as the configuration of a stage, with a record in its `history`, and store changed `secrets`.

    `audit` records the publication before its first write.

    A secret that is stored for the first time is bound to the hosts that receive it. A stored one of an llm or a
    service without hosts is bound to those that received it before, else to the new ones. With `rebinds`, the `secrets`
    of llms and services that it names, or whose value is new, are bound to the present hosts alone: they were given for
    these.

    `publish` describes the writes. Raises ConfigError with every problem before the first write,
    PublicationConflictError and UnavailableError. A history that cannot be written is a warning.
    """
    configuration, problems = checked(source, stage)
    errors = tuple(problem for problem in problems if problem.severity == "error")
    if errors:
        raise ConfigError(errors)
    split(source, stage=stage)
    unrecorded = tuple(_history_problems(history))
    usable = None if unrecorded else history
    stored = StoredSource.read(store, stage=stage, history=usable)
    hosts, of_providers = secret_destinations(configuration), provider_destinations(configuration)
    given = secrets or {}
    new = tuple(name for name in given if name in hosts and not store.read((secret_name(stage, name),)))
    for each in (parse(stored.source).configuration, configuration):
        bind_unbound(each, stage=stage, store=store)
    written = store_secrets(given, stage=stage, store=store)
    rebound = (
        () if rebinds is None else (name for name in given if name in of_providers and name in {*rebinds, *written})
    )
    for name in dict.fromkeys((*new, *rebound)):
        bind_secret(name, hosts[name], stage=stage, store=store)
    published = publish(
        source,
        stage=stage,
        store=store,
        packed=packed,
        history=usable,
        attribution=attribution,
        stored=stored,
        audit=audit,
    )
    changes = published.changes
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
            *published.warnings,
            *unrecorded,
            *_reads_of_a_start(configuration),
            *_unlisted_commands(configuration, stage=stage, store=store),
        ),
        recorded=published.recorded,
    )


def _history_problems(history: ConfigurationHistory | None) -> Iterator[Problem]:
    """Yield a warning for a history that cannot be read, such as with policies of an earlier release."""
    try:
        if history is not None:
            history.newest()
    except (ConfigError, UnavailableError) as exc:
        yield Problem("", f"the version was not recorded in the history: {exc}", "warning")


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
    key_name = kms_key_name(stage)
    stored = store.read((*parameters.values(), key_name))
    changed = tuple(name for name in secrets if stored.get(parameters[name]) != secrets[name])
    for name in changed:
        store.put(parameters[name], secrets[name], secret=True, key=stored.get(key_name))
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


def published_source(*, stage: str, store: Parameters) -> dict[str, Json]:
    """Return the source of a stage without its unreadable entries; empty for a stage without a configuration."""
    parameters = store.read_path(configuration_path(stage))
    return join(parameters, stage=stage).source if manifest_name(stage) in parameters else {}


def diff_configuration(source: Source, *, stage: str, store: Parameters) -> tuple[Change, ...]:
    """Return the changes that a push of `source` would make."""
    return diff(published_source(stage=stage, store=store), source)


def find_version(number: int, history: ConfigurationHistory, *, stage: str) -> RecordedVersion:
    """Return a version of the history. Raises UnknownNameError."""
    if (found := history.get(number)) is not None:
        return found
    raise UnknownNameError(
        f"{stage!r} has no version {number}; {flexchat('config', 'history', '--stage', stage)} lists the versions"
    )


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


def _paths(changes: Iterable[Change], *kinds: str) -> tuple[str, ...]:
    return tuple(change.path for change in changes if change.kind in kinds)
