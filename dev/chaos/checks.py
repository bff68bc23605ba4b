"""Checks of an answer against the plan of its chat, and against the results that its tools returned."""

from collections.abc import Mapping, Sequence
from typing import Any

from dev.chaos.functions import Functions
from dev.chaos.outcome import Outcome
from dev.chaos.scenario_plan import ScenarioPlan
from dev.demo_model.skills.tool_request import as_text, core
from functions.chat.generation.result import ISSUE_TEXT

QUOTED_CHARACTERS = 200
"""Maximum length of a result that reaches the answer unshortened; longer ones are not compared."""


def check_answer(body: Mapping[str, Any], plan: ScenarioPlan, functions: Functions, outcome: Outcome) -> None:
    """Report each defect of the body of a 200 response to the chat of `plan`."""
    content: str = body["content"]
    calls: Sequence[Mapping[str, Any]] = body.get("tool_calls") or ()
    if not content.strip():
        outcome.violation("an answer is empty")
        return
    if "<think" in content or "</think" in content:
        outcome.violation(f"the answer has the reasoning of its model: {content[:200]!r}")
    for call in calls:
        _check_result(call, body["request_id"], functions, outcome)
    if not is_models_own(body):
        return
    for phrase in _quotable(calls):
        if phrase not in content:
            outcome.violation(f"the answer does not contain the tool result {phrase!r}: {content[:200]!r}")
    if _is_undisturbed(plan, calls):
        check_expected(content, plan, outcome)


def check_calm(body: Mapping[str, Any], plan: ScenarioPlan, outcome: Outcome) -> None:
    """Report the missing parts of the answer to a chat without faults."""
    check_expected(body["content"], plan, outcome)
    calls = len(body.get("tool_calls") or ())
    if calls != plan.calls:
        outcome.violation(f"{calls} calls are listed, {plan.calls} were asked for")


def check_expected(content: str, plan: ScenarioPlan, outcome: Outcome) -> None:
    for text in plan.expected:
        if text not in content:
            outcome.violation(f"the answer does not contain {text!r}: {content[:200]!r}")


def _check_result(call: Mapping[str, Any], request_id: str, functions: Functions, outcome: Outcome) -> None:
    """Compare a listed result with the result of the tool for that call, in this request or an earlier one."""
    if not call["result"]["success"] or call["result"].get("truncated"):
        return
    chat = request_id.rpartition("-")[0] + "-"
    own = functions.results.get(f"{request_id}:{call['call_id']}")
    earlier = [
        result
        for key, result in functions.results.copy().items()  # other requests add to it
        if key.startswith(chat) and key.partition(":")[2] == call["call_id"]
    ]
    returned = earlier if own is None else [own]
    if call["result"].get("result") not in returned:
        outcome.violation(f"{call['tool']} returned {returned!r}, the answer lists {call['result'].get('result')!r}")


def is_models_own(body: Mapping[str, Any]) -> bool:
    """Return true for a complete answer of the model, false for a text of the service."""
    limited = any(body.get(name) for name in ("deadline_reached", "max_iterations_reached", "circular_calls_detected"))
    whole = (body["status"], body["finish_reason"]) == ("complete", "stop")
    return whole and not limited and body["content"] != ISSUE_TEXT


def _quotable(calls: Sequence[Mapping[str, Any]]) -> list[str]:
    results = [call["result"] for call in calls if call["result"]["success"] and not call["result"].get("truncated")]
    phrases = [as_text(core(result.get("result"))) for result in results]
    return [phrase for phrase in phrases if len(phrase) <= QUOTED_CHARACTERS]


def _is_undisturbed(plan: ScenarioPlan, calls: Sequence[Mapping[str, Any]]) -> bool:
    """Return true when all expected calls were made and no fault changed a result."""
    if len(calls) != plan.calls:
        return False
    if not plan.tools_fail:
        return True
    results = [call["result"] for call in calls]
    return not plan.collections and all(result["success"] and not result.get("truncated") for result in results)
