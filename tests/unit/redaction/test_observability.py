"""Log lines and metrics in the format of CloudWatch."""

import io
import json
import logging
from typing import Any

import pytest
from aws_lambda_powertools import Logger

from flexchat.observability import apply_configured_level, emit_metrics, logger, redact_libraries, stack_of


def written(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def fail(error: Exception) -> None:
    raise error


def log_failure(error: Exception) -> None:
    try:
        fail(error)
    except ValueError:
        logger.exception("call failed")


def test_a_log_line_is_a_message_with_fields(capsys: pytest.CaptureFixture[str]):
    logger.info("tool called", tool="calculate", duration_ms=3)

    (line,) = written(capsys)
    assert {key: line[key] for key in ("level", "message", "tool", "duration_ms")} == {
        "level": "INFO",
        "message": "tool called",
        "tool": "calculate",
        "duration_ms": 3,
    }
    assert line["timestamp"].endswith("+00:00")


@pytest.mark.parametrize(
    ("of_lambda", "configured", "level"),
    [
        ("INFO", "ERROR", logging.ERROR),
        ("INFO", "WARNING", logging.WARNING),
        ("INFO", "INFO", logging.INFO),
        ("DEBUG", "DEBUG", logging.DEBUG),
        (None, "DEBUG", logging.DEBUG),
        ("INFO", None, logging.INFO),
        (None, None, logging.INFO),
    ],
)
def test_the_configured_level_applies_beside_the_filter_of_lambda(
    monkeypatch: pytest.MonkeyPatch, of_lambda: str | None, configured: str | None, level: int
) -> None:
    """Lambda sets AWS_LAMBDA_LOG_LEVEL to the level of its own filter; Powertools uses it as the logger's level."""
    for name, value in (("AWS_LAMBDA_LOG_LEVEL", of_lambda), ("POWERTOOLS_LOG_LEVEL", configured)):
        monkeypatch.delenv(name, raising=False)
        if value:
            monkeypatch.setenv(name, value)
    log = Logger(service=f"level of {of_lambda} and {configured}")

    apply_configured_level(log)

    assert log.log_level == level


def test_secrets_are_redacted_by_key_and_by_value(capsys: pytest.CaptureFixture[str]):
    canaries = ["canary-key-77", "ada@example.com", "4111 1111 1111 1111", "AKIAIOSFODNN7EXAMPLE", "canary-query-77"]
    logger.warning(
        f"sent by {canaries[1]}",
        api_key=canaries[0],
        nested={"headers": {"Authorization": f"Bearer {canaries[0]}"}, "cards": [canaries[2]]},
        url=f"https://h/?key={canaries[4]}",
        error=RuntimeError(canaries[3]),
    )

    out = capsys.readouterr().out
    assert [canary for canary in canaries if canary in out] == []
    assert out.count("[redacted]") == 6


def test_every_handler_gets_only_redacted_records(capsys: pytest.CaptureFixture[str]):
    seen = io.StringIO()
    other = logging.StreamHandler(seen)
    logging.getLogger().addHandler(other)
    try:
        logger.error("sent by ada@example.com")
    finally:
        logging.getLogger().removeHandler(other)

    assert seen.getvalue() == ""
    assert len(written(capsys)) == 1


def test_library_logs_are_redacted_and_dropped_below_warning():
    written = io.StringIO()
    root = logging.Logger("root", logging.INFO)
    root.addHandler(logging.StreamHandler(written))
    redact_libraries(root)

    root.info("HTTP Request: GET https://api.example/v1")
    root.warning("Retrying %s after %r", "https://h/?key=canary-query-77", ValueError("sk-abcdefghijklmnop"))
    try:
        fail(ValueError("ada@example.com"))
    except ValueError:
        root.exception("connection to %s lost", "https://ada:canary-77@h/")

    assert written.getvalue() == (
        "Retrying https://h/?key=[redacted] after ValueError('[redacted]')\n"
        "connection to https://[redacted]@h/ lost (ValueError)\n"
    )


def test_an_exception_is_logged_with_its_stack_and_without_secrets(capsys: pytest.CaptureFixture[str]):
    log_failure(ValueError("key AKIAIOSFODNN7EXAMPLE of ada@example.com"))

    (line,) = written(capsys)
    assert line["exception_name"] == "ValueError"
    assert line["exception"].endswith("ValueError: key [redacted] of [redacted]")
    assert "test_observability.py" in line["exception"]


@pytest.mark.parametrize("secret", ["sk-" + "a1" * 200, "-----BEGIN PRIVATE KEY-----\n" + "a1" * 800])
def test_a_secret_at_the_truncation_point_of_a_stack_is_removed_completely(
    secret: str, capsys: pytest.CaptureFixture[str]
):
    log_failure(ValueError(f"{secret} -----END PRIVATE KEY----- {'x' * 7_900}"))

    assert "a1a1" not in capsys.readouterr().out


def test_the_end_of_a_long_stack_is_logged(capsys: pytest.CaptureFixture[str]):
    log_failure(ValueError("x" * 20_000 + " the end"))

    (line,) = written(capsys)
    assert line["exception"].endswith(" the end")
    assert len(line["exception"]) == 8_000


@pytest.mark.parametrize(
    "text",
    [
        'a\n{"level":"ERROR","message":"forged"}',
        'a\r\n{"_aws":{"CloudWatchMetrics":[]}}',
        "\x1b[2J\x1b[31mred",
        "\u2028\u2029\x85\x0b\x0c",
        "\x9b31m",
        '"},{"forged":"',
    ],
    ids=["line", "metrics", "colour", "unicode line ends", "c1 control", "quotes"],
)
def test_user_text_cannot_add_log_lines_or_control_sequences(text: str, capsys: pytest.CaptureFixture[str]):
    logger.info(text, fact=text)

    out = capsys.readouterr().out
    assert len(out.splitlines()) == 1
    assert out.isascii()
    assert "\x1b" not in out
    line = json.loads(out)
    assert (line["message"], line["fact"]) == (text, text)


def test_a_lone_surrogate_is_logged(capsys: pytest.CaptureFixture[str]):
    logger.info("called", fact="\ud800")

    assert '"fact":"\\ud800"' in capsys.readouterr().out


def test_a_message_that_is_json_stays_text(capsys: pytest.CaptureFixture[str]):
    logger.info('{"_aws": {"CloudWatchMetrics": []}, "Fake": 1}')

    (line,) = written(capsys)
    assert line["message"] == '{"_aws": {"CloudWatchMetrics": []}, "Fake": 1}'


def test_a_field_with_the_name_of_the_metrics_key_is_omitted(capsys: pytest.CaptureFixture[str]):
    logger.info("called", _aws={"CloudWatchMetrics": []}, Fake=1)

    (line,) = written(capsys)
    assert "_aws" not in line


def test_a_value_without_a_json_form_is_logged_as_text(capsys: pytest.CaptureFixture[str]):
    logger.info("called", value=float("nan"), kind={1}, thing=object)

    (line,) = written(capsys)
    assert (line["value"], line["kind"], line["thing"]) == ("nan", [1], "<class 'object'>")


def test_each_metrics_line_contains_only_metrics(capsys: pytest.CaptureFixture[str]):
    emit_metrics(dimension=("model", "openai:m"), counts={"Chats": 1, "Tokens": 30}, milliseconds={"Took": 12})
    emit_metrics(dimension=("tool", " "), counts={"Calls": 2})

    first, second = written(capsys)
    metrics = first["_aws"]["CloudWatchMetrics"][0]
    assert (metrics["Namespace"], metrics["Dimensions"]) == ("Flexchat", [["model"]])
    assert {entry["Name"]: entry["Unit"] for entry in metrics["Metrics"]} == {
        "Chats": "Count",
        "Tokens": "Count",
        "Took": "Milliseconds",
    }
    assert (first["model"], first["Chats"], first["Took"]) == ("openai:m", [1.0], [12.0])
    assert (second["tool"], second["Calls"], "Chats" in second) == ("unnamed", [2.0], False)


def test_a_stack_has_code_locations_and_no_values():
    with pytest.raises(ValueError, match="canary") as error:
        fail(ValueError("canary"))

    stack = stack_of(error.value)
    assert stack[-1].endswith(" fail")
    assert "canary" not in "".join(stack)


def test_metrics_have_the_given_dimensions_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deployed functions have a service name; an alarm on `stage` alone sees no metric of `stage` and `service`."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "validation")
    emit_metrics(dimension=("stage", "dev"), counts={"ModelRegressions": 1})
    [line] = written(capsys)
    assert line["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["stage"]]
    assert "service" not in line


def test_metrics_are_in_the_namespace_of_the_deployment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Flexchat/prod")
    emit_metrics(dimension=("model", "openai:m"), counts={"Chats": 1})
    [line] = written(capsys)
    assert line["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "Flexchat/prod"


def test_metrics_are_stored_under_additional_sets_of_dimensions(capsys: pytest.CaptureFixture[str]) -> None:
    emit_metrics(
        dimension=("error_type", "timeout"),
        also=({"tool": "a", "error_type": "timeout"},),
        milliseconds={"Took": list(range(200))},
        percents={"Share": 50},
    )
    [line] = written(capsys)
    assert line["_aws"]["CloudWatchMetrics"] == [
        {
            "Namespace": "Flexchat",
            "Dimensions": [["error_type"], ["tool", "error_type"]],
            "Metrics": [{"Name": "Took", "Unit": "Milliseconds"}, {"Name": "Share", "Unit": "Percent"}],
        }
    ]
    assert (len(line["Took"]), line["Share"]) == (100, [50.0])
