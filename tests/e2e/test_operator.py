"""Commands that call AWS with the deployed names of the stage's tables, bucket and parameters.

`python -m tests.iam` evaluates their calls by the policy of `docs/iam/operator.json`.
"""

import json
from pathlib import Path

import pytest

from dev.local_stack.seeding import wait_until_served
from tests.e2e.commands import flexchat

STAGE = ("--stage", "local")


@pytest.mark.usefixtures("default_configuration")
def test_stored_secret_is_the_api_key_of_a_chat(tmp_path: Path) -> None:
    file = tmp_path / "with-a-key.json"
    flexchat("config", "pull", *STAGE, "--file", str(file))
    pulled = json.loads(file.read_text())
    pulled["llms"]["openai"]["api_key"] = "${OPERATOR_TEST_KEY}"
    file.write_text(json.dumps(pulled))
    flexchat("secrets", "set", "OPERATOR_TEST_KEY", *STAGE, input="a-key-of-the-demo-model\n")
    flexchat("config", "push", *STAGE, "--file", str(file))
    wait_until_served()

    answer = flexchat("chat", "What is 15% of 45?")
    flexchat("secrets", "delete", "OPERATOR_TEST_KEY", *STAGE)

    assert "6.75" in answer


@pytest.mark.usefixtures("default_configuration")
def test_configuration_is_pulled_changed_compared_and_pushed(tmp_path: Path) -> None:
    file = tmp_path / "pulled.json"
    flexchat("config", "pull", *STAGE, "--file", str(file))
    pulled = json.loads(file.read_text())
    removed, _ = pulled["tools"].popitem()
    file.write_text(json.dumps(pulled))

    compared = flexchat("config", "diff", *STAGE, "--file", str(file))
    pushed = json.loads(flexchat("config", "push", *STAGE, "--file", str(file), "--json"))

    assert removed in compared
    assert pushed["deleted"]


def test_secret_is_stored_listed_and_deleted() -> None:
    flexchat("secrets", "set", "OPERATOR_TEST_KEY", *STAGE, input="a-secret-value\n")
    listed = flexchat("secrets", "list", *STAGE)
    flexchat("secrets", "delete", "OPERATOR_TEST_KEY", *STAGE)

    assert "OPERATOR_TEST_KEY" in listed
    assert "OPERATOR_TEST_KEY" not in flexchat("secrets", "list", *STAGE)


def test_token_is_created_listed_and_revoked() -> None:
    created = json.loads(flexchat("tokens", "create", *STAGE, "--name", "operator test", "--json"))
    listed = flexchat("tokens", "list", *STAGE)
    flexchat("tokens", "revoke", created["id"], *STAGE)

    assert created["id"] in listed
    assert created["id"] not in flexchat("tokens", "list", *STAGE)


@pytest.mark.usefixtures("default_configuration")
def test_log_lines_of_a_chat_are_found_by_its_request_id() -> None:
    answer = json.loads(flexchat("chat", "What is 15% of 45?", "--json"))

    lines = flexchat("logs", answer["request_id"], *STAGE)

    assert "INFO    tool-builtin " in lines
    assert "chat answered" in lines


def test_collection_is_created_filled_searched_and_deleted(tmp_path: Path) -> None:
    document = tmp_path / "harbour.md"
    document.write_text("# Harbour\n\nThe lighthouse of Oostvik is painted green.\n")
    flexchat("collections", "create", "operator-test", *STAGE)
    flexchat("collections", "add", "operator-test", str(document), *STAGE)
    found = flexchat("collections", "query", "operator-test", "colour of the lighthouse", *STAGE)
    listed = flexchat("collections", "list", *STAGE)
    flexchat("collections", "delete", "operator-test", *STAGE, "--yes")

    assert "green" in found
    assert "operator-test" in listed
    assert "operator-test" not in flexchat("collections", "list", *STAGE)
