from collections.abc import Iterator

import pytest

from tests.aws import emulated_aws
from tests.functional.traces.harness import Service


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Traces function without traces."""
    with emulated_aws(monkeypatch):
        yield Service()
