"""Permissions and responses of the HTTP routes."""

from copy import replace
from typing import Any
from urllib.parse import quote

import pytest

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.cursors import make_cursor
from flexchat.deadline import Deadline
from tests.functional.validation.fakes import BAD, GOOD, answer, suite
from tests.functional.validation.harness import CONFIGURATION, Service
from tests.unit.validation.harness import EXPIRES_AT, TABLE, made

pytestmark = pytest.mark.slow


def test_statuses_are_listed_under_both_routes(service: Service) -> None:
    service.begin(models=[BAD])
    service.work()

    new, old = service.get("/api/tools/validate"), service.get("/api/tools/validation")

    assert (new.status, new.body) == (old.status, old.body)
    assert [(status["model_id"], status["validated"], status["test_count"]) for status in new.body["validations"]] == [
        (BAD, False, 3),
        (GOOD, True, 3),
    ]


def test_demo_model_is_marked_beside_each_score(service: Service) -> None:
    llms = {"demo": {**CONFIGURATION["llms"]["demo"], "demo": True}}
    service.configure({**CONFIGURATION, "llms": llms})
    run = service.begin()
    service.work()

    [status] = service.get("/api/tools/validate").body["validations"]
    history = service.get("/api/tools/validate", model=GOOD).body["status"]
    [listed] = service.get("/api/validation/runs").body["runs"]
    shown = service.get(f"/api/validation/runs/{run}").body

    assert (status["demo"], status["badge"]["text"]) == (True, "demo model")
    assert history == status
    assert [model["demo"] for model in (*listed["models"], *shown["models"])] == [True, True]


def test_demo_scores_do_not_count_after_a_real_model_replaces_it(service: Service) -> None:
    service.chat.reply = lambda trial: answer(trial).model_copy(update={"demo": True})
    run = service.begin()
    service.work()  # configuration without the demo model

    [status] = service.get("/api/tools/validate").body["validations"]
    history = service.get("/api/tools/validate", model=GOOD).body
    shown = service.get(f"/api/validation/runs/{run}").body

    assert (status["tested"], status["validated"], status["state"]) == (False, False, "untested")
    assert status["badge"]["text"] == "not tested"
    assert status["tests_by_provenance"] == {"real": 0, "demo": 3, "unknown": 0}
    verdicts = (*history["records"], *shown["verdicts"])
    assert [(record["demo"], record["provenance"]) for record in verdicts] == [(True, "demo")] * 6
    assert [(model["demo"], model["provenance"]) for model in shown["models"]] == [(True, "demo")]

    service.chat.reply = lambda trial: answer(trial)
    real = service.begin()
    service.work()

    [status] = service.get("/api/tools/validate").body["validations"]
    assert (status["test_count"], status["success_count"]) == (3, 3)
    assert status["tests_by_provenance"] == {"real": 3, "demo": 3, "unknown": 0}
    assert [model["provenance"] for model in service.run(real)["models"]] == ["real"]
    assert [model["provenance"] for model in service.run(run)["models"]] == ["demo"]


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/api/tools/validate/demo%3Agood", "demo%3Agood"),
        ("/api/tools/validate/demo:good", "demo:good"),
        ("/api/tools/validate/demo%253Agood", "demo%253Agood"),
    ],
)
def test_url_encoded_model_is_accepted(service: Service, path: str, parameter: str) -> None:
    service.begin()
    service.work()

    resource = "/api/tools/validate/{model}"
    history = service.get(path, resource=resource, parameters={"model": parameter}).body

    expected = GOOD if "%25" not in path else "demo%3Agood"
    assert history["status"]["model_id"] == expected
    assert len(history["records"]) == (3 if expected == GOOD else 0)


def test_model_with_a_slash_is_found_by_path_and_query(service: Service) -> None:
    name = "demo:vendor/model"
    service.begin(model=name)
    service.work()

    by_path = service.get(
        f"/api/tools/validate/{name}", resource="/api/tools/validate/{model}", parameters={"model": name}
    )
    by_query = service.get("/api/tools/validate", model=name)

    assert (by_path.status, by_path.body) == (by_query.status, by_query.body)
    assert (by_path.body["status"]["model_id"], len(by_path.body["records"])) == (name, 3)


def test_history_is_paginated(service: Service) -> None:
    service.begin()
    service.work()

    first = service.get("/api/tools/validate", model=GOOD, limit="2").body
    second = service.get("/api/tools/validate", model=GOOD, limit="2", cursor=first["cursor"]).body

    assert (len(first["records"]), len(second["records"]), second.get("cursor")) == (2, 1, None)
    assert {record["case"] for record in first["records"] + second["records"]} == {"case-1", "case-2", "case-3"}


