"""JavaScript unit tests of the page: each file of `tests/page` with Node's test runner."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
NODE = Path(sys.executable).with_name("node")
FILES = sorted((ROOT / "tests" / "page").glob("*.test.js"))


def test_node_and_test_files_exist() -> None:
    assert FILES
    assert NODE.exists(), "Node comes with the locked packages: run `make bootstrap`"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_javascript_tests_pass(file: Path) -> None:
    ran = subprocess.run(  # noqa: S603 - the project's own files
        [NODE, "--test", "--test-reporter=spec", file], capture_output=True, text=True, timeout=60, check=False
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " tests 0\n" not in ran.stdout, f"{file.name} has no test"
