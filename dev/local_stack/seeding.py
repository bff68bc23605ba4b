"""Content of a new stack: a configuration, its secrets, a token."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cli.client import Client
from cli.configuration import (
    Parameters,
    PushSummary,
    checked,
    push_configuration,
    read_file,
    secrets_held,
    stored_secrets,
)
from cli.errors import LocalError, ServiceError
from cli.invocation import flexchat
from cli.layout import LOCAL_STAGE
from cli.secret_hosts import hosts_by_secret
from cli.stage_bucket import configuration_objects, operator_attribution
from cli.target import Target
from cli.tokens import create_token
from dev.local_stack.environment import CATALOG_TTL_SECONDS
from dev.local_stack.models import LlmChoice, choose_models, local_address, localised
from flexchat.aws.tokens import operator_tokens
from flexchat.config.document import Source, parse
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.secrets import entry_references, secret_host
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json

if TYPE_CHECKING:
    from dev.local_stack.model_check import ModelCheck
    from flexchat.audit import Auditor

ANSWER_SECONDS = 30.0
TOKEN_DAYS = 30


@dataclass(frozen=True, slots=True)
class Authored:
    """Valid configuration file with its `warnings`, and the local model of each of its llms.

    `mcp_commands` are those of its MCP servers. `paired_secrets` are used at an address that the environment names.
    """

    path: Path
    source: Source
    choices: tuple[LlmChoice, ...]
    warnings: tuple[Problem, ...]
    mcp_commands: tuple[str, ...] = ()
    paired_secrets: frozenset[str] = frozenset()

    def as_pushed(self, demo: str | None) -> dict[str, Json]:
        """Return the source for the local stage; `demo` is the demo model's address, where an llm needs it."""
        return localised(self.source, self.choices, demo)


@dataclass(frozen=True, slots=True)
class _StoredSecrets:
    """Secrets of the running stack, and the hosts that each is stored for."""

    values: Mapping[str, str]
    hosts: Mapping[str, frozenset[str]]

    @classmethod
    def read(cls, configuration: Configuration, store: Parameters) -> "_StoredSecrets":
        values = stored_secrets(configuration, stage=LOCAL_STAGE, store=store)
        return cls(values, hosts_by_secret(values, stage=LOCAL_STAGE, store=store))

    def for_address_of(self, entry: LlmConfig) -> dict[str, str]:
        """Return the secrets that an llm may receive at its address."""
        host = secret_host(entry)
        return {name: value for name, value in self.values.items() if host is None or host in self.hosts[name]}

    def held_for(self, entry: LlmConfig, held: Mapping[str, str], *, by_variable: bool) -> dict[str, str]:
        """Return the secrets of an llm: those of the environment, `held`, and the stored ones for its address.

        A value that is stored for another address was given for that one, and stays there. `by_variable` is true when
        the environment names the address of the llm, so that it has both for each other.
        """
        usable = self.for_address_of(entry)
        given = {
            name: value for name, value in held.items() if by_variable or name in usable or self.is_new(name, value)
        }
        return {**usable, **given}

    def is_new(self, name: str, value: str) -> bool:
        """Return true for a value that is not stored for any address."""
        return self.values.get(name) != value or not self.hosts[name]

    def problems(self, llm: str, entry: LlmConfig, usable: Mapping[str, str]) -> Iterator[Problem]:
        """Yield a warning for each secret of an llm that is stored for another address alone."""
        for name in entry_references(entry):
            if name in self.values and name not in usable:
                hosts = " and ".join(sorted(self.hosts[name])) or "no host"
                host = secret_host(entry) or ""
                bind = flexchat("secrets", "bind", name, "--host", host, "--stage", LOCAL_STAGE)
                message = (
                    f"{name} was given for {hosts} and is not sent to {host}; export another key, or allow it: {bind}"
                )
                yield Problem(f"llms.{llm}", message, severity="warning")


