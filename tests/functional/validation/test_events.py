"""Sample events of `events/`, handled by the function."""

import json
from pathlib import Path
from typing import Any

import pytest

from functions.validation.run_items import QueueMessage, sqs_records
from functions.validation.schedule import ScheduleEvent
from tests.functional.validation.harness import LambdaContext, Service
from tests.template.transform import authored

EVENTS = Path(__file__).parents[3] / "events"
LLMS: dict[str, Any] = {"llms": {"openai": {"type": "openai", "api_key": "none"}}, "responses": []}


def _event(name: str) -> dict[str, Any]:
    return json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["validation-http", "validation-direct"])
def test_run_is_started_by_its_event(service: Service, name: str) -> None:
    service.configure(LLMS)

    answer = service.function.handle(_event(name), LambdaContext())

    assert answer.get("statusCode", 202) == 202
    (run,) = service.get("/api/validation/runs").body["runs"]
    assert (run["models"][0]["model"], run["suite"], run["budget"]["calls"]) == ("openai:gpt-4o-mini", "default", 20)


def test_schedule_event_matches_the_template() -> None:
    sent = json.loads(authored()["Resources"]["ScheduledValidation"]["Properties"]["Target"]["Input"]["Fn::Sub"])

    ours, theirs = (ScheduleEvent.model_validate(event["schedule"]) for event in (_event("validation-schedule"), sent))
    assert (ours.name, theirs.name) == ("flexchat-dev-validation", "flexchat-${Stage}-validation")
    assert theirs.occasion("invocation-1") == "flexchat-${Stage}-validation\0invocation-1"


def test_case_event_is_accepted(service: Service) -> None:
    (delivery,) = sqs_records(_event("validation-case"))

    assert QueueMessage.model_validate_json(delivery.body).item is not None
    assert service.function.handle(_event("validation-case"), LambdaContext()) == {"batchItemFailures": []}
