"""Discovery of the providers' models: listed in parallel within seconds, and cached for minutes."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from msgspec import Struct

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Clock, Deadline, call_with_timeout
from flexchat.errors import ConfigError, ModelError
from flexchat.observability import logger
from functions.chat.providers.base import ListedModel, Provider

LISTING_SECONDS = 5.0
"""Timeout of one provider's list of models."""

FRESH_SECONDS = 300.0
RETRY_SECONDS = 30.0
"""Lifetime of a cached list and of a cached failure."""


class Listing(Struct, frozen=True):
    """Models of one llm as its provider lists them, or the error, without secrets."""

    models: tuple[ListedModel, ...] = ()
    error: str | None = None


class _CacheEntry(Struct, frozen=True):
    config: LlmConfig
    listing: Listing
    until: float


class Discovery:
    """Cache of the listings of one environment; `seconds` is the timeout of each provider."""

    def __init__(self, *, clock: Clock, seconds: float = LISTING_SECONDS) -> None:
        self._seconds = seconds
        self._clock = clock
        self._cache: dict[str, _CacheEntry] = {}

    def listings(self, llms: Mapping[str, LlmConfig], provider: Callable[[str], Provider]) -> Mapping[str, Listing]:
        """Return the listing of each of `llms`, in their order.

        `provider` returns the adapter of an llm or raises ConfigError. A failure does not affect the others.
        """
        now = self._clock()
        listings = {name: entry.listing for name, config in llms.items() if (entry := self._fresh(name, config, now))}
        due = [name for name in llms if name not in listings]
        if due:
            # In this thread: modules that threads import at the same time can see each other half initialized.
            adapters = [_adapter(provider, name) for name in due]
            with ThreadPoolExecutor(max_workers=len(due)) as pool:
                listings |= zip(due, pool.map(partial(_list_models, self._seconds), due, adapters), strict=True)
        for name in due:
            seconds = FRESH_SECONDS if listings[name].error is None else RETRY_SECONDS
            self._cache[name] = _CacheEntry(llms[name], listings[name], now + seconds)
        return {name: listings[name] for name in llms}

    def _fresh(self, name: str, config: LlmConfig, now: float) -> _CacheEntry | None:
        entry = self._cache.get(name)
        return entry if entry is not None and entry.config == config and now < entry.until else None


def _adapter(provider: Callable[[str], Provider], name: str) -> Provider | ConfigError:
    try:
        return provider(name)
    except ConfigError as exc:
        return exc


def _list_models(seconds: float, name: str, adapter: Provider | ConfigError) -> Listing:
    try:
        if isinstance(adapter, ConfigError):
            raise adapter
        deadline = Deadline.after(seconds)
        models = call_with_timeout(seconds, lambda: adapter.list_models(deadline))
    except TimeoutError:
        error = f"timeout: no list of models within {seconds:g} s"
    except ModelError as exc:
        error = f"{exc.type}: {exc.message}"
    except ConfigError as exc:
        error = f"configuration: {exc}"
    else:
        return Listing(models=tuple(models))
    logger.warning("models not listed", provider=name, error=error)
    return Listing(error=error)
