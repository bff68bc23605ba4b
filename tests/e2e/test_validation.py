"""Validation runs on the local stack with its queue, schedule and concurrent workers."""

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from cli.layout import Layout
from flexchat.validation.views import History, RunList, StatusList, SuiteView, ValidationRunView
from tests.e2e.commands import flexchat
from tests.e2e.conftest import AwsClients

FUNCTION = "flexchat-local-validation"
SCHEDULE = "flexchat-local-validation"
MODEL = "openai:skill-100"
SUITE = "some-of-the-default"
CASES = 6

RUN_SECONDS = 90.0
FIRES_SECONDS = 150.0
POLL_SECONDS = 0.5


@pytest.fixture
def suite(api: httpx2.Client) -> Iterator[SuiteView]:
    """Suite of an operator with every twelfth case of the built-in one."""
    whole = api.get("/api/validation/suites/default").json()
    body = {**whole, "name": SUITE, "cases": whole["cases"][:: len(whole["cases"]) // CASES][:CASES]}
    response = api.put(f"/api/validation/suites/{SUITE}", json=body)
    assert response.status_code == 200, response.text
    yield SuiteView.model_validate(response.json())
    assert api.delete(f"/api/validation/suites/{SUITE}").status_code == 204


@pytest.fixture
def scheduled(default_configuration: None, layout: Layout, tmp_path: Path, suite: SuiteView) -> None:
    """Configuration with a validation section for the schedule."""
    del default_configuration
    configuration = json.loads((layout.root / "config" / "flexchat.json").read_text())
    section = {"models": [MODEL], "suite": suite.name, "stop_early": False}
    file = tmp_path / "flexchat.json"
    file.write_text(json.dumps({**configuration, "validation": section}))
    flexchat("local", "up", "--config", str(file))


def _run(api: httpx2.Client, id: str) -> ValidationRunView:
    response = api.get(f"/api/validation/runs/{id}")
    assert response.status_code == 200, response.text
    return ValidationRunView.model_validate(response.json())


def _ended(api: httpx2.Client, id: str) -> ValidationRunView:
    until = time.monotonic() + RUN_SECONDS
    while (run := _run(api, id)).status in ("queued", "running"):
        assert time.monotonic() < until, run
        time.sleep(POLL_SECONDS)
    return run


def _runs(api: httpx2.Client) -> dict[str, ValidationRunView]:
    listed = RunList.model_validate(api.get("/api/validation/runs").json())
    return {run.id: run for run in listed.runs}


def test_run_executes_and_records_every_case_once(api: httpx2.Client, suite: SuiteView) -> None:
    before = History.model_validate(api.get("/api/tools/validate", params={"model": MODEL}).json())

    accepted = api.post("/api/tools/validate", json={"model": MODEL, "suite": suite.name, "stop_early": False})
    run = _ended(api, accepted.json()["id"])

    assert (accepted.status_code, accepted.headers["location"]) == (202, f"/api/validation/runs/{run.id}")
    assert (run.status, run.total, run.done, run.passed) == ("finished", CASES, CASES, CASES)
    assert len({verdict.case for verdict in run.verdicts}) == len(run.verdicts) == CASES
    after = History.model_validate(api.get("/api/tools/validate", params={"model": MODEL}).json())
    assert after.status.test_count == before.status.test_count + CASES
    assert {record.run for record in after.records[:CASES]} == {run.id}
    assert MODEL in [
        status.model_id for status in StatusList.model_validate(api.get("/api/tools/validation").json()).validations
    ]


def test_url_encoded_model_is_accepted_in_the_path(api: httpx2.Client) -> None:
    by_path = api.get(f"/api/tools/validate/{MODEL.replace(':', '%3A')}")
    by_query = api.get("/api/tools/validate", params={"model": MODEL})

    assert by_path.status_code == 200
    assert by_path.json() == by_query.json()


def test_stopped_run_stays_stopped(api: httpx2.Client, suite: SuiteView) -> None:
    accepted = api.post("/api/tools/validate", json={"model": MODEL, "suite": suite.name, "repeats": 100}).json()

    stopped = api.delete(f"/api/validation/runs/{accepted['id']}")

    assert (stopped.status_code, stopped.json()["status"]) == (200, "stopped")
    assert api.post(f"/api/validation/runs/{accepted['id']}/resume").status_code == 409


@pytest.mark.usefixtures("scheduled")
def test_schedule_delivered_twice_starts_and_records_one_run(api: httpx2.Client, aws: AwsClients) -> None:
    occasion = {"name": SCHEDULE, "execution_id": uuid4().hex, "scheduled_time": "2027-01-15T03:00:00Z"}

    first, second = (_invoked(aws, {"schedule": occasion}) for _ in range(2))
    run = _ended(api, first["run"])
    third = _invoked(aws, {"schedule": occasion})

    assert first == second == third
    assert (run.status, run.done, len(run.verdicts)) == ("finished", CASES, CASES)


@pytest.mark.slow
@pytest.mark.usefixtures("scheduled")
def test_schedule_starts_a_run_with_records(api: httpx2.Client, aws: AwsClients) -> None:
    scheduler = aws.client("scheduler")
    whole = scheduler.get_schedule(Name=SCHEDULE)
    own = {name: whole[name] for name in ("ScheduleExpression", "FlexibleTimeWindow", "Target", "State")}
    earlier = set(_runs(api))
    at = f"at({datetime.now(UTC):%Y-%m-%dT%H:%M:%S})"

    scheduler.update_schedule(Name=SCHEDULE, **{**own, "ScheduleExpression": at, "State": "ENABLED"})
    try:
        started = _started(api, earlier)
    finally:
        scheduler.update_schedule(Name=SCHEDULE, **own)

    run = _ended(api, started)
    assert (own["State"], run.status, run.suite, run.passed) == ("DISABLED", "finished", SUITE, CASES)


def _started(api: httpx2.Client, earlier: set[str]) -> str:
    """Return the id of a new run that is not in `earlier`."""
    until = time.monotonic() + FIRES_SECONDS
    while not (new := set(_runs(api)) - earlier):
        assert time.monotonic() < until, "the schedule did not fire"
        time.sleep(POLL_SECONDS)
    return new.pop()


def _invoked(aws: AwsClients, event: dict[str, Any]) -> dict[str, Any]:
    response = aws.lambdas().invoke(FunctionName=FUNCTION, Payload=json.dumps(event).encode())
    assert "FunctionError" not in response
    return json.loads(response["Payload"].read())
