from collections.abc import Iterator

import pytest

from tests.unit.validation.harness import Tracking, empty_table


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tracking]:
    with empty_table(monkeypatch) as client:
        yield Tracking(client)
