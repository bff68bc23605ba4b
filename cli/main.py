"""`flexchat`: operate and try a deployment."""

import sys

from rich.console import Console

from cli.lazy import LazyCommand, lazy_app
from flexchat.errors import FlexchatError

COMMANDS = (
    LazyCommand("chat", "cli.chat_commands", "Ask one question and print the answer with its tool calls and timings."),
    LazyCommand("sessions", "cli.sessions_commands", "Conversations that the service remembers."),
    LazyCommand(
        "models",
        "cli.models_commands",
        "Show the models that may be asked, what they can do, and which llms could not say.",
    ),
    LazyCommand("tools", "cli.tools_commands", "The tools: what a service has, and what providers are told of them."),
    LazyCommand(
        "validate", "cli.validate_commands", "Find out which models call tools properly, and how sure that is."
    ),
    LazyCommand(
        "collections",
        "cli.collections_commands",
        "Collections of documents: fill them, search them, find their thresholds.",
    ),
    LazyCommand("config", "cli.config_commands", "The configuration: check it, publish it, get it back."),
    LazyCommand("secrets", "cli.secrets_commands", "Secrets: kept encrypted beside the configuration that names them."),
    LazyCommand("tokens", "cli.tokens_commands", "API tokens: who may call a stage, and until when."),
    LazyCommand(
        "deploy",
        "cli.deployment.commands",
        "Deploy a stage to AWS: build, publish the configuration, create a token, test.",
    ),
    LazyCommand(
        "build",
        "cli.deployment.commands",
        "Build the functions of a stage for AWS, every package compared with its hash.",
    ),
    LazyCommand("local", "cli.local.commands", "The real template on this machine, without an AWS account."),
)

app = lazy_app(COMMANDS, help="Operate and try a Flexchat deployment.")


def main() -> None:
    """Run the command; an error of ours ends in its message and exit code 1."""
    try:
        app()
    except FlexchatError as error:
        Console(stderr=True).print(str(error), style="red", highlight=False, markup=False, soft_wrap=True)
        sys.exit(1)
