"""Log lines that Lambda stores for each `LogLevel` of the template."""

import json
import logging
import re
from collections.abc import Iterator

import pytest

from cli.aws.logs import function_names
from flexchat.observability import apply_configured_level, emit_metrics, logger
from tests.template.resolver import Resolved
from tests.template.transform import ROOT, Transformed

LAMBDA_LEVELS = ("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL")
"""Allowed values of ApplicationLogLevel, the most detailed first:
https://docs.aws.amazon.com/lambda/latest/api/API_LoggingConfig.html"""

PYTHON_LEVELS = {"DEBUG": "DEBUG", "INFO": "INFO", "WARNING": "WARN", "ERROR": "ERROR", "CRITICAL": "FATAL"}
STORED = {
    "DEBUG": ["DEBUG", "INFO", "WARNING", "ERROR", "metrics"],
    "INFO": ["INFO", "WARNING", "ERROR", "metrics"],
    "WARNING": ["WARNING", "ERROR", "metrics"],
    "ERROR": ["ERROR", "metrics"],
}


def passes_filter(line: str, level: str) -> bool:
    """Lambda's filter of JSON lines; a line without a level, or without a timestamp, counts as INFO.

    https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
    """
    facts = json.loads(line)
    own = PYTHON_LEVELS[facts["level"]] if "level" in facts and "timestamp" in facts else "INFO"
    return LAMBDA_LEVELS.index(own) >= LAMBDA_LEVELS.index(level)


@pytest.fixture
def restored_level() -> Iterator[None]:
    level = logger.log_level
    yield
    logging.getLogger(logger.service).setLevel(level)


def test_every_function_logs_json_to_its_own_group_at_the_configured_level(template: Transformed) -> None:
    for level in STORED:
        stack = Resolved(template, {"LogLevel": level})
        for name in template.of_type("AWS::Lambda::Function"):
            function = stack.properties(name)
            assert function["LoggingConfig"] == {
                "LogFormat": "JSON",
                "LogGroup": f"/aws/lambda/{function['FunctionName']}",
                "ApplicationLogLevel": "DEBUG" if level == "DEBUG" else "INFO",
            }
            assert function["Environment"]["Variables"]["POWERTOOLS_LOG_LEVEL"] == level


@pytest.mark.usefixtures("restored_level")
@pytest.mark.parametrize("level", STORED)
def test_log_lines_of_the_configured_level_and_all_metrics_are_stored(
    template: Transformed, level: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    function = Resolved(template, {"LogLevel": level}).properties("ChatFunction")
    of_lambda = function["LoggingConfig"]["ApplicationLogLevel"]
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", function["Environment"]["Variables"]["POWERTOOLS_LOG_LEVEL"])
    monkeypatch.setenv("AWS_LAMBDA_LOG_LEVEL", of_lambda)  # as Lambda sets it
    logger.setLevel(None)  # reads the environment, as at import
    apply_configured_level(logger)

    for each in ("DEBUG", "INFO", "WARNING", "ERROR"):
        logging.getLogger(logger.service).log(logging.getLevelNamesMapping()[each], each)
    emit_metrics(dimension=("model", "m"), counts={"Chats": 1})

    lines = [line for line in capsys.readouterr().out.splitlines() if passes_filter(line, of_lambda)]
    assert [json.loads(line).get("message", "metrics") for line in lines] == STORED[level]


GROUP_IN_DOCUMENT = re.compile(
    r"/aws/(?:lambda|apigateway)/flexchat-(?:<stage>|dev)(?:-[a-z-]*(?:[a-z]|<type>))?(?![\w-])"
)
TOOL_TYPE = re.compile(r"-tool-[a-z0-9-]+$")


def log_groups(template: Transformed) -> set[str]:
    """Return the log groups of the stage `dev`."""
    return {Resolved(template).properties(name)["LogGroupName"] for name in template.of_type("AWS::Logs::LogGroup")}


def groups_in(page: str) -> set[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return {name.replace("<stage>", "dev") for name in GROUP_IN_DOCUMENT.findall(text)}


def test_the_command_reads_the_log_groups_of_all_functions(template: Transformed) -> None:
    names = function_names(ROOT / "template.yaml")

    found = {group for group in log_groups(template) if group.startswith("/aws/lambda/")}
    assert {f"/aws/lambda/flexchat-dev-{name}" for name in names} == found


def test_the_operations_page_names_every_log_group(template: Transformed) -> None:
    assert groups_in("operations.md") == {TOOL_TYPE.sub("-tool-<type>", group) for group in log_groups(template)}


@pytest.mark.parametrize("page", ["troubleshooting.md", "deployment.md", "traces.md"])
def test_other_pages_name_only_existing_log_groups(page: str, template: Transformed) -> None:
    assert groups_in(page) - log_groups(template) == set()
