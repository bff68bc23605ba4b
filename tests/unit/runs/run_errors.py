"""Failing chats and metrics of runs."""

import json
from collections.abc import Callable

import pytest

from flexchat.errors import RequestError


def refused(call: Callable[[], object]) -> tuple[int, str]:
    with pytest.raises(RequestError) as caught:
        call()
    return caught.value.status, caught.value.code


def metrics(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, float]]:
    """Return the errors and counts of the RunsFailed metric."""
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    counted = [line for line in lines if "RunsFailed" in line]
    assert all(
        line["_aws"]["CloudWatchMetrics"]
        == [{"Namespace": "Flexchat", "Dimensions": [["error"]], "Metrics": [{"Name": "RunsFailed", "Unit": "Count"}]}]
        for line in counted
    )
    return [(line["error"], line["RunsFailed"][0]) for line in counted]
