"""A stage in a parameter store in memory."""

from collections.abc import Callable

from flexchat.aws.catalog import CatalogSource
from flexchat.secret_references import secret_hosts_name, secret_name
from tests.unit.config.sources import STAGE, MemoryParameters, source, stored

MAIN_KEY = secret_name(STAGE, "MAIN_KEY")
DOCS_KEY = secret_name(STAGE, "DOCS_KEY")
HOSTS = {
    secret_hosts_name(STAGE, "MAIN_KEY"): "api.openai.com",
    secret_hosts_name(STAGE, "DOCS_KEY"): "docs.example.com",
}
TTL = 60.0


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.meanwhile: Callable[[], object] | None = None

    def __call__(self) -> float:
        """The time; `meanwhile` runs once before it is returned."""
        now, meanwhile = self.now, self.meanwhile
        self.meanwhile = None
        if meanwhile is not None:
            meanwhile()
        return now


class Stage:
    """A stage with a valid configuration and its secrets, and a source that reads it."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.store = MemoryParameters({**stored(source()), MAIN_KEY: "sk-main", DOCS_KEY: "docs", **HOSTS})
        self.catalogs = CatalogSource(store=self.store, stage=STAGE, ttl_seconds=TTL, clock=self.clock)

    def later(self) -> None:
        """Move the clock past the time to live of the catalog."""
        self.clock.now += TTL
        self.store.calls.clear()