def test_untested_model_is_reported_as_untested(service: Service) -> None:
    history = service.get("/api/tools/validate", model="demo:new").body

    assert (history["status"]["tested"], history["status"]["validated"], history["records"]) == (False, False, [])


def test_verdicts_are_paginated_during_a_run(service: Service) -> None:
    run_id = service.begin()
    service.deliver()
    service.deliver()
    assert len(service.run(run_id)["verdicts"]) == 1
    service.work()

    first = service.run(run_id, limit="2")
    second = service.run(run_id, limit="2", cursor=first["cursor"])

    assert [verdict["case"] for verdict in first["verdicts"] + second["verdicts"]] == ["case-1", "case-2", "case-3"]
    assert "cursor" not in second


def test_runs_are_paginated_from_the_newest(service: Service) -> None:
    ids: list[str] = []
    for _ in range(3):
        ids.append(service.begin())
        service.now += 1

    first = service.get("/api/validation/runs", limit="2").body
    second = service.get("/api/validation/runs", limit="2", cursor=first["cursor"]).body

    assert [run["id"] for run in first["runs"] + second["runs"]] == ids[::-1]
    assert first["runs"][0]["models"] == [{"model": GOOD, "done": 0, "errors": 0, "skipped": 0}]


@pytest.mark.parametrize("path", ["/api/validation/runs", "/api/tools/validate/demo:good"])
def test_invalid_cursor_is_rejected(service: Service, path: str) -> None:
    refusal = service.get(path, cursor="eyJub25zZW5zZSI6MX0")

    assert (refusal.status, refusal.body["error"]) == (400, "invalid_cursor")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/validation/runs/none", None),
        ("DELETE", "/api/validation/runs/none", None),
        ("POST", "/api/validation/runs/none/resume", None),
    ],
)
def test_unknown_run_is_not_found(service: Service, method: str, path: str, body: Any) -> None:
    refusal = service.request(method, path, body)

    assert (refusal.status, refusal.body["error"]) == (404, "run_not_found")


def by_hand(service: Service, model: str) -> None:
    record = replace(made("plain", run="request-9", model=model), suite="", category=None, counted=False)
    tracker = ModelValidationTracker(service.dynamodb, TABLE, clock=lambda: service.now)
    tracker.record(record, expires_at=EXPIRES_AT, deadline=Deadline.after(20))


def test_manual_tests_are_listed_but_not_counted(service: Service) -> None:
    by_hand(service, BAD)

    (listed,) = service.get("/api/tools/validate").body["validations"]
    shown = service.get(f"/api/tools/validate/{BAD}").body

    assert listed == shown["status"]
    assert (listed["model_id"], listed["tested"], listed["validated"], listed["state"]) == (
        BAD,
        False,
        False,
        "untested",
    )
    assert listed["by_hand"] == {"tests": 1, "successes": 1, "errors": 0, "no_tool_calls": 0}
    assert [(record["case"], record["result"], record["counted"]) for record in shown["records"]] == [
        ("plain", "passed", False)
    ]


def test_operator_can_delete_a_model_with_its_records(service: Service) -> None:
    service.begin()
    service.work()
    by_hand(service, GOOD)

    forgotten = service.request("DELETE", f"/api/tools/validate/{quote(GOOD, safe='')}")

    assert (forgotten.status, forgotten.body) == (200, {"model": GOOD, "records": 4, "complete": True})
    assert service.get("/api/tools/validate").body == {"validations": []}
    assert service.get(f"/api/tools/validate/{GOOD}").body["records"] == []


def test_model_of_an_active_run_cannot_be_deleted(service: Service) -> None:
    run = service.begin()

    refusal = service.request("DELETE", f"/api/tools/validate/{GOOD}")

    assert (refusal.status, refusal.body["error"]) == (409, "model_in_validation")
    assert refusal.body["message"] == f"the run '{run}' tries '{GOOD}'; stop it first: `flexchat validate stop {run}`"
    assert service.request("DELETE", f"/api/tools/validate/{BAD}").status == 200


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/tools/validate", {"model": GOOD}),
        ("DELETE", f"/api/tools/validate/{GOOD}", None),
        ("DELETE", "/api/validation/runs/none", None),
        ("POST", "/api/validation/runs/none/resume", None),
        ("PUT", "/api/validation/suites/mine", suite("mine")),
        ("DELETE", "/api/validation/suites/capitals", None),
    ],
)
def test_changes_require_the_role_operator(service: Service, method: str, path: str, body: Any) -> None:
    refusal = service.request(method, path, body, roles="user")

    assert (refusal.status, refusal.body["error"]) == (403, "forbidden")


