"""Files that commands read and write; every error has the file, and in JSON the line and the column."""

import codecs
import contextlib
import errno
import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from flexchat.errors import ConfigError, Problem
from flexchat.json import MAX_BYTES, JsonError, safe_loads
from flexchat.messages import Json

REASONS: Mapping[int, str] = {
    errno.ENOENT: "file not found",
    errno.ENOTDIR: "a part of the path is not a directory",
    errno.EISDIR: "is a directory; name a file",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EROFS: "the file system is read-only",
    errno.ENOSPC: "the disk is full; free some space and try again",
    errno.EDQUOT: "your quota of the disk is used up; free some space and try again",
    errno.ENAMETOOLONG: "the name is too long",
}

STORAGE_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})
"""Errors of a write, which have no file name when a file is open already."""

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700

OTHER_ENCODINGS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
"""Byte order marks of other encodings; that of UTF-32 in the other byte order begins as the one of UTF-16."""


def read_text(path: Path) -> bytes:
    """Return the bytes of a UTF-8 text file without its byte order mark. Raises ConfigError."""
    content = read_bytes(path)
    content = content.removeprefix(codecs.BOM_UTF8)
    if content.startswith(OTHER_ENCODINGS) or b"\0" in content[:4]:
        raise file_error(path, "is UTF-16 or UTF-32; save it as UTF-8")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        raise file_error(path, f"line {line} is not UTF-8; save the file as UTF-8") from exc
    return content


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file. Raises ConfigError."""
    try:
        return path.read_bytes()
    except OSError as exc:
        raise file_error(path, reason(exc)) from exc


def read_json(path: Path, *, max_bytes: int = MAX_BYTES) -> Json:
    """Return the JSON value in a file. Raises ConfigError, with the line of a fault."""
    text = read_text(path)
    try:
        return safe_loads(text, max_bytes=max_bytes)
    except JsonError as exc:
        from cli.json_position import with_place

        raise file_error(path, with_place(str(exc), text.decode())) from exc


def read_json_option(text: str, *, option: str) -> Json:
    """Return the JSON value of an option: as it is, of `@FILE`, or `-` of stdin. Raises ConfigError."""
    if text.startswith("@"):
        return read_json(Path(text[1:]))
    source = sys.stdin.buffer.read(MAX_BYTES + 1) if text == "-" else text
    try:
        return safe_loads(source)
    except JsonError as exc:
        raise ConfigError((Problem("stdin" if text == "-" else option, str(exc)),)) from exc


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 text file, whole or not at all: a full disk leaves an existing one as it is. Raises ConfigError."""
    try:
        if path.is_file():
            target = path.resolve()
            _replace(target, text, mode=stat.S_IMODE(target.stat().st_mode))
        else:  # a new one, or a device
            path.write_text(text, encoding="utf-8")
    except OSError as exc:
        if exc.errno == errno.ENOENT:
            raise file_error(path, f"directory {str(path.parent)!r} not found") from exc
        raise file_error(path, reason(exc)) from exc


def _replace(path: Path, text: str, *, mode: int) -> None:
    """Write a file beside `path`, then put it in its place."""
    import tempfile

    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as new:
        try:
            new.write(text.encode())
            new.close()
            Path(new.name).chmod(mode)
            Path(new.name).replace(path)
        except BaseException:
            Path(new.name).unlink(missing_ok=True)
            raise


def make_private_folder(path: Path) -> None:
    """Make a folder and its missing parents, and close it to other users."""
    if not path.parent.is_dir():
        make_private_folder(path.parent)
    with contextlib.suppress(FileExistsError):
        path.mkdir(PRIVATE_FOLDER)
    path.chmod(PRIVATE_FOLDER)


def open_private(path: Path) -> BinaryIO:
    """Open an empty file for writing, which other users can never read, whatever the umask is."""
    make_private_folder(path.parent)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, PRIVATE_FILE)
    os.fchmod(descriptor, PRIVATE_FILE)
    os.ftruncate(descriptor, 0)
    return os.fdopen(descriptor, "wb")


def write_private(path: Path, text: str) -> None:
    """Write a file at once, readable by its owner alone."""
    make_private_folder(path.parent)
    _replace(path, text, mode=PRIVATE_FILE)


def reason(error: OSError) -> str:
    """Return the cause of an error of the operating system as text."""
    return REASONS.get(error.errno or 0) or (error.strerror or "cannot be read or written").lower()


def file_error(path: Path, message: str) -> ConfigError:
    return ConfigError((Problem(str(path), message),))
