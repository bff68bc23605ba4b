"""Tags around untrusted content in the messages of chats."""

import re
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.messages import Message, ToolOutput
from functions.chat.tools.marking import NOTICE
from tests.functional.chat.harness import Chat, deploy
from tests.functional.injections.conversations import DONE, calls, config, sent

TAG = re.compile(r"<untrusted id=([0-9a-f]{8}) source=web>\n")


def service(dynamodb: Any, *names: str, **settings: Any) -> Chat:
    return deploy([], config(names or ("web", "plain"), **settings), dynamodb=dynamodb)


def contents(messages: tuple[Message, ...]) -> list[str]:
    return [part.content for message in messages for part in message.parts if isinstance(part, ToolOutput)]


def ids(chat: Chat) -> list[str]:
    """Return the ids of the tags in the last request to the model."""
    return TAG.findall("".join(contents(chat.model.seen[-1])))


def test_the_results_of_a_session_have_one_id_and_stay_the_same(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb)
    sent(chat, calls("web"), DONE, session_id="s1")
    first = chat.model.seen[-1]
    sent(service(dynamodb), DONE, session_id="s2")
    chat = service(dynamodb)
    sent(chat, calls("web"), DONE, session_id="s1")

    assert chat.model.seen[-1][: len(first)] == first
    assert len(ids(chat)) == 2
    assert len(set(ids(chat))) == 1


def test_each_conversation_has_its_own_id_and_the_same_prompt(dynamodb: DynamoDBClient) -> None:
    seen: set[str] = set()
    prompts: set[str] = set()
    for request in ({}, {}, {"session_id": "s1"}, {"session_id": "s2"}):
        chat = service(dynamodb)
        sent(chat, calls("web"), DONE, **request)
        seen.update(ids(chat))
        prompts.add(chat.model.seen[0][0].text)

    assert len(seen) == 4
    assert prompts == {f"You help.\n\n{NOTICE}"}


@pytest.mark.parametrize(
    ("names", "settings", "has_notice"),
    [(("web",), {}, True), (("plain",), {}, False), (("web",), {"mark_untrusted": False}, False)],
)
def test_the_prompt_explains_tags_only_where_a_tool_is_offered_that_returns_them(
    dynamodb: DynamoDBClient, names: tuple[str, ...], settings: dict[str, Any], has_notice: bool
) -> None:
    chat = service(dynamodb, *names, **settings)
    body = sent(chat, calls(*names), DONE)

    assert (NOTICE in chat.model.seen[0][0].text) is has_notice
    assert bool(ids(chat)) is has_notice
    assert body["tool_calls"][0]["result"]["result"] == f"result of {names[0]}"


def test_an_explanation_has_the_prompt_of_the_model(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb)
    chat.model.script = [DONE]
    answer = chat.post({"message": "Hello", "explain": True}, roles="operator")

    assert answer.body["explain"]["system_prompt"] == chat.model.seen[0][0].text == f"You help.\n\n{NOTICE}"
