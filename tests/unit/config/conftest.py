"""Stage of catalog tests."""

import pytest

from tests.unit.config.catalog_stage import Stage


@pytest.fixture
def stage() -> Stage:
    return Stage()
