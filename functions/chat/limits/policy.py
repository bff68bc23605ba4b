"""The limits that apply to a caller."""

from collections.abc import Iterator
from typing import Final

from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.http_api.caller import Caller
from flexchat.tokens import Role

_ROLES: Final[tuple[Role, ...]] = ("user", "operator")
"""The last one that a caller has overrides the others."""


def limits_of(caller: Caller, config: LimitsConfig) -> Limits:
    """The limits of `caller`: those of every caller, overridden one by one by its roles' and by its own."""
    values: dict[str, int | None] = {}
    for limits in _layers(caller, config):
        values |= limits.model_dump(include=limits.model_fields_set)
    return Limits(**values)


def _layers(caller: Caller, config: LimitsConfig) -> Iterator[Limits]:
    yield config.caller
    yield from (config.roles[role] for role in _ROLES if role in caller.roles and role in config.roles)
    if own := config.principals.get(caller.principal):
        yield own
