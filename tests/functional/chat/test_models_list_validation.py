"""GET /api/models: validation status and roles of models."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from botocore.exceptions import ClientError

from flexchat.validation.records import ItemKey, ValidationRecord
from flexchat.validation.verdicts import Result
from functions.chat.providers.base import ListedModel
from tests.functional.chat.harness import Unreachable
from tests.functional.chat.models_service import Service, down, seen
from tests.unit.sessions.clients import FailingClient
from tests.unit.validation.harness import Tracking, empty_table


@pytest.fixture
def tracking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tracking]:
    with empty_table(monkeypatch) as client:
        yield Tracking(client)


def try_out(tracking: Tracking, model: str, *results: Result) -> None:
    for position, result in enumerate(results):
        key = ItemKey(f"{model}-{tracking.now}", model, f"case-{position}")
        tracking.record(ValidationRecord(key, "default", "single", result, (), at=tracking.now, latency_ms=10))


def throttled(tracking: Tracking, **when: int) -> FailingClient:
    error = ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "Query")
    return FailingClient(tracking.client, "query", error, **when)


def which_are_tested(body: Mapping[str, Any]) -> dict[str, bool]:
    return {model["id"]: model["validation"]["tested"] for model in body["models"]}


UNREAD = {
    "llm": "validation",
    "error": "the validation statuses cannot be read now; every model is shown as untested",
}


def test_model_has_the_validation_status_of_its_tests(tracking: Tracking) -> None:
    models = ["good", "bad", "gemma3:4b"]
    for model in models:
        five: list[Result] = ["failed" if model == "bad" else "passed"] * 5
        try_out(tracking, f"local:{model}", *five)
    service = Service(
        {"llms": {"local": {"type": "ollama", "models": models}}, "responses": []},
        {"local": []},
        dynamodb=tracking.client,
    )

    body = service.list()

    views = {model["name"]: model["validation"] for model in body["models"]}
    assert views["good"] == {
        "model_id": "local:good",
        "tested": True,
        "validated": True,
        "state": "undecided",
        "rate": {"tests": 5, "successes": 5, "rate": 1.0, "low": views["good"]["rate"]["low"], "high": 1.0},
        "last_tested": "2027-01-15T08:00:00Z",
        "badge": {
            "symbol": "🔧✓",
            "text": "validated",
            "tooltip": views["good"]["badge"]["tooltip"],
        },
    }
    assert views["good"]["badge"]["tooltip"].startswith("passed 5 of 5 tests: 100%")
    assert (views["bad"]["validated"], views["bad"]["state"], views["bad"]["badge"]["text"]) == (
        False,
        "failing",
        "not validated",
    )
    assert views["gemma3:4b"]["tested"] is True
    assert "badge" not in views["gemma3:4b"], "a model that calls no tools has no mark"
    assert body["errors"] == []


def test_scheduled_model_is_listed_before_its_first_validation() -> None:
    config: dict[str, Any] = {
        "llms": {"local": {"type": "ollama"}},
        "responses": [],
        "validation": {"models": ["local:qwen3"]},
    }

    assert list(seen(Service(config, {"local": []}).list())) == ["local:qwen3"]


def test_listed_scores_are_at_most_one_second_old(tracking: Tracking) -> None:
    counting = throttled(tracking, times=0)
    service = Service({}, {"openai": []}, dynamodb=counting)
    assert which_are_tested(service.list()) == {"openai:gpt-4o": False}
    try_out(tracking, "openai:gpt-4o", "passed")

    service.now = 0.9
    assert which_are_tested(service.list()) == {"openai:gpt-4o": False}
    service.now = 1
    assert which_are_tested(service.list()) == {"openai:gpt-4o": True}


def test_demo_model_is_marked_and_never_validated(tracking: Tracking) -> None:
    for _ in range(16):
        try_out(tracking, "openai:gpt-4o", "passed")
        try_out(tracking, "real:gpt-4o", "passed")
    llms = {"openai": {"demo": True, "models": ["gpt-4o"]}, "real": {"type": "openai", "models": ["gpt-4o"]}}
    models = Service({"llms": llms}, {"openai": [], "real": []}, dynamodb=throttled(tracking, times=0)).list()["models"]

    assert [(model["id"], model.get("demo"), model["validation"]["badge"]["text"]) for model in models] == [
        ("openai:gpt-4o", True, "demo model"),
        ("real:gpt-4o", None, "validated"),
    ]
    assert "no evidence about a real model" in models[0]["validation"]["badge"]["tooltip"]


def test_models_not_available_to_users_are_marked_operator_only() -> None:
    config = {"llms": {"openai": {"models": ["o3"], "fallbacks": ["openai:gpt-4.1"]}}}
    models = Service(config, {"openai": [ListedModel("gpt-4o-mini")]}).list()["models"]

    assert {model["id"]: model.get("operator_only") for model in models} == {
        "openai:gpt-4o": None,
        "openai:gpt-4.1": None,
        "openai:o3": True,
        "openai:gpt-4o-mini": True,
    }


def test_models_are_untested_with_a_warning_while_the_table_fails(
    tracking: Tracking, caplog: pytest.LogCaptureFixture
) -> None:
    try_out(tracking, "openai:gpt-4o", "passed")
    refusing = throttled(tracking, times=1)
    service = Service({}, {"openai": down()}, dynamodb=refusing)

    body = service.list()

    assert which_are_tested(body) == {"openai:gpt-4o": False}
    assert [error["llm"] for error in body["errors"]] == ["openai", "validation"]
    assert body["errors"][1] == UNREAD
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings.count("validation statuses not read") == 1
    assert which_are_tested(service.list()) == {"openai:gpt-4o": True}, "the next list tries again"


def test_validation_status_is_cached_for_fifteen_minutes(tracking: Tracking) -> None:
    try_out(tracking, "openai:gpt-4o", "passed")
    refusing = throttled(tracking, after=1)
    service = Service({}, {"openai": []}, dynamodb=refusing)
    service.list()

    for now in (60, 100, 120, 899):
        service.now = now
        assert which_are_tested(service.list()) == {"openai:gpt-4o": True}
    assert refusing.refused == 3, "it is not called more than once a minute"

    service.now = 900
    body = service.list()
    assert (which_are_tested(body), body["errors"]) == ({"openai:gpt-4o": False}, [UNREAD])


def test_models_are_listed_without_the_table() -> None:
    body = Service({}, {"openai": []}, dynamodb=Unreachable()).list()

    assert (which_are_tested(body), body["errors"]) == ({"openai:gpt-4o": False}, [UNREAD])
