"""Table of models."""

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.table import Table

from cli.console import Console, Text
from cli.invocation import as_invoked
from cli.transport import parse_answer
from flexchat.api.listings import ModelList, ModelView
from flexchat.messages import Json


def show_models(console: Console, body: Mapping[str, Json]) -> None:
    """Print `body`, the service's answer, as a table with the errors below.

    Models that the configuration names are bold. Keys of a newer service are ignored.
    """
    listed = parse_answer(ModelList, body)
    console.print(Group(*_parts(listed)))
    for error in listed.errors:
        # not wrapped: an error may suggest a command
        console.print(Text.assemble(("✗", "red"), f" {error.llm}: {as_invoked(error.error)}"), soft_wrap=True)


def _parts(listed: ModelList) -> Iterator[RenderableType]:
    table = Table(box=None, pad_edge=False)
    for heading in ("MODEL", "PROVIDER", "TOOLS", "VALIDATION"):
        table.add_column(heading)
    for model in listed.models:
        table.add_row(
            _id(model),
            Text(model.provider),
            _tools(model),
            _validation(model),
        )
    yield table if listed.models else Text("no models")
    if listed.errors:
        yield Text("")


def _id(model: ModelView) -> Text:
    name = Text(model.id, style="bold" if model.configured else "")
    return name.append(" demo", style="yellow") if model.demo else name


def _tools(model: ModelView) -> Text:
    return Text("yes", style="green") if "function-calling" in model.capabilities else Text("no", style="dim")


def _validation(model: ModelView) -> Text:
    validation = model.validation
    if not validation.tested:
        return Text("untested", style="dim")
    if model.demo:
        return Text("demo model", style="dim")
    return Text("passed", style="green") if validation.validated else Text("failed", style="red")
