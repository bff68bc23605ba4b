"""Configuration that the local stack serves: that of its file, or one that was published after it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cli.configuration import Parameters, read_file
from cli.invocation import make
from cli.layout import LOCAL_STAGE, Layout
from cli.local_stack import StackState
from cli.stage_bucket import configuration_objects
from dev.local_stack.seeding import Authored, read_authored
from flexchat.config.providers import PROVIDERS
from flexchat.config.publication import StoredSource
from flexchat.errors import ConfigError
from flexchat.messages import Json

MAKE_UP: Final = "make up"
"""Comment of the versions that it publishes."""

UNKNOWN: Final = "unknown"
"""Value of `StackState.published` for a file that was never published, or by an earlier release."""

_REPLACED: Final = ("base_url", "api_key", "headers", "demo")
"""Keys of an llm that the demo model replaces."""


@dataclass(frozen=True, slots=True)
class Current:
    """Configuration of the stack; `kept` describes one that is not that of the file, empty for that of the file."""

    authored: Authored
    kept: str = ""

    @property
    def note(self) -> str:
        """Configuration that is used, with the command that returns to the file."""
        path = self.authored.path if self.authored.path.is_file() else Layout.here().root / "config" / "flexchat.json"
        back = f"`{make('up', f'CONFIG={path}')}` publishes the file"
        return f"{self.kept} is kept; {back}" if self.kept else f"the configuration is {self.authored.path}"


def published_version(store: Parameters) -> str:
    """Return the hash of the published configuration; empty without one."""
    return StoredSource.read(store, stage=LOCAL_STAGE).version


def read_current(state: StackState, environ: Mapping[str, str], *, store: Parameters) -> Current:
    """Return the configuration that a start or repair without a file publishes.

    It is that of the last file, with its changes, unless another one was published since: by the page, the API or
    `flexchat config rollback`; or the file is gone. Raises ConfigError.
    """
    path = Path(state.config)
    stored = StoredSource.read(store, stage=LOCAL_STAGE, history=configuration_objects(LOCAL_STAGE))
    if not stored.version or not stored.source or (path.is_file() and _is_of_file(state, stored)):
        return Current(read_authored(path, environ, store=store))
    source = authored_form(stored.source, _llms_of(path))
    return Current(read_authored(path, environ, store=store, source=source), kept=_described(stored))


def _is_of_file(state: StackState, stored: StoredSource) -> bool:
    if state.published:
        return state.published == stored.version
    return stored.active is None or stored.active.comment == MAKE_UP  # the record of an earlier release


def authored_form(source: Mapping[str, Json], authored: Mapping[str, Json]) -> dict[str, Json]:
    """Return a published configuration with the entries of `authored` in place of llms of the demo model.

    An llm without an entry of its type there gets the key that its type implies.
    """
    llms = source.get("llms")
    if not isinstance(llms, dict):
        return dict(source)
    return {**source, "llms": {name: _authored_llm(entry, authored.get(name)) for name, entry in llms.items()}}


def _authored_llm(entry: Json, own: Json) -> Json:
    if not isinstance(entry, dict) or not entry.get("demo"):
        return entry
    kind = entry.get("type")
    if isinstance(own, dict) and own.get("type") == kind:
        return own
    secret = next((provider.api_key_secret for name, provider in PROVIDERS.items() if name == kind), None)
    left = {key: value for key, value in entry.items() if key not in _REPLACED}
    return {**left, "api_key": f"${{{secret}}}"} if secret else left


def _llms_of(path: Path) -> Mapping[str, Json]:
    """Return the llms in a file; none for one that cannot be read."""
    try:
        llms = read_file(path).get("llms")
    except ConfigError:
        return {}
    return llms if isinstance(llms, dict) else {}


def _described(stored: StoredSource) -> str:
    active = stored.active
    if active is None:
        return "the published configuration"
    at = datetime.fromtimestamp(active.at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    by = f" by {active.by}" if active.by else ""
    comment = f" ({active.comment})" if active.comment else ""
    return f"version {active.number} of the configuration, published{by} on {at}{comment},"