def read_authored(
    path: Path, environ: Mapping[str, str], *, store: Parameters | None = None, source: Source | None = None
) -> Authored:
    """Read and check a configuration file, or the `source` in place of its content. Raises ConfigError.

    The keys that select the demo model are those in `environ` and, for a running stack, the secrets in `store`, each
    for the address that it is stored for.
    """
    name = str(path) if source is None else "the published configuration"
    source = read_file(path) if source is None else source
    configuration, problems = checked(source, LOCAL_STAGE)
    if errors := tuple(problem for problem in problems if problem.severity == "error"):
        raise ConfigError((Problem("", f"{name} cannot be used:"), *errors))
    stored = _StoredSecrets.read(configuration, store) if store is not None else _StoredSecrets({}, {})
    held = {name: value for name, value in environ.items() if value}
    choices: list[LlmChoice] = []
    paired: set[str] = set()
    for name, entry in configuration.llms.items():
        local = entry.model_copy(update={"base_url": entry.base_url or local_address(entry.type, environ)})
        by_variable = entry.base_url is None and local.base_url is not None
        usable = stored.held_for(local, held, by_variable=by_variable)
        others = {variable: value for variable, value in held.items() if variable not in entry_references(entry)}
        choices += choose_models({name: entry}, {**others, **usable})
        problems = (*problems, *stored.problems(name, local, usable))
        if by_variable:
            paired.update(entry_references(entry))
    commands = {server.command for server in configuration.mcp_servers.values() if server.command is not None}
    return Authored(
        path, source, tuple(choices), problems, mcp_commands=tuple(sorted(commands)), paired_secrets=frozenset(paired)
    )


def push(
    authored: Authored,
    *,
    demo: str | None,
    environ: Mapping[str, str],
    store: Parameters,
    comment: str,
    audit: "Auditor | None" = None,
) -> PushSummary:
    """Publish the configuration to the local stage with the secrets in `environ`.

    New values, and those that `environ` has with an address for them, are bound to the present addresses.

    `demo` is the demo model's address, where an llm needs it. `audit` records the publication.
    """
    source = authored.as_pushed(demo)
    secrets = secrets_held(parse(source).configuration, environ)
    objects = configuration_objects(LOCAL_STAGE)
    return push_configuration(
        source,
        stage=LOCAL_STAGE,
        store=store,
        packed=objects,
        history=objects,
        attribution=operator_attribution(LOCAL_STAGE, comment),
        audit=audit,
        secrets=secrets,
        rebinds=authored.paired_secrets,
    )


def check_stage_models(authored: Authored, *, demo: str | None, store: Parameters) -> "tuple[ModelCheck, ...]":
    """Test the models of a published configuration with the secrets of the local stage."""
    from dev.local_stack.model_check import check_models

    configuration = parse(authored.as_pushed(demo)).configuration
    return check_models(configuration, _StoredSecrets.read(configuration, store).for_address_of)


def issue_token() -> str:
    """Create the token of the local stage for `.local/stack.json`."""
    from cli.audit import operator_audit

    issued = create_token(
        store=operator_tokens(LOCAL_STAGE),
        audit=operator_audit(LOCAL_STAGE),
        name="local",
        roles=("user", "operator"),
        days=TOKEN_DAYS,
        now=datetime.now(UTC),
    )
    return issued.token.reveal()


def wait_until_answering(url: str, token: str, *, log: Path, may_be_refused: bool = False) -> bool:
    """Return true once an authorised call succeeds; the error after a timeout names `log`.

    With `may_be_refused`, return false for a token that the service rejects.
    """
    client = Client(Target(url, token))
    end = time.monotonic() + ANSWER_SECONDS
    while True:
        try:
            client.tools()
        except ServiceError as error:
            if may_be_refused and error.status in (401, 403):
                return False
            if time.monotonic() >= end:
                raise LocalError(f"the service does not answer: {error}", log=log) from error
            time.sleep(0.2)
        else:
            return True


def wait_until_served() -> None:
    """Return after the cache time of every function."""
    time.sleep(CATALOG_TTL_SECONDS + 0.5)
