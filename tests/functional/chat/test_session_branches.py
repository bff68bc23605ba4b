"""Branches of a session: edited messages, regenerated answers and their history."""

from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from mypy_boto3_s3 import S3Client

from flexchat import sessions
from flexchat.errors import ModelError
from flexchat.messages import Image
from tests.functional.chat.background import deploy_with_background
from tests.functional.chat.harness import CALCULATE, CHATS_TABLE, FILES_BUCKET, Chat, configuration, deploy
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.pictures import data_url, png

MESSAGES = "/api/sessions/s1/messages"


def chat_of(dynamodb: Any, *answers: str, **settings: Any) -> Chat:
    return deploy([text_completion(answer) for answer in answers], configuration(), dynamodb=dynamodb, **settings)


def send(chat: Chat, message: str = "", **fields: Any) -> Any:
    return chat.post({"session_id": "s1", **({"message": message} if message else {}), **fields})


def sent(chat: Chat) -> list[str]:
    """Texts of the last messages to the model, without the system prompt."""
    return [message.text for message in chat.model.seen[-1] if message.role != "system"]


def shown(chat: Chat, **query: str) -> list[str]:
    return [message["content"] for message in chat.get(MESSAGES, query=query).body["messages"]]


def versions(chat: Chat, **query: str) -> dict[int, list[int]]:
    """Turns of the questions with other versions, each with all of them."""
    messages = chat.get(MESSAGES, query=query).body["messages"]
    return {message["turn"]: message["siblings"] for message in messages if "siblings" in message}


def test_an_edited_message_begins_a_branch_with_the_history_before_it(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, "one", "two", "three", "TWO", "THREE")
    for message in ("1", "2", "3"):
        send(chat, message)

    edited = send(chat, "2, please", edit_turn=2)

    assert (edited.status, edited.body["session"]["turn"]) == (200, 4)
    assert sent(chat) == ["1", "one", "2, please"]
    assert shown(chat) == ["1", "one", "2, please", "TWO"]
    assert versions(chat) == {4: [2, 4]}
    assert shown(chat, branch="2") == ["1", "one", "2", "two", "3", "three"]
    assert versions(chat, branch="3") == {2: [2, 4]}
    assert [chat.get(MESSAGES, query=query).body["turns"] for query in ({}, {"branch": "2"})] == [[1, 4], [1, 2, 3]]

    send(chat, "And then?")
    assert sent(chat) == ["1", "one", "2, please", "TWO", "And then?"]


def test_a_regenerated_answer_is_another_version_of_the_turn_with_the_same_message(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, "one", "two", "TWO", "Two!")
    send(chat, "1")
    send(chat, "2")

    send(chat, regenerate_turn=2)
    again = send(chat, regenerate_turn=3)

    assert again.body["content"] == "Two!"
    assert sent(chat) == ["1", "one", "2"]
    assert shown(chat) == ["1", "one", "2", "Two!"]
    assert versions(chat) == {4: [2, 3, 4]}
    assert [shown(chat, branch=str(turn))[-1] for turn in (1, 2, 3, 4)] == ["Two!", "two", "TWO", "Two!"]


def test_a_message_continues_the_branch_of_its_parent_turn(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, "one", "two", "TWO", "three", "first")
    send(chat, "1")
    send(chat, "2")
    send(chat, regenerate_turn=2)

    send(chat, "3", parent_turn=2)
    assert sent(chat) == ["1", "one", "2", "two", "3"]
    assert shown(chat) == ["1", "one", "2", "two", "3", "three"]

    send(chat, "1, again", parent_turn=0)
    assert sent(chat) == ["1, again"]
    assert versions(chat) == {5: [1, 5]}


def test_the_first_message_of_a_session_is_edited_as_any_other(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, "one", "ONE", "two")
    send(chat, "1")

    send(chat, "one?", edit_turn=1)
    send(chat, "2")

    assert sent(chat) == ["one?", "ONE", "2"]
    assert versions(chat) == {2: [1, 2]}
    assert chat.get("/api/sessions/s1").body["turns"] == 3


def test_pages_of_a_branch_leave_out_the_turns_of_others(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, *"abcdefg")
    for message in ("1", "2", "3"):
        send(chat, message)
    send(chat, "2b", edit_turn=2)
    send(chat, "3b")
    send(chat, "4", parent_turn=3)

    found, query = list[str](), {"limit": "3", "branch": "3"}
    while True:
        page = chat.get(MESSAGES, query=query).body
        found += [message["content"] for message in page["messages"]]
        if "cursor" not in page:
            break
        query["cursor"] = page["cursor"]

    assert found == ["1", "a", "2", "b", "3", "c", "4", "f"]
    assert shown(chat, branch="5", from_turn="2") == ["2b", "d", "3b", "e"]


