from collections.abc import Iterator

import pytest

from tests.aws import emulated_aws
from tests.functional.configuration.harness import Service


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Configuration function of a stage with a published configuration."""
    with emulated_aws(monkeypatch):
        yield Service()
