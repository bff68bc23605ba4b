"""Choice of the rule and the model by a caller."""

from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from tests.functional.chat.background import deploy_with_background
from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy
from tests.functional.chat.scripted_provider import call_completion, text_completion

RULES = [
    {"name": "poet", "llm": "openai", "model": "gpt-4o", "prompt": "Rhyme.", "match": {"topic": "never"}},
    {"name": "general", "llm": "openai", "model": "gpt-4o", "prompt": "You help.", "tools": {"enabled": True}},
]
CHOICES = {"rules": ["poet"], "models": ["openai:gpt-4o-mini"]}


def config(**choices: Any) -> dict[str, Any]:
    return {**configuration(tools=[CALCULATE]), "responses": RULES, "choices": {**CHOICES, **choices}}


def chat_of(*answers: str, dynamodb: Any = None, **choices: Any) -> Chat:
    return deploy([text_completion(answer) for answer in answers], config(**choices), dynamodb=dynamodb)


def prompt(chat: Chat) -> str:
    return chat.model.seen[-1][0].text


def test_a_chosen_rule_and_model_answer_and_are_recorded_in_the_turn(dynamodb: DynamoDBClient) -> None:
    chat = chat_of("a", "b", dynamodb=dynamodb)

    chosen = chat.post({"message": "hi", "session_id": "s1", "rule": "poet", "model": "openai:gpt-4o-mini"})
    asked = prompt(chat)
    plain = chat.post({"message": "hi", "session_id": "s1"})
    messages = chat.get("/api/sessions/s1/messages").body["messages"]

    assert (chosen.body["rule"], chosen.body["model"], asked) == ("poet", "gpt-4o-mini", "Rhyme.")
    assert (plain.body["rule"], plain.body["model"]) == ("general", "gpt-4o")
    assert (messages[1]["chosen_rule"], messages[1]["chosen_model"]) == ("poet", "openai:gpt-4o-mini")
    assert "chosen_rule" not in messages[3]


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"rule": "general"}, "the rule 'general' is not offered, only 'poet'"),
        ({"rule": "poets"}, "the rule 'poets' is not offered, only 'poet'; did you mean 'poet'?"),
        ({"model": "openai:gpt-4o"}, "the model 'openai:gpt-4o' is not offered, only 'openai:gpt-4o-mini'"),
    ],
)
def test_what_is_not_offered_is_refused_with_what_is(sent: dict[str, str], message: str) -> None:
    answer = chat_of().post({"message": "hi", **sent})

    assert (answer.status, answer.body["error"]) == (400, "choice_not_offered")
    assert answer.body["message"].startswith(message)


def test_without_a_configured_choice_nothing_can_be_chosen() -> None:
    chat = deploy([], configuration())

    answer = chat.post({"message": "hi", "rule": "poet"})

    assert (answer.status, answer.body["error"]) == (400, "choice_not_offered")
    assert "the section `choices` offers no rule" in answer.body["message"]
    assert chat.get("/api/me").body["choices"] == {"rules": [], "models": []}


def test_a_role_that_may_not_choose_is_refused() -> None:
    chat = chat_of("a", roles=["operator"])

    refused = chat.post({"message": "hi", "rule": "poet"})
    allowed = chat.post({"message": "hi", "rule": "poet"}, roles="operator")

    assert (refused.status, refused.body["error"]) == (403, "choice_not_allowed")
    assert "with the role 'operator'" in refused.body["message"]
    assert allowed.body["rule"] == "poet"
    assert chat.get("/api/me").body["choices"] == {"rules": [], "models": []}


def test_a_caller_sees_what_it_may_choose() -> None:
    assert chat_of().get("/api/me").body["choices"] == {"rules": ["poet"], "models": ["openai:gpt-4o-mini"]}


def test_a_rule_that_is_not_configured_is_not_offered() -> None:
    assert chat_of(rules=["poet", "gone"]).get("/api/me").body["choices"]["rules"] == ["poet"]


def test_a_resumed_answer_keeps_the_choice(dynamodb: DynamoDBClient) -> None:
    class Secrets:
        def get_secret_value(self, *, SecretId: str) -> dict[str, str]:  # noqa: N803 (botocore's own name)
            return {"SecretString": "k" * 64}

    script = [
        call_completion(("calculate", {"expression": "1 + 1"})),
        ModelError("late", type="authentication", provider="openai"),
        text_completion("two"),
    ]
    chat = deploy_with_background(script, config(), dynamodb, secretsmanager=Secrets())

    partial = chat.post({"message": "1 + 1", "session_id": "s1", "model": "openai:gpt-4o-mini"})
    resumed = chat.post({"resume_token": partial.body["resume_token"], "session_id": "s1"})

    assert (partial.body["status"], resumed.body["model"]) == ("partial", "gpt-4o-mini")
    assert chat.get("/api/sessions/s1/messages").body["messages"][-1]["chosen_model"] == "openai:gpt-4o-mini"
