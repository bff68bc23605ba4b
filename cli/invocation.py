"""Suggested commands, in a form that runs in the user's current directory."""

import os
import shlex
import shutil
import sys
from pathlib import Path

from cli.layout import Layout

NAME = "flexchat"


def flexchat(*words: str) -> str:
    """Return the `flexchat` command with `words`, each quoted for a shell."""
    return f"{program()} {shlex.join(words)}"


def trace_hint(request_id: str) -> str:
    """Return a request id with the command that shows what its chat did."""
    return f"{request_id} ({flexchat('trace', request_id)})"


def make(*words: str) -> str:
    """Return the `make` command of a target and its variables, with the checkout's directory unless it is the
    current one."""
    root = Layout.here().root
    return shlex.join(["make", *([] if Path.cwd() == root else ["-C", str(root)]), *words])


def program() -> str:
    """Return the command in a form that runs here: its name if PATH has this installation, else its path."""
    typed = Path(sys.argv[0])
    own = typed if typed.name == NAME and typed.is_file() else Layout.here().venv_bin / NAME
    found = shutil.which(NAME)
    if found is not None and Path(found).samefile(own):
        return NAME
    own = own.absolute()
    return shlex.quote(os.path.relpath(own) if own.is_relative_to(Path.cwd()) else str(own))


def as_invoked(text: str) -> str:
    """Return a message of the service or of a library module, with its `flexchat …` commands in the form that runs
    here."""
    called = program()
    return text if called == NAME else text.replace(f"`{NAME} ", f"`{called} ")
