"""A stage in a parameter store in memory."""

from collections.abc import Callable

from flexchat.aws.catalog import CatalogSource
from flexchat.config.encoding import StoredParameters
from flexchat.config.packed import pack, unpack
from flexchat.config.parameters import configuration_path
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
        self.spread = 0.0
        self.packed: StoredParameters | None = None
        self.catalogs = CatalogSource(
            store=self.store,
            packed=self,
            stage=STAGE,
            ttl_seconds=TTL,
            clock=self.clock,
            spread=lambda: self.spread,
        )

    def read(self) -> StoredParameters | None:
        """Return the packed configuration."""
        return self.packed

    def pack(self) -> None:
        """Pack the stored configuration, as a push does."""
        below = configuration_path(STAGE) + "/"
        stored = {name: value for name, value in self.store.parameters.items() if name.startswith(below)}
        self.packed = unpack(pack(stored, stage=STAGE), stage=STAGE)

    def later(self) -> None:
        """Move the clock past the time to live of the catalog."""
        self.clock.now += TTL
        self.store.calls.clear()
