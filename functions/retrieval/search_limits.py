"""Limits of the callers of searches and calibrations."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from msgspec import Struct

from flexchat.config.catalog import Catalog
from flexchat.config.models.limits import LimitsConfig
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.limits.admission import report_unenforced
from flexchat.limits.rate_limits import LimitedCaller, RateLimits


class SearchLimits(Struct, frozen=True, kw_only=True):
    """Admits searches by the limits of the current configuration."""

    catalog: Callable[[Deadline], Catalog]
    limits: RateLimits
    stage: str

    def admitted(
        self, caller: LimitedCaller, texts: Iterable[str], *, deadline: Deadline
    ) -> AbstractContextManager[None]:
        """Count a request for a `with` block, and the tokens of its `texts` if it succeeds.

        Raises RequestError (429) for a reached limit.
        """
        return self.limits.admitted_texts(caller, self._config(deadline), texts, deadline=deadline)

    def _config(self, deadline: Deadline) -> LimitsConfig:
        """Return the configured limits; none without a configuration, which no search of a collection needs."""
        try:
            return self.catalog(deadline).configuration.limits
        except FlexchatError as error:
            report_unenforced("configuration", error, self.stage)
            return LimitsConfig()
