import pytest

from tests.template.transform import Transformed, transform


@pytest.fixture(scope="session")
def template() -> Transformed:
    return transform()
