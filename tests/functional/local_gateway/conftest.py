from collections.abc import Iterator

import httpx2
import pytest

from dev.local_gateway.forwarding import Forwarder
from dev.local_gateway.server import LocalGateway
from tests.functional.local_gateway.servers import KEY, Emulator, application_running, emulator_running


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    with emulator_running() as running:
        yield running


@pytest.fixture
def client(emulator: Emulator) -> Iterator[httpx2.Client]:
    """Client of a gateway in front of `emulator`."""
    with (
        application_running(LocalGateway(Forwarder(emulator.api, stage="local", key=KEY))) as url,
        httpx2.Client(base_url=url, trust_env=False, timeout=30) as client,
    ):
        yield client
