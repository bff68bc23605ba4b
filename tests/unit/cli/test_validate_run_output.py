"""Output of validation runs: text, JSON, JUnit and progress."""

import json
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest

from tests.unit.cli.command_runner import Flexchat, SentRequest
from tests.unit.cli.run_responses import ENDED, LISTED, LOST, MORE, PASSED, STARTED
from tests.unit.cli.validations import BAD, GOOD, of_model, rate, run, verdict

TRACE = "request id: q1 (flexchat trace q1)"
WRONG = verdict("d", "failed", reasons=["asked for `city`, expected one of 'Oslo'"], repeat=2)


def test_failed_verdicts_of_all_pages_are_printed_once(flexchat: Flexchat) -> None:
    first = run("running", done=1, passed=0, failed=1, verdicts=[PASSED[0]], cursor="next page")
    second = run("running", verdicts=[WRONG])
    last = run(failed=1, errors=1, models=[of_model(rate=rate(3, 4), errors=1)], verdicts=[*PASSED, WRONG, LOST])
    service = flexchat.serve(LISTED, STARTED, first, first, second, first, last, last)

    code, printed, error_output = flexchat.type("validate", "run", "--model", GOOD)

    assert code == 1
    assert error_output == (
        "run r1\n"
        "✗ openai:skill-95 d #2  asked for `city`, expected one of 'Oslo'\n"
        "  request id: q1 (flexchat trace q1)\n"
        "! openai:skill-95 e  the provider could not go on: timeout\n"
        "  request id: q1 (flexchat trace q1)"
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
    flexchat.serve(LISTED, STARTED, ended, ended)

    code, printed, _ = flexchat.type("validate", "run", "-m", GOOD, "-m", BAD)

    assert code == 1
    assert printed == (
        "CATEGORY       openai:skill-95  openai:skill-60\n"
        "single         3/3 100%         -\n"
        "types          -                0/1 0%\n"
        "all            3/3 100%         0/1 0%\n"
        "interval       44% to 100%      0% to 79%\n"
        "state          undecided        failing\n"
        "stopped early  no               below 80%, 2 skipped\n"
        "\n"
        "default x 1: 3 chats, 1200 tokens, $0.2500"
    )


def test_json_is_the_run_with_all_its_verdicts_and_nothing_else(flexchat: Flexchat) -> None:
    service = flexchat.serve(LISTED, STARTED, ENDED, run(verdicts=PASSED[:1], cursor="2"), run(verdicts=PASSED[1:]))

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
        [("failure", {"message": "not \ufffd <right>"}, f"not \ufffd <right>\nnor this\n{TRACE}")],
        [
            (
                "error",
                {"message": "the provider could not go on: timeout"},
                f"the provider could not go on: timeout\n{TRACE}",
            )
        ],
        [("skipped", {}, None)],
        [("failure", {"message": ""}, TRACE)],
        [("error", {"message": ""}, TRACE)],
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
