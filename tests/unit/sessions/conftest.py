from collections.abc import Iterator

import pytest

from tests.unit.runs.table import empty_tables
from tests.unit.sessions.world import World


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with empty_tables(monkeypatch) as client:
        yield World(client)
