"""Tests of models over HTTP: roles, allowed models and invalid requests."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.validation.records import Tally
from functions.chat.providers.base import ListedModel
from tests.functional.chat.harness import (
    Chat,
    configuration,
    deploy,
)
from tests.functional.chat.scripted_provider import Step, text_completion
from tests.functional.chat.trial_chat import TOOLS, offered, recorded, send_chat, service
from tests.unit.validation.harness import empty_table


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_table(monkeypatch) as client:
        yield client


def test_user_test_cannot_be_counted(table: DynamoDBClient) -> None:
    answer = send_chat(service([], table), count=True)

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert recorded(table) == (Tally(), [])


def with_rules(*rules: Mapping[str, Any], script: Sequence[Step] = (), **llm: Any) -> Chat:
    config = configuration(tools=TOOLS)
    config["llms"] = {"openai": {"type": "openai", "models": ["gpt-4o", "spare", "mini", "unused"], **llm}}
    config["responses"] = [{"llm": "openai", "prompt": "You help.", **rule} for rule in rules]
    return deploy(script, config)


CALCULATES = {"enabled": True, "allowed_tools": ["calculate"]}
WEATHERS = {"enabled": True, "allowed_tools": ["get_weather", "gone"]}


@pytest.mark.parametrize(
    ("roles", "model", "tools"),
    [
        ("user", "openai:gpt-4o", ["calculate", "get_weather"]),
        ("user", "openai:spare", ["get_weather"]),
        ("operator", "openai:spare", ["calculate", "get_weather", "breaks"]),
        ("operator", "openai:unused", ["calculate", "get_weather", "breaks"]),
    ],
)
def test_users_test_with_the_tools_of_their_rules_and_operators_with_all(
    roles: str, model: str, tools: list[str]
) -> None:
    chat = with_rules(
        {"model": "gpt-4o", "match": {"topic": "sums"}, "tools": CALCULATES},
        {"model": "gpt-4o", "tools": WEATHERS, "fallbacks": ["openai:spare"]},
        script=[text_completion("5")],
    )

    assert send_chat(chat, roles=roles, model=model).status == 200
    assert offered(chat.model) == tools


def test_user_tests_without_tools_if_the_rule_allows_none() -> None:
    chat = with_rules({"model": "gpt-4o", "tools": {"enabled": False}}, script=[text_completion("5")])

    assert send_chat(chat).status == 200
    assert chat.model.options[0].tools == ()


def test_user_cannot_test_a_model_without_a_rule() -> None:
    answer = send_chat(with_rules({"model": "gpt-4o", "tools": WEATHERS}), model="openai:unused")

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert answer.body["message"] == (
        "no response rule names 'openai:unused'; testing it needs a token with the role 'operator'"
    )
    assert answer.body["details"] == [{"path": "model", "message": "open to users: openai:gpt-4o"}]


@pytest.mark.parametrize(
    ("roles", "known"),
    [("user", "openai:gpt-4o"), ("operator", "openai:gpt-4o, openai:listed, openai:mini, openai:spare, openai:unused")],
)
def test_unlisted_model_is_not_found_and_not_recorded(table: DynamoDBClient, roles: str, known: str) -> None:
    chat = with_rules({"model": "gpt-4o", "tools": WEATHERS})
    chat.model.listed = [ListedModel("listed")]

    answer = send_chat(chat, roles=roles, model="openai:gpt-4p")

    assert (answer.status, answer.body["error"]) == (404, "model_not_found")
    assert answer.body["message"] == (
        "no model 'openai:gpt-4p' is configured or listed by its provider; did you mean 'openai:gpt-4o'?"
    )
    assert answer.body["details"] == [{"path": "model", "message": f"known: {known}"}]
    assert recorded(table) == (Tally(), [])


def test_operator_can_test_a_model_listed_by_its_provider_only() -> None:
    chat = with_rules({"model": "gpt-4o"}, script=[text_completion("5")])
    chat.model.listed = [ListedModel("listed")]

    assert send_chat(chat, roles="operator", model="openai:listed").status == 200


@pytest.mark.parametrize(
    "changes", [{"query": ...}, {"model": ...}, {"query": ""}, {"model": "  "}, {"query": None}, {"model": None}]
)
def test_test_without_query_or_model_is_rejected_with_the_documented_error(changes: Mapping[str, Any]) -> None:
    answer = send_chat(deploy([], configuration()), **changes)

    assert answer.status == 400
    assert answer.body == {
        "error": "Missing query or model",
        "message": 'send both, as {"query": "What is 15% of 45?", "model": "openai:gpt-4o"}',
        "request_id": answer.body["request_id"],
    }


def test_test_of_an_unknown_model_is_rejected() -> None:
    answer = send_chat(deploy([], configuration()), model="opnai:gpt-4o")

    assert answer.status == 400
    assert answer.body["message"] == "model: no llm named 'opnai' among 'openai'; did you mean 'openai'?"
