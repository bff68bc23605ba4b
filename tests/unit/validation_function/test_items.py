from typing import Any

from flexchat.validation.cases import Suite
from flexchat.validation.records import ItemKey
from functions.validation.run_items import case_of, items_of, trial_of
from functions.validation.runs import ValidationRun


def _suite(**changes: Any) -> Suite:
    tools = [
        {"name": name, "description": name, "implementation": {"type": "mock"}, "parameters": {"type": "object"}}
        for name in ("first", "second", "third")
    ]
    cases: list[dict[str, Any]] = [
        {"id": f"c{number}", "category": "irrelevance", "message": str(number), "expect": {}, **changes}
        for number in range(20)
    ]
    return Suite.model_validate({"name": "s", "tools": tools, "cases": cases})


def _run(id: str = "r", *, models: tuple[str, ...] = ("a:x", "b:y"), repeats: int = 2) -> ValidationRun:
    return ValidationRun(id=id, suite="s", models=models, repeats=repeats, total=80, created_at=0.0, expires_at=1)


def test_the_items_are_every_case_of_every_model_and_repetition() -> None:
    items = list(items_of(_run(), _suite()))

    assert len(items) == 80
    assert set(items) == {
        ItemKey("r", model, f"c{number}", repeat)
        for model in ("a:x", "b:y")
        for number in range(20)
        for repeat in (1, 2)
    }


def test_the_order_is_the_same_shuffle_for_each_model_and_call() -> None:
    items = list(items_of(_run(), _suite()))
    by_model = {model: [(item.case, item.repeat) for item in items if item.model == model] for model in ("a:x", "b:y")}

    assert by_model["a:x"] == by_model["b:y"]
    assert by_model["a:x"] != sorted(by_model["a:x"])
    assert items == list(items_of(_run(), _suite()))


def test_another_run_has_another_order() -> None:
    orders = [[item.case for item in items_of(_run(run), _suite())] for run in ("r", "q")]

    assert orders[0] != orders[1]


def test_a_case_has_its_listed_tools_in_their_order() -> None:
    suite = _suite(tools=["third", "first"])
    case = suite.cases[0]

    trial = trial_of(case, suite, model="a:x", deadline_ms=5_000)

    assert [tool.name for tool in trial.tools or ()] == ["third", "first"]
    assert (trial.model, trial.message, trial.prompt, trial.deadline_ms) == ("a:x", "0", suite.prompt, 5_000)


def test_a_case_without_listed_tools_has_all() -> None:
    suite = _suite()

    assert trial_of(suite.cases[0], suite, model="a:x", deadline_ms=5_000).tools == suite.tools


def test_a_case_is_found_by_its_id() -> None:
    suite = _suite()

    assert (case_of(suite, "c3"), case_of(suite, "c99")) == (suite.cases[3], None)
