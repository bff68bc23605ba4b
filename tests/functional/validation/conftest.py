from collections.abc import Iterator

import pytest

from tests.functional.validation.fakes import suite
from tests.functional.validation.harness import Service
from tests.unit.validation.harness import empty_table


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Service with the suite `capitals` of three cases."""
    with empty_table(monkeypatch) as dynamodb:
        service = Service(dynamodb)
        assert service.put_suite(suite()).status == 200
        yield service
