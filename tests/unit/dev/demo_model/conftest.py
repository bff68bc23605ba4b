"""Clients of all protocols."""

import pytest

from tests.unit.dev.demo_model.clients import ProtocolClient
from tests.unit.dev.demo_model.protocol_clients import CLIENTS


@pytest.fixture(params=CLIENTS, ids=lambda client: type(client).__name__)
def client(request: pytest.FixtureRequest) -> ProtocolClient:
    return request.param
