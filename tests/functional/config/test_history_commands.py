"""`flexchat config`: history, diff of versions, rollback, comments."""

import json
from pathlib import Path
from typing import Any

from typer.testing import Result

from cli.stage_bucket import configuration_objects
from flexchat.aws.parameters import ParameterStore
from flexchat.config.parameters import configuration_path, manifest_name
from tests.functional.config.commands import STAGE, config, write
from tests.unit.config.sources import rule, source


def output_of(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def push(path: Path, comment: str, *rules: Any) -> Result:
    write(path, source(responses=list(rules)))
    return config("push", "--stage", STAGE, "--file", path, "--comment", comment)


def test_history_lists_who_published_which_version_and_why(file: Path) -> None:
    assert push(file, "first", rule()).exit_code == 0
    assert "Version 2." in push(file, "a warmer prompt", rule(prompt="Be warm.")).stdout

    newest, first = output_of(config("history", "--stage", STAGE, "--json"))
    assert (newest["number"], newest["comment"], newest["active"]) == (2, "a warmer prompt", True)
    assert newest["by"].startswith("arn:aws:")
    assert newest["changes"] == ["~ responses[0]: prompt"]
    assert (first["number"], first["comment"], first["active"]) == (1, "first", False)

    shown = config("history", "--stage", STAGE)
    assert "a warmer prompt" in shown.stdout
    assert "rollback 1 --stage dev" in shown.stderr


def test_a_push_without_changes_records_no_version(file: Path) -> None:
    push(file, "first", rule())
    push(file, "again", rule())

    assert [version["comment"] for version in output_of(config("history", "--stage", STAGE, "--json"))] == ["first"]


def test_rollback_publishes_an_old_configuration_as_a_new_version(file: Path, store: ParameterStore) -> None:
    push(file, "first", rule(prompt="One."))
    before = store.read((manifest_name(STAGE),))
    push(file, "second", rule(prompt="Two."))

    result = config("rollback", "1", "--stage", STAGE, "--comment", "two was wrong")
    assert result.exit_code == 0, result.output
    assert "~ responses[0]" in result.stdout
    assert store.read((manifest_name(STAGE),)) == before
    newest = output_of(config("history", "--stage", STAGE, "--json"))[0]
    assert (newest["number"], newest["restores"], newest["comment"]) == (3, 1, "two was wrong")
    assert [each["active"] for each in output_of(config("history", "--stage", STAGE, "--json"))] == [True, False, False]


def test_diff_lists_the_changes_since_a_version_with_lines_on_request(file: Path) -> None:
    push(file, "first", rule(prompt="One."))
    push(file, "second", rule(prompt="Two."))

    assert config("diff", "1", "--stage", STAGE).stdout == "~ responses[0]: prompt\n"
    lines = config("diff", "1", "--stage", STAGE, "--lines").stdout.splitlines()
    assert [line for line in lines if line.startswith(("+", "-"))] == [
        '-      "prompt": "One."',
        '+      "prompt": "Two."',
    ]
    assert config("diff", "2", "--stage", STAGE).stdout == "'dev' has the configuration of version 2.\n"


def test_an_unknown_version_names_the_command_that_lists_them(file: Path) -> None:
    push(file, "first", rule())

    for command in ("rollback", "diff"):
        result = config(command, "7", "--stage", STAGE)
        assert result.exit_code != 0
        assert "'dev' has no version 7" in str(result.exception)
        assert "config history --stage dev" in str(result.exception)


def test_a_configuration_published_without_a_record_is_recorded_by_the_next_push(
    file: Path, store: ParameterStore
) -> None:
    push(file, "first", rule(prompt="One."))
    objects = configuration_objects(STAGE)
    objects.delete_before(2)  # as if an earlier release had published it
    assert "no recorded version" in config("history", "--stage", STAGE).stdout

    push(file, "second", rule(prompt="Two."))

    newest, present = output_of(config("history", "--stage", STAGE, "--json"))
    assert (newest["number"], present["number"]) == (2, 1)
    assert (present["by"], present["comment"]) == (None, "Published without a record")
    assert config("rollback", "1", "--stage", STAGE).exit_code == 0
    assert '"One."' in config("pull", "--stage", STAGE).stdout
    assert len(store.read_path(configuration_path(STAGE))) > 0


def test_a_long_comment_is_an_error_before_the_first_write(file: Path, store: ParameterStore) -> None:
    result = push(file, "x" * 501, rule())

    assert "comment: must have at most 500 characters, not 501" in str(result.exception)
    assert not store.read_path(configuration_path(STAGE))
