"""Content of a new stack: a configuration, its secrets, a token."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

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
from cli.layout import LOCAL_STAGE
from cli.packed_copy import PackedCopy
from cli.secret_hosts import hosts_by_secret
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

ANSWER_SECONDS = 30.0
TOKEN_DAYS = 30


@dataclass(frozen=True, slots=True)
class Authored:
    """Valid configuration file with its `warnings`, and the local model of each of its llms.

    `mcp_commands` are those of its MCP servers.
    """

    path: Path
    source: Source
    choices: tuple[LlmChoice, ...]
    warnings: tuple[Problem, ...]
    mcp_commands: tuple[str, ...] = ()

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

    def problems(self, llm: str, entry: LlmConfig, held: Mapping[str, str]) -> Iterator[Problem]:
        """Yield a warning for each secret of an llm that is stored for another address and not set."""
        usable = self.for_address_of(entry)
        for name in entry_references(entry):
            if name in self.values and name not in usable and name not in held:
                hosts = " and ".join(sorted(self.hosts[name])) or "no host"
                message = f"{name} is stored for {hosts}, not for {secret_host(entry)}; set it to use it there"
                yield Problem(f"llms.{llm}", message, severity="warning")


def read_authored(path: Path, environ: Mapping[str, str], *, store: Parameters | None = None) -> Authored:
    """Read and check a configuration file. Raises ConfigError before anything is started.

    The keys that select the demo model are those in `environ` and, for a running stack, the secrets in `store`, each
    for the address that it is stored for.
    """
    source = read_file(path)
    configuration, problems = checked(source)
    if errors := tuple(problem for problem in problems if problem.severity == "error"):
        raise ConfigError((Problem("", f"{path} cannot be used:"), *errors))
    stored = _StoredSecrets.read(configuration, store) if store is not None else _StoredSecrets({}, {})
    held = {name: value for name, value in environ.items() if value}
    choices: list[LlmChoice] = []
    for name, entry in configuration.llms.items():
        local = entry.model_copy(update={"base_url": entry.base_url or local_address(entry.type, environ)})
        choices += choose_models({name: entry}, {**stored.for_address_of(local), **held})
        problems = (*problems, *stored.problems(name, local, held))
    commands = {server.command for server in configuration.mcp_servers.values() if server.command is not None}
    return Authored(path, source, tuple(choices), problems, mcp_commands=tuple(sorted(commands)))


def push(authored: Authored, *, demo: str | None, environ: Mapping[str, str], store: Parameters) -> PushSummary:
    """Publish the configuration to the local stage with the secrets in `environ`, bound to its present addresses.

    `demo` is the demo model's address, where an llm needs it.
    """
    source = authored.as_pushed(demo)
    secrets = secrets_held(parse(source).configuration, environ)
    packed = PackedCopy(LOCAL_STAGE)
    return push_configuration(source, stage=LOCAL_STAGE, store=store, packed=packed, secrets=secrets, rebinds=True)


def issue_token() -> str:
    """Create the token of the local stage for `.local/stack.json`."""
    issued = create_token(
        store=operator_tokens(LOCAL_STAGE),
        name="local",
        roles=("user", "operator"),
        days=TOKEN_DAYS,
        now=datetime.now(UTC),
    )
    return issued.token.reveal()


def wait_until_answering(url: str, token: str, *, log: Path) -> None:
    """Return once an authorised call succeeds; the error after a timeout names `log`."""
    client = Client(Target(url, token))
    end = time.monotonic() + ANSWER_SECONDS
    while True:
        try:
            client.tools()
        except ServiceError as error:
            if time.monotonic() >= end:
                raise LocalError(f"the service does not answer: {error}", log=log) from error
            time.sleep(0.2)
        else:
            return


def wait_until_served() -> None:
    """Return after the cache time of every function."""
    time.sleep(CATALOG_TTL_SECONDS + 0.5)
