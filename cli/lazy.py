"""Commands that are loaded when they are named, so that none waits for what another one needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """A command or a group of them: what it is called, the module whose `app` it is, and what the overview says."""

    name: str
    module: str
    help: str

    def load(self) -> Any:
        """The group of the module, or its command of this very name."""
        app: typer.Typer = import_module(self.module).app
        group = typer.main.get_group(app)
        command = group.commands.get(self.name, group)
        command.name = self.name
        return command


def lazy_app(commands: Sequence[LazyCommand], *, help: str) -> typer.Typer:
    """An application of `commands`; the overview, a mistyped name and a shell's completion load none of them."""
    known = {command.name: command for command in commands}

    class LazyGroup(TyperGroup):
        def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
            name, command, rest = super().resolve_command(ctx, args)
            return name, known[name].load() if name is not None else command, rest

    app = typer.Typer(cls=LazyGroup, no_args_is_help=True, pretty_exceptions_enable=False, help=help)
    for command in commands:
        app.command(command.name, help=command.help)(_unloaded)
    return app


def _unloaded() -> None:
    """Stands for a command in the overview; the command itself takes its place before it runs."""
