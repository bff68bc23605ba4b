"""Fixtures of resume tokens."""

from collections.abc import Iterator

import pytest

from tests.unit.chat.token_fakes import Tokens
from tests.unit.runs.table import empty_tables


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tokens]:
    with empty_tables(monkeypatch) as client:
        yield Tokens(client)
