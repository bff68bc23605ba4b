"""Cost of AWS services: the estimate of `flexchat cost estimate` with its default load."""

from dataclasses import asdict
from typing import Any

from cli.costs.estimate import Load, estimate, read_prices
from cli.costs.template import read_inventory
from cli.layout import Layout
from cli.render.costs import estimate_lines


def report() -> dict[str, Any]:
    """Print the estimate and return it with the prices."""
    load = Load(tools=10, chats_per_day=1000)
    found = estimate(read_inventory(Layout.here().template, {}), load, read_prices())
    print("\n" + "\n".join(estimate_lines(found, load)))
    return {"load": asdict(load), **asdict(found)}
