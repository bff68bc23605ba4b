"""`flexchat deploy` and `flexchat build`: a stage on AWS."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.commands.tokens import checked_name_option
from cli.lazy import command_group
from cli.options import Stage

if TYPE_CHECKING:
    from cli.deployment.deploy import Deployment

app = command_group()

DEFAULT_NAME = "me"

Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter", metavar="NAME=VALUE", help="A parameter of the template, before that of samconfig.toml."
    ),
]


@app.command()
def deploy(
    stage: Stage,
    config: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, resolve_path=True, help="The configuration file; config/flexchat.json by default."
        ),
    ] = None,
    token_name: Annotated[
        str,
        typer.Option(
            callback=checked_name_option, help="Name of the created token, if the stage has no token of this name."
        ),
    ] = DEFAULT_NAME,
    yes: Annotated[bool, typer.Option("--yes", help="Execute the change set without confirmation.")] = False,
    allow_missing_secrets: Annotated[
        bool, typer.Option("--allow-missing-secrets", help="Deploy without the entries whose secrets are not stored.")
    ] = False,
    parameters: Parameters = None,
    rollback: Annotated[
        bool, typer.Option("--rollback", help="Instead, move all functions back to the release before the current one.")
    ] = False,
) -> None:
    """Deploy a stage to AWS: build, publish the configuration, create a token, test."""
    from cli.deployment.deploy import Options
    from cli.deployment.settings import parameter

    deployment = _deployment()
    if rollback:
        deployment.roll_back(stage)
        return
    options = Options(
        stage=stage,
        config=config or deployment.layout.root / "config" / "flexchat.json",
        token_name=token_name,
        confirmed=yes,
        allow_missing_secrets=allow_missing_secrets,
        parameters=dict(map(parameter, parameters or ())),
    )
    deployment.deploy(options)


@app.command()
def build(stage: Stage, parameters: Parameters = None) -> None:
    """Build the functions of a stage for AWS, every package compared with its hash."""
    from cli.deployment.settings import parameter

    _deployment().build(stage, dict(map(parameter, parameters or ())))


def _deployment() -> "Deployment":
    from cli.console import Console
    from cli.deployment.deploy import Deployment
    from cli.deployment.toolchain import SAM, ensure_tool
    from cli.layout import Layout
    from cli.lock import exclusive
    from cli.processes import Processes

    layout, console = Layout.here(), Console()

    def complete_on_emulator(url: str, endpoint: str, *, stack: str, stage: str) -> str:
        from dev.local_stack.deployment import complete_emulated_stage

        return complete_emulated_stage(url, endpoint, stack=stack, stage=stage)

    def install_sam() -> Path:
        with exclusive(layout, console):
            return ensure_tool(SAM, layout=layout, processes=Processes(layout.tools / "processes.json"))

    return Deployment(
        layout=layout,
        console=console,
        install_sam=install_sam,
        complete_on_emulator=complete_on_emulator,
        environ=os.environ,
        is_terminal=sys.stdin.isatty(),
    )
