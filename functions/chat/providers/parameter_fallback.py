"""What each model has refused so far, remembered for the life of the environment."""

from collections.abc import Callable

from flexchat.observability import logger
from functions.chat.providers.profiles import ModelProfile, UnsupportedParameterError


class LearnedProfiles:
    """The profiles of one llm's models: as `known` tells them, less what the server refused.

    `provider` is the llm's name, for the log.
    """

    def __init__(self, provider: str, known: Callable[[str], ModelProfile]) -> None:
        self._provider = provider
        self._known = known
        self._learned: dict[str, ModelProfile] = {}

    def ask[T](self, model: str, call: Callable[[ModelProfile], T]) -> T:
        """What `call` returns for the profile of `model`, called again without each parameter that is refused.

        A parameter is given up once: refused when it was not sent, the error is believed. Raises what `call` raises.
        """
        while True:
            profile = self._learned.get(model) or self._known(model)
            try:
                return call(profile)
            except UnsupportedParameterError as exc:
                if not profile.takes(exc.parameter):
                    raise
                self._learned[model] = profile.without(exc.parameter)
                logger.warning(
                    "model refuses a parameter", provider=self._provider, model=model, parameter=exc.parameter
                )
