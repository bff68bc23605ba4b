"""End of the time of a test run."""

import time

import pytest

from tests import time_limit
from tests.conftest import pytest_runtest_setup


@pytest.mark.parametrize(("seconds", "over"), [(-1, True), (60, False)])
def test_the_time_is_over_after_the_end(monkeypatch: pytest.MonkeyPatch, seconds: int, over: bool) -> None:
    monkeypatch.setenv(time_limit.VARIABLE, str(time.time() + seconds))

    assert time_limit.is_over() is over


def test_a_run_without_an_end_is_never_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(time_limit.VARIABLE, raising=False)

    assert not time_limit.is_over()


def test_a_test_after_the_end_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(time_limit.VARIABLE, "1")

    with pytest.raises(pytest.skip.Exception, match="the time of this run is over"):
        pytest_runtest_setup()
