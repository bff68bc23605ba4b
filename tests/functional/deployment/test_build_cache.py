"""Cache of SAM's builder after builds that failed or were killed."""

from pathlib import Path

import pytest

from cli.deployment.sam import reliable_cache


@pytest.fixture
def build(tmp_path: Path) -> Path:
    (tmp_path / "sam").mkdir()
    (tmp_path / "sam" / "build.toml").write_text("a record")
    return tmp_path / "sam" / "build"


def test_the_record_of_a_finished_build_is_kept(build: Path) -> None:
    for _ in range(2):
        with reliable_cache(build):
            assert build.with_name("build.toml").exists()

    assert [path.name for path in build.parent.iterdir()] == ["build.toml"]


def test_the_record_of_a_failed_build_is_not_used_again(build: Path) -> None:
    with pytest.raises(RuntimeError), reliable_cache(build):
        raise RuntimeError

    with reliable_cache(build):
        assert not build.with_name("build.toml").exists()


def test_the_record_of_a_killed_build_is_not_used_again(build: Path) -> None:
    reliable_cache(build).__enter__()

    with reliable_cache(build):
        assert not build.with_name("build.toml").exists()


def test_the_first_build_makes_its_folder(tmp_path: Path) -> None:
    with reliable_cache(tmp_path / "new" / "build"):
        assert (tmp_path / "new").is_dir()
