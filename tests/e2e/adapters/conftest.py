"""Fixtures of the adapter tests: the demo model, AWS credentials and one chat per adapter."""

import gc
import warnings
from collections.abc import Iterator

import pytest

from flexchat.config.providers import PROVIDER_TYPES
from tests.e2e.adapters.adapter_chat import Chat, adapter
from tests.e2e.demo_server import demo_server


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with demo_server(tmp_path_factory.mktemp("demo") / "demo.log") as url:
        yield url
    with warnings.catch_warnings():
        # Adapters are cached for the lifetime of a function and are never closed.
        warnings.simplefilter("ignore", ResourceWarning)
        adapter.cache_clear()
        gc.collect()


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set credentials so that requests to Bedrock are signed; they reach the demo model only."""
    for name in ("AWS_PROFILE", "AWS_DEFAULT_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")


@pytest.fixture(params=PROVIDER_TYPES)
def chat(request: pytest.FixtureRequest, address: str) -> Chat:
    return Chat(request.param, address)


@pytest.fixture(params=PROVIDER_TYPES)
def slow_retries(request: pytest.FixtureRequest, address: str) -> Chat:
    """Adapter with one retry."""
    return Chat(request.param, address, retries=1)