def test_a_failed_version_leaves_the_session_as_it_was(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, "one", "two")
    send(chat, "1")
    send(chat, "2")
    chat.model.script = [ModelError("no", type="authentication", provider="openai"), text_completion("three")]

    failed = send(chat, "2b", edit_turn=2)
    send(chat, "3")

    assert failed.status == 502
    assert sent(chat) == ["1", "one", "2", "two", "3"]
    assert (shown(chat), versions(chat)) == (["1", "one", "2", "two", "3", "three"], {})


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"message": "x", "edit_turn": 2}, 404, "turn_not_found"),
        ({"regenerate_turn": 2}, 404, "turn_not_found"),
        ({"message": "x", "parent_turn": 2}, 404, "turn_not_found"),
        ({"message": "x", "edit_turn": 0}, 400, "invalid_request"),
        ({"message": "x", "regenerate_turn": 1}, 400, "invalid_request"),
        ({"message": "", "edit_turn": 1}, 400, "invalid_request"),
        ({"message": "x", "edit_turn": 1, "parent_turn": 1}, 400, "invalid_request"),
        ({"resume_token": "t", "parent_turn": 1}, 400, "invalid_request"),
    ],
)
def test_a_place_that_does_not_exist_is_rejected(
    dynamodb: DynamoDBClient, fields: dict[str, Any], status: int, code: str
) -> None:
    chat = chat_of(dynamodb, "one")
    send(chat, "1")

    answer = chat.post({"session_id": "s1", **fields})

    assert (answer.status, answer.body["error"]) == (status, code)
    assert shown(chat) == ["1", "one"]


def test_a_branch_needs_a_session(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb)

    answer = chat.post({"message": "x", "edit_turn": 1})
    missing = send(chat, regenerate_turn=1)

    assert "send its session_id too" in answer.body["details"][0]["message"]
    assert (missing.status, missing.body["error"]) == (404, "session_not_found")
    assert chat.get(MESSAGES, query={"branch": "9"}).status == 404


def test_an_unknown_branch_of_a_session_is_named(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, "one")
    send(chat, "1")

    answer = chat.get(MESSAGES, query={"branch": "9"})

    assert (answer.status, answer.body["error"]) == (404, "turn_not_found")
    assert answer.body["message"] == "turn 9 not found in the session 's1'; it has the turns 1 to 1"


def test_a_session_has_a_bound_of_versions(dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.chat.sessions.store.turns.MAX_FORKS", 2)
    chat = chat_of(dynamodb, *"abcde")
    send(chat, "1")
    send(chat, regenerate_turn=1)
    send(chat, regenerate_turn=1)

    refused = send(chat, regenerate_turn=1)

    assert (refused.status, refused.body["error"]) == (409, "session_forks_full")
    assert send(chat, "2").status == 200
    assert sessions.MAX_FORKS == 200


def test_sessions_of_earlier_versions_have_one_branch(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, "one", "two", "three")
    send(chat, "1")
    send(chat, "2")
    stored = dynamodb.scan(TableName=CHATS_TABLE)["Items"]

    assert not any("forks" in item for item in stored)  # the form of an earlier version
    assert (shown(chat), versions(chat)) == (["1", "one", "2", "two"], {})


def test_a_regenerated_answer_sees_the_pictures_of_its_message(dynamodb: DynamoDBClient, s3: S3Client) -> None:
    s3.create_bucket(Bucket=FILES_BUCKET)
    chat = chat_of(dynamodb, "Red.", "A red square.", "Crimson.", s3=s3)
    send(chat, "What is it?", attachments=[{"url": data_url(png()), "name": "red.png"}])

    send(chat, regenerate_turn=1)
    regenerated = chat.model.seen[-1][-1]
    send(chat, "Which red?", edit_turn=1)
    edited = chat.model.seen[-1][-1]

    for message, text in ((regenerated, "What is it?"), (edited, "Which red?")):
        [picture] = [part for part in message.parts if isinstance(part, Image)]
        assert (bool(picture.data), message.text) == (True, text)


def test_an_answer_of_another_branch_is_not_resumed(dynamodb: DynamoDBClient) -> None:
    class Secrets:
        def get_secret_value(self, *, SecretId: str) -> dict[str, str]:  # noqa: N803 (botocore's own name)
            return {"SecretString": "k" * 64}

    script = [
        call_completion(("calculate", {"expression": "1 + 1"})),
        ModelError("late", type="authentication", provider="openai"),
        text_completion("two"),
    ]
    chat = deploy_with_background(script, configuration(tools=[CALCULATE]), dynamodb, secretsmanager=Secrets())
    partial = send(chat, "1 + 1")
    send(chat, regenerate_turn=1)

    resumed = chat.post({"resume_token": partial.body["resume_token"], "session_id": "s1"})

    assert (partial.body["status"], resumed.status, resumed.body["error"]) == ("partial", 409, "session_moved_on")


def test_a_background_run_answers_in_the_branch_of_its_request(dynamodb: DynamoDBClient) -> None:
    chat = deploy_with_background([text_completion(text) for text in "abc"], configuration(), dynamodb)
    send(chat, "1")
    send(chat, "2")

    run = chat.post({"session_id": "s1", "regenerate_turn": 1}, headers={"Prefer": "respond-async"})
    chat.deliver()
    chat.deliver()

    assert run.status == 202
    assert sent(chat) == ["1"]
    assert (shown(chat), versions(chat)) == (["1", "c"], {3: [1, 3]})
