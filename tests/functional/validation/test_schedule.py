"""Runs started by the schedule, and notifications of regressions."""

import json
from typing import Any

import pytest

from flexchat.errors import ConfigError
from tests.functional.validation.fakes import BAD, GOOD, answer, suite
from tests.functional.validation.harness import CONFIGURATION, Service

PLACEHOLDERS = {"scheduled_time": "<aws.scheduler.scheduled-time>"}
EXECUTION = "<aws.scheduler.execution-id>"


def test_schedule_validates_the_configured_models(service: Service) -> None:
    budget = {"calls": 50, "tokens": None, "usd": None}
    section = {"models": [GOOD, BAD], "suite": "capitals", "repeats": 2, "stop_early": False, "budget": {"calls": 50}}
    service.configure({**CONFIGURATION, "validation": section})

    run = service.run(service.scheduled()["run"])

    assert (run["suite"], run["repeats"], run["total"], run["budget"]) == ("capitals", 2, 12, budget)
    assert [model["model"] for model in run["models"]] == [GOOD, BAD]


def test_execution_delivered_twice_is_one_run_recorded_once(service: Service) -> None:
    first = service.scheduled()
    second = service.scheduled(request_id="invocation-2")
    service.work()
    third = service.scheduled(request_id="invocation-3")
    service.work()

    assert first == second == third
    assert len(service.chat.trials) == 3
    assert [run["id"] for run in service.get("/api/validation/runs").body["runs"]] == [first["run"]]


def test_another_execution_starts_another_run(service: Service) -> None:
    assert service.scheduled("exec-1") != service.scheduled("exec-2")


def test_lost_plan_is_sent_by_the_next_delivery(service: Service) -> None:
    first = service.scheduled()
    service.queue.waiting.clear()

    service.scheduled()
    service.work()

    assert service.run(first["run"])["status"] == "finished"


def test_schedule_time_identifies_a_run_without_an_execution_id(service: Service) -> None:
    times = ("2027-01-15T03:00:00Z", "2027-01-15T03:00:00Z", "2027-01-16T03:00:00Z")
    first, second, third = (service.scheduled(EXECUTION, scheduled_time=time) for time in times)

    assert first == second != third


def test_invocation_id_identifies_a_run_without_execution_id_and_time(service: Service) -> None:
    first, retried, other = (
        service.scheduled(EXECUTION, request_id=request_id, **PLACEHOLDERS) for request_id in ("one", "one", "two")
    )

    assert first == retried != other


def test_schedule_without_models_starts_no_run(service: Service) -> None:
    service.configure({**CONFIGURATION, "validation": {}})

    assert service.scheduled() == {"run": None}
    assert not service.queue.waiting


@pytest.mark.parametrize(
    "section",
    [
        {"models": ["nowhere:m"]},
        {"models": [GOOD], "suite": "missing"},
        {"models": ["demo:bad"], "budget": {"usd": 0.5}},
    ],
)
def test_invalid_schedule_configuration_raises_an_error(service: Service, section: Any) -> None:
    service.configure({**CONFIGURATION, "validation": section})

    with pytest.raises(ConfigError, match="validation: "):
        service.scheduled()


def _proven(service: Service) -> None:
    service.put_suite(suite("many", cases=20))
    service.begin(suite="many", stop_early=False)
    service.work()
    assert service.get("/api/tools/validate").body["validations"][0]["state"] == "proven"
    assert service.bus.entries == []


@pytest.mark.slow
def test_regression_of_a_proven_model_is_an_event_a_metric_and_a_log_event(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    _proven(service)
    service.chat.reply = lambda trial: answer(trial, calls=False)

    run_id = service.begin(suite="many", stop_early=False)
    service.work()

    (event,) = service.bus.entries
    detail = json.loads(event.pop("Detail"))
    assert event == {"Source": "flexchat.validation", "DetailType": "Model Regressed"}
    assert (detail["stage"], detail["run"], detail["model"]) == ("test", run_id, GOOD)
    assert detail["reason"] == "it was proven and is failing with the 20 tests of this run"
    assert (detail["run_rate"]["successes"], detail["total_rate"]["tests"]) == (0, 40)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (metric,) = [line for line in lines if "ModelRegressions" in line]
    assert (metric["stage"], metric["ModelRegressions"]) == ("test", [1.0])
    [definition] = metric["_aws"]["CloudWatchMetrics"]
    assert (definition["Namespace"], definition["Dimensions"]) == ("Flexchat", [["stage"]])
    (logged,) = [line for line in lines if line.get("message") == "model regressed"]
    assert (logged["level"], logged["model"]) == ("ERROR", GOOD)


@pytest.mark.slow
def test_regression_within_the_budget_is_reported(service: Service) -> None:
    _proven(service)
    service.chat.reply = lambda trial: answer(trial, calls=False)

    service.begin(suite="many", stop_early=False, budget={"calls": 12})
    service.work()

    assert len(service.bus.entries) == 1


@pytest.mark.slow
def test_unproven_model_does_not_regress(service: Service) -> None:
    service.put_suite(suite("many", cases=20))
    service.begin(suite="many", model=BAD)
    service.work()
    service.begin(suite="many", model=BAD)
    service.work()

    assert service.bus.entries == []


@pytest.mark.slow
def test_failed_event_leaves_the_run_finished(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    _proven(service)
    service.bus.refuses = True
    service.chat.reply = lambda trial: answer(trial, calls=False)

    run_id = service.begin(suite="many", stop_early=False)
    service.work()

    assert service.run(run_id)["status"] == "finished"
    assert "regression event not published" in capsys.readouterr().out
