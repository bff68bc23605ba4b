"""Validation runs in the CLI: requests, progress, and outcome."""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.command_runner import Flexchat, SentRequest
from tests.unit.cli.run_responses import ENDED, LISTED, LOST, MORE, PASSED, STARTED
from tests.unit.cli.validations import BAD, GOOD, of_model, rate, run


def test_a_run_is_started_followed_and_reported(flexchat: Flexchat) -> None:
    running = run("running", done=1, passed=1)
    service = flexchat.serve(LISTED, STARTED, running, ENDED, ENDED)

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
    start_body: dict[str, Any] = {"models": [GOOD], "suite": "default", "repeats": 1, "budget": {}, "stop_early": True}
    assert service.requests == [
        SentRequest("GET", "/api/models/list"),
        SentRequest("POST", "/api/tools/validate", start_body),
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
    service = flexchat.serve(listing, STARTED, ENDED, ENDED)

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
    service = flexchat.serve(LISTED, STARTED, ENDED, ENDED)

    options = ("--suite", "mine", "--repeats", "5", "--max-calls", "9", "--max-tokens", "8", "--max-usd", "0.5")
    flexchat.type("validate", "run", "-m", GOOD, "-m", BAD, *options, "--no-stop-early")

    assert service.requests[1].body == {
        "models": [GOOD, BAD],
        "suite": "mine",
        "repeats": 5,
        "budget": {"calls": 9, "tokens": 8, "usd": 0.5},
        "stop_early": False,
    }


@pytest.mark.parametrize(("threshold", "code"), [("0.75", 0), ("0.76", 1)])
def test_the_threshold_decides_the_exit_code(threshold: str, code: int, flexchat: Flexchat) -> None:
    ended = run(models=[of_model(rate=rate(3, 4))])
    flexchat.serve(LISTED, STARTED, ended, ended)

    assert flexchat.type("validate", "run", "-m", GOOD, "--threshold", threshold)[0] == code


def test_a_model_without_results_is_below_every_threshold(flexchat: Flexchat) -> None:
    ended = run(models=[of_model(errors=3)], passed=0, errors=3, verdicts=[LOST])
    flexchat.serve(LISTED, STARTED, ended, ended)

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
    flexchat.serve(LISTED, STARTED, (503, {"message": "unavailable"}))

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
    flexchat.serve(LISTED, STARTED, run("running"))

    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", interrupt)
    code, printed, error_output = flexchat.type("validate", "run", "-m", GOOD)

    assert (code, printed) == (130, "")
    assert "Watch it: flexchat validate watch r1" in error_output


@pytest.mark.parametrize("arguments", [("run",), ("run", "-m", GOOD, "--repeats", "0"), ("watch",)])
def test_invalid_options_are_rejected_before_the_service_is_called(
    arguments: tuple[str, ...], flexchat: Flexchat
) -> None:
    service = flexchat.serve()

    assert flexchat.type("validate", *arguments)[0] == 2
    assert service.requests == []
