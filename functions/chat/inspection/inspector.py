"""Views of the current configuration for users and operators."""

from flexchat.api.listings import ModelList, ToolList
from flexchat.deadline import Deadline
from functions.chat.inspection.configuration import configuration_view
from functions.chat.inspection.listings import list_models, list_tools
from functions.chat.inspection.rule_match import match_profile
from functions.chat.inspection.views import ConfigurationView, RuleMatch, RuleMatchView
from functions.chat.runtime import RuntimeCache

LISTING_SECONDS = 25.0
"""Maximum time of a list, inside the limit of the API."""


class Inspector:
    """Read-only views of the current configuration of a stage.

    Every method raises ConfigError or UnavailableError when the configuration cannot be read.
    """

    def __init__(self, *, runtimes: RuntimeCache, stage: str) -> None:
        self._runtimes = runtimes
        self._stage = stage

    def list_tools(self, deadline: Deadline) -> ToolList:
        """Return every offered tool, and every configured entry that is not in use with the reasons."""
        return list_tools(self._runtimes.current(deadline.within(LISTING_SECONDS)))

    def list_models(self, deadline: Deadline) -> ModelList:
        """Return every configured llm's models with their capabilities. Takes seconds when a provider is slow."""
        due = deadline.within(LISTING_SECONDS)
        return list_models(self._runtimes.current(due), self._runtimes.discovery, deadline=due)

    def show_configuration(self) -> ConfigurationView:
        """Return the live configuration without prompts, keys and headers."""
        return configuration_view(self._runtimes.current(), stage=self._stage)

    def match_rule(self, match: RuleMatch, *, deadline: Deadline) -> RuleMatchView:
        """Return the rule, model and tools for a profile."""
        return match_profile(match, self._runtimes.current(), deadline=deadline)
