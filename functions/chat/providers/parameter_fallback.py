"""Parameter fallback: a request is repeated without a parameter that its model refused."""

from collections.abc import Callable

from flexchat.observability import logger
from functions.chat.providers.profiles import ModelProfile, UnsupportedParameterError


class AdaptiveProfiles:
    """Profiles of one llm's models without the parameters that the server has refused so far.

    They last as long as the environment. `initial` returns a model's profile; `provider` is the llm's name in the log.
    """

    def __init__(self, provider: str, initial: Callable[[str], ModelProfile]) -> None:
        self._provider = provider
        self._initial = initial
        self._adapted: dict[str, ModelProfile] = {}

    def call[T](self, model: str, request: Callable[[ModelProfile], T], *, forces_tools: bool = False) -> T:
        """Return `request(profile)` of `model`, repeated without each parameter that the server refuses.

        A tool choice that `forces_tools` is first repeated as "auto". Raises the error of `request`, also where the
        server refuses a parameter that was not sent.
        """
        while True:
            profile = self._adapted.get(model) or self._initial(model)
            try:
                return request(profile)
            except UnsupportedParameterError as exc:
                refused = exc.parameter
                if not profile.supports(refused):
                    raise
                if refused == "tool_choice" and forces_tools and profile.supports("forced_tool_choice"):
                    refused = "forced_tool_choice"
                self._adapted[model] = profile.without(refused)
                logger.warning("parameter rejected", provider=self._provider, model=model, parameter=refused)
