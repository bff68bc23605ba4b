"""Validation runs from start to end, and invalid requests."""

import json
from typing import Any

import pytest

from functions.validation.run_starter import MAX_ITEMS
from tests.functional.validation.fakes import BAD, GOOD, suite
from tests.functional.validation.harness import LambdaContext, Service, counts
from tests.unit.validation.harness import NOW

pytestmark = pytest.mark.slow


def test_run_executes_every_case_for_every_model_and_ends_with_verdicts(service: Service) -> None:
    run_id = service.begin(models=[GOOD, BAD], model=None, repeats=2)

    service.work()

    run = service.run(run_id)
    assert counts(run) == {
        "status": "finished",
        "total": 12,
        "done": 12,
        "passed": 6,
        "failed": 6,
        "errors": 0,
        "skipped": 0,
        "calls": 12,
    }
    assert [(model["model"], model["rate"]["successes"], model["done"]) for model in run["models"]] == [
        (GOOD, 6, 6),
        (BAD, 0, 6),
    ]
    assert run["tokens"] == 12 * 110
    assert run["cost_usd"] == pytest.approx(6 * (100 * 1.0 + 10 * 2.0) / 1_000_000)
    assert sorted((trial.model, trial.message) for trial in service.chat.trials) == sorted(
        2 * [(model, str(number)) for model in (GOOD, BAD) for number in (1, 2, 3)]
    )
    verdicts = [
        (verdict["model"], verdict["case"], verdict["repeat"], verdict["result"]) for verdict in run["verdicts"]
    ]
    assert verdicts == [
        (model, f"case-{number}", repeat, result)
        for model, result in ((BAD, "failed"), (GOOD, "passed"))
        for number in (1, 2, 3)
        for repeat in (1, 2)
    ]


