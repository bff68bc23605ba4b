"""Index files and index stores in temporary folders."""

from pathlib import Path

import pytest

from tests.unit.retrieval.index_stores import StoreHarness


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture
def harness(tmp_path: Path) -> StoreHarness:
    return StoreHarness(tmp_path)
