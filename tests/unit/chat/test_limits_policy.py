"""The limits of a caller: the section's, overridden by role and token, limit by limit."""

import pytest
from pydantic import ValidationError

from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.http_api.caller import Caller
from flexchat.limits.rate_limits import limits_of

CONFIG = LimitsConfig.model_validate(
    {
        "comment": "for a test",
        "caller": {"requests_per_minute": 60, "tokens_per_day": 1_000},
        "roles": {"comment": "ours", "operator": {"requests_per_minute": 600}, "user": {"tool_calls_per_minute": 5}},
        "principals": {"batch": {"tokens_per_day": None}},
    }
)


@pytest.mark.parametrize(
    ("caller", "limits"),
    [
        (Caller("a", frozenset()), Limits(requests_per_minute=60, tokens_per_day=1_000)),
        (
            Caller("a", frozenset({"user"})),
            Limits(requests_per_minute=60, tool_calls_per_minute=5, tokens_per_day=1_000),
        ),
        (
            Caller("a", frozenset({"user", "operator"})),
            Limits(requests_per_minute=600, tool_calls_per_minute=5, tokens_per_day=1_000),
        ),
        (Caller("batch", frozenset({"operator"})), Limits(requests_per_minute=600)),
    ],
    ids=["any caller", "user", "operator", "one token"],
)
def test_the_limit_of_a_token_precedes_those_of_its_roles_and_of_all_callers(caller: Caller, limits: Limits) -> None:
    assert limits_of(caller, CONFIG) == limits


@pytest.mark.parametrize(
    "section",
    [
        {"caller": {"requests_per_minute": 0}},
        {"caller": {"requests_per_minute": "60"}},
        {"caller": {"requests_per_second": 1}},
        {"roles": {"No role": {}}},
        {"session": None},
    ],
)
def test_invalid_limits_are_rejected(section: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        LimitsConfig.model_validate(section)
