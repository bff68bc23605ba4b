from collections.abc import Iterator

import pytest

from tests.unit.runs.table import empty_tables
from tests.unit.sessions.harness import SessionHarness


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> Iterator[SessionHarness]:
    with empty_tables(monkeypatch) as client:
        yield SessionHarness(client)
