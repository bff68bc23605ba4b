"""Content of a new stack: a configuration, its secrets, a token."""

import time
from collections.abc import Mapping
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
from cli.target import Target
from cli.tokens import create_token
from dev.local_stack.environment import CATALOG_TTL_SECONDS
from dev.local_stack.models import LlmChoice, choose_models, localised
from flexchat.aws.tokens import operator_tokens
from flexchat.config.document import Source, parse
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


def read_authored(path: Path, environ: Mapping[str, str], *, store: Parameters | None = None) -> Authored:
    """Read and check a configuration file. Raises ConfigError before anything is started.

    The keys that select the demo model are those in `environ` and, for a running stack, the secrets in `store`.
    """
    source = read_file(path)
    configuration, problems = checked(source)
    if errors := tuple(problem for problem in problems if problem.severity == "error"):
        raise ConfigError((Problem("", f"{path} cannot be used:"), *errors))
    secrets = stored_secrets(configuration, stage=LOCAL_STAGE, store=store) if store is not None else {}
    held = {name: value for name, value in environ.items() if value}
    choices = choose_models(configuration.llms, {**secrets, **held})
    commands = {server.command for server in configuration.mcp_servers.values() if server.command is not None}
    return Authored(path, source, choices, problems, mcp_commands=tuple(sorted(commands)))


def push(authored: Authored, *, demo: str | None, environ: Mapping[str, str], store: Parameters) -> PushSummary:
    """Publish the configuration to the local stage with the secrets in `environ`.

    `demo` is the demo model's address, where an llm needs it.
    """
    source = authored.as_pushed(demo)
    secrets = secrets_held(parse(source).configuration, environ)
    return push_configuration(source, stage=LOCAL_STAGE, store=store, secrets=secrets)


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
