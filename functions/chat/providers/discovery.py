"""What the providers say of their models: asked all at once, within seconds, and kept for some minutes."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ConfigError, ModelError
from flexchat.observability import logger
from flexchat.timeouts import call_with_timeout
from functions.chat.providers.base import Provider
from functions.chat.providers.model_listing import ListedModel

LISTING_SECONDS = 5.0
"""The longest that a list of models waits for one provider."""

FRESH_SECONDS = 300.0
RETRY_SECONDS = 30.0
"""How long a list is kept, and how long a failure."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The models of one llm as its provider lists them, or why it could not; `error` holds no secret."""

    models: tuple[ListedModel, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    config: LlmConfig
    listing: Listing
    until: float


class Discovery:
    """Keeps the listings of one environment; no provider is waited for longer than `seconds`."""

    def __init__(self, *, clock: Clock, seconds: float = LISTING_SECONDS) -> None:
        self._seconds = seconds
        self._clock = clock
        self._kept: dict[str, _Kept] = {}

    def listings(self, llms: Mapping[str, LlmConfig], provider: Callable[[str], Provider]) -> Mapping[str, Listing]:
        """The listing of each of `llms`, in their order.

        `provider` gives an llm's adapter or raises ConfigError. One that is down costs the others nothing.
        """
        now = self._clock()
        listings = {name: kept.listing for name, config in llms.items() if (kept := self._fresh(name, config, now))}
        due = [name for name in llms if name not in listings]
        if due:
            with ThreadPoolExecutor(max_workers=len(due)) as pool:
                listings |= zip(due, pool.map(partial(_ask, provider, self._seconds), due), strict=True)
        for name in due:
            seconds = FRESH_SECONDS if listings[name].error is None else RETRY_SECONDS
            self._kept[name] = _Kept(llms[name], listings[name], now + seconds)
        return {name: listings[name] for name in llms}

    def _fresh(self, name: str, config: LlmConfig, now: float) -> _Kept | None:
        kept = self._kept.get(name)
        return kept if kept is not None and kept.config == config and now < kept.until else None


def _ask(provider: Callable[[str], Provider], seconds: float, name: str) -> Listing:
    try:
        adapter = provider(name)  # outside the time for the answer: a client library may have to be loaded first
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
