"""Limits of callers on the OpenAI-compatible routes, which share the counters of all other routes."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.messages import Completion, Message
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.harness import EVENTS, Answer, Chat, LambdaContext
from tests.functional.chat.limited_chat import HELLO, MIDNIGHT, MORNING, WallClock, counters, day_tokens, service
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.streams import StreamClient

COMPLETIONS = "/v1/chat/completions"
ASK = {"model": "flexchat", "messages": [{"role": "user", "content": "Hello"}]}


@pytest.fixture
def now() -> WallClock:
    return WallClock()


def ask(chat: Chat, *, principal: str | None = None, **fields: Any) -> Answer:
    return chat.post({**ASK, **fields}, path=COMPLETIONS, principal=principal)


def rate_limits(answer: Answer) -> dict[str, str]:
    return {
        name: value
        for name, value in answer.headers.items()
        if name.startswith(("x-ratelimit-", "x-should-retry", "retry-after"))
    }


@pytest.mark.parametrize("stream", [False, True])
def test_request_over_the_minute_limit_has_the_error_and_the_headers_of_openai(
    dynamodb: DynamoDBClient, now: WallClock, stream: bool
) -> None:
    chat = service(dynamodb, now, [text_completion("a")], caller={"requests_per_minute": 1})
    assert ask(chat).status == 200

    refused = ask(chat, stream=stream)

    assert (refused.status, refused.headers["content-type"]) == (429, "application/json")
    assert refused.body == {
        "error": {
            "message": "the limit of this token is 1 requests a minute; try again in 20 seconds",
            "type": "requests",
            "param": None,
            "code": "rate_limit_exceeded",
        }
    }
    assert rate_limits(refused) == {
        "retry-after": "20",
        "x-ratelimit-limit-requests": "1",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "20s",
    }


def test_streamed_request_over_a_limit_is_refused_before_its_stream(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_completion("a")], caller={"requests_per_minute": 1})
    assert ask(chat).status == 200
    client = StreamClient()
    event: dict[str, Any] = json.loads((EVENTS / "chat-http.json").read_text())
    event |= {"path": COMPLETIONS, "resource": COMPLETIONS, "body": json.dumps({**ASK, "stream": True})}

    response: Any = chat.function.handle(event, LambdaContext(), client)

    assert (client.started, response["statusCode"]) == ([], 429)
    assert response["multiValueHeaders"]["Retry-After"] == ["20"]


def test_budget_of_a_day_is_not_repeated_by_clients(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_completion("a")], caller={"tokens_per_day": 10})
    assert ask(chat).status == 200

    refused = ask(chat)

    assert (refused.status, refused.body["error"]["type"]) == (429, "tokens")
    assert rate_limits(refused) == {
        "retry-after": str(int(MIDNIGHT - MORNING)),
        "x-ratelimit-limit-tokens": "10",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "13h30m20s",
        "x-should-retry": "false",
    }


def test_a_limit_of_money_has_the_error_of_openai_for_spent_money(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_completion("a")], caller={"usd_per_month": 0.000_01})
    assert ask(chat).status == 200

    refused = ask(chat)

    assert refused.status == 429
    assert refused.body["error"] == {
        "message": "the limit of this token is $1e-05 a month; it resets on 2026-12-01 at 00:00 UTC",
        "type": "insufficient_quota",
        "param": None,
        "code": "insufficient_quota",
    }
    assert rate_limits(refused) == {"retry-after": "739820", "x-should-retry": "false"}


def test_a_chat_that_a_budget_ends_is_cut_off_with_its_reason(dynamodb: DynamoDBClient, now: WallClock) -> None:
    call = call_completion(("calculate", {"expression": "1 + 1"}))
    chat = service(dynamodb, now, [call], caller={"tokens_per_day": 10}, reserved_tokens=1)

    [choice] = ask(chat).body["choices"]

    assert choice["finish_reason"] == "length"
    assert choice["message"]["content"].startswith("The answer is not finished: the limit of this token is 10 tokens")


def test_routes_of_both_apis_share_the_limits_of_a_token(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        [text_completion("a"), text_completion("b"), text_completion("c")],
        caller={"requests_per_minute": 2},
    )

    assert [ask(chat, principal="one").status, chat.post(HELLO, principal="one").status] == [200, 200]
    assert [ask(chat, principal="one").status, chat.post(HELLO, principal="one").status] == [429, 429]
    assert ask(chat, principal="two").status == 200


def test_used_tokens_replace_the_reserved_ones(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_completion("a")], caller={"tokens_per_day": 100_000})

    answer = ask(chat)

    assert (answer.body["usage"]["total_tokens"], day_tokens(dynamodb)) == (15, 15)


def test_request_beside_a_running_one_is_refused_when_that_has_reserved_the_budget(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    """The whole conversation of a client is reserved, because it sends all of it with each request."""
    second: list[Answer] = []

    def answer_slowly(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        second.append(ask(chat))
        return text_completion("done")

    chat = service(dynamodb, now, [answer_slowly], caller={"tokens_per_day": 3_000}, reserved_tokens=1)
    history = [{"role": "user", "content": "x" * 12_000}, {"role": "assistant", "content": "ok"}]

    assert ask(chat, messages=[*history, *ASK["messages"]]).status == 200
    assert [answer.status for answer in second] == [429]
    assert rate_limits(second[0])["retry-after"] == "5"
    assert "x-should-retry" not in rate_limits(second[0])


@pytest.mark.parametrize(
    "body", [{"model": "flexchat"}, {**ASK, "n": 2}, {**ASK, "model": "another"}, {**ASK, "messages": []}]
)
def test_invalid_request_is_not_counted(dynamodb: DynamoDBClient, now: WallClock, body: dict[str, Any]) -> None:
    chat = service(dynamodb, now, [], caller={"requests_per_minute": 1})

    assert chat.post(body, path=COMPLETIONS).status in (400, 404)
    assert counters(dynamodb) == {}


def test_list_of_models_is_not_limited(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [], caller={"requests_per_minute": 1})

    assert [chat.get("/v1/models").status for _ in range(3)] == [200] * 3
