"""Commands that are imported on use, so that none waits for the imports of another."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import typer
    from typer import BadParameter
    from typer.core import TyperGroup


class LazyCommand(NamedTuple):
    """Command or group of commands: its name, its module with an `app`, and its line in the overview."""

    name: str
    module: str
    help: str

    def load(self) -> Any:
        """Return the group of the module, or its command of this name."""
        from typer.main import get_group

        group = get_group(import_module(self.module).app)
        command = group.commands.get(self.name, group)
        command.name = self.name
        return command


def command_group(help: str | None = None, *, cls: "type[TyperGroup] | None" = None) -> "typer.Typer":
    """Return an empty group of commands.

    Its help and its errors are plain text: rich's boxes cost 0.1 s of every start, and wrap the commands that an error
    suggests.
    """
    import typer

    return typer.Typer(cls=cls, help=help, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


def lazy_app(
    commands: Sequence[LazyCommand], *, help: str, options: Callable[..., None] | None = None
) -> "typer.Typer":
    """Return an application of `commands`; the overview, a mistyped name and a shell's completion import none of them.

    `options` has the application's own options as its parameters.
    """
    from typer import BadParameter
    from typer.core import TyperGroup

    known = {command.name: command for command in commands}

    class LazyGroup(TyperGroup):
        def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
            name, command, rest = super().resolve_command(ctx, args)
            return name, known[name].load() if name is not None else command, rest

        def invoke(self, ctx: Any) -> Any:
            try:
                return super().invoke(ctx)
            except BadParameter as error:
                error.message = _option_error(error)
                raise

    app = command_group(help, cls=LazyGroup)
    if options is not None:
        app.callback()(options)
    for command in commands:
        app.command(command.name, help=command.help)(_unloaded)
    return app


def _option_error(error: "BadParameter") -> str:
    """Return the message of an invalid option: "must be …, not 'x'" in place of pydantic's "Input should be …"."""
    from pydantic import ValidationError

    if not isinstance(error.__cause__, ValidationError):
        return error.message
    from flexchat.config.problems import request_problem

    return request_problem(error.__cause__.errors(include_url=False)[0], path="").message


def _unloaded() -> None:
    """Placeholder of a command in the overview, replaced by the command before it runs."""
