"""Limits of the callers of searches and calibrations."""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager

from msgspec import Struct

from flexchat.config.catalog import Catalog
from flexchat.config.models.limits import LimitsConfig
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.limits.rate_limits import LimitedCaller, RateLimits
from flexchat.limits.refusals import report_unenforced
from flexchat.sessions import text_tokens


class SearchLimits(Struct, frozen=True, kw_only=True):
    """Admits searches by the limits of the current configuration."""

    catalog: Callable[[Deadline], Catalog]
    limits: RateLimits
    stage: str

    @contextmanager
    def admitted(self, caller: LimitedCaller, texts: Iterable[str], *, deadline: Deadline) -> Generator[None]:
        """Count a request for a `with` block, and the tokens of its `texts` if it succeeds.

        Raises RequestError (429) for a reached limit.
        """
        tokens = sum(map(text_tokens, texts))
        admission = self.limits.admit(
            caller,
            self._config(deadline),
            tokens=lambda: tokens,
            session_id=None,
            seconds=deadline.remaining(),
            deadline=deadline,
        )
        used = 0
        try:
            yield
            used = tokens
        finally:
            admission.settle(used, deadline=deadline)

    def _config(self, deadline: Deadline) -> LimitsConfig:
        """Return the configured limits; none without a configuration, which no search of a collection needs."""
        try:
            return self.catalog(deadline).configuration.limits
        except FlexchatError as error:
            report_unenforced("configuration", error, self.stage)
            return LimitsConfig()