def test_graded_cases_are_counted_once_per_model(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    service.begin(models=[GOOD, BAD], model=None)
    service.work()

    counted = [line for line in map(json.loads, capsys.readouterr().out.splitlines()) if "ValidationTests" in line]
    assert sorted((line["model"], *line["ValidationTests"], *line["ValidationPasses"]) for line in counted) == [
        *[(BAD, 1.0, 0.0)] * 3,
        *[(GOOD, 1.0, 1.0)] * 3,
    ]
    [definition] = counted[0]["_aws"]["CloudWatchMetrics"]
    assert definition == {
        "Namespace": "Flexchat",
        "Dimensions": [["model"]],
        "Metrics": [{"Name": name, "Unit": "Count"} for name in ("ValidationTests", "ValidationPasses")],
    }


def test_trial_has_the_case_and_the_tools_of_its_suite(service: Service) -> None:
    service.begin()
    service.work()

    (trial, *_) = sorted(service.chat.trials, key=lambda trial: trial.message)
    own = suite()
    assert (trial.model, trial.message, trial.history, trial.max_iterations) == (GOOD, "1", (), 8)
    assert [tool.name for tool in trial.tools or ()] == [tool["name"] for tool in own["tools"]]
    assert trial.deadline_ms == pytest.approx(240_000, abs=100)


def test_record_is_stored_completely(service: Service) -> None:
    run_id = service.begin()
    service.work()

    assert service.run(run_id)["verdicts"][0] == {
        "run": run_id,
        "model": GOOD,
        "case": "case-1",
        "repeat": 1,
        "suite": "capitals",
        "category": "single",
        "result": "passed",
        "reasons": [],
        "at": "2027-01-15T08:00:00.000+00:00",
        "latency_ms": 250,
        "tokens": 110,
        "cost_usd": 0.00012,
        "request_id": f"chat-{GOOD}-1",
        "counted": True,
        "provenance": "real",
        "server": "openai",
    }


@pytest.mark.parametrize(
    ("budget", "calls", "reason"),
    [
        ({"calls": 2}, 2, "the budget of 2 calls is spent"),
        ({"tokens": 110}, 1, "the budget of 110 tokens is spent"),
        ({"usd": 0.00024}, 2, "the budget of 0.00024 US dollars is spent"),
    ],
)
def test_run_stops_at_its_budget(service: Service, budget: dict[str, Any], calls: int, reason: str) -> None:
    run_id = service.begin(budget=budget)
    service.work()

    run = service.run(run_id)
    assert (run["status"], run["reason"], run["calls"], run["done"]) == ("stopped", reason, calls, calls)
    assert len(service.chat.trials) == calls


def test_run_whose_model_is_decided_with_the_last_call_of_its_budget_is_finished(service: Service) -> None:
    service.put_suite(suite("many", cases=30))
    run_id = service.begin(suite="many", budget={"calls": 13})
    service.work()

    run = service.run(run_id)
    assert (run["status"], run["calls"], run["skipped"]) == ("finished", 13, 17)
    assert "reason" not in run


def test_budget_in_dollars_is_refused_for_a_model_without_prices(service: Service) -> None:
    new = {"models": [GOOD, BAD], "suite": "capitals", "budget": {"usd": 0.5}}

    refused = service.post("/api/tools/validate", new)

    assert (refused.status, refused.body["error"]) == (400, "no_prices")
    assert refused.body["details"] == [
        {
            "path": "budget.usd",
            "message": f"{BAD!r} has no prices; set 'input_price' and 'output_price' in a profile",
        }
    ]
    assert not service.queue.waiting


def test_decided_model_is_not_called_again(service: Service) -> None:
    service.put_suite(suite("many", cases=30))
    run_id = service.begin(suite="many", models=[BAD])
    service.work()

    run = service.run(run_id)
    good, bad = run["models"]
    assert (good["model"], good["decided"], good["done"]) == (GOOD, "passes", 30)
    assert (bad["model"], bad["decided"], bad["done"]) == (BAD, "fails", 30)
    assert run["status"] == "finished"
    assert run["skipped"] == good["skipped"] + bad["skipped"] == 60 - len(service.chat.trials)
    assert (good["rate"]["tests"], bad["rate"]["tests"]) == (13, 10)
    assert run["calls"] == 23


def test_early_stopping_can_be_disabled(service: Service) -> None:
    service.put_suite(suite("many", cases=30))
    service.begin(suite="many", stop_early=False)
    service.work()

    assert len(service.chat.trials) == 30


def test_cases_run_in_shuffled_order(service: Service) -> None:
    service.put_suite(suite("many", cases=30))
    service.begin(suite="many", stop_early=False)
    service.work()

    order = [int(trial.message) for trial in service.chat.trials]
    assert order != sorted(order)
    assert sorted(order) == list(range(1, 31))


def test_stopped_run_sends_no_further_request(service: Service) -> None:
    run_id = service.begin()
    service.deliver()
    service.deliver()

    stopped = service.request("DELETE", f"/api/validation/runs/{run_id}")
    service.work()

    assert (stopped.status, stopped.body["status"], stopped.body["reason"]) == (200, "stopped", "stopped on request")
    assert len(service.chat.trials) == 1
    assert (service.run(run_id)["done"], service.queue.dead) == (1, [])


def test_ended_run_cannot_be_stopped_or_resumed(service: Service) -> None:
    run_id = service.begin()
    service.work()

    for answered in (
        service.request("DELETE", f"/api/validation/runs/{run_id}"),
        service.post(f"/api/validation/runs/{run_id}/resume"),
    ):
        assert (answered.status, answered.body["error"]) == (409, "run_ended")


def test_run_uses_the_suite_version_of_its_start(service: Service) -> None:
    run_id = service.begin()
    service.put_suite(suite(cases=1))

    service.work()

    assert service.run(run_id)["done"] == 3


def test_run_without_its_suite_has_failed(service: Service) -> None:
    run_id = service.begin()
    service.deliver()
    service.restarted()
    keys = service.dynamodb.query(
        TableName="flexchat-test-validation",
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": f"B#RUN#{run_id}"}},
    )["Items"]
    for key in keys:
        service.dynamodb.delete_item(TableName="flexchat-test-validation", Key={"pk": key["pk"], "sk": key["sk"]})

    service.work()

    run = service.run(run_id)
    assert (run["status"], run["reason"]) == ("failed", "its stored suite is missing")
    assert service.chat.trials == []


def test_cost_is_omitted_without_a_configured_price(service: Service) -> None:
    run_id = service.begin()
    service.deliver()
    service.configure({"llms": {"other": {"type": "openai", "api_key": "none"}}, "responses": []})
    service.work()

    assert {verdict.get("cost_usd") for verdict in service.run(run_id)["verdicts"]} == {None}


@pytest.mark.parametrize(
    ("wanted", "status", "reason"),
    [
        ({"model": None}, 400, "model is required"),
        ({"model": "nowhere:model"}, 400, "some models are not configured"),
        ({"suite": "missing"}, 404, "suite 'missing' not found"),
        ({"models": [f"demo:m{number}" for number in range(50)], "repeats": 100, "suite": "many"}, 400, "at most"),
        ({"repeats": 0}, 400, "the request is not valid"),
    ],
)
def test_invalid_run_request_is_rejected(service: Service, wanted: dict[str, Any], status: int, reason: str) -> None:
    service.put_suite(suite("many", cases=30))
    refusal = service.post("/api/tools/validate", {"model": GOOD, "suite": "capitals", **wanted})

    assert refusal.status == status
    assert reason in refusal.body["message"]
    assert not service.queue.waiting
    assert MAX_ITEMS < 50 * 100 * 30


def test_duplicate_models_are_validated_once(service: Service) -> None:
    run_id = service.begin(model="good", models=[GOOD, "demo:good"])

    assert [model["model"] for model in service.run(run_id)["models"]] == [GOOD]


def test_started_run_returns_its_location(service: Service) -> None:
    started = service.post("/api/tools/validate", {"model": GOOD, "suite": "capitals"})

    assert started.headers["location"] == f"/test/api/validation/runs/{started.body['id']}"
    assert (started.body["status"], started.body["total"], started.body["created_at"]) == (
        "queued",
        3,
        "2027-01-15T08:00:00.000+00:00",
    )


def test_direct_event_starts_a_run(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    context = LambdaContext(remaining_ms=60_000)
    started = service.function.handle({"validate": {"model": GOOD, "suite": "capitals"}}, context)
    logged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    wrong = service.function.handle({"validate": {"modell": GOOD}}, context)
    service.work()

    assert [line["request_id"] for line in logged if line["message"] == "validation started"] == ["invocation-1"]
    assert service.run(started["id"])["status"] == "finished"
    assert (wrong["error"], wrong["request_id"]) == ("invalid_request", "invocation-1")
    assert service.function.handle({"nothing": 1}, context)["error"] == "invalid_request"


def test_records_expire_with_their_run(service: Service) -> None:
    run_id = service.begin()
    service.work()
    service.now = NOW + 91 * 86_400

    assert service.get(f"/api/validation/runs/{run_id}").status == 404
