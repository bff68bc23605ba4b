"""`datetime`: now, conversion, differences and calendar arithmetic."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import available_timezones

import pytest

from flexchat.errors import ToolError, ToolInputError
from functions.tools.builtin.date_time import ABBREVIATIONS, DateTime

NOW = datetime(2026, 3, 28, 23, 30, 15, 987_654, tzinfo=UTC)

handler = DateTime(now=lambda: NOW)


def moment_of(**arguments: Any) -> str:
    result: Any = handler(arguments)
    return result["datetime"]


def errors_of(**arguments: Any) -> tuple[str, ...]:
    with pytest.raises(ToolInputError) as error:
        handler(arguments)
    return error.value.errors


def test_the_current_time_is_in_utc_unless_a_zone_is_named():
    assert handler({"operation": "now"}) == {
        "datetime": "2026-03-28T23:30:15+00:00",
        "timezone": "UTC",
        "weekday": "Saturday",
        "unix": 1774740615,
    }


def test_the_current_time_in_a_zone_can_be_another_day():
    assert handler({"operation": "now", "timezone": "Asia/Tokyo"}) == {
        "datetime": "2026-03-29T08:30:15+09:00",
        "timezone": "Asia/Tokyo",
        "weekday": "Sunday",
        "unix": 1774740615,
    }


@pytest.mark.parametrize("name", ["europe/paris", " Europe/Paris ", "EUROPE/PARIS"])
def test_zone_names_are_case_insensitive(name: str):
    assert moment_of(operation="now", timezone=name) == "2026-03-29T00:30:15+01:00"


@pytest.mark.parametrize("name", ["America/New York", "america/new_york"])
def test_a_space_in_a_zone_name_is_an_underscore(name: str):
    assert moment_of(operation="now", timezone=name) == "2026-03-28T19:30:15-04:00"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Paris", "did you mean 'Europe/Paris'?"),
        ("Europe/Pariss", "did you mean 'Europe/Paris'"),
        ("../../etc/passwd", "such as 'Europe/Paris', 'UTC' or '+02:00'"),
        ("/etc/localtime", "such as 'Europe/Paris', 'UTC' or '+02:00'"),
        ("localtime", "such as 'Europe/Paris', 'UTC' or '+02:00'"),
        ("☃", "such as 'Europe/Paris', 'UTC' or '+02:00'"),
    ],
)
def test_an_unknown_zone_is_an_error_with_the_nearest_names(name: str, hint: str):
    (error,) = errors_of(operation="now", timezone=name)

    assert error.startswith(f"timezone must be an IANA time zone, not {name!r}; {hint}")


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("+02:00", "2026-03-29T01:30:15+02:00"),
        ("UTC+02:00", "2026-03-29T01:30:15+02:00"),
        ("GMT+2", "2026-03-29T01:30:15+02:00"),
        ("utc -0330", "2026-03-28T20:00:15-03:30"),
        ("UTC-5", "2026-03-28T18:30:15-05:00"),
        ("+14", "2026-03-29T13:30:15+14:00"),
        ("+00:00", "2026-03-28T23:30:15+00:00"),
        ("Etc/GMT+2", "2026-03-28T21:30:15-02:00"),
    ],
)
def test_an_offset_is_a_zone_whose_sign_is_that_of_the_clock(name: str, moment: str):
    assert moment_of(operation="now", timezone=name) == moment


@pytest.mark.parametrize("name", ["+15", "UTC+14:30", "GMT-99"])
def test_an_offset_of_more_than_14_hours_is_an_error(name: str):
    (error,) = errors_of(operation="now", timezone=name)

    assert error == f"timezone must be an offset of at most 14 hours, not {name!r}"


@pytest.mark.parametrize(
    ("name", "meant"),
    [("IST", "'Asia/Kolkata' or 'Europe/Dublin' or 'Asia/Jerusalem'"), ("cest", "'Europe/Berlin' or 'Europe/Paris'")],
)
def test_an_abbreviation_is_answered_with_what_it_may_mean(name: str, meant: str):
    (error,) = errors_of(operation="now", timezone=name)

    assert error == f"timezone must be an IANA time zone, not {name!r}; it may mean {meant}"


def test_every_meaning_of_an_abbreviation_is_a_zone():
    meant = {zone for zones in ABBREVIATIONS.values() for zone in zones}

    assert meant <= available_timezones()


def test_a_time_is_converted_to_another_zone():
    assert handler({"operation": "convert", "datetime": "2026-07-01T12:00:00Z", "to_timezone": "Asia/Kolkata"}) == {
        "datetime": "2026-07-01T17:30:00+05:30",
        "timezone": "Asia/Kolkata",
        "weekday": "Wednesday",
        "unix": 1782907200,
    }


@pytest.mark.parametrize(
    ("text", "timezone", "converted"),
    [
        ("2026-07-01T12:00", "Europe/Paris", "2026-07-01T10:00:00+00:00"),
        ("2026-07-01T12:00", None, "2026-07-01T12:00:00+00:00"),
        ("2026-07-01T12:00+05:00", "Europe/Paris", "2026-07-01T07:00:00+00:00"),
        ("2026-07-01", "Asia/Tokyo", "2026-06-30T15:00:00+00:00"),
        ("20260701T120000Z", None, "2026-07-01T12:00:00+00:00"),
        ("2026-W27-3", None, "2026-07-01T00:00:00+00:00"),
    ],
)
def test_a_time_without_an_offset_is_in_the_given_zone(text: str, timezone: str | None, converted: str):
    assert moment_of(operation="convert", datetime=text, timezone=timezone, to_timezone="UTC") == converted


@pytest.mark.parametrize(
    ("start", "amount", "unit", "moved"),
    [
        ("2026-01-31", 1, "months", "2026-02-28T00:00:00+00:00"),
        ("2024-01-31", 1, "month", "2024-02-29T00:00:00+00:00"),
        ("2026-03-31", -1, "months", "2026-02-28T00:00:00+00:00"),
        ("2026-01-15", -13, "months", "2024-12-15T00:00:00+00:00"),
        ("2024-02-29", 1, "years", "2025-02-28T00:00:00+00:00"),
        ("2024-02-29", 4, "YEAR", "2028-02-29T00:00:00+00:00"),
        ("2026-12-31T23:59:59", 1, "second", "2027-01-01T00:00:00+00:00"),
        ("2026-01-01", -1, "minutes", "2025-12-31T23:59:00+00:00"),
        ("2026-01-01", 2, "weeks", "2026-01-15T00:00:00+00:00"),
        ("2026-01-01T10:00+02:00", 1, "days", "2026-01-02T10:00:00+02:00"),
        ("2026-01-01", 0, "days", "2026-01-01T00:00:00+00:00"),
        ("2026-01-01", 2.0, "days", "2026-01-03T00:00:00+00:00"),
    ],
)
def test_time_is_added_by_the_calendar(start: str, amount: float, unit: str, moved: str):
    assert moment_of(operation="add", datetime=start, amount=amount, unit=unit) == moved


@pytest.mark.parametrize(
    ("start", "amount", "unit", "moved"),
    [
        # clocks go from 02:00 to 03:00 on 29 March 2026 and from 03:00 back to 02:00 on 25 October
        ("2026-03-28T12:00", 1, "days", "2026-03-29T12:00:00+02:00"),
        ("2026-03-28T12:00", 24, "hours", "2026-03-29T13:00:00+02:00"),
        ("2026-03-29T01:30", 1, "hours", "2026-03-29T03:30:00+02:00"),
        ("2026-03-28T02:30", 1, "days", "2026-03-29T03:30:00+02:00"),
        ("2026-02-28T02:30", 1, "months", "2026-03-28T02:30:00+01:00"),
        ("2026-10-25T01:30", 1, "hours", "2026-10-25T02:30:00+02:00"),
        ("2026-10-25T01:30", 2, "hours", "2026-10-25T02:30:00+01:00"),
    ],
)
def test_a_change_of_clocks_affects_added_hours_but_not_added_days(start: str, amount: int, unit: str, moved: str):
    moment = moment_of(operation="add", datetime=start, amount=amount, unit=unit, timezone="Europe/Paris")

    assert moment == moved


def test_time_is_added_to_now_without_a_given_time():
    assert moment_of(operation="add", amount=1, unit="days", timezone="Europe/Paris") == "2026-03-30T00:30:15+02:00"


def test_a_difference_has_elapsed_time_and_calendar_units():
    assert handler({"operation": "difference", "datetime": "2026-01-31", "other": "2026-03-01T12:30:05"}) == {
        "seconds": 2550605,
        "other_is": "later",
        "elapsed": {"days": 29, "hours": 12, "minutes": 30, "seconds": 5},
        "calendar": {"years": 0, "months": 1, "days": 1},
    }


def test_a_difference_backwards_is_negative():
    assert handler({"operation": "difference", "datetime": "2026-03-01", "other": "2020-02-29"}) == {
        "seconds": -189388800,
        "other_is": "earlier",
        "elapsed": {"days": 2192, "hours": 0, "minutes": 0, "seconds": 0},
        "calendar": {"years": 6, "months": 0, "days": 1},
    }


def test_the_same_time_in_two_zones_has_no_difference():
    same: Any = handler(
        {"operation": "difference", "datetime": "2026-01-01T12:00+01:00", "other": "2026-01-01T06:00-05:00"}
    )

    assert same == {
        "seconds": 0,
        "other_is": "equal",
        "elapsed": {"days": 0, "hours": 0, "minutes": 0, "seconds": 0},
        "calendar": {"years": 0, "months": 0, "days": 0},
    }


def test_a_difference_across_a_change_of_clocks_counts_elapsed_time():
    result: Any = handler(
        {
            "operation": "difference",
            "datetime": "2026-03-28T12:00",
            "other": "2026-03-29T12:00",
            "timezone": "Europe/Paris",
        }
    )

    assert (result["elapsed"]["hours"], result["calendar"]["days"]) == (23, 1)


def test_a_difference_within_the_repeated_hour_is_never_a_negative_month():
    result: Any = handler(
        {
            "operation": "difference",
            "datetime": "2026-10-25T02:50",
            "other": "2026-10-25T01:10:00+00:00",
            "timezone": "Europe/Paris",
        }
    )

    assert (result["seconds"], result["calendar"]) == (1200, {"years": 0, "months": 0, "days": 0})


def test_fractions_of_a_second_are_preserved():
    result: Any = handler({"operation": "difference", "datetime": "2026-01-01T00:00:00.5", "other": "2026-01-01"})

    assert result["seconds"] == -0.5


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "Missing required parameter: operation"),
        ({"operation": "tomorrow"}, "operation must be one of: now, convert, difference, add"),
        ({"operation": "convert"}, "Missing required parameter: to_timezone"),
        ({"operation": "convert", "to_timezone": "UTC"}, "Missing required parameter: datetime"),
        ({"operation": "difference", "datetime": "2026-01-01"}, "Missing required parameter: other"),
        ({"operation": "add", "unit": "days"}, "Missing required parameter: amount"),
        ({"operation": "add", "amount": 1}, "Missing required parameter: unit"),
        ({"operation": "add", "amount": 1.5, "unit": "days"}, "amount must be an integer"),
        ({"operation": "add", "amount": True, "unit": "days"}, "amount must be an integer"),
        (
            {"operation": "add", "amount": 10**10, "unit": "days"},
            "amount must be at least -1000000000 and at most 1000000000",
        ),
        (
            {"operation": "add", "amount": 1, "unit": "fortnights"},
            "unit must be one of: seconds, minutes, hours, days, weeks, months, years",
        ),
        (
            {"operation": "convert", "to_timezone": "UTC", "datetime": "next Tuesday"},
            "datetime must be a date and time in ISO 8601, such as '2026-03-29T14:30:00+02:00' or '2026-03-29'",
        ),
        (
            {"operation": "difference", "datetime": "2026-01-01", "other": "2026-02-30"},
            "other must be a date and time in ISO 8601, such as '2026-03-29T14:30:00+02:00' or '2026-03-29'",
        ),
        ({"operation": "now", "timezone": 5}, "timezone must be a string"),
        ({"operation": "now", "timezone": "x" * 65}, "timezone must have at most 64 characters"),
    ],
)
def test_invalid_arguments_are_an_error_with_the_correct_form(arguments: dict[str, Any], error: str):
    assert errors_of(**arguments) == (error,)


@pytest.mark.parametrize(
    "arguments",
    [
        {"operation": "add", "datetime": "9999-12-31T23:00", "amount": 2, "unit": "hours"},
        {"operation": "add", "datetime": "0001-01-01", "amount": -1, "unit": "days"},
        {"operation": "add", "datetime": "2026-01-01", "amount": 9_999, "unit": "years"},
        {"operation": "add", "datetime": "2026-01-01", "amount": -30_000, "unit": "months"},
        {"operation": "add", "datetime": "2026-01-01", "amount": 10**9, "unit": "weeks"},
        {"operation": "convert", "datetime": "0001-01-01", "to_timezone": "America/New_York"},
    ],
)
def test_a_result_outside_the_calendar_is_an_error(arguments: dict[str, Any]):
    with pytest.raises(ToolError) as error:
        handler(arguments)

    assert error.value.message == "The result must be in the years 1 to 9999"
