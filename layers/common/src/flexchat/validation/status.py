"""Validation status of a model, computed from its tallies, as shown by the API and by badges."""

from datetime import UTC, datetime
from typing import Final

from flexchat.api.rates import BadgeView, RateView
from flexchat.text import counted
from flexchat.validation.records import MICROS, ModelTallies, Tally
from flexchat.validation.statistics import Rate, state, validated, wilson
from flexchat.validation.verdicts import CATEGORIES
from flexchat.validation.views import ByHandView, DayView, ModelStatusView, ProvenanceView

VALIDATED_SYMBOL: Final = "🔧✓"
UNVALIDATED_SYMBOL: Final = "🔧⚠️"
"""Symbols of the badges of models."""

DEMO_TOOLTIP: Final = "the demo model follows fixed rules: its scores are no evidence about a real model"

TREND_DAYS: Final = 30
"""Maximum number of days in a trend; days without tests are skipped."""


def status_view(tallies: ModelTallies, by_hand: Tally | None = None, *, demo: bool = False) -> ModelStatusView:
    """Return the status of one model; the badge is for models that call tools, which is not in the tallies.

    `by_hand` are its manual tests that do not count; they are only shown. Only tests of the kind of model that answers
    now count: those of the demo model (`demo`), or those of any other.
    """
    every, tallies = tallies, tallies.counting(demo=demo)
    total = tallies.total
    tests = total.tests
    return ModelStatusView(
        model_id=tallies.model,
        tested=tests > 0,
        validated=validated(total),
        test_count=tests,
        success_count=total.successes,
        rate=_rate_view(total) if tests else None,
        state=state(total),
        categories={
            category: _rate_view(tallies.categories[category])
            for category in CATEGORIES
            if category in tallies.categories and tallies.categories[category].tests
        },
        trend=_trend(tallies),
        last_tested=_iso(total.last_tested) if total.last_tested else None,
        errors=total.errors,
        no_tool_calls=total.no_tool_calls,
        latency_ms=total.latency_ms / tests if tests else None,
        tokens=(total.input_tokens + total.output_tokens) / tests if tests else None,
        cost_usd=total.cost_micros / MICROS / total.priced if total.priced else None,
        badge=demo_badge(total) if demo else badge(total),
        demo=demo or None,
        tests_by_provenance=_provenance_view(every),
        by_hand=None if by_hand is None else _by_hand_view(by_hand),
    )


def _provenance_view(tallies: ModelTallies) -> ProvenanceView | None:
    """Return the tests by provenance; None without tests."""
    view = ProvenanceView(
        real=tallies.tests_of("real"), demo=tallies.tests_of("demo"), unknown=tallies.tests_of("unknown")
    )
    return view if view.real or view.demo or view.unknown else None


def _by_hand_view(tally: Tally) -> ByHandView:
    return ByHandView(
        tests=tally.tests, successes=tally.successes, errors=tally.errors, no_tool_calls=tally.no_tool_calls
    )


def badge(total: Tally) -> BadgeView:
    """Return the badge of a model that can call tools (decision C33): validated or not, and on how many tests."""
    if validated(total):
        return BadgeView(symbol=VALIDATED_SYMBOL, text="validated", tooltip=_tooltip(total))
    text = "not validated" if total.tests else "not tested"
    return BadgeView(symbol=UNVALIDATED_SYMBOL, text=text, tooltip=_tooltip(total))


def demo_badge(total: Tally) -> BadgeView:
    """Return the badge of the demo model, which is never that of a validated model."""
    return BadgeView(symbol=UNVALIDATED_SYMBOL, text="demo model", tooltip=f"{DEMO_TOOLTIP}; {_tooltip(total)}")


def _tooltip(total: Tally) -> str:
    if not total.tests:
        return "no tests yet"
    rate = wilson(total.successes, total.tests)
    low, high = round(rate.low * 100), round(rate.high * 100)
    tests = counted(rate.tests, "test")
    when = f"; last tested {_iso(total.last_tested)[:16].replace('T', ' ')} UTC" if total.last_tested else ""
    return f"passed {rate.successes} of {tests}: {rate.rate:.0%}, with 95% certainty from {low}% to {high}%{when}"


def _rate_view(tally: Tally) -> RateView:
    rate: Rate = wilson(tally.successes, tally.tests)
    return RateView(tests=rate.tests, successes=rate.successes, rate=rate.rate, low=rate.low, high=rate.high)


def _trend(tallies: ModelTallies) -> tuple[DayView, ...]:
    days = sorted(day for day, tally in tallies.days.items() if tally.tests)
    return tuple(
        DayView(day=day, tests=tallies.days[day].tests, successes=tallies.days[day].successes)
        for day in days[-TREND_DAYS:]
    )


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
