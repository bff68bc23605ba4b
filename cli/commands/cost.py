"""`flexchat cost`: what a stage costs on AWS."""

from typing import Annotated

import typer

from cli.lazy import command_group
from cli.terminal import echo

app = command_group("Estimate what a stage costs on AWS.")


@app.callback()
def group() -> None:
    """Estimate what a stage costs on AWS."""


@app.command()
def estimate(
    *,
    tools: Annotated[int, typer.Option(min=0, help="Configured tools.")] = 10,
    chats_per_day: Annotated[int, typer.Option(min=0, help="Chats of a day.")] = 1000,
    models: Annotated[int, typer.Option(min=1, help="Models that answer chats.")] = 1,
    model_calls: Annotated[int, typer.Option(min=1, help="Model calls of a chat.")] = 2,
    model_seconds: Annotated[float, typer.Option(min=0, help="Seconds of a model call.")] = 2.0,
    tool_calls: Annotated[int, typer.Option(min=0, help="Tool calls of a chat.")] = 1,
    tool_seconds: Annotated[float, typer.Option(min=0, help="Seconds of a tool call.")] = 0.2,
    parameters: Annotated[
        list[str] | None, typer.Option("--parameter", metavar="NAME=VALUE", help="A parameter of the template.")
    ] = None,
) -> None:
    """Print the monthly cost without chats, and the cost of 1,000 chats, by the template and a list of prices.

    Tokens of models are excluded: `flexchat usage` shows their cost.
    """
    from cli.costs import estimate as costs
    from cli.costs.template import read_inventory
    from cli.deployment.settings import parameter
    from cli.layout import Layout
    from cli.render.costs import estimate_lines

    inventory = read_inventory(Layout.here().template, dict(map(parameter, parameters or ())))
    load = costs.Load(
        tools=tools,
        chats_per_day=chats_per_day,
        models=models,
        model_calls=model_calls,
        model_seconds=model_seconds,
        tool_calls=tool_calls,
        tool_seconds=tool_seconds,
    )
    for line in estimate_lines(costs.estimate(inventory, load, costs.read_prices()), load):
        echo(line)
