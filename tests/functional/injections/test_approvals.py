"""Calls that a person decides, because the conversation has read private data and untrusted content."""

from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.injections.conversations import READS_THEN_SENDS, config, ran


def approving(how: str) -> dict[str, Any]:
    """Return a configuration that asks by its policy, or by the setting of each way out."""
    if how == "policy":
        return config(policy="approve")
    settings = config(policy="off" if how == "tools" else "block")
    for tool in settings["tools"]["registry"]:
        if tool["name"] in ("send", "delete"):
            tool["approval"] = "when_untrusted"
    return settings


def decided(chat: BackgroundChat, waiting: Any, *, approve: bool) -> dict[str, Any]:
    decisions = [
        {"call_id": call["call_id"], "digest": call["digest"], "approve": approve} for call in waiting["calls"]
    ]
    run = chat.post({"decisions": decisions}, path=f"/api/runs/{waiting['id']}/approvals").body["run_id"]
    chat.deliver()
    return chat.get(f"/api/runs/{run}").body["answer"]


@pytest.mark.parametrize("how", ["policy", "tools", "tools with block"])
@pytest.mark.parametrize("approve", [True, False])
def test_the_ways_out_wait_for_a_decision_after_both_readings(
    dynamodb: DynamoDBClient, how: str, approve: bool
) -> None:
    chat = deploy_with_background(READS_THEN_SENDS, approving(how), dynamodb)
    waiting = chat.post({"message": "Hello"}).body
    before = ran(chat)
    answer = decided(chat, waiting["approvals"], approve=approve)

    assert waiting["outcome"] == "waiting"
    assert [(call["tool"], call["is_tainted"]) for call in waiting["approvals"]["calls"]] == [
        ("send", True),
        ("delete", True),
    ]
    assert before == ["search", "plain"]
    assert sorted(ran(chat)) == sorted([*before, *(["send", "delete"] if approve else [])])
    assert answer["content"] == "Done."


@pytest.mark.parametrize("how", ["policy", "tools", "tools with block"])
def test_nothing_waits_in_a_conversation_that_has_not_read_both(dynamodb: DynamoDBClient, how: str) -> None:
    chat = deploy_with_background(READS_THEN_SENDS[1:], approving(how), dynamodb)

    assert chat.post({"message": "Hello"}).body["outcome"] == "answered"
    assert sorted(ran(chat)) == ["delete", "plain", "send"]


def test_the_rest_of_an_approved_chat_is_judged_by_what_it_has_read_before(dynamodb: DynamoDBClient) -> None:
    """The decision is for the calls that were shown; the next one of the same tool waits again."""
    script = [*READS_THEN_SENDS[:2], READS_THEN_SENDS[1], READS_THEN_SENDS[2]]
    chat = deploy_with_background(script, approving("policy"), dynamodb)
    waiting = chat.post({"message": "Hello"}).body["approvals"]
    again = decided(chat, waiting, approve=True)

    assert again["outcome"] == "waiting"
    assert sorted(ran(chat)) == ["delete", "plain", "plain", "search", "send"]
