"""Limits and rights of the callers of searches and calibrations."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from msgspec import Struct

from flexchat.config.access import ALL_RIGHTS, Rights, rights_of
from flexchat.config.catalog import Catalog
from flexchat.config.models.limits import LimitsConfig
from flexchat.config.models.roles import RoleConfig
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, FlexchatError
from flexchat.http_api.caller import Caller
from flexchat.limits.rate_limits import LimitedCaller, RateLimits
from flexchat.limits.refusals import report_unenforced


class SearchLimits(Struct, frozen=True, kw_only=True):
    """Admits searches by the limits and the roles of the current configuration."""

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

    def rights(self, caller: Caller, *, deadline: Deadline) -> Rights:
        """Return the rights of a caller.

        Raises RequestError (403) for one without a configured role, and ConfigError or UnavailableError when the rights
        cannot be read. Callers with built-in roles alone have those of every collection while no configuration is
        published.
        """
        if caller.is_operator:
            return ALL_RIGHTS
        try:
            roles = self.catalog(deadline).configuration.roles
        except ConfigError:
            if caller.own_roles:
                raise
            roles = dict[str, RoleConfig]()
        return rights_of(caller, roles)

    def _config(self, deadline: Deadline) -> LimitsConfig:
        """Return the configured limits; none without a configuration, which no search of a collection needs."""
        try:
            return self.catalog(deadline).configuration.limits
        except FlexchatError as error:
            report_unenforced("configuration", error, self.stage)
            return LimitsConfig()
