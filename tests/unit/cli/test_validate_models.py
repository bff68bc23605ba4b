"""Statuses of models in the CLI."""

import io
import json
from typing import Any

import pytest

from tests.unit.cli.command_runner import Flexchat, SentRequest
from tests.unit.cli.validations import BAD, GOOD, UNTESTED, of_model, rate, run, status, verdict

FAILING = status(BAD, validated=False, state="failing", success_count=36, rate=rate(36, 60, 0.474, 0.714))


def history(of: dict[str, Any], *records: dict[str, Any], cursor: str | None = None) -> dict[str, Any]:
    return {"status": of, "records": [*records], "cursor": cursor}


def test_every_tested_model_is_listed(flexchat: Flexchat) -> None:
    service = flexchat.serve({"validations": [status(), FAILING, UNTESTED]})

    code, printed, _ = flexchat.type("validate", "status")

    assert code == 0
    assert printed == (
        "MODEL            VALIDATED   PASSED     INTERVAL    STATE     LAST TESTED\n"
        "openai:skill-95  yes         57/60 95%  86% to 98%  proven    2026-11-22 10:04\n"
        "openai:skill-60  no          36/60 60%  47% to 71%  failing   2026-11-22 10:04\n"
        "openai:new       not tested  -          -           untested  never"
    )
    assert service.requests == [SentRequest("GET", "/api/tools/validate")]


def test_without_tested_models_the_command_that_starts_a_run_is_printed(flexchat: Flexchat) -> None:
    flexchat.serve({"validations": []})

    printed = flexchat.type("validate", "status")[1]

    assert printed == "no model is tested; start a run: flexchat validate run --model LLM:MODEL"


def test_one_model_is_shown_in_detail(flexchat: Flexchat) -> None:
    tested_model = status(
        categories={"single": rate(8, 8, 0.676, 1.0), "types": rate(7, 9, 0.45, 0.94)},
        trend=[{"day": "2026-11-21", "tests": 20, "successes": 19}],
        latency_ms=1250.0,
        tokens=412.4,
        cost_usd=0.00125,
        errors=2,
        no_tool_calls=1,
    )
    service = flexchat.serve(history(tested_model))

    printed = flexchat.type("validate", "status", GOOD)[1]

    assert printed == (
        "MODEL            VALIDATED  PASSED     INTERVAL    STATE   LAST TESTED\n"
        "openai:skill-95  yes        57/60 95%  86% to 98%  proven  2026-11-22 10:04\n"
        "\n"
        "CATEGORY  PASSED    INTERVAL\n"
        "single    8/8 100%  68% to 100%\n"
        "types     7/9 78%   45% to 94%\n"
        "\n"
        "DAY         PASSED\n"
        "2026-11-21  19/20 95%\n"
        "\n"
        "1.2 s a case · 412 tokens a case · $0.00125 a case · 2 errors · 1 answered without a tool"
    )
    assert service.requests == [SentRequest("GET", "/api/tools/validate?model=openai%3Askill-95")]


LISTED = {"models": [{"id": "openai:new"}, {"id": GOOD}], "errors": [{"llm": "broken", "error": "no key"}]}


@pytest.mark.parametrize(
    "arguments", [("status", "openai:nwe"), ("history", "openai:nwe"), ("compare", "openai:nwe", GOOD)]
)
def test_an_unknown_model_is_an_error_with_the_existing_ones(arguments: tuple[str, ...], flexchat: Flexchat) -> None:
    unknown = UNTESTED | {"model_id": "openai:nwe"}
    flexchat.serve(history(unknown), *[history(status())] * (len(arguments) - 2), LISTED)

    code, _, error_output = flexchat.type("validate", *arguments)

    assert (code, error_output) == (
        1,
        f"https://chat.example has no model 'openai:nwe'; it has: 'openai:new', {GOOD!r}",
    )


def test_a_model_of_an_llm_without_a_model_list_is_accepted(flexchat: Flexchat) -> None:
    flexchat.serve(history(UNTESTED), LISTED)

    assert flexchat.type("validate", "status", "broken:new")[0] == 0


