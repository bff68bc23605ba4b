"""Validation runs in the CLI: requests, progress, and outcome."""

import json
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import parse

import pytest

from tests.unit.cli.command_runner import Flexchat, SentRequest
from tests.unit.cli.validations import BAD, GOOD, of_model, rate, run, verdict

MORE = "/api/validation/runs/r1?limit=500"
LISTED = {"models": [{"id": GOOD}, {"id": BAD}, {"id": "ollama:qwen3:latest"}], "errors": []}
BEGUN = (202, run("queued", done=0, passed=0))
PASSED = [verdict(case) for case in ("a", "b", "c")]
ENDED = run(models=[of_model(rate=rate(3, 3))], verdicts=PASSED)
WRONG = verdict("d", "failed", reasons=["asked for `city`, expected one of 'Oslo'"], repeat=2)
LOST = verdict("e", "error", reasons=["the provider could not go on: timeout"])


def test_a_run_is_started_followed_and_reported(flexchat: Flexchat) -> None:
    running = run("running", done=1, passed=1)
    service = flexchat.serve(LISTED, BEGUN, running, ENDED, ENDED)

    code, printed, error_output = flexchat.type("validate", "run", "--model", GOOD)

    assert code == 0
    assert printed == (
        "CATEGORY  openai:skill-95\n"
        "single    3/3 100%\n"
        "all       3/3 100%\n"
        "interval  44% to 100%\n"
        "state     undecided\n"
        "\n"
        "default x 1: 3 chats, 1200 tokens"
    )
    assert error_output == "run r1"
    assert flexchat.sleeps == [0.3]
    begun: dict[str, Any] = {"models": [GOOD], "suite": "default", "repeats": 1, "budget": {}, "stop_early": True}
    assert service.requests == [
        SentRequest("GET", "/api/models/list"),
        SentRequest("POST", "/api/tools/validate", begun),
        *(SentRequest("GET", MORE) for _ in range(3)),
    ]


@pytest.mark.parametrize(
    ("model", "listing"),
    [
        ("ollama:qwen3", LISTED),
        ("openai:unlisted", LISTED | {"errors": [{"llm": "openai", "message": "cannot be reached"}]}),
        ("skill-95", LISTED),
        ("openai:skill-60-seed-7", LISTED | {"models": [{"id": GOOD, "llm": "openai", "demo": True}]}),
    ],
    ids=["the tag latest", "an llm that cannot list its models", "a name without an llm", "the demo model"],
)
def test_a_model_without_a_model_list_is_sent_to_the_service(model: str, listing: Any, flexchat: Flexchat) -> None:
    service = flexchat.serve(listing, BEGUN, ENDED, ENDED)

    assert flexchat.type("validate", "run", "--model", model)[0] == 0
    assert service.requests[1].body["models"] == [model]


def test_a_model_missing_in_all_lists_starts_no_run(flexchat: Flexchat) -> None:
    service = flexchat.serve(LISTED)

    code, _, errors = flexchat.type("validate", "run", "--model", GOOD, "--model", "openai:skil-95")

    assert (code, len(service.requests)) == (2, 1)
    assert errors == (
        "https://chat.example has no model 'openai:skil-95'; it has: 'openai:skill-95', 'openai:skill-60', "
        "'ollama:qwen3:latest'; a model that its provider does not list must be named in llms.openai.models"
    )


