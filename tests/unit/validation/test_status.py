from datetime import UTC, datetime

import pytest

from flexchat.api.rates import BadgeView, RateView
from flexchat.validation.records import ModelTallies, Tally
from flexchat.validation.statistics import wilson
from flexchat.validation.status import TREND_DAYS, status_view
from flexchat.validation.views import DayView, ModelStatusView, ProvenanceView

MODEL = "openai:gpt-4o"
AT = datetime(2026, 3, 1, 10, 30, 15, tzinfo=UTC).timestamp()


def rate_view(successes: int, tests: int) -> RateView:
    rate = wilson(successes, tests)
    return RateView(tests=tests, successes=successes, rate=rate.rate, low=rate.low, high=rate.high)


def test_a_model_without_records_is_untested() -> None:
    assert status_view(ModelTallies(MODEL)) == ModelStatusView(
        model_id=MODEL,
        tested=False,
        validated=False,
        badge=BadgeView(symbol="🔧⚠️", text="not tested", tooltip="no tests yet"),
    )


def test_a_status_has_rates_means_trend_and_badge() -> None:
    total = Tally(
        tests=20,
        successes=18,
        errors=2,
        no_tool_calls=3,
        latency_ms=30_000,
        input_tokens=9_000,
        output_tokens=1_000,
        cost_micros=5_000_000,
        priced=10,
        last_tested=AT,
    )
    tallies = ModelTallies(
        MODEL,
        total=total,
        categories={"parallel": Tally(tests=5, successes=3), "single": Tally(tests=15, successes=15), "types": Tally()},
        days={
            "2026-03-01": Tally(tests=8, successes=8),
            "2026-02-27": Tally(tests=12, successes=10),
            "2026-02-28": Tally(errors=2),
        },
    )
    status = status_view(tallies)
    assert status == ModelStatusView(
        model_id=MODEL,
        tested=True,
        validated=True,
        test_count=20,
        success_count=18,
        rate=rate_view(18, 20),
        state="undecided",
        categories={"single": rate_view(15, 15), "parallel": rate_view(3, 5)},
        trend=(DayView(day="2026-02-27", tests=12, successes=10), DayView(day="2026-03-01", tests=8, successes=8)),
        last_tested="2026-03-01T10:30:15Z",
        errors=2,
        no_tool_calls=3,
        latency_ms=1_500.0,
        tokens=500.0,
        cost_usd=0.5,
        badge=BadgeView(
            symbol="🔧✓",
            text="validated",
            tooltip="passed 18 of 20 tests: 90%, with 95% certainty from 70% to 97%; last tested 2026-03-01 10:30 UTC",
        ),
        tests_by_provenance=ProvenanceView(real=0, demo=0, unknown=20),
    )
    assert list(status.categories) == ["single", "parallel"]


def test_a_model_below_80_percent_has_a_warning() -> None:
    badge = status_view(ModelTallies(MODEL, total=Tally(tests=1, last_tested=AT))).badge
    assert badge == BadgeView(
        symbol="🔧⚠️",
        text="not validated",
        tooltip="passed 0 of 1 test: 0%, with 95% certainty from 0% to 79%; last tested 2026-03-01 10:30 UTC",
    )


def test_errors_alone_count_as_untested() -> None:
    status = status_view(ModelTallies(MODEL, total=Tally(errors=3, no_tool_calls=1)))
    assert (status.tested, status.rate, status.state, status.errors, status.no_tool_calls, status.latency_ms) == (
        False, None, "untested", 3, 1, None,
    )  # fmt: skip


def test_an_unknown_cost_is_omitted() -> None:
    assert status_view(ModelTallies(MODEL, total=Tally(tests=2, successes=2))).cost_usd is None


def test_a_trend_has_the_latest_days() -> None:
    days = {f"2026-{month:02}-{day:02}": Tally(tests=1) for month in (1, 2) for day in range(1, 29)}
    trend = status_view(ModelTallies(MODEL, total=Tally(tests=56), days=days)).trend
    assert [day.day for day in trend] == sorted(days)[-TREND_DAYS:]


REAL, DEMO = Tally(tests=20, successes=4), Tally(tests=30, successes=30, demo=30)


def test_tests_of_the_demo_model_never_count_for_a_real_one() -> None:
    tallies = ModelTallies(MODEL, real=ModelTallies(MODEL, REAL), demo=ModelTallies(MODEL, DEMO))

    as_real, as_demo = status_view(tallies), status_view(tallies, demo=True)

    assert (as_real.test_count, as_real.success_count, as_real.state, as_real.demo) == (20, 4, "failing", None)
    assert (as_demo.test_count, as_demo.success_count, as_demo.state, as_demo.demo) == (30, 30, "proven", True)
    both = ProvenanceView(real=20, demo=30, unknown=0)
    assert (as_real.tests_by_provenance, as_demo.tests_by_provenance) == (both, both)


@pytest.mark.parametrize(
    ("earlier", "as_real", "as_demo"),
    [
        (Tally(tests=10, successes=9), 30, 30),  # unknown: they count for a real model, as before, not for the demo
        (Tally(tests=10, successes=9, demo=10), 20, 40),
        (Tally(tests=10, successes=9, demo=3), 20, 30),  # mixed: the successes are not separate
    ],
)
def test_tests_of_earlier_versions_count_where_their_kind_is_certain(
    earlier: Tally, as_real: int, as_demo: int
) -> None:
    tallies = ModelTallies(MODEL, earlier, real=ModelTallies(MODEL, REAL), demo=ModelTallies(MODEL, DEMO))

    assert status_view(tallies).test_count == as_real
    assert status_view(tallies, demo=True).test_count == as_demo
    assert sum(status_view(tallies).tests_by_provenance.model_dump().values()) == 60  # type: ignore[union-attr]
