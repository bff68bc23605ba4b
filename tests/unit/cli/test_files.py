"""Files that commands write: whole or not at all, and errors of the disk as text."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cli.files import write_text
from flexchat.errors import ConfigError
from tests.unit.cli.command_runner import Flexchat

FULL = Path("/dev/full")
"""A device that is always full."""

FLEXCHAT = Path(sys.executable).with_name("flexchat")

LIMITED = """
import resource, signal, sys
from pathlib import Path
from cli.files import write_text
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
write_text(Path(sys.argv[1]), "x" * 100_000)
"""

needs_full = pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")


def test_a_file_is_replaced_with_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text("old and longer")
    file.chmod(0o640)

    write_text(file, "neü")

    assert file.read_text(encoding="utf-8") == "neü"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["config.json"]


def test_the_file_behind_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    target, link = tmp_path / "own" / "config.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)

    write_text(link, "new")

    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text("the operator's configuration")

    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", LIMITED, str(file)], capture_output=True, text=True, check=False
    )

    assert "file too large" in done.stderr
    assert file.read_text() == "the operator's configuration"
    assert [path.name for path in tmp_path.iterdir()] == ["config.json"]


@needs_full
def test_a_full_disk_is_an_error_with_the_remedy() -> None:
    with pytest.raises(ConfigError, match="/dev/full: the disk is full; free some space and try again"):
        write_text(FULL, "text")


@needs_full
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["config", "check"]])
def test_output_to_a_full_disk_is_one_line(arguments: list[str]) -> None:
    with FULL.open("w") as full:
        done = subprocess.run(  # noqa: S603
            [FLEXCHAT, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "the disk is full; free some space and try again"),
        (OSError(errno.EROFS, os.strerror(errno.EROFS)), "the file system is read-only"),
        (PermissionError(errno.EACCES, "Permission denied", "/srv/data"), "/srv/data: permission denied"),
    ],
)
def test_an_error_of_the_disk_in_a_command_is_one_line(
    error: OSError, text: str, flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("cli.configuration.read_file", fail)

    assert flexchat.type("config", "check", options=()) == (1, "", text)
