"""Chat function on a clock that models and tools advance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api import ChatRequest, ChatResponse
from flexchat.api.answer import ToolSuccessView
from flexchat.aws.blobs import Blobs
from flexchat.aws.lambdas import LambdaInvoker
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.errors import ModelError, RequestError
from flexchat.http_api.caller import Caller
from flexchat.limits.rate_limits import RateLimits
from flexchat.messages import Completion, Json, Message
from functions.chat.aws.leases import LeaseStore
from functions.chat.aws.signing_key import SigningKey
from functions.chat.chat_limits import ChatLimits
from functions.chat.engine import ChatEngine
from functions.chat.files.message_files import MessageFiles
from functions.chat.providers.base import ChatOptions
from functions.chat.resumption.approvals import ApprovalRequests
from functions.chat.resumption.tokens import ResumeTokens
from functions.chat.resumption.waiting_chats import WaitingChats
from functions.chat.runtime import RuntimeCache
from functions.chat.sessions.conversations import Conversations
from functions.chat.sessions.titles import TitleQueue
from functions.chat.tracing.sender import TraceSender
from tests.aws import aws_client
from tests.clock import Clock
from tests.functional.chat.harness import InProcessLambdas, assert_every_call_answered_once, configuration
from tests.functional.chat.scripted_provider import ScriptedProvider, Step, call_completion
from tests.unit.runs.table import CHATS

type Answering = Callable[[Sequence[Message], ChatOptions], Completion]
ALICE = Caller("alice", frozenset({"user"}))
WORK: dict[str, Any] = {
    "name": "work",
    "description": "Takes so many seconds",
    "parameters": {"type": "object", "properties": {"name": {"type": "string"}, "seconds": {"type": "number"}}},
    "implementation": {"type": "mock"},
}


@dataclass
class Service:
    """Chat engine with a table and a signing secret in this process."""

    dynamodb: DynamoDBClient
    clock: Clock = field(default_factory=lambda: Clock(1_000_000.0))
    catalog_error: Exception | None = None

    def __post_init__(self) -> None:
        self.model = ScriptedProvider([])
        self.lambdas = InProcessLambdas({"mock": self._work})
        secrets = aws_client("secretsmanager")
        secret = secrets.create_secret(Name="flexchat-test-signing", SecretString="k" * 64)["ARN"]
        self.resume_tokens = ResumeTokens(
            states=lambda: Blobs(self.dynamodb, CHATS),
            leases=lambda: LeaseStore(self.dynamodb, CHATS),
            key=SigningKey(secrets, secret).read,
            clock=self.clock,
        )
        config = configuration(tools=[WORK], rule={"tools": {"enabled": True, "max_iterations": 20}})
        self.catalog = Catalog(Configuration.model_validate(config), (), "1")
        invoker = LambdaInvoker(client=cast("Any", self.lambdas), functions={"mock": "mock"})
        runtimes = RuntimeCache(
            catalog=self._catalog,
            invoker=invoker,
            create_provider=lambda _name, _config: self.model,
            clock=self.clock,
        )
        limits = RateLimits(counters=lambda: pytest.fail("no limit is configured here"), now=self.clock, stage="test")
        self.engine = ChatEngine(
            runtimes=runtimes,
            invoker=invoker,
            conversations=Conversations(turns=lambda: pytest.fail("no chat here has a session"), clock=self.clock),
            resume_tokens=self.resume_tokens,
            waiting_chats=WaitingChats(states=lambda: Blobs(self.dynamodb, CHATS), clock=self.clock),
            approvals=ApprovalRequests(
                records=lambda: pytest.fail("no tool here needs an approval"),
                states=lambda: Blobs(self.dynamodb, CHATS),
                clock=self.clock,
            ),
            files=MessageFiles(objects=lambda: None, fetch=_not_fetched, reader=invoker),
            limits=ChatLimits(limits=limits, runtimes=runtimes, resume_tokens=self.resume_tokens),
            traces=TraceSender("", lambda: pytest.fail("no chat here leaves a trace")),
            titles=TitleQueue(lambda: pytest.fail("no chat here has a session")),
            clock=self.clock,
        )
        self.chats = 0

    def send_chat(self, seconds: float, *script: Step, caller: Caller = ALICE, **request: Any) -> ChatResponse:
        """Return the answer of a model that follows `script`; it must arrive within `seconds`."""
        self.model.script = list(script)
        self.chats += 1
        deadline = Deadline.after(seconds, clock=self.clock)
        fields = request if "resume_token" in request else {"message": "Do it.", **request}
        try:
            return self.engine.answer(
                ChatRequest.model_validate(fields), caller=caller, deadline=deadline, request_id=f"chat-{self.chats}"
            )
        finally:
            assert self.clock.now <= deadline.at + 1e-6

    def refusal(self, token: str | None, caller: Caller = ALICE) -> tuple[int, str]:
        with pytest.raises(RequestError) as caught:
            self.send_chat(20, caller=caller, resume_token=token)
        return caught.value.status, caught.value.code

    def takes(self, seconds: float, completion: Completion | ModelError) -> Answering:
        """Return a step of a model that answers after `seconds` or fails at its deadline."""

        def step(messages: Sequence[Message], options: ChatOptions) -> Completion:
            assert_every_call_answered_once(messages)
            left = options.deadline.remaining()
            self.clock.now += min(seconds, left)
            if seconds > left:
                raise ModelError("late", type="timeout", provider="openai")
            if isinstance(completion, ModelError):
                raise completion
            return completion

        return step

    def executed(self) -> list[Json]:
        """Arguments of each execution of the tool."""
        return [event["arguments"]["name"] for event in self.lambdas.executed]

    def _work(self, event: Any, _context: Any) -> dict[str, Any]:
        """Run the tool, limited by the timeout of its call."""
        seconds, allowed = event["arguments"]["seconds"], event["timeout_ms"] / 1000
        self.clock.now += min(seconds, allowed)
        if seconds > allowed:
            return {"version": 1, "ok": False, "error": {"type": "timeout", "message": "Tool execution timed out"}}
        return {"version": 1, "ok": True, "result": event["arguments"]["name"]}

    def _catalog(self, deadline: Deadline) -> Catalog:
        if self.catalog_error is not None:
            self.clock.now = max(self.clock.now, deadline.at)
            raise self.catalog_error
        return self.catalog


def work(name: str, seconds: float, *, turn: int = 1) -> Completion:
    return call_completion(("work", {"name": name, "seconds": seconds}), turn=turn)


def outcomes(answer: ChatResponse) -> list[tuple[Json, str]]:
    """Return arguments and outcome of each call."""
    worked: list[tuple[Json, str]] = []
    for call in answer.tool_calls:
        assert isinstance(call.params, dict)
        outcome = "ok" if isinstance(call.result, ToolSuccessView) else call.result.error_type
        worked.append((call.params["name"], outcome))
    return worked


def _not_fetched(_url: str, _deadline: Deadline) -> bytes:
    pytest.fail("no chat here has a file")
