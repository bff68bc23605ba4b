import pytest

from tests.template.transformed import Transformed, transform


@pytest.fixture(scope="session")
def template() -> Transformed:
    return transform()
