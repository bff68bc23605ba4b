"""`flexchat local`: the real template on this machine, without an AWS account."""

import contextlib
import os
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.client import Client
from cli.errors import LocalError, ServiceError
from cli.files import reason
from cli.invocation import as_invoked, flexchat, make
from cli.layout import Layout
from cli.lazy import command_group
from cli.target import Target
from cli.terminal import echo
from flexchat.text import counted

if TYPE_CHECKING:
    from cli.console import Console
    from cli.local_stack import StackState
    from dev.local_stack.model_check import ModelCheck

app = command_group("Run the whole service on this machine, without AWS.")

SAMPLE_QUESTION = "What is 15% of 45, and the weather in Paris?"
WATCH_SECONDS = 0.5

ConfigOption = Annotated[
    Path | None,
    typer.Option(resolve_path=True, help="The configuration file. [default: the last one, else config/flexchat.json]"),
]


@app.command()
def up(config: ConfigOption = None) -> None:
    """Start the stack in the background; repair and update a running one."""
    from cli.console import Console

    console = Console()
    state, checks, _ = _bring_up(config, Layout.here(), console)
    _show_stack(state, console)
    console.print(f"stop it with `{make('down')}`", soft_wrap=True)
    _show_checks(checks, console)


@app.command()
def run(config: ConfigOption = None) -> None:
    """Start the stack, show a sample answer and keep running until Ctrl-C."""
    from cli.console import Console
    from cli.lock import exclusive, stoppable
    from dev.local_stack.running import own_processes, tear_down

    console = Console()
    layout = Layout.here()
    state, checks, started = _bring_up(config, layout, console)
    with stoppable():
        try:
            _show_stack(state, console)
            _show_checks(checks, console)
            _show_sample(state, console)
            if started:
                console.print("\nrunning; Ctrl-C stops it")
                _watch(layout)
                console.print("the stack was stopped")
        except KeyboardInterrupt:
            console.print("\nstopping")
        finally:
            if started:
                with exclusive(layout, console):
                    tear_down(layout, own_processes(layout))
    if not started:
        console.print(f"\nit ran before and continues; `{make('down')}` stops it", soft_wrap=True)


@app.command()
def down(
    *,
    delete_data: Annotated[
        bool,
        typer.Option("--delete-data", help="Delete the stage's data, secrets and token too, and its address."),
    ] = False,
) -> None:
    """Stop the stack. Its data, its token and its address stay for the next start."""
    from cli.console import Console
    from cli.lock import exclusive
    from dev.local_stack.running import own_processes, tear_down

    console = Console()
    layout = Layout.here()
    with exclusive(layout, console):
        processes = own_processes(layout)
        ran = bool(processes.running)
        kept = layout.data.exists() and not delete_data
        tear_down(layout, processes, delete_data=delete_data)
    console.print("the local stack is stopped" if ran else "no local stack is running")
    if kept:
        remove = flexchat("local", "down", "--delete-data")
        console.print(f"its data, token and address stay in .local/data; `{remove}` deletes them", soft_wrap=True)


@app.command()
def status() -> None:
    """Show the stack and its health. Exit code 1 when there is none or its chats fail."""
    from dev.local_stack.running import recorded_stack

    layout = Layout.here()
    state = recorded_stack(layout)
    if state is None:
        raise no_stack(layout)
    from cli.console import Console
    from cli.local_stack import point_at_emulator
    from dev.local_stack.health import health_of

    point_at_emulator(os.environ, state.endpoint, state.access_key_id)
    health = health_of(state, layout)
    _show_stack(state, Console())
    for problem in health.problems:
        echo(as_invoked(f"broken: {problem}"), err=True, colour="red")
    for change in health.changes:
        echo(f"outdated: {change}", err=True, colour="yellow")
    for check in health.failed_models:
        echo(as_invoked(f"your turn: {check}"), err=True, colour="red")
    if health.kept:
        echo(health.kept, err=True)
    if health.unusable:
        echo(f"your turn: {health.unusable}", err=True, colour="red")
    if health.problems or health.changes:
        echo(f"`{make('up')}` {'repairs' if health.problems else 'updates'} it", err=True)
    if health.problems or health.failed_models:
        raise typer.Exit(1)
    echo("The stack is running and answers.")


