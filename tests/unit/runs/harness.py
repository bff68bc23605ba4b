"""Background runs with a fake model, Lambda and clock; everything else is real."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api import ChatRequest, ChatResponse, TimingsView, UsageView
from flexchat.aws.blobs import Blobs
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.messages import Json
from flexchat.runs import Run
from functions.chat.aws.runs import ChatRunStore
from functions.chat.generation.events import Emit, ModelFinished, ModelStarted, Trace
from functions.chat.runs.background import BackgroundRuns, RunChat
from functions.chat.runs.service import BackgroundRunEvent, Runs
from functions.chat.streaming.chats import observed
from functions.chat.streaming.log import EventRecorder
from tests.unit.runs.table import CHATS

START = 1_800_000_000.0
FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-chat:live"
ALICE = Caller("alice", frozenset({"user"}))
BOB = Caller("bob", frozenset({"user", "operator"}))


@dataclass
class Time:
    """Both clocks of a process, moved by hand."""

    passed: float = 0.0

    def now(self) -> float:
        return START + self.passed

    def clock(self) -> float:
        return self.passed


@dataclass
class EventQueue:
    """Fake of Lambda's queue of asynchronous invocations."""

    sent: list[tuple[str, dict[str, Json]]] = field(default_factory=list[tuple[str, dict[str, Json]]])
    refuses: bool = False
    loses_answers: bool = False
    accepted: Callable[[], object] = lambda: None

    def invoke(self, function: str, payload: dict[str, Json], *, deadline: Deadline) -> None:
        if self.refuses:
            raise UnavailableError("Lambda answered TooManyRequestsException")
        self.sent.append((function, payload))
        self.accepted()
        if self.loses_answers:
            raise UnavailableError("Lambda did not answer in time")


@dataclass
class Context:
    """Lambda's context of one background invocation."""

    aws_request_id: str = "worker"
    remaining_ms: int = 900_000

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


class NoTimer(threading.Event):
    """Event without a time limit: the background thread of a recorder writes nothing before the end."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait()


@dataclass
class RunHarness:
    """One deployment: a caller's side, the background's side, and the time of both."""

    dynamodb: DynamoDBClient
    time: Time = field(default_factory=Time)
    inbox: EventQueue = field(default_factory=EventQueue)
    recorders: list[EventRecorder] = field(default_factory=list[EventRecorder])

    def __post_init__(self) -> None:
        ids = count(1)
        self.store = ChatRunStore(self.dynamodb, CHATS)
        self.blobs = Blobs(self.dynamodb, CHATS)
        self.runs = Runs(
            store=self.store,
            blobs=self.blobs,
            background=self.inbox,
            now=self.time.now,
            new_id=lambda: f"run-{next(ids)}",
        )
        self.background = BackgroundRuns(
            store=self.store, blobs=self.blobs, now=self.time.now, clock=self.time.clock, observe=self._observe
        )

    def _observe(self, run: Run, worker: str, storing: Callable[[], Deadline]) -> AbstractContextManager[Emit]:
        recorder = EventRecorder(
            store=self.store,
            run=run,
            worker=worker,
            trace=Trace(clock=self.time.clock),
            now=self.time.now,
            deadline=storing,
            stopped=NoTimer(),
        )
        self.recorders.append(recorder)
        return observed(recorder, run)

    def soon(self) -> Deadline:
        return Deadline.after(28.0, clock=self.time.clock)

    def start(self, *, caller: Caller = ALICE, **fields: Any) -> str:
        request = ChatRequest.model_validate({"message": "hello", **fields})
        view = self.runs.start(
            request, caller=caller, request_id="api-request", function=FUNCTION, deadline=self.soon()
        )
        return view.id

    def get(self, id: str, *, caller: Caller = ALICE) -> dict[str, Any]:
        return self.runs.get(id, caller=caller, deadline=self.soon()).model_dump(mode="json")

    def cancel(self, id: str, *, caller: Caller = ALICE) -> dict[str, Any]:
        run = self.runs.cancel(id, caller=caller, deadline=self.soon())
        assert run is not None
        return run.model_dump(mode="json")

    def deliver(
        self, chat: RunChat[ChatRequest], *, event: dict[str, Json] | None = None, context: Context | None = None
    ) -> dict[str, Json]:
        """Deliver an event as Lambda does, by default the last one that was sent."""
        run_event = BackgroundRunEvent.parse(event or self.inbox.sent[-1][1])
        parse = ChatRequest.model_validate_json
        return self.background.execute(run_event, context or Context(), chat, parse=parse)


@dataclass
class Chat:
    """A chat of two model calls; `between` happens after the first."""

    between: Callable[[], object] = lambda: None
    content: str = "hi"
    calls: list[tuple[ChatRequest, Caller, float, str]] = field(
        default_factory=list[tuple[ChatRequest, Caller, float, str]]
    )
    started_iterations: int = 0

    def __call__(
        self, request: ChatRequest, caller: Caller, deadline: Deadline, request_id: str, emit: Emit
    ) -> ChatResponse:
        self.calls.append((request, caller, deadline.remaining(), request_id))
        self._step(1, emit)
        self.between()
        self._step(2, emit)
        return answer(self.content, request_id)

    def _step(self, iteration: int, emit: Emit) -> None:
        emit(ModelStarted(iteration, "openai:gpt-4o"))
        self.started_iterations = iteration
        emit(ModelFinished(iteration, "openai:gpt-4o", "stop"))


def answer(content: str, request_id: str = "api-request") -> ChatResponse:
    return ChatResponse(
        content=content,
        service="openai",
        model="gpt-4o",
        finish_reason="stop",
        request_id=request_id,
        usage=UsageView(input_tokens=1, output_tokens=1, total_tokens=2),
        timings=TimingsView(total_ms=1, steps=()),
    )
