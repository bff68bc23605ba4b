"""Files of a command line: files, directories, globs and standard input."""

import glob
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from functions.retrieval.ingest.documents import MAX_FILE_BYTES, Failure, Format, SourceFile
from functions.retrieval.ingest.load import FORMATS

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class NamedFile:
    """File to read, and its name in citations; without a path it is standard input.

    `origin` is the directory that the name is relative to.
    """

    path: Path | None
    name: str
    origin: str


@dataclass(frozen=True, slots=True)
class Selection:
    """Files of the arguments, the arguments without a file, and files of directories that are not read."""

    files: Sequence[NamedFile]
    failures: Sequence[Failure]
    skipped: Sequence[Failure] = ()


def select(
    arguments: Iterable[str], *, any_format: bool, here: Path, prefix: str = "", origin: str | None = None
) -> Selection:
    """Return the files that `arguments` name, each once, in order.

    In a directory and below it, files with a known extension are included, all files with `any_format`; hidden ones are
    not. The name of a file is its path below the directory, or below the part of a pattern without wildcards, whatever
    the working directory; `prefix` is set before it. `origin` replaces the origin of all. Two files of one name are a
    failure.
    """
    files: dict[str, NamedFile] = {}
    failures: list[Failure] = []
    skipped: dict[str, Failure] = {}
    paths = set[Path | None]()
    start = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
    for argument in arguments:
        if argument == STANDARD_INPUT:
            found = [NamedFile(None, f"{start}stdin", origin or "standard input")]
        else:
            top = _top(argument, here)
            existing, left_out = _found(argument, here, any_format=any_format)
            found = [NamedFile(path, start + _name(path, top), origin or _shown(top)) for path in existing]
            skipped |= {each.source: each for each in left_out}
        if not found:
            failures.append(Failure(argument, _why_nothing(here / argument)))
        for file in found:
            if file.path in paths:
                continue
            paths.add(file.path)
            first = files.setdefault(file.name, file)
            if first is not file:
                failures.append(
                    Failure(
                        _shown(file.path or Path(STANDARD_INPUT)),
                        f"its name {file.name!r} is that of {str(first.path)!r} too; add them apart, one with --prefix",
                    )
                )
    return Selection(tuple(files.values()), tuple(failures), tuple(skipped.values()))


def origin_of(directory: Path, here: Path) -> str:
    """Return the origin of the files of a directory."""
    return _shown(_top(str(directory), here))


def read(file: NamedFile, format: Format | None) -> SourceFile | Failure:
    """Return a file's bytes, or the reason for their absence."""
    if file.path is None:
        return SourceFile(file.name, sys.stdin.buffer.read(MAX_FILE_BYTES + 1), format or "text")
    try:
        with file.path.open("rb") as opened:
            return SourceFile(file.name, opened.read(MAX_FILE_BYTES + 1), format)
    except OSError as exc:
        return Failure(file.name, f"it cannot be read: {exc.strerror}")


def _top(argument: str, here: Path) -> Path:
    """Return the directory that names of files are relative to: the argument, or its part without wildcards."""
    path = Path(os.path.abspath(here / argument))  # noqa: PTH100 # `resolve` would follow links
    if path.is_dir():
        return path
    if not path.exists():
        while glob.has_magic(str(path)):
            path = path.parent
        return path
    return path.parent


def _found(argument: str, here: Path, *, any_format: bool) -> tuple[Sequence[Path], Sequence[Failure]]:
    """Return the files of an argument, and those of its directories that are left out."""
    path = here / argument
    tops = [path] if path.exists() else []
    if not tops and glob.has_magic(argument):
        # Not `Path.glob`: a pattern may be absolute, or contain `..`.
        tops = list(map(Path, sorted(glob.glob(str(path), recursive=True))))  # noqa: PTH207
    files: list[Path] = []
    skipped: list[Failure] = []
    for top in tops:
        _walk(top, files, skipped, any_format=any_format)
    return [Path(os.path.abspath(each)) for each in files], skipped  # noqa: PTH100 # `resolve` would follow links


def _walk(top: Path, files: list[Path], skipped: list[Failure], *, any_format: bool) -> None:
    if not top.is_dir():
        files.append(top)
        return
    for folder, folders, names in os.walk(top):
        hidden = sorted(name for name in folders if name.startswith("."))
        skipped += (Failure(_shown(Path(folder, name)) + "/", "hidden directory") for name in hidden)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder, name)
            ending = path.suffix.lower()
            if name.startswith("."):
                skipped.append(Failure(_shown(path), "hidden file"))
            elif any_format or ending in FORMATS:
                files.append(path)
            else:
                reason = f"unknown ending {ending!r}" if ending else "no ending"
                skipped.append(Failure(_shown(path), reason))


def _shown(path: Path) -> str:
    # A name that is not UTF-8 on disk is converted to text.
    return str(path).encode("utf-8", "replace").decode()


def _name(path: Path, top: Path) -> str:
    return path.relative_to(top).as_posix().encode("utf-8", "replace").decode()


def _why_nothing(path: Path) -> str:
    if path.is_dir():
        return f"no file below it has a known ending ({', '.join(FORMATS)}); name their format with --format"
    return "file not found"