@app.command()
def page(port: Annotated[int, typer.Option(help="The port of the page.")] = 8800) -> None:
    """Serve the page from its source files until Ctrl-C, with the API of the running stack."""
    from cli.console import Console
    from dev.local_stack.environment import sign_in_variables
    from dev.local_stack.page import PageServer
    from dev.local_stack.running import running_stack

    console = Console()
    layout = Layout.here()
    state = running_stack(layout)
    if state is None:
        raise no_stack(layout)
    folder = layout.root / "functions" / "page" / "src"
    try:
        server = PageServer(
            folder,
            lambda: _url_now(layout, state),
            port=port,
            files_origin=state.endpoint,
            variables=sign_in_variables(layout.root),
        )
    except OSError as error:
        message = f"port {port} cannot be used: {reason(error)}; choose another one with --port"
        raise LocalError(message) from error
    with server:
        console.print(f"page    {server.url}\ntoken   {state.token}\n\nCtrl-C stops it")
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


def _url_now(layout: Layout, last: "StackState") -> str:
    """Return the address of the API, which changes when the stack is restarted."""
    from dev.local_stack.running import running_stack

    return (running_stack(layout) or last).url


def _bring_up(
    config: Path | None, layout: Layout, console: "Console"
) -> "tuple[StackState, tuple[ModelCheck, ...], bool]":
    """Return the running stack, the results of its models, and true if this call started it.

    A broken stack is repaired or restarted. A model that does not answer does not stop it.
    """
    from cli.lock import exclusive, stoppable
    from dev.local_stack.health import emulator_runs
    from dev.local_stack.progress import Progress
    from dev.local_stack.running import last_stack, own_processes, recorded_stack, tear_down
    from dev.local_stack.stack import StackBuilder

    with stoppable(), exclusive(layout, console):
        state = recorded_stack(layout)
        processes = own_processes(layout)
        if state is not None and emulator_runs(state, layout):
            console.print("the local stack runs already")
            with Progress(console) as progress:
                builder = StackBuilder(layout, progress, processes)
                state = builder.repair(state, config)
                return state, builder.check_models(state), False
        if state is not None:
            console.print("the AWS emulator has stopped; the stack is started again with its data")
        last = last_stack(layout)
        tear_down(layout, processes, keep_logs=True)
        processes = own_processes(layout)
        try:
            with Progress(console) as progress:
                builder = StackBuilder(layout, progress, processes)
                state = builder.start(config, last)
                return state, builder.check_models(state), True
        except BaseException as error:
            tear_down(layout, processes, keep_logs=True)
            if isinstance(error, KeyboardInterrupt):
                console.print("stopped; no process of the stack is running")
            raise


def no_stack(layout: Layout) -> LocalError:
    """Return the error of a command that needs a running stack."""
    from dev.local_stack.running import recorded_stack

    runs = "a part of the local stack has stopped" if recorded_stack(layout) else "no local stack is running"
    return LocalError(f"{runs}; `{make('up')}` starts it")


def _show_stack(state: "StackState", console: "Console") -> None:
    model = f"demo model at {state.demo_model}" if state.demo_model else "as configured"
    request = '{"message": "What is 15% of 45?"}'
    words = ["curl", "-s", f"{state.url}/api/chat", "-H", f"Authorization: Bearer {state.token}"]
    words += ["-H", "Content-Type: application/json", "-d", request]
    shown = {"page": f"{state.url}/", "url": state.url, "token": state.token, "config": state.config, "model": model}
    for name, value in shown.items():
        console.print(f"{name:<7} {value}", soft_wrap=True)
    console.print(f"\n{shlex.join(words)}\n", soft_wrap=True)


def _show_checks(checks: "tuple[ModelCheck, ...]", console: "Console") -> None:
    """Print the result of each model, and how many chats will fail."""
    from cli.console import Text

    if checks:
        console.print()
    for check in checks:
        sign = ("✓", "green") if check.problem is None else ("✗", "red")
        console.print(Text.assemble(sign, f" {as_invoked(str(check))}"), soft_wrap=True)
    if problems := sum(check.problem is not None for check in checks):
        console.print(
            f"\nThe stack runs, but {counted(problems, 'test')} failed: chats with these models fail until then."
            f" `{make('up')}` tests them again.",
            soft_wrap=True,
        )


def _show_sample(state: "StackState", console: "Console") -> None:
    from cli.render.answer import show_answer

    console.print(f"> {SAMPLE_QUESTION}\n", style="bold")
    try:
        show_answer(console, Client(Target(state.url, state.token)).chat({"message": SAMPLE_QUESTION}))
    except ServiceError as error:
        console.print(str(error), style="red")


def _watch(layout: Layout) -> None:
    """Return when the stack is stopped or broken."""
    from dev.local_stack.running import running_stack

    while running_stack(layout) is not None:
        time.sleep(WATCH_SECONDS)
