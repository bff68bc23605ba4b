"""`flexchat`: operate and try a deployment."""

import atexit
import gc
import sys
from typing import NoReturn

from cli.lazy import LazyCommand
from cli.terminal import echo

HELP = "Operate and try a Flexchat deployment."

COMMANDS = (
    LazyCommand("chat", "cli.commands.chat", "Ask a question and print the answer and its tool calls."),
    LazyCommand("approvals", "cli.commands.approvals", "List, approve and deny tool calls that wait."),
    LazyCommand("sessions", "cli.commands.sessions", "List, search, export, share and delete sessions."),
    LazyCommand("traces", "cli.commands.traces", "List the traces of chats."),
    LazyCommand("trace", "cli.commands.traces", "Show what one chat did, step by step."),
    LazyCommand("logs", "cli.commands.logs", "Print the log lines of a stage or of one request."),
    LazyCommand("audit", "cli.commands.audit", "List and export audit records."),
    LazyCommand("usage", "cli.commands.usage", "Show chats, tokens and cost by day or another group."),
    LazyCommand("models", "cli.commands.models", "List the models with their profiles and validation."),
    LazyCommand("tools", "cli.commands.tools", "List, call and import tools; show what providers receive."),
    LazyCommand("mcp", "cli.commands.mcp.commands", "Add MCP servers, list and call their tools, approve changes."),
    LazyCommand("validate", "cli.commands.validate.commands", "Measure how reliably models call tools."),
    LazyCommand(
        "collections", "cli.commands.collections.commands", "Create, fill, search and calibrate document collections."
    ),
    LazyCommand("config", "cli.commands.config", "Check, push, pull, compare and roll back configurations."),
    LazyCommand("secrets", "cli.commands.secrets", "Store, list and delete the secrets of a stage."),
    LazyCommand("tokens", "cli.commands.tokens", "Create, list and revoke the API tokens of a stage."),
    LazyCommand("deploy", "cli.commands.deploy", "Deploy a stage to AWS."),
    LazyCommand("build", "cli.commands.deploy", "Build the functions of a stage for AWS."),
    LazyCommand("cost", "cli.commands.cost", "Estimate what a stage costs on AWS."),
    LazyCommand("docs", "cli.commands.docs", "Search the documentation."),
    LazyCommand("local", "cli.commands.local", "Run the whole service on this machine, without AWS."),
)

OPTIONS = """\
  --version             Show the version and exit.
  --install-completion  Install completion for the current shell.
  --show-completion     Show completion for the current shell, to copy it or
                        customize the installation.
  --help                Show this message and exit.
"""

COLUMNS = 80
"""Width of the overview; typer wraps it for a narrower terminal."""


def main() -> None:
    """Run the command in `sys.argv`; the overview and the version are printed without loading typer."""
    # The garbage collection at exit scans every imported module: a quarter of a command's CPU time.
    atexit.register(gc.freeze)
    match sys.argv[1:]:
        case ["--version"]:
            _print_and_exit(version_line() + "\n")
        case ["--help"] if _columns() >= COLUMNS:
            _print_and_exit(overview())
        case _:
            from cli.application import application, run

            run(application(COMMANDS, help=HELP, version=version_line))


def _print_and_exit(text: str) -> NoReturn:
    try:
        echo(text, end="")
    except OSError as error:  # a full disk
        sys.exit(error.strerror)
    sys.exit(0)


def version_line() -> str:
    """Return the line that `--version` prints."""
    from importlib.metadata import version

    return f"flexchat {version('flexchat-service')}"


def overview() -> str:
    """Return the help of `flexchat` itself, as typer formats it for COLUMNS."""
    width = max(len(command.name) for command in COMMANDS)
    lines = "".join(f"  {command.name:{width}}  {command.help}\n" for command in COMMANDS)
    return f"Usage: flexchat [OPTIONS] COMMAND [ARGS]...\n\n  {HELP}\n\nOptions:\n{OPTIONS}\nCommands:\n{lines}"


def _columns() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns
