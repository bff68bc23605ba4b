"""End users of a service have sessions and limits of their own; the service has its limits with all of them."""

from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.http_api.caller import end_user_principal
from tests.functional.chat.harness import Answer, Chat
from tests.functional.chat.limited_chat import HELLO, WallClock, counters, service
from tests.functional.chat.scripted_provider import text_completion

TOKEN = "k7m2p9qx4d"  # an id
ROLES = "user,service"


def ask(chat: Chat, user: str | None, *, roles: str = ROLES, body: Any = HELLO, path: str = "/api/chat") -> Answer:
    headers = {} if user is None else {"X-Flexchat-User": user}
    return chat.request("POST", path, body, principal=TOKEN, roles=roles, headers=headers)


@pytest.fixture
def now() -> WallClock:
    return WallClock()


def answers(number: int) -> list[Any]:
    return [text_completion("a") for _ in range(number)]


def test_end_users_have_sessions_of_their_own(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, answers(1))
    assert ask(chat, "ada", body={**HELLO, "session_id": "s1"}).status == 200

    def show(user: str | None) -> int:
        headers = {} if user is None else {"X-Flexchat-User": user}
        return chat.request("GET", "/api/sessions/s1", None, principal=TOKEN, roles=ROLES, headers=headers).status

    assert [show("ada"), show("grace"), show(None)] == [200, 404, 404]


def test_each_end_user_has_the_limits_of_a_caller(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        answers(2),
        caller={"requests_per_minute": 1},
        roles={"service": {"requests_per_minute": 10}},
    )

    assert [ask(chat, user).status for user in ("ada", "ada", "grace")] == [200, 429, 200]
    assert {key.split(" ")[0] for key in counters(dynamodb)} == {
        f"L#{TOKEN}",
        f"L#{end_user_principal(TOKEN, 'ada')}",
        f"L#{end_user_principal(TOKEN, 'grace')}",
    }


def test_service_cannot_avoid_its_limits_by_new_end_users(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        answers(3),
        caller={"requests_per_minute": 1},
        principals={TOKEN: {"requests_per_minute": 3}},
    )

    replies = [ask(chat, f"user-{number}") for number in range(4)]

    assert [reply.status for reply in replies] == [200, 200, 200, 429]
    assert replies[-1].body["limit"]["scope"] == "service"
    assert replies[-1].body["message"].startswith("the limit of this service is 3 requests a minute")
    assert ask(chat, None).status == 429  # its own requests count too


def test_refusal_by_the_service_does_not_count_for_the_end_user(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        answers(1),
        caller={"requests_per_minute": 5},
        principals={TOKEN: {"requests_per_minute": 1}},
    )
    ask(chat, "ada")
    ask(chat, "ada")

    own = next(item for key, item in counters(dynamodb).items() if end_user_principal(TOKEN, "ada") in key)
    assert [value for name, value in own.items() if name.startswith("requests_")] == [1]


def test_tokens_are_settled_for_the_end_user_and_the_service(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, answers(1), caller={"tokens_per_day": 10_000})
    ask(chat, "ada")

    tokens = [(item["tokens"], item["reserved"]) for item in counters(dynamodb).values()]
    assert len(tokens) == 2
    assert tokens[0] == tokens[1]
    assert tokens[0][0] > 0
    assert tokens[0][1] == 0


def test_token_without_the_role_cannot_name_an_end_user(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [])

    for roles in ("user", "user,operator"):
        refused = ask(chat, "ada", roles=roles)
        assert (refused.status, refused.body["error"]) == (403, "forbidden")
        assert "'service'" in refused.body["message"]
    assert chat.model.seen == []


@pytest.mark.parametrize("user", ["a" * 257, "a\x00b", "a\tb"])
def test_id_that_cannot_be_used_is_refused(dynamodb: DynamoDBClient, now: WallClock, user: str) -> None:
    refused = ask(service(dynamodb, now, []), user)

    assert (refused.status, refused.body["error"]) == (400, "invalid_request")


def test_end_user_of_an_operator_is_no_operator(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [])
    sent: dict[str, Any] = {"principal": TOKEN, "roles": "user,operator,service"}

    assert chat.request("GET", "/api/config", None, **sent).status == 200
    assert chat.request("GET", "/api/config", None, **sent, headers={"X-Flexchat-User": "ada"}).status == 403


def test_service_without_the_role_user_gives_its_end_users_none(dynamodb: DynamoDBClient, now: WallClock) -> None:
    assert ask(service(dynamodb, now, []), "ada", roles="service").status == 403


COMPLETION = {"model": "flexchat", "messages": [{"role": "user", "content": "Hello"}]}
RESPONSE = {"model": "flexchat", "input": "Hello"}


@pytest.mark.parametrize(
    ("path", "body"),
    [("/v1/chat/completions", COMPLETION), ("/v1/responses", RESPONSE)],
    ids=["completions", "responses"],
)
@pytest.mark.parametrize(
    ("named", "user"),
    [
        ({"user": "ada"}, "ada"),
        ({"safety_identifier": "ada"}, "ada"),
        ({"safety_identifier": "ada", "user": "grace"}, "ada"),
        ({"user": ["ada"]}, None),
        ({"user": ""}, None),
        ({}, None),
    ],
)
def test_clients_of_openai_name_the_end_user_in_the_body(
    dynamodb: DynamoDBClient, now: WallClock, path: str, body: Any, named: Any, user: str | None
) -> None:
    chat = service(dynamodb, now, answers(1), caller={"requests_per_minute": 5})

    assert ask(chat, None, path=path, body={**body, **named}).status == 200
    expected = {TOKEN} if user is None else {TOKEN, end_user_principal(TOKEN, user)}
    assert {key.split(" ")[0].removeprefix("L#") for key in counters(dynamodb)} == expected


def test_header_precedes_the_body(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, answers(1), caller={"requests_per_minute": 5})

    assert ask(chat, "ada", path="/v1/chat/completions", body={**COMPLETION, "user": "grace"}).status == 200
    assert any(end_user_principal(TOKEN, "ada") in key for key in counters(dynamodb))
    assert not any(end_user_principal(TOKEN, "grace") in key for key in counters(dynamodb))


def test_user_of_other_tokens_has_no_effect(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, answers(1), caller={"requests_per_minute": 5})

    sent = {**COMPLETION, "user": "a" * 1_000}
    assert ask(chat, None, roles="user", path="/v1/chat/completions", body=sent).status == 200
    assert {key.split(" ")[0] for key in counters(dynamodb)} == {f"L#{TOKEN}"}
