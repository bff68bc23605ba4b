"""The AWS services of a stage in this process, and environments of the chat function on them."""

import json
import os
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cli.configuration import push_configuration
from dev.chaos.configuration import configuration
from dev.chaos.conversations import CheckedProvider
from dev.chaos.faults import FaultSource, FaultyClient
from dev.chaos.functions import HANDLERS, Context, Functions
from dev.chaos.mutants import AS_IT_IS, Event, Handle, Mutant
from dev.chaos.outcome import Outcome
from dev.chaos.scenario_plan import ScenarioPlan
from dev.chaos.tables import CHATS, IDEMPOTENCY, create_tables
from flexchat.aws.catalog import CatalogSource
from flexchat.aws.clients import AwsClients, dynamodb, secretsmanager, ssm
from flexchat.aws.parameters import ParameterStore
from flexchat.config.catalog import Catalog
from flexchat.egress.policy import EgressPolicy
from flexchat.observability import logger
from flexchat.settings import read_environment
from functions.chat.app import ChatFunction
from functions.chat.providers.factory import create_provider
from functions.chat.settings import ChatSettings

STAGE = "chaos"
LOCAL = EgressPolicy(local=True)
"""Rules of the provider's requests: its model is a server of this machine."""

TABLE_SHARE = 0.15
"""Share of requests that fail while tables fail. A chat in a session makes about ten."""

SETTINGS_SHARE = 0.35

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
}


def _raise(violation: str) -> None:
    raise RuntimeError(violation)


def _real(name: str) -> Any:
    return {"dynamodb": dynamodb, "ssm": ssm, "secretsmanager": secretsmanager}[name]()


@dataclass
class Environment:
    """AWS services of a stage. `secret` is the ARN of the signing key; `report` is called with each violation."""

    secret: str
    mutant: Mutant = AS_IT_IS
    functions: Functions = field(default_factory=Functions)
    tables: FaultyClient = field(default_factory=lambda: FaultyClient(_real("dynamodb"), FaultSource(TABLE_SHARE)))
    parameters: FaultyClient = field(default_factory=lambda: FaultyClient(_real("ssm"), FaultSource(SETTINGS_SHARE)))
    secrets: FaultyClient = field(
        default_factory=lambda: FaultyClient(_real("secretsmanager"), FaultSource(SETTINGS_SHARE))
    )
    report: Callable[[str], None] = _raise

    def services(self) -> Mapping[str, Any]:
        """Return the clients by service name, with the mutant's changes."""
        return {
            "dynamodb": self.mutant.tables(self.tables),
            "lambda": self.mutant.functions(self.functions),
            "ssm": self.parameters,
            "secretsmanager": self.secrets,
        }

    def environment(
        self,
        *,
        services: Mapping[str, Any] | None = None,
        catalog: Catalog | None = None,
        catalog_seconds: float = 600.0,
        later_seconds: float = 0.0,
    ) -> Handle:
        """Return the handler of a new environment.

        It reloads its configuration after `catalog_seconds`, unless `catalog` is given. Its wall clock is ahead by
        `later_seconds`, past the end of every lease.
        """
        clients = services or self.services()
        settings = {
            "FLEXCHAT_STAGE": STAGE,
            "FLEXCHAT_TOOL_FUNCTIONS": json.dumps({name: name for name in HANDLERS}),
            "FLEXCHAT_RETRIEVAL_FUNCTION": "internal",
            "FLEXCHAT_CHATS_TABLE": CHATS,
            "FLEXCHAT_IDEMPOTENCY_TABLE": IDEMPOTENCY,
            "FLEXCHAT_SIGNING_SECRET": self.secret,
            "FLEXCHAT_CATALOG_TTL_SECONDS": str(catalog_seconds),
        }
        function = ChatFunction(
            read_environment(ChatSettings, settings),
            AwsClients(
                ssm=clients["ssm"],
                lambdas=clients["lambda"],
                dynamodb=clients["dynamodb"],
                secretsmanager=clients["secretsmanager"],
            ),
            provider=lambda name, config: CheckedProvider(
                self.mutant.provider(create_provider(name, config, egress=LOCAL)),
                lambda violation: self.report(violation),
            ),
            catalog=None if catalog is None else lambda _deadline: catalog,
            now=lambda: time.time() + later_seconds,
        )

        def handle(event: Event, context: Context) -> dict[str, Any]:
            response = function.handle(event, context, context.stream)
            if response is None and context.stream is not None:
                return context.stream.response()
            return response or {}

        return self.mutant.handler(handle)

    def watch(self, outcome: Outcome) -> None:
        """Start to count faults and report violations to `outcome`."""
        self.report = outcome.violation
        for client in (self.functions, self.tables, self.parameters, self.secrets):
            client.met = outcome.faults

    def fail(self, plan: ScenarioPlan, attempt: int) -> None:
        """Enable the faults of `plan`, with different draws in every attempt."""
        seed = f"{plan.seed}/{attempt}"
        self.functions.source.seed(seed if plan.tools_fail else None)
        self.tables.source.seed(seed if plan.tables_fail else None)
        for client in (self.parameters, self.secrets):
            client.source.seed(seed if plan.settings_fail else None)

    def recover(self) -> None:
        """Disable all faults except those of models."""
        for client in (self.functions, self.tables, self.parameters, self.secrets):
            client.source.seed(None)


@contextmanager
def create_environment(model_url: str, mutant: Mutant = AS_IT_IS) -> Generator[Environment]:
    """Create the services of a stage with models at `model_url` and the mutant's configuration."""
    from moto import mock_aws

    os.environ.update(ENVIRONMENT)
    logger.setLevel("CRITICAL")
    with mock_aws():
        source = mutant.configuration(configuration(model_url))
        push_configuration(source, stage=STAGE, store=ParameterStore(ssm()), secrets={})
        secret = secretsmanager().create_secret(Name="flexchat-chaos-signing", SecretString="s" * 64)
        create_tables(dynamodb())
        yield Environment(secret["ARN"])


def read_catalog() -> Catalog:
    """Read the stage's configuration, for environments that share it."""
    return CatalogSource(store=ParameterStore(ssm()), stage=STAGE).current()
