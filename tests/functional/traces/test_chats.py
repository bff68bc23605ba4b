"""Traces as the chat function sends them, stored by the traces function."""

import json
import time
from typing import Any

from flexchat.validation.suites import load_suite
from tests.functional.chat.harness import CALCULATE, configuration, deploy
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.traces.harness import LambdaContext, Service

CALLER = "k7m2p9qx4d"


def answered(service: Service, *script: Step, message: str) -> str:
    """Run a chat whose trace the service stores; return its request id."""
    service.now = time.time()

    def handle(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        return service.function.handle(event, LambdaContext())

    own = {**configuration(tools=[CALCULATE]), "traces": {"content": "all"}}
    answer = deploy(script, own, handlers={"traces": handle}).post({"message": message})
    service.now += 5
    return answer.body["request_id"]


def test_trace_of_a_chat_is_listed_opened_rated_and_made_a_case(service: Service) -> None:
    script = (call_completion(("calculate", {"expression": "2 + 3"})), text_completion("5"))

    request_id = answered(service, *script, message="Add 2 and 3")

    assert service.ids(caller=CALLER, tool="calculate") == [request_id]
    view = service.get(f"/api/traces/{request_id}", caller=CALLER).body
    assert (view["message"], view["answer"], view["tool_calls"], len(view["spans"])) == ("Add 2 and 3", "5", 1, 3)
    rated = service.request("POST", f"/api/runs/{request_id}/feedback", caller=CALLER, body={"rating": "up"})
    assert rated.status == 200
    suite = load_suite(json.dumps(service.get(f"/api/traces/{request_id}/case").body))
    (case,) = suite.cases
    (call,) = case.expect.turns[0].calls
    assert (case.message, case.category, call.arguments) == ("Add 2 and 3", "single", {"expression": ("2 + 3",)})
    assert suite.tools[0].implementation["answers"] == [{"when": {"expression": "2 + 3"}, "response": {"result": 5}}]
    (row,) = service.get("/api/usage", caller=CALLER).body["rows"]
    assert (row["chats"], row["tool_calls"], row["input_tokens"]) == (1, 1, 20)


def test_failed_call_of_a_chat_becomes_an_error_of_the_mock(service: Service) -> None:
    script = (
        call_completion(("calculate", {"expression": "2 +"})),
        call_completion(("calculate", {"expression": "2 + 3"})),
        text_completion("5"),
    )

    request_id = answered(service, *script, message="Add 2 and 3")

    assert service.ids(failed="true") == [request_id]
    suite = load_suite(json.dumps(service.get(f"/api/traces/{request_id}/case").body))
    assert (suite.cases[0].category, suite.cases[0].expect.failed_calls) == ("error_recovery", 1)
    right, wrong = suite.tools[0].model_dump()["implementation"]["answers"]
    assert (right, wrong["when"]) == (
        {"when": {"expression": "2 + 3"}, "response": {"result": 5}},
        {"expression": "2 +"},
    )
    assert wrong["error"]