def test_an_untested_model_is_shown_as_untested(flexchat: Flexchat) -> None:
    flexchat.serve(history(UNTESTED), LISTED)

    assert "not tested  -       -         untested  never" in flexchat.type("validate", "status", "openai:new")[1]


def test_the_history_has_reasons_and_the_requested_number_of_records(flexchat: Flexchat) -> None:
    records = [
        verdict("a"),
        verdict("b", "failed", reasons=["called get_weather though no tool fits", "and [more]"], provenance="real"),
        verdict("", "no_tool_call", category=None, provenance="demo"),
    ]
    service = flexchat.serve(history(status(), *records[:1], cursor="2"), history(status(), *records[1:], records[0]))

    printed = flexchat.type("validate", "history", GOOD, "--limit", "3")[1]

    assert printed == (
        "TESTED               CASE  CATEGORY  ORIGIN   REASONS\n"
        "2026-11-22 10:04  ✓  a     single    unknown\n"
        "2026-11-22 10:04  ✗  b     single    real     called get_weather though no tool fits; and [more]\n"
        "2026-11-22 10:04  -        -         demo     no_tool_call\n"
        "\n"
        "traces\n"
        "  b: flexchat trace q1"
    )
    assert service.requests[1] == SentRequest("GET", "/api/tools/validate?model=openai%3Askill-95&cursor=2")


BY_HAND = {"tests": 2, "successes": 1, "errors": 1, "no_tool_calls": 0}


def test_manual_tests_are_shown_as_not_counted(flexchat: Flexchat) -> None:
    flexchat.serve(
        history(status(by_hand=BY_HAND)),
        history(status(), verdict("plain", category=None, counted=False)),
    )

    details = flexchat.type("validate", "status", GOOD)[1]
    records = flexchat.type("validate", "history", GOOD)[1]

    assert details.endswith("3 by hand, not counted: 1/2 50% passed")
    assert records.splitlines()[1] == "2026-11-22 10:04  ✓  plain (by hand, not counted)  -         unknown"


def trace(**changes: Any) -> dict[str, Any]:
    messages = [
        {"role": "user", "parts": [{"type": "text", "text": "Which tools fit?"}]},
        {"role": "tool", "parts": [{"type": "text", "text": "sunny"}]},
    ]
    model_call = {
        "id": "s1",
        "kind": "model",
        "name": GOOD,
        "start_ms": 0,
        "duration_ms": 9,
        "content": {"messages": [0, 1], "answer": {"role": "assistant", "parts": [{"type": "text", "text": "None."}]}},
    }
    return {
        "id": "q1",
        "trace_id": "0" * 32,
        "started_at": "2026-11-22T10:04:59Z",
        "expires_at": "2026-11-29T10:04:59Z",
        "span_id": "0" * 16,
        "front_end": "trial",
        "caller": "direct",
        "failed": False,
        "duration_ms": 9,
        "model_calls": 1,
        "message": "",
        "outcome": "answered",
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "messages": messages,
        "spans": [model_call],
        "has_content": True,
        "answer": "None.",
    } | changes


def test_a_verdict_is_shown_with_its_origin_and_the_messages_of_its_case(flexchat: Flexchat) -> None:
    bad = verdict("b", "failed", reasons=["called get_weather"], provenance="real", server="api.example.com")
    service = flexchat.serve(history(status(), verdict("a"), cursor="2"), history(status(), bad), trace())

    code, printed, _ = flexchat.type("validate", "show", GOOD, "b")

    assert code == 0
    assert printed == (
        "✗ b failed\n"
        "  called get_weather\n"
        "model     openai:skill-95\n"
        "origin    a real model\n"
        "server    api.example.com\n"
        "category  single\n"
        "tested    2026-11-22 10:04\n"
        "run       r1, repetition 1\n"
        "duration  1.2 s, 400 tokens\n"
        "\n"
        "  user\n"
        "    Which tools fit?\n"
        "  tool\n"
        "    sunny\n"
        "  assistant\n"
        "    None.\n"
        "the whole trace: flexchat trace q1"
    )
    assert service.requests[-1] == SentRequest("GET", "/api/traces/q1")


