"""One environment of the chat function: its own composition root, over AWS in this process."""

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bench.chaos.functions import HANDLERS, Functions
from bench.chaos.models import Watched
from bench.chaos.outcome import Outcome
from bench.chaos.plan import LLMS
from bench.chaos.tables import CHATS, IDEMPOTENCY, Tables, create_tables
from cli.configuration import push_configuration
from flexchat.aws.clients import dynamodb, secretsmanager, ssm
from flexchat.aws.parameters import ParameterStore
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.settings import read_environment
from functions.chat.app import ChatFunction, ChatSettings, Clients, create_function
from functions.chat.providers.factory import create_provider

STAGE = "chaos"

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "POWERTOOLS_METRICS_DISABLED": "true",
}


@dataclass
class World:
    """The chat function, and what stands around it. What goes wrong is told to the outcome of the chat that is on."""

    functions: Functions
    tables: Tables
    secret: str
    outcome: Outcome = field(default_factory=lambda: Outcome(0, "calm", "plain"))

    def __post_init__(self) -> None:
        self.function = _function(self)

    def renewed(self) -> "World":
        """Another environment of the function, on the same tables."""
        return World(self.functions, self.tables, self.secret, self.outcome)

    def watch(self, outcome: Outcome) -> None:
        """From now on it is this chat's."""
        self.outcome = outcome
        self.functions.met = self.tables.met = outcome.faults

    def fail(self, *, tools: str | None, tables: str | None) -> None:
        """From now on let tools and tables fail by chance of a seed, or not at all."""
        self.functions.fail(tools)
        self.tables.fail(tables)

    def report(self, wrong: str) -> None:
        """Take note of a conversation that no model should be sent."""
        self.outcome.violation(f"the model was sent a broken conversation: {wrong}")


@contextmanager
def world(model_url: str) -> Generator[World]:
    """An environment whose models are at `model_url`."""
    from moto import mock_aws

    os.environ.update(ENVIRONMENT)
    logger.setLevel("CRITICAL")
    with mock_aws():
        push_configuration(configuration(model_url), stage=STAGE, store=ParameterStore(ssm()), secrets={})
        secret = secretsmanager().create_secret(Name="flexchat-chaos-signing", SecretString="s" * 64)
        client: Any = dynamodb()
        create_tables(client)
        yield World(Functions(), Tables(client), secret["ARN"])


def _function(world: World) -> ChatFunction:
    lambdas: Any = world.functions
    table: Any = world.tables
    environment = {
        "FLEXCHAT_STAGE": STAGE,
        "FLEXCHAT_TOOL_FUNCTIONS": json.dumps({name: name for name in HANDLERS}),
        "FLEXCHAT_CHATS_TABLE": CHATS,
        "FLEXCHAT_IDEMPOTENCY_TABLE": IDEMPOTENCY,
        "FLEXCHAT_SIGNING_SECRET": world.secret,
        "FLEXCHAT_CATALOG_TTL_SECONDS": "600",
    }
    return create_function(
        read_environment(ChatSettings, environment),
        Clients(lambdas=lambda: lambdas, dynamodb=lambda: table),
        provider=lambda name, config: Watched(create_provider(name, config), world.report),
    )


def configuration(model_url: str) -> dict[str, Any]:
    """Every phase, four wires, a fallback model, and tools that are quick, slow, and not to be done twice."""
    llms: dict[str, Any] = {
        name: {
            "type": name,
            "base_url": f"{model_url}/v1" if name == "openai" else model_url,
            "api_key": "demo",
            "models": ["demo"],
            "timeout_ms": 8_000,
        }
        for name in LLMS
    }
    rule: dict[str, Any] = {"model": "demo", "prompt": "You help: {{topic}}.\n\n{{rag_context}}"}
    rule["tools"] = {"enabled": True, "max_iterations": 6}
    return {
        "llms": llms,
        "rag_services": {"kb": {"type": "internal", "collections": ["faq", "news"], "timeout_ms": 3_000}},
        "topic": {"provider": {"llm": "openai"}},
        "intent": {
            "provider": {"llm": "gemini"},
            "detection": {"intents": {"weather": "The weather somewhere", "sums": "Arithmetic, a calculation"}},
        },
        "profile": {"caller_fields": ["llm"]},
        "responses": [
            *({**rule, "name": name, "match": {"llm": name}, "llm": name} for name in LLMS[1:]),
            {**rule, "name": "fallback", "llm": "openai", "fallbacks": ["anthropic:demo"]},
        ],
        "tools": {"enabled": True, "default_timeout_ms": 4_000, "registry": [*_TOOLS]},
    }


def _tool(name: str, implementation: dict[str, Json], *, idempotent: bool = False, **parameters: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": name.replace("_", " "),
        "parameters": {
            "type": "object",
            "properties": {parameter: {"type": kind} for parameter, kind in parameters.items()},
            "required": [*parameters],
        },
        "implementation": implementation,
        "idempotent": idempotent,
    }


_TOOLS = (
    _tool("calculate", {"type": "builtin", "handler": "math_eval"}, idempotent=True, expression="string"),
    _tool("get_weather", {"type": "mock", "mock_response": {"temperature": 22}}, idempotent=True, location="string"),
    _tool("notify", {"type": "mock", "mock_response": {"sent": True}}, text="string"),
    _tool("report", {"type": "mock", "mock_response": {"rows": 3}, "delay_ms": 700}, days="integer"),
)
