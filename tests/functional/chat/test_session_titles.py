"""Titles of sessions, which a model writes after the first answer."""

from collections.abc import Sequence
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from functions.chat.title_writer import MAX_CHARACTERS, read_title
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import configuration
from tests.functional.chat.scripted_provider import Step, text_completion

HELLO = {"message": "What is 15% of 45?", "session_id": "s1"}
TITLE = {"sessions": {"title": {"llm": "openai", "model": "gpt-4o-mini"}}}
SELF = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-chat:live"
DOWN = ModelError("down", type="server_error", provider="openai")


def service(dynamodb: Any, script: Sequence[Step], config: dict[str, Any] | None = None) -> BackgroundChat:
    return deploy_with_background(script, {**configuration(), **(TITLE if config is None else config)}, dynamodb)


def title(chat: BackgroundChat) -> str:
    return chat.get("/api/sessions/s1").body["title"]


def test_model_writes_the_title_after_the_first_answer(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("6.75"), text_completion('"Percentages of numbers."\n')])

    session = chat.post(HELLO).body["session"]

    assert session == {"id": "s1", "title": "What is 15% of 45?", "saved": True, "title_pending": True, "turn": 1}
    assert chat.background.queued == [
        (SELF, {"title": {"session_id": "s1", "principal": "k7m2p9qx4d", "roles": ["user"]}})
    ]
    assert chat.deliver() == {"title": "Percentages of numbers"}
    assert title(chat) == "Percentages of numbers"
    (prompt,) = chat.model.seen[-1]
    assert "<message>\nWhat is 15% of 45?\n</message>" in prompt.text
    assert "<answer>\n6.75\n</answer>" in prompt.text
    assert chat.model.options[-1].max_tokens == 100


def test_a_session_gets_one_title(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("6.75"), text_completion("First"), text_completion("ok")])
    chat.post(HELLO)
    chat.deliver()

    assert chat.deliver() == {"title": None}
    assert "title_pending" not in chat.post(HELLO).body["session"]
    assert len(chat.background.queued) == 1
    assert title(chat) == "First"


def test_title_of_a_person_is_kept(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("6.75")])
    chat.post(HELLO)
    chat.request("PATCH", "/api/sessions/s1", {"title": "Mine"})

    assert chat.deliver() == {"title": None}
    assert title(chat) == "Mine"
    assert len(chat.model.seen) == 1


def test_title_of_a_person_during_the_model_call_is_kept(dynamodb: DynamoDBClient) -> None:
    def rename(_messages: Any, _options: Any) -> Any:
        chat.request("PATCH", "/api/sessions/s1", {"title": "Mine"})
        return text_completion("Of the model")

    chat = service(dynamodb, [text_completion("6.75"), rename])
    chat.post(HELLO)

    assert chat.deliver() == {"title": None}
    assert title(chat) == "Mine"


def test_session_created_with_a_title_gets_no_other(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("6.75")])
    created = chat.post({"title": "Plans"}, path="/api/sessions").body["id"]

    assert "title_pending" not in chat.post({**HELLO, "session_id": created}).body["session"]
    assert chat.background.queued == []


@pytest.mark.parametrize("step", [DOWN, text_completion(""), text_completion("\u202e \u200b"), text_completion("—")])
def test_failed_title_leaves_the_beginning_of_the_message(
    dynamodb: DynamoDBClient, step: Step, capsys: pytest.CaptureFixture[str]
) -> None:
    chat = service(dynamodb, [text_completion("6.75"), step])
    chat.post(HELLO)

    assert chat.deliver() == {"title": None}
    assert title(chat) == "What is 15% of 45?"
    assert '"TitlesFailed":[1.0]' in capsys.readouterr().out.replace(" ", "")
    assert chat.deliver() == {"title": None}  # not repeated: the script has no further step


def test_without_the_setting_no_model_is_called(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("6.75")], {})

    assert "title_pending" not in chat.post(HELLO).body["session"]
    assert chat.background.queued == []


def test_unavailable_queue_does_not_fail_the_chat(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("6.75")])
    chat.background.refuses = True

    answer = chat.post(HELLO)

    assert (answer.status, answer.body["content"]) == (200, "6.75")


def test_deleted_session_gets_no_title(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("6.75")])
    chat.post(HELLO)
    chat.delete("/api/sessions/s1")

    assert chat.deliver() == {"title": None}


def test_tokens_of_a_title_count_in_the_limit_of_a_day(dynamodb: DynamoDBClient) -> None:
    limits = {"limits": {"caller": {"tokens_per_day": 100_000, "requests_per_minute": 1}}}
    chat = service(dynamodb, [text_completion("6.75"), text_completion("Percentages")], {**TITLE, **limits})
    chat.post(HELLO)

    assert chat.deliver() == {"title": "Percentages"}

    (counters,) = [
        item
        for item in dynamodb.scan(TableName="flexchat-test-chats")["Items"]
        if "tokens" in item and "reserved" in item
    ]
    assert counters["tokens"] == {"N": "30"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rome in winter", "Rome in winter"),
        ("\n\n  **Title: Rome**  \nA second line", "Rome"),
        ("```\nRome\n```", "Rome"),
        ("«Поездка в Рим»", "Поездка в Рим"),
        ("ro\u202eme\x07\u200b now", "rome now"),
        ("a\tb\u00a0c", "a b c"),
        ("family 👨\u200d👩\u200d👧", "family 👨\u200d👩\u200d👧"),
        ("\ud800x", "x"),
        ("", None),
        ("***", None),
    ],
)
def test_title_is_one_line_of_visible_characters(text: str, expected: str | None) -> None:
    assert read_title(text) == expected


def test_long_title_is_truncated() -> None:
    assert len(read_title("word " * 1_000) or "") <= MAX_CHARACTERS
