"""Sample events of `events/`, handled by the function."""

import json
from pathlib import Path
from typing import Any

from tests.functional.traces.harness import LambdaContext, Service

EVENTS = Path(__file__).parents[3] / "events"


def _event(name: str) -> dict[str, Any]:
    return json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))


def test_trace_event_is_stored(service: Service) -> None:
    event = _event("trace")

    assert service.invoke(event) == {"stored": event["trace"]["id"]}
    assert service.get(f"/api/traces/{event['trace']['id']}").body["tool_calls"] == 1


def test_list_event_is_answered(service: Service) -> None:
    answer = service.function.handle(_event("traces-http"), LambdaContext())

    assert (answer["statusCode"], json.loads(answer["body"])) == (200, {"traces": []})
