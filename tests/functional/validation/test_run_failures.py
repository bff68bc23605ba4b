"""Failures of workers, queue, provider and chat function during a run."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.functional.validation.fakes import BAD, GOOD, answer, by_name, refused, suite
from tests.functional.validation.harness import Service, counts

pytestmark = pytest.mark.slow


def test_message_delivered_twice_is_executed_and_recorded_once(service: Service) -> None:
    run_id = service.begin()

    service.work(times=2)

    assert counts(service.run(run_id))["done"] == 3
    assert len(service.chat.trials) == 3
    assert service.get("/api/tools/validate").body["validations"][0]["test_count"] == 3


def test_worker_crash_after_recording_does_not_prevent_the_end_of_the_run(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = service.begin()
    original_update = service.dynamodb.update_item

    def crash_at_finish(**request: Any) -> Any:
        if "finished" in json.dumps(request["ExpressionAttributeValues"]):
            raise SystemExit
        return original_update(**request)

    service.deliver()
    service.deliver()
    service.deliver()
    last = service.queue.waiting[0]
    monkeypatch.setattr(service.dynamodb, "update_item", crash_at_finish)
    with pytest.raises(SystemExit):
        service.deliver()
    monkeypatch.undo()
    assert counts(service.run(run_id)) | {"status": "running"} == counts(service.run(run_id))

    service.queue.waiting.append(last)
    service.work()

    assert service.run(run_id)["status"] == "finished"
    assert len(service.chat.trials) == 3


def test_interrupted_run_continues_in_a_new_environment_without_repeated_calls(service: Service) -> None:
    run_id = service.begin()
    service.deliver()
    service.deliver()
    before = [trial.message for trial in service.chat.trials]
    service.queue.waiting.clear()

    service.restarted()
    resumed = service.post(f"/api/validation/runs/{run_id}/resume")
    service.deliver()
    missing = {body["item"]["case"] for body in service.queue.bodies}
    service.work()

    assert missing == {"case-1", "case-2", "case-3"} - {f"case-{number}" for number in before}
    assert (resumed.status, resumed.body["id"], resumed.body["status"]) == (202, run_id, "running")
    assert service.run(run_id)["status"] == "finished"
    assert sorted(before + [trial.message for trial in service.chat.trials[1:]]) == ["1", "2", "3"]


def test_partially_rejected_plan_is_delivered_again(service: Service) -> None:
    run_id = service.begin()
    service.queue.refuses = 1

    service.work()

    assert service.run(run_id)["status"] == "finished"
    assert service.queue.delayed == [45]
    assert len(service.chat.trials) == 3


def test_plan_delivered_after_the_end_changes_nothing(service: Service) -> None:
    run_id = service.begin()
    service.deliver()
    service.work()
    finished = service.run(run_id)
    service.queue.waiting.append((json.dumps({"plan": {"run": run_id}}), 0))

    service.work()

    assert service.run(run_id) == finished


def test_resumed_run_with_complete_records_ends(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id = service.begin()
    service.deliver()
    update = service.dynamodb.update_item

    def loses_the_end(**request: Any) -> Any:
        if "finished" in json.dumps(request["ExpressionAttributeValues"]):
            raise ClientError({"Error": {"Code": "InternalServerError"}}, "UpdateItem")
        return update(**request)

    with monkeypatch.context() as patched:
        patched.setattr(service.dynamodb, "update_item", loses_the_end)
        service.work()
    assert len(service.queue.dead) == 3
    assert service.run(run_id)["status"] == "running"

    service.post(f"/api/validation/runs/{run_id}/resume")
    service.work()

    assert (service.run(run_id)["status"], len(service.chat.trials)) == ("finished", 3)


def test_temporary_provider_failure_loses_no_verdict(service: Service) -> None:
    outages = ["model_overloaded", "unavailable"]

    def reply(trial: Any) -> Any:
        return refused(outages.pop()) if outages else by_name(trial)

    service.chat.reply = reply
    run_id = service.begin()
    service.work()

    assert counts(service.run(run_id)) == {
        "status": "finished",
        "total": 3,
        "done": 3,
        "passed": 3,
        "failed": 0,
        "errors": 0,
        "skipped": 0,
        "calls": 3,
    }
    assert len(service.chat.trials) == 5


def test_permanent_provider_failure_is_an_error_without_a_verdict(service: Service) -> None:
    service.chat.reply = lambda _: refused("model_overloaded", "come back later")
    run_id = service.begin()
    service.work()

    run = service.run(run_id)
    assert counts(run) == {
        "status": "failed",
        "total": 3,
        "done": 3,
        "passed": 0,
        "failed": 0,
        "errors": 3,
        "skipped": 0,
        "calls": 3,
    }
    assert len(service.chat.trials) == 9
    assert service.queue.delayed == 3 * [45] + 3 * [90]
    assert service.queue.dead == []
    assert {tuple(verdict["reasons"]) for verdict in run["verdicts"]} == {("model_overloaded: come back later",)}
    status = service.get("/api/tools/validate").body["validations"][0]
    assert (status["tested"], status["test_count"], status["errors"]) == (False, 0, 3)


def test_a_run_without_an_answer_is_failed_after_five_errors(service: Service) -> None:
    service.put_suite(suite(cases=12))
    service.chat.reply = lambda _: refused("model_authentication", "wrong key")
    run_id = service.begin()
    service.work()

    run = service.run(run_id)
    assert (run["status"], run["reason"]) == (
        "failed",
        "no model answered: 5 errors, whose messages are those of the cases",
    )
    assert (run["done"], run["errors"], run["skipped"], len(service.chat.trials)) == (12, 5, 7, 5)
    assert ["the model was not asked any more after 5 errors of its provider"] in [
        verdict["reasons"] for verdict in run["verdicts"]
    ]


def test_other_models_of_a_run_are_tested_to_its_end(service: Service) -> None:
    service.put_suite(suite(cases=12))
    service.chat.reply = lambda trial: by_name(trial) if trial.model == GOOD else refused("model_not_found")
    run_id = service.begin(models=[GOOD, BAD], stop_early=False)
    service.work()

    run = service.run(run_id)
    assert run["status"] == "finished"
    assert (run["passed"], run["errors"], run["skipped"]) == (12, 5, 7)


def test_some_errors_among_tests_end_no_model(service: Service) -> None:
    service.put_suite(suite(cases=12))
    service.chat.reply = lambda trial: refused("model_not_found") if int(trial.message) % 2 else by_name(trial)
    run_id = service.begin(stop_early=False)
    service.work()

    run = service.run(run_id)
    assert (run["status"], run["passed"], run["errors"], run["skipped"]) == ("finished", 6, 6, 0)


def test_permanent_error_is_recorded_without_retries(service: Service) -> None:
    service.chat.reply = lambda _: refused("model_authentication", "wrong key")
    run_id = service.begin()
    service.work()

    assert (service.run(run_id)["errors"], len(service.chat.trials)) == (3, 3)


@pytest.mark.parametrize("midway", [False, True])
def test_a_call_that_no_server_can_read_fails_its_case(service: Service, midway: bool) -> None:
    def reply(trial: Any) -> Any:
        error = {"type": "malformed_tool_call", "message": "no JSON", "provider": "demo"}
        partial = {**answer(trial).model_dump(mode="json"), "status": "partial", "error": error}
        return {"answer": partial} if midway else refused("model_malformed_tool_call", "no JSON")

    service.chat.reply = reply
    run_id = service.begin()
    service.work()

    run = service.run(run_id)
    assert (run["errors"], run["failed"], len(service.chat.trials)) == (0, 3, 3)
    assert all("no JSON" in verdict["reasons"][0] for verdict in run["verdicts"])


@pytest.mark.parametrize(("passing", "calls"), [("overloaded", 9), ("content_filter", 3)], ids=["passing", "for good"])
def test_provider_failure_during_a_chat_is_an_error(service: Service, passing: str, calls: int) -> None:
    def reply(trial: Any) -> Any:
        whole = answer(trial).model_dump(mode="json")
        error = {"type": passing, "message": "gave out", "provider": "demo"}
        return {"answer": {**whole, "status": "partial", "error": error}}

    service.chat.reply = reply
    run_id = service.begin()
    service.work()

    run = service.run(run_id)
    assert (run["errors"], run["failed"], len(service.chat.trials)) == (3, 0, calls)


def test_crashing_chat_function_is_an_error_after_retries(service: Service) -> None:
    service.chat.crashes = True
    run_id = service.begin()
    service.work()

    assert {tuple(verdict["reasons"]) for verdict in service.run(run_id)["verdicts"]} == {
        ("unavailable: the chat function failed",)
    }


@pytest.mark.parametrize("reply", [{"nothing": 1}, {}], ids=["another shape", "nothing"])
def test_invalid_reply_is_an_error_without_retries(service: Service, reply: dict[str, Any]) -> None:
    service.chat.reply = lambda _: reply
    run_id = service.begin()
    service.work()

    assert service.run(run_id)["errors"] == 3
    assert len(service.chat.trials) == 3


def test_invalid_message_is_moved_to_the_dead_letter_queue(service: Service) -> None:
    service.queue.waiting.append(('{"neither": 1}', 0))

    service.work()

    assert service.queue.dead == ['{"neither": 1}']


def test_message_for_a_missing_case_is_an_error(service: Service) -> None:
    run_id = service.begin()
    service.deliver()
    stray = {"item": {"run": run_id, "model": GOOD, "case": "case-9", "repeat": 1}}
    service.queue.waiting.appendleft((json.dumps(stray), 0))
    service.deliver()

    (verdict,) = service.run(run_id)["verdicts"]
    assert (verdict["result"], verdict["reasons"]) == ("error", ["the suite has no case 'case-9'"])


def test_message_for_a_model_outside_the_run_changes_nothing(service: Service) -> None:
    run_id = service.begin()
    service.deliver()
    stray = {"item": {"run": run_id, "model": BAD, "case": "case-1", "repeat": 1}}
    service.queue.waiting.appendleft((json.dumps(stray), 0))
    service.deliver()

    assert service.run(run_id)["done"] == 0


def test_messages_of_an_unknown_run_are_dropped(service: Service) -> None:
    service.queue.waiting.append((json.dumps({"plan": {"run": "none"}}), 0))
    service.queue.waiting.append(
        (json.dumps({"item": {"run": "none", "model": GOOD, "case": "case-1", "repeat": 1}}), 0)
    )

    service.work()

    assert (service.queue.dead, service.chat.trials) == ([], [])
