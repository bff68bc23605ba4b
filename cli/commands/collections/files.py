"""Files of a command line: files, directories, globs and standard input."""

import glob
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from functions.retrieval.ingest.documents import MAX_FILE_BYTES, Failure, Format, SourceFile
from functions.retrieval.ingest.load import FORMATS

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class NamedFile:
    """File to read, and its name in citations; without a path it is standard input."""

    path: Path | None
    name: str


@dataclass(frozen=True, slots=True)
class Selection:
    """Files of the arguments, and the arguments without a file."""

    files: Sequence[NamedFile]
    failures: Sequence[Failure]


def select(arguments: Iterable[str], *, any_format: bool, here: Path) -> Selection:
    """Return the files that `arguments` name, each once, in order.

    In a directory and below it, files with a known extension are included, all files with `any_format`; hidden ones are
    not. Names are relative to `here`, else to the directory of the argument.
    """
    files: dict[Path | None, NamedFile] = {}
    failures: list[Failure] = []
    for argument in arguments:
        found = [
            NamedFile(path, _name(path, top, here))
            for top in _tops(argument, here)
            for path in _files(top, any_format=any_format)
        ]
        if argument == STANDARD_INPUT:
            found = [NamedFile(None, "stdin")]
        if not found:
            failures.append(Failure(argument, _why_nothing(here / argument)))
        for file in found:
            files.setdefault(file.path, file)
    return Selection(tuple(files.values()), tuple(failures))


def read(file: NamedFile, format: Format | None) -> SourceFile | Failure:
    """Return a file's bytes, or the reason for their absence."""
    if file.path is None:
        return SourceFile(file.name, sys.stdin.buffer.read(MAX_FILE_BYTES + 1), format or "text")
    try:
        with file.path.open("rb") as opened:
            return SourceFile(file.name, opened.read(MAX_FILE_BYTES + 1), format)
    except OSError as exc:
        return Failure(file.name, f"it cannot be read: {exc.strerror}")


def _tops(argument: str, here: Path) -> Iterator[Path]:
    """Return the files and directories that an argument names, directly or as a pattern."""
    path = here / argument
    if path.exists():
        yield path
    elif glob.has_magic(argument):
        # Not `Path.glob`: a pattern may be absolute, or contain `..`.
        yield from map(Path, sorted(glob.glob(str(path), recursive=True)))  # noqa: PTH207


def _files(top: Path, *, any_format: bool) -> Iterator[Path]:
    if not top.is_dir():
        yield top.absolute()
        return
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and (any_format or Path(name).suffix.lower() in FORMATS):
                yield Path(folder, name).absolute()


def _name(path: Path, top: Path, here: Path) -> str:
    base = here if path.is_relative_to(here) else top.absolute().parent
    # A name that is not UTF-8 on disk is converted to text.
    return path.relative_to(base).as_posix().encode("utf-8", "replace").decode()


def _why_nothing(path: Path) -> str:
    if path.is_dir():
        return f"no file below it has a known ending ({', '.join(FORMATS)}); name their format with --format"
    return "file not found"
