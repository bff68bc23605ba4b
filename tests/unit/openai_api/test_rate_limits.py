"""Headers of OpenAI's API for a request beyond a limit."""

import pytest

from flexchat.errors import ReachedLimit, RequestError
from functions.chat.openai_api.errors import duration, rate_limit_headers


def error(limit: ReachedLimit | None, retry_after: float | None) -> RequestError:
    return RequestError("no", status=429, code="rate_limited", retry_after=retry_after, limit=limit)


def test_limit_of_requests_is_repeated_after_its_reset() -> None:
    limit = ReachedLimit("requests_per_minute", "caller", 600, used=600, resets_at=1_020.0)

    assert rate_limit_headers(error(limit, 19.5)) == {
        "x-ratelimit-limit-requests": "600",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "20s",
    }


def test_limit_of_a_day_is_not_repeated_by_clients() -> None:
    limit = ReachedLimit("tokens_per_day", "session", 100_000, used=100_000, resets_at=90_000.0)

    assert rate_limit_headers(error(limit, 40_000)) == {
        "x-ratelimit-limit-tokens": "100000",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "11h6m40s",
        "x-should-retry": "false",
    }


def test_tokens_reserved_by_running_requests_may_be_free_soon() -> None:
    limit = ReachedLimit("tokens_per_day", "caller", 100_000, used=100_000, resets_at=90_000.0)

    assert rate_limit_headers(error(limit, 5.0)) == {
        "x-ratelimit-limit-tokens": "100000",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "5s",
    }


@pytest.mark.parametrize(
    "limit",
    [
        None,
        ReachedLimit("tool_calls_per_minute", "caller", 5, used=5, resets_at=1_020.0),
        ReachedLimit("usd_per_month", "role", 12.5, used=12.6, resets_at=1_020.0, role="analyst"),
    ],
)
def test_other_limits_have_no_headers(limit: ReachedLimit | None) -> None:
    assert rate_limit_headers(error(limit, 2.0)) == {}


def test_limit_without_a_time_is_reset_after_a_second() -> None:
    limit = ReachedLimit("requests_per_minute", "caller", 1, used=1, resets_at=999.0)

    assert rate_limit_headers(error(limit, None))["x-ratelimit-reset-requests"] == "1s"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0s"), (59, "59s"), (60, "1m0s"), (360, "6m0s"), (3_600, "1h0m0s"), (86_399, "23h59m59s")]
)
def test_duration_has_the_units_that_are_needed(seconds: int, text: str) -> None:
    assert duration(seconds) == text