def test_a_verdict_whose_trace_is_no_longer_kept_says_so(flexchat: Flexchat) -> None:
    flexchat.serve(
        history(status(), verdict("a", provenance="demo")), (404, {"error": "trace_not_found"}), {"traces": []}
    )

    code, printed, _ = flexchat.type("validate", "show", GOOD, "a")

    assert (code, printed.splitlines()[2]) == (0, "origin    the demo model")
    assert "The trace of this verdict is not available: it is no longer kept" in printed


def test_a_case_without_a_verdict_is_an_error(flexchat: Flexchat) -> None:
    listed = {"models": [{"id": GOOD}], "errors": []}
    flexchat.serve(history(status(), verdict("a"), verdict("b", "skipped")), listed)

    code, _, error = flexchat.type("validate", "show", GOOD, "b")

    assert code == 1
    assert error == f"{GOOD} has no verdict on 'b'; list its verdicts: flexchat validate history {GOOD}"


def test_tests_of_another_kind_of_model_are_named_and_not_counted(flexchat: Flexchat) -> None:
    flexchat.serve(history(status(tests_by_provenance={"real": 60, "demo": 25, "unknown": 0})))

    printed = flexchat.type("validate", "status", GOOD)[1]

    assert "tests: 60 of a real model, 25 of the demo model · 25 of another kind of model, not counted" in printed


FORGOTTEN = f"/api/tools/validate/{GOOD.replace(':', '%3A')}"


def test_the_history_of_a_model_is_deleted_by_repeated_requests(flexchat: Flexchat) -> None:
    some = {"model": GOOD, "records": 1_200, "complete": False}
    service = flexchat.serve(some, some, {"model": GOOD, "records": 31, "complete": True})

    code, printed, _ = flexchat.type("validate", "forget", GOOD, "--yes")

    assert (code, printed) == (0, f"{GOOD}: 2,431 records deleted")
    assert service.requests == [SentRequest("DELETE", FORGOTTEN)] * 3


