"""Packages of the local stack's functions, unpacked once and linked for each worker."""

import io
from pathlib import Path
from zipfile import ZipFile

import pytest

from dev.local_stack.launcher.launch_ministack import shared


def packed(**files: str) -> ZipFile:
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"package/{name}.py", text)
    return ZipFile(stream)


def test_the_second_worker_gets_links_to_the_files_of_the_first(tmp_path: Path) -> None:
    extractall = shared(ZipFile.extractall, folder=tmp_path / "unpacked")

    for worker in ("first", "second"):
        (tmp_path / worker).mkdir()
        extractall(packed(app="one = 1\n"), str(tmp_path / worker))

    first, second = (tmp_path / worker / "package" / "app.py" for worker in ("first", "second"))
    assert first.read_text() == "one = 1\n"
    assert first.samefile(second)


def test_another_package_is_unpacked_separately(tmp_path: Path) -> None:
    extractall = shared(ZipFile.extractall, folder=tmp_path / "unpacked")

    extractall(packed(app="one = 1\n"), tmp_path / "first")
    extractall(packed(app="one = 2\n"), tmp_path / "second")

    assert (tmp_path / "first" / "package" / "app.py").read_text() == "one = 1\n"
    assert (tmp_path / "second" / "package" / "app.py").read_text() == "one = 2\n"


def test_selected_members_are_unpacked_normally(tmp_path: Path) -> None:
    extractall = shared(ZipFile.extractall, folder=tmp_path / "unpacked")

    extractall(packed(app="one = 1\n", other="two = 2\n"), tmp_path / "first", ["package/other.py"])

    assert [path.name for path in (tmp_path / "first").rglob("*.py")] == ["other.py"]
    assert not (tmp_path / "unpacked").exists()


def test_files_are_unpacked_again_if_links_are_impossible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError("hard links are not supported")

    monkeypatch.setattr("os.link", refused)
    extractall = shared(ZipFile.extractall, folder=tmp_path / "unpacked")

    extractall(packed(app="one = 1\n"), tmp_path / "first")

    assert (tmp_path / "first" / "package" / "app.py").read_text() == "one = 1\n"
