"""Text that the standard library generates and compiles while modules are imported, compiled by the build instead.

Named tuples, forward references in annotations and dataclasses compile some hundred texts in the imports of a function,
most of them of pydantic: a tenth of the CPU of its cold start. `scripts/compile.py` writes their bytecode beside this
module, as it writes that of the modules. Python compiles every other text itself.
"""

import collections
import marshal
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any, Final, Literal, cast

Mode = Literal["eval", "exec"]
FindCode = Callable[[Mode, Any], CodeType | None]
"""Returns the code of a text, or None for one that Python has to compile."""

FILE: Final = Path(__file__).with_suffix(f".{sys.implementation.cache_tag}.bin")
"""Marshalled dict from (mode, text) to marshalled code, for one minor version of Python, in a finished build."""


def stored_code() -> FindCode | None:
    """Return what finds the code of the build, or None without a finished build."""
    if not FILE.is_file():
        return None
    codes: dict[tuple[Mode, str], bytes] = marshal.loads(FILE.read_bytes())  # noqa: S302 # part of the package
    found: dict[tuple[Mode, str], CodeType] = {}

    def find(mode: Mode, text: Any) -> CodeType | None:
        key = (mode, text)
        if key in codes and key not in found:
            found[key] = marshal.loads(codes[key])  # noqa: S302
        return found.get(key)

    return find


def install_stored() -> None:
    """Have the standard library use the code of the build, if there is one."""
    if find := stored_code():
        install(find)


def install(find: FindCode) -> None:
    """Have the standard library ask `find` for the code of each text.

    A name of a module hides the builtin function.
    """

    def compile_(source: Any, filename: Any, mode: Any, *options: Any, **named: Any) -> CodeType:
        known = None if options or named else find(mode, source)  # which was compiled without options
        return known or cast("CodeType", compile(source, filename, mode, *options, **named))

    def eval_(source: Any, *names: Any, **named: Any) -> Any:
        return eval(find("eval", source) or source, *names, **named)  # noqa: S307 # text of the standard library

    def exec_(source: Any, *names: Any, **named: Any) -> None:
        exec(find("exec", source) or source, *names, **named)  # noqa: S102

    collections.__dict__["eval"] = eval_
    typing.__dict__["compile"] = compile_
    import dataclasses  # modules that it imports define named tuples

    dataclasses.__dict__["exec"] = exec_


def uninstall() -> None:
    """Have the standard library compile each text again."""
    import dataclasses

    for module, name in ((collections, "eval"), (typing, "compile"), (dataclasses, "exec")):
        module.__dict__.pop(name, None)