@pytest.mark.parametrize(("typed", "requests"), [("n\n", 0), ("", 0), ("y\n", 1)])
def test_the_history_of_a_model_is_deleted_only_after_confirmation(
    flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch, typed: str, requests: int
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    service = flexchat.serve({"model": GOOD, "records": 1, "complete": True})

    code, printed, _ = flexchat.type("validate", "forget", GOOD)

    assert f"Delete every test of {GOOD} and what they add up to?" in printed
    assert (code, len(service.requests)) == (0 if requests else 1, requests)


def test_a_model_in_a_run_keeps_its_history(flexchat: Flexchat) -> None:
    refusal = {"error": "model_in_validation", "message": "the run 'r1' tries it; stop it first", "request_id": "q1"}
    flexchat.serve((409, refusal))

    code, _, error_output = flexchat.type("validate", "forget", GOOD, "--yes")

    assert code == 1
    assert "the run 'r1' tries it; stop it first" in error_output


def test_a_model_without_history_is_an_error(flexchat: Flexchat) -> None:
    flexchat.serve(history(UNTESTED), LISTED)

    assert (
        flexchat.type("validate", "history", "openai:new")[1]
        == "openai:new has no verdicts; run flexchat validate run --model openai:new"
    )


def test_two_models_with_a_significant_difference_are_distinguished(flexchat: Flexchat) -> None:
    good = status(categories={"single": rate(8, 8, 0.676, 1.0), "choice": rate(1, 1, 0.2, 1.0)})
    bad = FAILING | {"categories": {"single": rate(7, 8, 0.529, 0.978)}}
    flexchat.serve(history(good), history(bad), history(bad), history(good))

    code, printed, _ = flexchat.type("validate", "compare", GOOD, BAD)
    turned = flexchat.type("validate", "compare", BAD, GOOD)[1]

    assert code == 0
    assert printed == (
        "CATEGORY  openai:skill-95  openai:skill-60  DIFFERENCE\n"
        "single    8/8 100%         7/8 88%          +12 points (-21 to +47)  cannot tell\n"
        "all       57/60 95%        36/60 60%        +35 points (+21 to +48)  openai:skill-95 is better"
    )
    assert turned.splitlines()[-1].endswith("-35 points (-48 to -21)  openai:skill-95 is better")


def test_untested_models_cannot_be_compared(flexchat: Flexchat) -> None:
    flexchat.serve(history(status()), history(UNTESTED), LISTED)

    code, printed, error_output = flexchat.type("validate", "compare", GOOD, "openai:new")

    assert (code, printed, error_output) == (1, "", "not comparable: openai:new has no tests")


def test_runs_are_listed_newest_first(flexchat: Flexchat) -> None:
    models = [of_model(), of_model(BAD)]
    service = flexchat.serve(
        {"runs": [run("running", models=models, done=2, passed=1, failed=1)], "cursor": "2"},
        {"runs": [run(id="r0", status="queued", done=0, passed=0)]},
    )

    printed = flexchat.type("validate", "runs")[1]

    assert printed == (
        "ID  STATUS   SUITE    MODELS                            DONE   PASSED  BEGUN\n"
        "r1  running  default  openai:skill-95, openai:skill-60   2/3  1/2 50%  2026-11-22 10:00\n"
        "r0  queued   default  openai:skill-95                    0/3        -  2026-11-22 10:00"
    )
    assert service.requests == [
        SentRequest("GET", "/api/validation/runs"),
        SentRequest("GET", "/api/validation/runs?cursor=2"),
    ]


def test_run_ids_are_complete_in_a_narrow_terminal(flexchat: Flexchat) -> None:
    whole = "0123456789abcdef0123456789abcdef"
    flexchat.serve({"runs": [run(id=whole, models=[of_model(), of_model(BAD)])]})

    assert whole in flexchat.type("validate", "runs", columns=60)[1]


def test_without_runs_the_command_that_starts_one_is_printed(flexchat: Flexchat) -> None:
    flexchat.serve({"runs": []})

    assert flexchat.type("validate", "runs")[1] == "no runs; start one: flexchat validate run --model LLM:MODEL"


def test_a_run_is_stopped(flexchat: Flexchat) -> None:
    service = flexchat.serve(run("stopped"))

    printed = flexchat.type("validate", "stop", "r1")[1]

    assert printed == "r1 is stopped; its verdicts: flexchat validate watch r1"
    assert service.requests == [SentRequest("DELETE", "/api/validation/runs/r1")]


def test_a_stalled_run_is_restarted(flexchat: Flexchat) -> None:
    service = flexchat.serve((202, run("running", done=1)))

    printed = flexchat.type("validate", "resume", "r1")[1]

    assert printed == "r1 is resumed, 1 of 3 done; watch it: flexchat validate watch r1"
    assert service.requests == [SentRequest("POST", "/api/validation/runs/r1/resume")]


@pytest.mark.parametrize(
    ("arguments", "answer", "printed"),
    [
        (("status",), {"validations": [UNTESTED]}, {"validations": [UNTESTED]}),
        (("status", GOOD), history(status()), status()),
        (("history", GOOD), history(status(), verdict("a")), {"records": [verdict("a")]}),
        (("runs",), {"runs": [run()]}, {"runs": [run()]}),
    ],
)
def test_json_is_the_unchanged_response(
    arguments: tuple[str, ...], answer: Any, printed: Any, flexchat: Flexchat
) -> None:
    flexchat.serve(answer)

    assert json.loads(flexchat.type("validate", *arguments, "--json")[1]) == printed


def test_the_demo_model_is_labelled_beside_its_scores(flexchat: Flexchat) -> None:
    flexchat.serve({"validations": [status(demo=True)]})

    printed = flexchat.type("validate", "status")[1]

    assert printed == (
        "MODEL            VALIDATED   PASSED     INTERVAL    STATE   LAST TESTED\n"
        "openai:skill-95  demo model  57/60 95%  86% to 98%  proven  2026-11-22 10:04"
    )


def test_the_demo_model_is_labelled_in_the_list_of_runs(flexchat: Flexchat) -> None:
    flexchat.serve({"runs": [run(models=[of_model(demo=True), of_model(BAD)])]})

    printed = flexchat.type("validate", "runs")[1]

    assert f"{GOOD} (demo), {BAD}" in " ".join(printed.split())