def test_a_role_that_may_validate_changes_suites_and_starts_runs(service: Service) -> None:
    service.configure({**CONFIGURATION, "roles": {"tester": {"may": ["validate"]}, "support": {}}})

    def status(roles: str) -> tuple[int, int]:
        stored = service.put_suite(suite("mine"), roles=roles).status
        return stored, service.post("/api/tools/validate", {"model": GOOD, "suite": "capitals"}, roles=roles).status

    assert status("support") == (403, 403)
    assert status("gone") == (403, 403)
    assert status("tester")[0] in (200, 201)
    assert status("tester")[1] in (202, 409)


def test_suites_are_listed_with_case_counts_and_categories(service: Service) -> None:
    *built_in, own = service.get("/api/validation/suites").body["suites"]

    assert [listed["built_in"] for listed in built_in] == [True] * len(built_in)
    assert "default" in [listed["name"] for listed in built_in]
    assert own == {
        "name": "capitals",
        "description": "",
        "cases": 3,
        "categories": {"single": 3},
        "built_in": False,
        "updated_at": "2027-01-15T08:00:00+00:00",
    }


def test_stored_suite_is_returned_unchanged(service: Service) -> None:
    put = service.put_suite(suite("mine", cases=2))
    got = service.get("/api/validation/suites/mine").body

    assert (put.status, put.body["name"], put.body["cases"], put.body["built_in"]) == (200, "mine", 2, False)
    assert service.put_suite(got).status == 200
    assert [case["id"] for case in got["cases"]] == ["case-1", "case-2"]


def test_built_in_suite_is_read_only(service: Service) -> None:
    refusals = (
        service.put_suite(suite("default")),
        service.request("DELETE", "/api/validation/suites/default"),
    )

    assert service.get("/api/validation/suites/default").body["name"] == "default"
    assert [(refusal.status, refusal.body["error"]) for refusal in refusals] == 2 * [(409, "built_in_suite")]


def test_deleted_suite_is_not_found(service: Service) -> None:
    deleted = service.request("DELETE", "/api/validation/suites/capitals")
    again = service.request("DELETE", "/api/validation/suites/capitals")

    assert (deleted.status, deleted.body) == (204, None)
    assert (again.status, again.body["error"]) == (404, "suite_not_found")
    assert service.get("/api/validation/suites/capitals").status == 404


def test_invalid_suite_is_rejected_with_all_problems(service: Service) -> None:
    wrong = suite("mine", cases=2)
    for case in wrong["cases"]:
        case["expect"]["turns"][0]["calls"][0]["tool"] = "missing"

    refusal = service.put_suite(wrong)

    assert (refusal.status, refusal.body["error"]) == (400, "invalid_suite")
    assert len(refusal.body["details"]) >= 2


def test_suite_without_cases_is_rejected(service: Service) -> None:
    refusal = service.put_suite({**suite("mine"), "cases": []})

    assert (refusal.status, refusal.body["details"][0]["path"]) == (400, "cases")


def test_suite_name_must_match_its_path(service: Service) -> None:
    refusal = service.put_suite(suite("mine"), name="other")

    assert (refusal.status, refusal.body["error"]) == (400, "invalid_request")
    assert service.get("/api/validation/suites/other").status == 404


def test_allowed_origin_can_read_responses(service: Service) -> None:
    assert service.get("/api/tools/validate").headers["access-control-allow-origin"] == "https://app.example.com"


def test_run_without_a_body_is_rejected(service: Service) -> None:
    empty = service.post("/api/tools/validate")

    assert (empty.status, empty.body["error"]) == (400, "invalid_request")


@pytest.mark.parametrize("position", ["", "x" * 1_025, "ü" * 513])
def test_a_cursor_with_an_impossible_position_is_rejected(service: Service, position: str) -> None:
    """The digest of a cursor is no signature: any position can be sent."""
    run = service.begin()
    scopes = {
        "/api/validation/runs": "validation-runs",
        f"/api/tools/validate/{GOOD}": f"validation-history\0{GOOD}",
        f"/api/validation/runs/{run}": f"validation-results\0{run}",
    }

    answers = [service.get(path, cursor=make_cursor(scope, position)) for path, scope in scopes.items()]

    assert [(answer.status, answer.body["error"]) for answer in answers] == [(400, "invalid_cursor")] * 3


def test_a_cursor_outside_the_results_of_a_run_is_rejected(service: Service) -> None:
    run = service.begin()
    refusal = service.get(f"/api/validation/runs/{run}", cursor=make_cursor(f"validation-results\0{run}", "RUN"))

    assert (refusal.status, refusal.body["error"]) == (400, "invalid_cursor")
