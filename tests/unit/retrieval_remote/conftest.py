"""Names of the embedding models."""

import pytest

from tests.unit.retrieval_remote.embedding_server import ANSWERS


@pytest.fixture(params=ANSWERS)
def name(request: pytest.FixtureRequest) -> str:
    return request.param
