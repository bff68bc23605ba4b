"""Parameter fallback: a request is repeated without a parameter that its model refused."""

from collections.abc import Callable
from functools import lru_cache
from time import monotonic
from typing import Final

from flexchat.deadline import Clock
from flexchat.observability import logger
from functions.chat.providers.base import NamedTool, ToolChoice
from functions.chat.providers.profiles import OF_ONE_REQUEST, ModelProfile, UnsupportedParameterError

MAX_STORED_PROFILES: Final = 64
"""Most models of one llm whose profiles are stored."""

REMEMBERED_SECONDS: Final = 3_600.0
"""Time after which a refused parameter is sent again: servers and their models are updated."""


class AdaptiveProfiles:
    """Profiles of one llm's models without the parameters that the server has refused in the last hour.

    `initial` returns a model's profile; `provider` is the llm's name in the log, and
    `required` parameters are never left out.
    """

    def __init__(
        self,
        provider: str,
        initial: Callable[[str], ModelProfile],
        *,
        required: frozenset[str] = frozenset(),
        clock: Clock = monotonic,
    ) -> None:
        self._provider = provider
        self._initial = lru_cache(maxsize=MAX_STORED_PROFILES)(initial)
        self._required = required
        self._clock = clock
        self._adapted: dict[str, tuple[ModelProfile, float]] = {}

    def call[T](self, model: str, request: Callable[[ModelProfile], T], *, choice: ToolChoice = "auto") -> T:
        """Return `request(profile)` of `model`, repeated without each parameter that the server refuses.

        A `choice` of one tool is first repeated as "required" with that tool alone, and a required call as "auto". What
        was refused is remembered once a request without it has succeeded. Raises the error of `request`, also where the
        server refuses a parameter that was not sent.
        """
        profile = learned = self._profile(model)
        initially = profile.unsupported
        while True:
            try:
                result = request(profile)
            except UnsupportedParameterError as exc:
                refused = exc.parameter
                if refused == "tool_choice":
                    refused = next((each for each in _forms_of(choice) if profile.supports(each)), refused)
                if refused in self._required or not profile.supports(refused):
                    raise
                profile = profile.without(refused)
                if refused not in OF_ONE_REQUEST:
                    learned = learned.without(refused)
                logger.warning("parameter rejected", provider=self._provider, model=model, parameter=refused)
            else:
                if learned.unsupported != initially:
                    self._adapted[model] = learned, self._clock() + REMEMBERED_SECONDS
                return result

    def _profile(self, model: str) -> ModelProfile:
        profile, until = self._adapted.get(model, (None, 0.0))
        return self._initial(model) if profile is None or until <= self._clock() else profile


def _forms_of(choice: ToolChoice) -> tuple[str, ...]:
    """Return what a model may refuse of a choice, the most special first."""
    named = ("named_tool_choice",) if isinstance(choice, NamedTool) else ()
    forced = () if choice in ("auto", "none") else ("forced_tool_choice",)
    return (*named, *forced)
