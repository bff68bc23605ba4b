"""Calls at `/mcp` that need an approval: the person at the client is asked, by clients that can."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult, ElicitResult
from mypy_boto3_dynamodb import DynamoDBClient

from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import configuration, mock_tool
from tests.functional.mcp_server.mcp_chat import CAPABILITIES, ENVELOPE, McpClient, text
from tests.functional.mcp_server.test_sdk_client import connected, texts

PAID = {"location": "Rome"}
ASKS: dict[str, Any] = {**ENVELOPE, CAPABILITIES: {"elicitation": {"form": {}}}}
YES = {"approval": {"action": "accept", "content": {"approve": True}}}


class Secrets:
    def get_secret_value(self, **_request: Any) -> dict[str, Any]:
        return {"SecretString": "k" * 64}


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def deployed(dynamodb: DynamoDBClient, clock: Clock, **changes: Any) -> BackgroundChat:
    config = configuration(tools=[{**mock_tool("pay_invoice"), "approval": "always", **changes}])
    return deploy_with_background([], config, dynamodb, secretsmanager=Secrets(), now=clock)


@pytest.fixture
def chat(dynamodb: DynamoDBClient, clock: Clock) -> BackgroundChat:
    return deployed(dynamodb, clock)


def called(chat: BackgroundChat, arguments: Any = PAID, *, envelope: Any = ASKS, **params: Any) -> dict[str, Any]:
    request = {"name": "pay_invoice", "arguments": arguments, "_meta": envelope, **params}
    answer = McpClient(chat).modern("tools/call", request)
    assert answer.status == 200, answer
    return answer.body["result"]


def executed(chat: BackgroundChat) -> list[str]:
    return [event["tool"] for event in chat.lambdas.executed if "tool" in event]


def test_the_question_shows_the_call_and_its_approval_runs_it_once(chat: BackgroundChat) -> None:
    asked = called(chat)
    before = executed(chat)
    answer = called(chat, inputResponses=YES, requestState=asked["requestState"])
    again = called(chat, inputResponses=YES, requestState=asked["requestState"])

    assert (asked["resultType"], before) == ("input_required", [])
    message = asked["inputRequests"]["approval"]["params"]["message"]
    assert "pay_invoice" in message
    assert '"location":"Rome","units":"celsius"' in message.replace(" ", "")
    assert (answer["isError"], answer["resultType"]) == (False, "complete")
    assert (again["isError"], "used" in text(again)) == (True, True)
    assert executed(chat) == ["pay_invoice"]


@pytest.mark.parametrize(
    "responses",
    [
        {"approval": {"action": "decline"}},
        {"approval": {"action": "cancel"}},
        {"approval": {"action": "accept", "content": {"approve": False}}},
        {"approval": {"action": "accept", "content": {"approve": "true"}}},
        {"approval": {"action": "accept"}},
        {"approval": "accept"},
        {},
    ],
)
def test_any_other_answer_runs_nothing(chat: BackgroundChat, responses: Any) -> None:
    state = called(chat)["requestState"]

    answer = called(chat, inputResponses=responses, requestState=state)

    assert (answer["isError"], "denied" in text(answer)) == (True, True)
    assert executed(chat) == []


def test_an_approval_is_not_that_of_other_arguments_another_person_or_a_later_time(
    chat: BackgroundChat, clock: Clock
) -> None:
    state = called(chat)["requestState"]
    other = called(chat, {"location": "Oslo"}, inputResponses=YES, requestState=state)
    forged = called(chat, inputResponses=YES, requestState=state[:-4] + "AAAA")
    clock.now += 3_600
    late = called(chat, inputResponses=YES, requestState=state)

    assert [answer["isError"] for answer in (other, forged, late)] == [True, True, True]
    assert executed(chat) == []


@pytest.mark.parametrize(
    ("envelope", "changes"),
    [
        (ENVELOPE, {}),
        ({**ENVELOPE, CAPABILITIES: {"elicitation": {"url": {}}}}, {}),
        (ASKS, {"approvers": ["finance"]}),
    ],
)
def test_a_client_that_cannot_ask_gets_the_reason(
    dynamodb: DynamoDBClient, clock: Clock, envelope: Any, changes: Any
) -> None:
    chat = deployed(dynamodb, clock, **changes)

    answer = called(chat, envelope=envelope)

    assert answer["isError"]
    assert "runs only after the approval of a person, which this client cannot ask for" in text(answer)
    assert executed(chat) == []


def test_arguments_that_nobody_could_read_are_not_asked_about(chat: BackgroundChat) -> None:
    assert "too long to be shown" in text(called(chat, {"location": "x" * 5_000}))


@pytest.mark.parametrize("approve", [True, False])
def test_the_client_of_the_sdk_asks_and_repeats_the_call(chat: BackgroundChat, approve: bool) -> None:
    questions: list[str] = []

    async def ask(_context: Any, params: Any) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action="accept", content={"approve": approve})

    async def use(client: Client) -> CallToolResult:
        return await client.call_tool("pay_invoice", PAID)

    result = asking(chat, ask, use)

    assert len(questions) == 1
    assert result.is_error is (not approve)
    assert executed(chat) == (["pay_invoice"] if approve else [])
    assert approve or "denied" in texts(result)[0]


def asking[R](chat: BackgroundChat, ask: Any, use: Callable[[Client], Awaitable[R]]) -> R:
    async def connect() -> R:
        async with connected(chat, "2026-07-28", elicitation_callback=ask) as client:
            return await use(client)

    return anyio.run(connect)
