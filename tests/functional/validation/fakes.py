"""Fake chat function, queue and event bus, and a suite for them."""

import io
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flexchat.api.answer import ChatResponse, TimingsView, ToolCallView, ToolSuccessView, UsageView
from flexchat.api.trials import TrialEvent, TrialRequest

QUEUE = "https://sqs.us-east-1.amazonaws.com/123456789012/flexchat-test-validation"
CHAT = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-chat:live"


GOOD, BAD = "demo:good", "demo:bad"


def suite(name: str = "capitals", *, cases: int = 3) -> dict[str, Any]:
    """Return a suite of cases that each expect one call with the case's number."""
    return {
        "name": name,
        "tools": [
            {
                "name": "lookup",
                "description": "Looks a number up",
                "parameters": {
                    "type": "object",
                    "properties": {"number": {"type": "integer"}},
                    "required": ["number"],
                },
                "implementation": {"type": "mock", "mock_response": "found"},
            }
        ],
        "cases": [
            {
                "id": f"case-{number}",
                "category": "single",
                "message": str(number),
                "expect": {"turns": [{"calls": [{"tool": "lookup", "arguments": {"number": [number]}}]}]},
            }
            for number in range(1, cases + 1)
        ],
    }


type Reply = ChatResponse | dict[str, Any] | Exception


def answer(trial: TrialRequest, *, calls: bool = True) -> ChatResponse:
    """Return a response of a model that makes the expected call, or no call."""
    made = ToolCallView(
        tool="lookup",
        params={"number": int(trial.message)},
        result=ToolSuccessView(success=True, tool_name="lookup", execution_time_ms=1, result="found"),
        iteration=1,
        call_id="call_1",
    )
    return ChatResponse(
        content="It is found.",
        service="demo",
        model=trial.model,
        tool_calls=(made,) if calls else (),
        finish_reason="stop",
        request_id=f"chat-{trial.model}-{trial.message}",
        usage=UsageView(input_tokens=100, output_tokens=10, total_tokens=110),
        timings=TimingsView(total_ms=250, steps=()),
    )


def by_name(trial: TrialRequest) -> Reply:
    """Return correct calls for the model named good, and no calls for others."""
    return answer(trial, calls=trial.model == GOOD)


def refused(code: str, message: str = "the provider failed") -> dict[str, Any]:
    return {"error": {"error": code, "message": message, "request_id": "chat-refused"}}


@dataclass
class FakeChat:
    """Fake Lambda client that answers trials by `reply` and records them."""

    reply: Callable[[TrialRequest], Reply] = by_name
    trials: list[TrialRequest] = field(default_factory=list[TrialRequest])
    crashes: bool = False

    def invoke(self, *, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 (botocore's own names)
        assert FunctionName == CHAT
        trial = TrialEvent.model_validate_json(Payload).trial
        self.trials.append(trial)
        if self.crashes:
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b'{"errorType": "Runtime.ExitError"}')}
        reply = self.reply(trial)
        if isinstance(reply, Exception):
            raise reply
        body = json.dumps(reply) if isinstance(reply, dict) else f'{{"answer": {reply.model_dump_json()}}}'
        return {"Payload": io.BytesIO(body.encode())}


@dataclass
class FakeQueue:
    """Fake SQS client with ordered messages; an undeleted message is delivered again with a count."""

    waiting: deque[tuple[str, int]] = field(default_factory=deque[tuple[str, int]])
    dead: list[str] = field(default_factory=list[str])
    delayed: list[int] = field(default_factory=list[int])
    refuses: int = 0
    """Number of further send requests that partially fail."""

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, str]]) -> dict[str, Any]:  # noqa: N803
        assert QueueUrl == QUEUE
        assert 1 <= len(Entries) <= 10
        if self.refuses:
            self.refuses -= 1
            return {"Failed": [{"Id": entry["Id"], "Code": "InternalError"} for entry in Entries]}
        self.waiting.extend((entry["MessageBody"], 0) for entry in Entries)
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}

    def change_message_visibility(self, *, QueueUrl: str, ReceiptHandle: str, VisibilityTimeout: int) -> None:  # noqa: N803
        assert QueueUrl == QUEUE
        assert ReceiptHandle
        self.delayed.append(VisibilityTimeout)

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(body) for body, _ in self.waiting]


@dataclass
class FakeBus:
    """Fake EventBridge client; events fail while `refuses` is set."""

    entries: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    refuses: bool = False

    def put_events(self, *, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803 (botocore's own names)
        if self.refuses:
            return {"FailedEntryCount": 1, "Entries": [{"ErrorCode": "InternalFailure"}]}
        self.entries += Entries
        return {"FailedEntryCount": 0, "Entries": [{"EventId": "1"}]}
