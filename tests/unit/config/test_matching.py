"""Regular expressions of response rules."""

import pytest

from flexchat.config.matching import compile_match


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("/(weather|forecast)/", "the forecast", True),
        ("/(weather|forecast)/", "the Forecast", False),
        ("/(weather|forecast)/i", "the Forecast", True),
        ("weather|forecast", "the forecast", True),
        ("/^b$/m", "a\nb", True),
        ("/a.b/", "a\nb", False),
        ("/a.b/gs", "a\nb", True),
        ("a/b", "a/b", True),
        ("/", "a/b", True),
        ("//", "", True),
    ],
)
def test_a_pattern_with_or_without_slashes_is_searched(pattern: str, text: str, *, found: bool) -> None:
    assert (compile_match(pattern).search(text) is not None) is found


def test_a_pattern_with_catastrophic_backtracking_is_matched_in_linear_time() -> None:
    assert compile_match("/(a+)+$/").search("a" * 100_000 + "b") is None
