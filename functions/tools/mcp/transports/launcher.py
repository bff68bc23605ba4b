"""Program that starts a server confined by Landlock: `launcher.py ROOT OWN… -- COMMAND ARGUMENT…`.

The server may use all files but those below ROOT, of which it has only the folders OWN, and no process that it has not
started itself: `/proc` gives it neither environment nor memory of others, whatever their user. It creates no entry in
the folders that contain ROOT. https://docs.kernel.org/userspace-api/landlock.html

It runs apart from the service, on the standard library alone, in the environment of the server.
"""

import ctypes
import os
import stat
import sys
from collections.abc import Iterator, Sequence

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of the system calls, the same on x86-64 and arm64."""

VERSION_FLAG = 1
PATH_BENEATH = 1
SET_NO_NEW_PRIVILEGES = 38

REQUIRED_VERSION = 2
"""Without the second version, no file can be moved to another folder."""

OF_FILES = 0b111
"""Execute, write and read."""

OF_FOLDERS = 0b11_1111_1111_0000
"""Remove, create of each kind, and move; to list a folder stays allowed."""

TRUNCATE = 1 << 14
TRUNCATE_VERSION = 3


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled_access_fs", ctypes.c_uint64),)


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def landlock_version() -> int:
    """Return the version of Landlock, 0 without it."""
    if sys.platform != "linux":
        return 0
    call = ctypes.CDLL(None, use_errno=True).syscall
    return max(0, call(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG))


def confine(root: str, own: Sequence[str]) -> None:
    """Restrict this process and those that it starts. Raises OSError where the system refuses it."""
    library = ctypes.CDLL(None, use_errno=True)
    of_files = OF_FILES | (TRUNCATE if landlock_version() >= TRUNCATE_VERSION else 0)
    rules = _Ruleset(of_files | OF_FOLDERS)
    ruleset = _checked(library.syscall(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(ctypes.sizeof(rules)), 0))
    for path in (*_outside(root), *own):
        try:
            opened = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            continue  # removed since it was listed, or of another user
        allowed = of_files | OF_FOLDERS if stat.S_ISDIR(os.fstat(opened).st_mode) else of_files
        rule = _PathBeneath(allowed, opened)
        library.syscall(ADD_RULE, ruleset, PATH_BENEATH, ctypes.byref(rule), 0)
        os.close(opened)
    _checked(library.prctl(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _checked(library.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _outside(root: str) -> Iterator[str]:
    """Return the entries of all folders that contain `root` which do not contain it themselves.

    Symbolic links are left out: a link to a folder gives no more than the folder, and one below `root` nothing.
    """
    folder = "/"
    for part in root.strip("/").split("/"):
        with os.scandir(folder) as entries:
            yield from (entry.path for entry in entries if entry.name != part and not entry.is_symlink())
        folder = os.path.join(folder, part)  # noqa: PTH118


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def main(arguments: Sequence[str]) -> None:
    """Confine this process, and replace it by the command."""
    split = arguments.index("--")
    root, *own = arguments[:split]
    command = list(arguments[split + 1 :])
    confine(root, own)
    os.execv(command[0], command)  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:])
