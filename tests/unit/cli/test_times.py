"""Moments and durations on the command line."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import typer

from cli.times import ago, duration, iso, read_moment

NOW = datetime(2026, 11, 27, 8, 0, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Zone of the machine, which no time depends on."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setattr("time.time", NOW.timestamp)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("30s", "2026-11-27T08:00:00.000Z"),
        ("90m", "2026-11-27T06:30:30.000Z"),
        ("2h", "2026-11-27T06:00:30.000Z"),
        ("7d", "2026-11-20T08:00:30.000Z"),
        ("1w", "2026-11-20T08:00:30.000Z"),
        ("2026-11-27", "2026-11-27T00:00:00.000Z"),
        ("2026-11-27T07:30", "2026-11-27T07:30:00.000Z"),
        ("2026-11-27T07:30:00.250Z", "2026-11-27T07:30:00.250Z"),
        ("2026-11-27T07:30+02:00", "2026-11-27T05:30:00.000Z"),
    ],
)
def test_a_moment_is_a_time_ago_or_iso_8601_in_utc(text: str, moment: str) -> None:
    assert iso(read_moment(text)) == moment


@pytest.mark.parametrize("text", ["", "2", "h", "-2h", "2H", "1.5h", "yesterday", "27.11.2026", "999999w"])
def test_another_text_is_no_moment(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="must be a time ago such as 30m, 2h or 7d, or ISO 8601"):
        read_moment(text)


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        ("2026-11-27T08:00:31Z", "0 s"),
        ("2026-11-27T08:00:01Z", "29 s"),
        ("2026-11-27T07:01:00Z", "59 min"),
        ("2026-11-26T09:00:00Z", "23 h"),
        ("2026-11-20T08:00:00Z", "7 d"),
    ],
)
def test_an_age_is_in_its_largest_unit(moment: str, text: str) -> None:
    assert ago(datetime.fromisoformat(moment)) == text


def test_a_duration_has_the_unit_of_its_size() -> None:
    assert [duration(ms) for ms in (0, 999, 1_000, 59_900, 60_000, 845_999)] == [
        *("0 ms", "999 ms", "1.0 s", "59.9 s", "1 min 0 s", "14 min 5 s")
    ]
