"""Table of models."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType

from cli.console import Console, Table, Text
from cli.invocation import as_invoked
from cli.transport import parse_answer
from flexchat.api.listings import ModelList, ModelView
from flexchat.messages import Json
from flexchat.text import counted

if TYPE_CHECKING:
    from cli.model_refresh import RefreshReport


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
    for heading in ("MODEL", "PROVIDER", "TOOLS", "CONTEXT", "PRICE", "VALIDATION"):
        table.add_column(heading)
    for model in listed.models:
        table.add_row(
            _id(model),
            Text(model.provider),
            _tools(model),
            Text(f"{model.context_window:,}" if model.context_window else ""),
            _price(model),
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


def _price(model: ModelView) -> Text:
    """Return the prices of input and output in US dollars per million tokens."""
    prices = {value.name: value.value for value in model.profile}
    found = [prices.get(name) for name in ("input_price", "output_price")]
    return Text(" / ".join(f"${price:g}" for price in found if isinstance(price, int | float)))


_ORIGINS: Final[Mapping[str, str]] = {"built_in": "built-in", "provider": "provider's list"}


def show_profile(console: Console, model: ModelView) -> None:
    """Print each value of a model's profile with its source."""
    console.print(_id(model))
    if not model.profile:
        console.print(Text("no values are known: every feature is assumed"))
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("VALUE", "", "SOURCE"):
        table.add_column(heading)
    for value in model.profile:
        table.add_row(Text(value.name), Text(_shown(value.value)), Text(_ORIGINS.get(value.origin, value.origin)))
    console.print(table)


def _shown(value: Json) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case list():
            return ", ".join(map(str, value))
        case _:
            return str(value)


def show_refresh(console: Console, report: "RefreshReport", *, file: str, written: bool) -> None:
    """Print the changes of a renewal of profiles."""
    for change in report.changes:
        line = f"{change.model} {change.name}: {_old(change.old)}{_new(change.new)}"
        if change.configured is not None:
            line += f" (not in effect: configured as {_shown(change.configured)})"
        console.print(Text(line), soft_wrap=True)
    for model in report.unknown:
        console.print(Text.assemble(("?", "yellow"), f" {model} is not in the price list"), soft_wrap=True)
    models = len({change.model for change in report.changes})
    verb = "changed" if written else "would change"
    console.print(Text(f"{file}: {counted(models, 'model')} {verb}, {len(report.unchanged)} unchanged"), soft_wrap=True)


def _old(value: Json) -> str:
    return "" if value is None else f"{_shown(value)} -> "


def _new(value: Json) -> str:
    return "removed" if value is None else _shown(value)


def _validation(model: ModelView) -> Text:
    validation = model.validation
    if not validation.tested:
        return Text("untested", style="dim")
    if model.demo:
        return Text("demo model", style="dim")
    return Text("validated", style="green") if validation.validated else Text("not validated", style="red")
