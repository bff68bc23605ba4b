"""Files with tokens and keys, under any umask."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.deployment.environment_file import VARIABLES, write_environment_file
from cli.files import make_private_folder, open_private, write_private
from cli.layout import Layout
from cli.processes import Processes


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct, autouse=True)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_private_file_and_its_new_folders_are_closed_to_others(tmp_path: Path) -> None:
    write_private(tmp_path / "a" / "b" / "c.json", "text")

    assert (tmp_path / "a" / "b" / "c.json").read_text() == "text"
    assert [mode(tmp_path / path) for path in ("a", "a/b", "a/b/c.json")] == [0o700, 0o700, 0o600]
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["c.json"]


def test_an_open_file_and_folder_of_before_are_closed(tmp_path: Path) -> None:
    old = tmp_path / "log" / "old.log"
    old.parent.mkdir()
    old.write_text("a longer text")
    old.chmod(0o644)
    old.parent.chmod(0o755)

    with open_private(old) as file:
        assert (mode(old), mode(old.parent)) == (0o600, 0o700)
        file.write(b"new")

    assert old.read_text() == "new"


def test_a_private_folder_may_exist(tmp_path: Path) -> None:
    for _ in range(2):
        make_private_folder(tmp_path / "run")

    assert mode(tmp_path / "run") == 0o700


def test_processes_have_private_logs_and_make_private_files(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    processes = Processes(layout.processes)
    script = "import pathlib; pathlib.Path('made').mkdir(); pathlib.Path('made/file').write_text('x'); print('done')"

    processes.complete("maker", [sys.executable, "-c", script], env=os.environ, cwd=tmp_path, log=layout.log("maker"))

    assert layout.log("maker").read_text() == "done\n"
    assert [mode(path) for path in (layout.log("maker"), layout.processes, tmp_path / "made" / "file")] == [0o600] * 3
    assert [mode(path) for path in (layout.logs, layout.run, tmp_path / "made")] == [0o700] * 3


def test_the_environment_file_of_a_stage_is_private(tmp_path: Path) -> None:
    outputs = {output: "name" for variables in VARIABLES.values() for output in variables.values()}

    assert mode(write_environment_file(tmp_path, "local", outputs)) == 0o600
