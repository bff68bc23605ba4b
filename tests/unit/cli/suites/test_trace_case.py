"""Validation cases of traces."""

from typing import Any

import pytest

from tests.unit.cli.command_runner import Flexchat, SentRequest
from tests.unit.cli.trace_responses import NO_TRACE

PARAMETERS = {"type": "object", "properties": {"location": {"type": "string"}}}
CASE: dict[str, Any] = {
    "id": "r-1",
    "category": "single",
    "message": "Weather in Oslo?",
    "expect": {"turns": [{"calls": [{"tool": "get_weather", "arguments": {"location": ["Oslo"]}}]}]},
}


def tool(name: str, *answers: dict[str, Any], parameters: dict[str, Any] = PARAMETERS) -> dict[str, Any]:
    implementation: dict[str, Any] = {"type": "mock", "error": "no result", "answers": [*answers]}
    return {"name": name, "description": "d", "parameters": parameters, "implementation": implementation}


OSLO = {"when": {"location": "Oslo"}, "response": "rain"}
BERGEN = {"when": {"location": "Bergen"}, "response": "sun"}
MADE: dict[str, Any] = {
    "name": "trace-r-1",
    "prompt": "Be brief.",
    "tools": [tool("get_weather", OSLO)],
    "cases": [CASE],
}
SUITE: dict[str, Any] = {
    "name": "mine",
    "prompt": "Be brief.",
    "tools": [tool("other"), tool("get_weather", BERGEN)],
    "cases": [{**CASE, "id": "old"}, {**CASE, "message": "An earlier form"}],
}
UNUSABLE: list[tuple[list[Any], str]] = [
    (
        [(409, {"error": "no_content", "message": "no validation case can be made of this trace: it has no content"})],
        "HTTP 409: no validation case can be made of this trace: it has no content",
    ),
    ([NO_TRACE, {"traces": []}], "https://chat.example has no trace 'r-1' for this token."),
]
MISSING = (404, {"error": "not_found", "message": "suite 'mine' not found", "request_id": "q"})
RUN = "run it: flexchat validate run --suite mine --model LLM:MODEL"


def test_a_suite_is_created_with_the_case(flexchat: Flexchat) -> None:
    service = flexchat.serve(MADE, MISSING, {"suites": []}, {})

    code, printed, _ = flexchat.type("trace", "r-1", "--case", "mine")

    assert (code, printed) == (0, f"mine: 1 case, with that of r-1; {RUN}")
    assert [(request.method, request.target) for request in service.requests] == [
        ("GET", "/api/traces/r-1/case"),
        ("GET", "/api/validation/suites/mine"),
        ("GET", "/api/validation/suites"),
        ("PUT", "/api/validation/suites/mine"),
    ]
    assert service.requests[-1].body == {**MADE, "name": "mine"}


def test_a_case_is_added_with_its_tools_and_replaces_an_earlier_one(flexchat: Flexchat) -> None:
    service = flexchat.serve(MADE, SUITE, {})

    printed = flexchat.type("trace", "r-1", "--case", "mine")[1]

    assert printed == f"mine: 2 cases, with that of r-1; {RUN}"
    assert service.requests[-1] == SentRequest(
        "PUT",
        "/api/validation/suites/mine",
        {
            **SUITE,
            "tools": [tool("other"), tool("get_weather", BERGEN, OSLO)],
            "cases": [{**CASE, "id": "old"}, {**CASE, "tools": ["get_weather"]}],
        },
    )


def test_a_new_tool_is_not_offered_in_the_cases_that_the_suite_had(flexchat: Flexchat) -> None:
    service = flexchat.serve(MADE, {**SUITE, "tools": [tool("other")], "cases": [{**CASE, "id": "old"}]}, {})

    flexchat.type("trace", "r-1", "--case", "mine")

    assert [case["tools"] for case in service.requests[-1].body["cases"]] == [["other"], ["get_weather"]]


def test_the_answer_to_more_arguments_is_prepared_first(flexchat: Flexchat) -> None:
    exact = {"when": {"location": "Oslo", "unit": "C"}, "response": "3"}
    service = flexchat.serve(
        {**MADE, "tools": [tool("get_weather", exact, OSLO)]}, {**MADE, "tools": [tool("get_weather", OSLO)]}, {}
    )

    flexchat.type("trace", "r-1", "--case", "mine")

    assert service.requests[-1].body["tools"] == [tool("get_weather", exact, OSLO)]


def test_another_prompt_is_reported(flexchat: Flexchat) -> None:
    flexchat.serve(MADE, {**SUITE, "prompt": "Be long."}, {})

    printed = flexchat.type("trace", "r-1", "--case", "mine")[1]

    assert printed.endswith("\nIts system prompt differs from the suite's, which every case of the suite has.")


def test_a_tool_with_other_parameters_is_an_error_and_nothing_is_stored(flexchat: Flexchat) -> None:
    service = flexchat.serve(MADE, {**SUITE, "tools": [tool("get_weather", parameters={"type": "object"})]})

    code, _, errors = flexchat.type("trace", "r-1", "--case", "mine")

    assert code == 1
    assert errors == (
        "the suite 'mine' has a tool 'get_weather' with other parameters than those of the trace; name another suite"
    )
    assert [request.method for request in service.requests] == ["GET", "GET"]


@pytest.mark.parametrize(("answers", "error"), UNUSABLE)
def test_a_trace_without_a_case_is_an_error(answers: list[Any], error: str, flexchat: Flexchat) -> None:
    flexchat.serve(*answers)

    code, _, errors = flexchat.type("trace", "r-1", "--case", "mine")

    assert code == 1
    assert errors.startswith(error)
