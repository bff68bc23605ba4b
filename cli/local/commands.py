"""`flexchat local`: the real template on this machine, without an AWS account."""

import contextlib
import shlex
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from cli.answer import show_answer
from cli.client import Client, ServiceError, Target
from cli.local.layout import Layout
from cli.local.lock import exclusive, stoppable
from cli.local.page import PageServer
from cli.local.processes import Processes
from cli.local.progress import Progress
from cli.local.stack import StackBuilder, running_stack, tear_down
from cli.local.state import StackState

app = typer.Typer(no_args_is_help=True, help="The real template on this machine, without an AWS account.")

SAMPLE_QUESTION = "What is 15% of 45, and the weather in Paris?"
WATCH_SECONDS = 0.5

ConfigOption = Annotated[
    Path | None,
    typer.Option(exists=True, dir_okay=False, resolve_path=True, help="[default: config/flexchat.json]"),
]


@app.command()
def up(config: ConfigOption = None) -> None:
    """Start the stack in the background, or push another configuration to the one that runs."""
    console = Console()
    state, _ = _bring_up(config, Layout.here(), console)
    _show_stack(state, console)
    console.print("stop it with `make down`", highlight=False)


@app.command()
def run(config: ConfigOption = None) -> None:
    """Start the stack, show a sample answer and keep running until Ctrl-C."""
    console = Console()
    layout = Layout.here()
    state, started = _bring_up(config, layout, console)
    with stoppable():
        try:
            _show_stack(state, console)
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
                    tear_down(layout, Processes(layout.processes))
    if not started:
        console.print("\nit ran before and goes on; `make down` stops it", highlight=False)


@app.command()
def down() -> None:
    """Stop the stack and remove its files."""
    console = Console()
    layout = Layout.here()
    with exclusive(layout, console):
        processes = Processes(layout.processes)
        ran = bool(processes.running)
        tear_down(layout, processes)
    console.print("the local stack is stopped" if ran else "no local stack runs")


@app.command()
def status() -> None:
    """Say what runs; exit code 1 when nothing does."""
    console = Console()
    state = running_stack(Layout.here())
    if state is None:
        console.print("no local stack runs; `make up` starts one", highlight=False)
        raise typer.Exit(1)
    _show_stack(state, console)


@app.command()
def page(port: Annotated[int, typer.Option(help="Where it is served.")] = 8800) -> None:
    """Serve the page from its files until Ctrl-C, with the API of the stack that runs."""
    console = Console()
    layout = Layout.here()
    state = running_stack(layout)
    if state is None:
        console.print("no local stack runs; `make up` starts one", highlight=False)
        raise typer.Exit(1)
    folder = layout.root / "functions" / "page" / "src"
    try:
        server = PageServer(folder, lambda: _url_now(layout, state), port=port)
    except OSError as error:
        console.print(f"port {port} cannot be had: {error.strerror}; name another with --port", highlight=False)
        raise typer.Exit(1) from error
    with server:
        console.print(f"page    {server.url}\ntoken   {state.token}\n\nCtrl-C stops it", highlight=False, markup=False)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


def _url_now(layout: Layout, last: StackState) -> str:
    """Where the API is: the stack may have been started anew since the page was."""
    return (running_stack(layout) or last).url


def _bring_up(config: Path | None, layout: Layout, console: Console) -> tuple[StackState, bool]:
    """The running stack, and whether this call started it."""
    with stoppable(), exclusive(layout, console):
        state = running_stack(layout)
        if state is not None:
            console.print("the local stack runs already")
            return (_reconfigure(state, config, layout, console) if config else state), False
        tear_down(layout, Processes(layout.processes), keep_logs=True)  # what a crash may have left
        processes = Processes(layout.processes)
        try:
            with Progress(console) as progress:
                builder = StackBuilder(layout, progress, processes)
                return builder.start(config or layout.root / "config" / "flexchat.json"), True
        except BaseException as error:
            tear_down(layout, processes, keep_logs=True)
            if isinstance(error, KeyboardInterrupt):
                console.print("stopped; nothing is left running")
            raise


def _reconfigure(state: StackState, config: Path, layout: Layout, console: Console) -> StackState:
    with Progress(console) as progress:
        return StackBuilder(layout, progress, Processes(layout.processes)).reconfigure(state, config)


def _show_stack(state: StackState, console: Console) -> None:
    model = f"demo model at {state.demo_model}" if state.demo_model else "as configured"
    request = '{"message": "What is 15% of 45?"}'
    words = ["curl", "-s", f"{state.url}/api/chat", "-H", f"Authorization: Bearer {state.token}"]
    words += ["-H", "Content-Type: application/json", "-d", request]
    shown = {"page": f"{state.url}/", "url": state.url, "token": state.token, "config": state.config, "model": model}
    for name, value in shown.items():
        console.print(f"{name:<7} {value}", highlight=False, markup=False, soft_wrap=True)
    console.print(f"\n{shlex.join(words)}\n", highlight=False, markup=False, soft_wrap=True)


def _show_sample(state: StackState, console: Console) -> None:
    console.print(f"> {SAMPLE_QUESTION}\n", style="bold", highlight=False)
    try:
        show_answer(console, Client(Target(state.url, state.token)).chat({"message": SAMPLE_QUESTION}))
    except ServiceError as error:
        console.print(str(error), style="red", highlight=False, markup=False)


def _watch(layout: Layout) -> None:
    """Return when the stack is no longer there: somebody else stopped it, or it broke."""
    while running_stack(layout) is not None:
        time.sleep(WATCH_SECONDS)