@pytest.mark.parametrize(
    ("file", "reason"), [(".", "is a directory; name a file"), ("none/junit.xml", "directory 'none' not found")]
)
def test_an_unwritable_junit_file_starts_no_run(
    file: str, reason: str, flexchat: Flexchat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    service = flexchat.serve()

    typed = flexchat.type("validate", "run", "--model", GOOD, "--junit", file)

    assert (typed, service.requests) == ((1, "", f"{file}: {reason}"), [])


def test_an_unknown_suite_is_an_error_with_the_existing_ones(flexchat: Flexchat) -> None:
    refused = (404, {"error": "suite_not_found", "message": "suite 'defalt' not found", "request_id": "r"})
    flexchat.serve(LISTED, refused, {"suites": [{"name": "default"}, {"name": "mine"}]})

    code, _, errors = flexchat.type("validate", "run", "--model", GOOD, "--suite", "defalt")

    assert (code, errors) == (2, "https://chat.example has no suite 'defalt'; it has: 'default', 'mine'")


def test_every_option_is_sent(flexchat: Flexchat) -> None:
    service = flexchat.serve(LISTED, BEGUN, ENDED, ENDED)

    options = ("--suite", "mine", "--repeats", "5", "--max-calls", "9", "--max-tokens", "8", "--max-usd", "0.5")
    flexchat.type("validate", "run", "-m", GOOD, "-m", BAD, *options, "--no-stop-early")

    assert service.requests[1].body == {
        "models": [GOOD, BAD],
        "suite": "mine",
        "repeats": 5,
        "budget": {"calls": 9, "tokens": 8, "usd": 0.5},
        "stop_early": False,
    }


def test_failed_verdicts_of_all_pages_are_printed_once(flexchat: Flexchat) -> None:
    first = run("running", done=1, passed=0, failed=1, verdicts=[PASSED[0]], cursor="next page")
    second = run("running", verdicts=[WRONG])
    last = run(failed=1, errors=1, models=[of_model(rate=rate(3, 4), errors=1)], verdicts=[*PASSED, WRONG, LOST])
    service = flexchat.serve(LISTED, BEGUN, first, first, second, first, last, last)

    code, printed, error_output = flexchat.type("validate", "run", "--model", GOOD)

    assert code == 1
    assert error_output == (
        "run r1\n"
        "✗ openai:skill-95 d #2  asked for `city`, expected one of 'Oslo'\n"
        "! openai:skill-95 e  the provider could not go on: timeout"
    )
    assert "single    3/4 75%" in printed
    assert "errors    1" in printed
    assert service.requests[4] == SentRequest("GET", f"{MORE}&cursor=next+page")
    assert len(service.requests) == 8
    assert flexchat.sleeps == [0.3, pytest.approx(0.45)]


def test_models_are_listed_side_by_side_with_their_decisions(flexchat: Flexchat) -> None:
    models = [of_model(rate=rate(3, 3)), of_model(BAD, rate=rate(0, 1), decided="fails", skipped=2)]
    bad = verdict("a", "failed", model=BAD, category="types")
    skipped = verdict("b", "skipped", model=BAD)
    ended = run(models=models, cost_usd=0.25, verdicts=[*PASSED, bad, skipped])
    flexchat.serve(LISTED, BEGUN, ended, ended)

    code, printed, _ = flexchat.type("validate", "run", "-m", GOOD, "-m", BAD)

    assert code == 1
    assert printed == (
        "CATEGORY  openai:skill-95  openai:skill-60\n"
        "single    3/3 100%         -\n"
        "types     -                0/1 0%\n"
        "all       3/3 100%         0/1 0%\n"
        "interval  44% to 100%      0% to 79%\n"
        "state     undecided        failing\n"
        "decided   -                fails, 2 skipped\n"
        "\n"
        "default x 1: 3 chats, 1200 tokens, $0.2500"
    )


@pytest.mark.parametrize(("threshold", "code"), [("0.75", 0), ("0.76", 1)])
def test_the_threshold_decides_the_exit_code(threshold: str, code: int, flexchat: Flexchat) -> None:
    ended = run(models=[of_model(rate=rate(3, 4))])
    flexchat.serve(LISTED, BEGUN, ended, ended)

    assert flexchat.type("validate", "run", "-m", GOOD, "--threshold", threshold)[0] == code


def test_a_model_without_results_is_below_every_threshold(flexchat: Flexchat) -> None:
    ended = run(models=[of_model(errors=3)], passed=0, errors=3, verdicts=[LOST])
    flexchat.serve(LISTED, BEGUN, ended, ended)

    code, printed, _ = flexchat.type("validate", "run", "-m", GOOD, "--threshold", "0")

    assert code == 1
    assert printed.startswith("CATEGORY  openai:skill-95\ninterval  -\nstate     untested\nerrors    3\n")


@pytest.mark.parametrize(
    ("status", "reason", "arguments"),
    [
        ("stopped", "the budget is spent", "The run stopped: the budget is spent"),
        ("failed", None, "The run failed: no reason was recorded"),
    ],
)
def test_an_unfinished_run_has_its_own_exit_code(
    status: str, reason: str | None, arguments: str, flexchat: Flexchat
) -> None:
    ended = run(status, reason=reason, models=[of_model(rate=rate(3, 3))], verdicts=PASSED)
    flexchat.serve(ended, ended)

    code, printed, _ = flexchat.type("validate", "watch", "r1")

    assert code == 2
    assert printed.endswith(arguments)


def test_an_error_of_the_service_is_no_failed_threshold(flexchat: Flexchat) -> None:
    flexchat.serve((403, {"message": "this needs the operator role"}))

    code, printed, error_output = flexchat.type("validate", "run", "-m", GOOD)

    assert (code, printed, error_output) == (2, "", "HTTP 403: this needs the operator role")


def test_a_lost_service_is_reported_with_the_command_that_continues(flexchat: Flexchat) -> None:
    flexchat.serve(LISTED, BEGUN, (503, {"message": "unavailable"}))

    code, _, error_output = flexchat.type("validate", "run", "-m", GOOD)

    assert code == 2
    assert error_output == (
        "run r1\n"
        "\n"
        "The run continues. Watch it: flexchat validate watch r1\n"
        "Stop it: flexchat validate stop r1\n"
        "Resume it if it stalls: flexchat validate resume r1\n"
        "HTTP 503: unavailable\n"
        "  try again in a minute"
    )


def test_an_interrupt_prints_the_command_that_continues(flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch) -> None:
    flexchat.serve(LISTED, BEGUN, run("running"))

    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", interrupt)
    code, printed, error_output = flexchat.type("validate", "run", "-m", GOOD)

    assert (code, printed) == (130, "")
    assert "Watch it: flexchat validate watch r1" in error_output


def test_json_is_the_run_with_all_its_verdicts_and_nothing_else(flexchat: Flexchat) -> None:
    service = flexchat.serve(LISTED, BEGUN, ENDED, run(verdicts=PASSED[:1], cursor="2"), run(verdicts=PASSED[1:]))

    code, printed, error_output = flexchat.type("validate", "run", "-m", GOOD, "--json")

    body = json.loads(printed)
    assert (code, error_output, len(service.requests)) == (0, "", 5)
    assert [found["case"] for found in body["verdicts"]] == ["a", "b", "c"]
    assert (body["id"], body["status"], body["models"][0]["rate"]["successes"]) == ("r1", "finished", 3)


def test_junit_has_a_suite_for_each_model_and_a_test_for_each_case(flexchat: Flexchat, tmp_path: Path) -> None:
    verdicts = [
        PASSED[0],
        WRONG | {"reasons": ["not \x00 <right>", "nor this"]},
        LOST,
        verdict("f", "skipped"),
        verdict("g", "failed"),
        verdict("h", "error"),
    ]
    ended = run(models=[of_model(), of_model(BAD)], verdicts=verdicts)
    flexchat.serve(ended, ended)
    file = tmp_path / "junit.xml"

    flexchat.type("validate", "watch", "r1", "--junit", str(file))

    root = parse(file).getroot()  # noqa: S314 # written by this test
    good, bad = root
    counts = {"tests": "6", "failures": "2", "errors": "2", "skipped": "1", "time": "7.500"}
    assert root.attrib == {"name": "flexchat validation default"}
    assert good.attrib == {"name": GOOD} | counts
    assert bad.attrib == {"name": BAD} | dict.fromkeys(counts, "0") | {"time": "0.000"}
    assert [case.attrib for case in good][:2] == [
        {"classname": "openai:skill-95.single", "name": "a", "time": "1.250"},
        {"classname": "openai:skill-95.single", "name": "d #2", "time": "1.250"},
    ]
    assert [[(found.tag, found.attrib, found.text) for found in case] for case in good] == [
        [],
        [("failure", {"message": "not \ufffd <right>"}, "not \ufffd <right>\nnor this")],
        [("error", {"message": "the provider could not go on: timeout"}, "the provider could not go on: timeout")],
        [("skipped", {}, None)],
        [("failure", {"message": ""}, None)],
        [("error", {"message": ""}, None)],
    ]


def test_junit_labels_the_demo_model(flexchat: Flexchat, tmp_path: Path) -> None:
    ended = run(models=[of_model(demo=True)], verdicts=[PASSED[0]])
    flexchat.serve(ended, ended)
    file = tmp_path / "junit.xml"

    flexchat.type("validate", "watch", "r1", "--junit", str(file))

    (suite,) = parse(file).getroot()  # noqa: S314 # written by this test
    assert suite.attrib["name"] == f"{GOOD} (demo model)"
    assert [(found.tag, found.attrib) for found in suite[0]] == [("property", {"name": "demo", "value": "true"})]


def test_a_terminal_shows_the_progress(flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    running = run("running", done=2, passed=1, skipped=1, errors=1, cost_usd=0.125, verdicts=[LOST])
    flexchat.serve(running, running, ENDED, ENDED)

    _, _, error_output = flexchat.type("validate", "watch", "r1")

    assert "3/3" in error_output
    assert "finished, 3 passed, 0 failed" in error_output


@pytest.mark.parametrize("arguments", [("run",), ("run", "-m", GOOD, "--repeats", "0"), ("watch",)])
def test_invalid_options_are_rejected_before_the_service_is_called(
    arguments: tuple[str, ...], flexchat: Flexchat
) -> None:
    service = flexchat.serve()

    assert flexchat.type("validate", *arguments)[0] == 2
    assert service.requests == []
