"""An answer in time, always, and no work lost: whole chats on a clock that models and tools move by what they take."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
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
from flexchat.errors import ModelError, RequestError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.messages import Completion, Json, Message
from functions.chat.aws.leases import LeaseStore
from functions.chat.aws.signing_key import SigningKey
from functions.chat.engine import ChatEngine
from functions.chat.limits.chat_limits import ChatLimits, RateLimits
from functions.chat.providers.base import ChatOptions
from functions.chat.resumption.tokens import LIFETIME_SECONDS, ResumeTokens
from functions.chat.runtime import RuntimeCache
from functions.chat.sessions.conversations import Conversations
from tests.aws import aws_client
from tests.functional.chat.harness import InProcessLambdas, assert_every_call_answered_once, configuration
from tests.functional.chat.scripted_provider import ScriptedProvider, Step, call_turn, text_turn
from tests.unit.runs.table import CHATS, empty_tables

type Answering = Callable[[Sequence[Message], ChatOptions], Completion]

ALICE = Caller("alice", frozenset({"user"}))
BOB = Caller("bob", frozenset({"user"}))

WORK: dict[str, Any] = {
    "name": "work",
    "description": "Takes so many seconds",
    "parameters": {"type": "object", "properties": {"name": {"type": "string"}, "seconds": {"type": "number"}}},
    "implementation": {"type": "mock"},
}


@dataclass
class Clock:
    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Service:
    """The engine with its table and its secret in this process."""

    dynamodb: DynamoDBClient
    clock: Clock = field(default_factory=Clock)
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
            limits=ChatLimits(limits=limits, runtimes=runtimes, resume_tokens=self.resume_tokens),
            clock=self.clock,
        )
        self.chats = 0

    def ask(self, seconds: float, *script: Step, caller: Caller = ALICE, **request: Any) -> ChatResponse:
        """The answer within `seconds` of a model that follows `script`, which has to be in time."""
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
            self.ask(20, caller=caller, resume_token=token)
        return caught.value.status, caught.value.code

    def takes(self, seconds: float, completion: Completion | ModelError) -> Answering:
        """A model that answers after so many seconds, or runs into its deadline."""

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
        """Cuts itself off as the runtime of a tool does."""
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


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with empty_tables(monkeypatch) as dynamodb:
        yield Service(dynamodb)


def work(name: str, seconds: float, *, turn: int = 1) -> Completion:
    return call_turn(("work", {"name": name, "seconds": seconds}), turn=turn)


def outcomes(answer: ChatResponse) -> list[tuple[Json, str]]:
    """Arguments and outcome of each call."""
    worked: list[tuple[Json, str]] = []
    for call in answer.tool_calls:
        assert isinstance(call.params, dict)
        outcome = "ok" if isinstance(call.result, ToolSuccessView) else call.result.error_type
        worked.append((call.params["name"], outcome))
    return worked


def test_chat_at_its_deadline_is_answered_from_its_results(service: Service) -> None:
    answer = service.ask(10, service.takes(3, work("a", 1)), service.takes(3, text_turn("So far: a.")))

    assert (answer.content, answer.status, answer.deadline_reached) == ("So far: a.", "complete", True)
    assert (outcomes(answer), answer.resume_token) == ([("a", "ok")], None)


def test_slow_tool_is_stopped_in_time_for_the_answer(service: Service) -> None:
    answer = service.ask(20, service.takes(2, work("a", 300)), service.takes(2, text_turn("It takes too long.")))

    assert (answer.content, answer.status, answer.deadline_reached) == ("It takes too long.", "complete", True)
    assert outcomes(answer) == [("a", "timeout")]


def test_resumed_partial_answer_does_not_run_its_tools_again(service: Service) -> None:
    partial = service.ask(10, service.takes(3, work("a", 1)), service.takes(30, text_turn("")))
    assert (partial.status, outcomes(partial)) == ("partial", [("a", "ok")])

    answer = service.ask(
        20,
        service.takes(1, work("b", 1, turn=2)),
        service.takes(1, text_turn("Both.")),
        resume_token=partial.resume_token,
    )

    assert (answer.content, answer.status, answer.resume_token) == ("Both.", "complete", None)
    assert outcomes(answer) == [("a", "ok"), ("b", "ok")]
    assert [call.iteration for call in answer.tool_calls] == [1, 2]
    assert service.executed() == ["a", "b"]


def test_partial_answer_of_a_resumed_chat_can_be_resumed(service: Service) -> None:
    first = service.ask(10, service.takes(3, work("a", 1)), service.takes(30, text_turn("")))
    second = service.ask(
        10,
        service.takes(3, work("b", 1, turn=2)),
        service.takes(30, text_turn("")),
        resume_token=first.resume_token,
    )
    answer = service.ask(20, service.takes(1, text_turn("Both.")), resume_token=second.resume_token)

    assert (answer.status, outcomes(answer)) == ("complete", [("a", "ok"), ("b", "ok")])
    assert first.resume_token != second.resume_token
    assert service.refusal(first.resume_token) == (409, "resume_token_used")


def test_chat_with_a_failed_provider_can_be_resumed(service: Service) -> None:
    down = ModelError("down", type="server_error", provider="openai")
    partial = service.ask(20, service.takes(1, work("a", 1)), down)
    assert (partial.status, partial.error and partial.error.type) == ("partial", "server_error")

    answer = service.ask(20, service.takes(1, text_turn("Done.")), resume_token=partial.resume_token)

    assert (answer.content, outcomes(answer)) == ("Done.", [("a", "ok")])


def test_resumed_chat_without_progress_starts_over(service: Service) -> None:
    partial = service.ask(5, service.takes(30, text_turn("")))

    answer = service.ask(20, service.takes(1, text_turn("Here I am.")), resume_token=partial.resume_token)

    assert (partial.status, answer.content, answer.status) == ("partial", "Here I am.", "complete")
    assert service.model.seen[0] == service.model.seen[1]


def test_resume_token_is_valid_for_one_answer_of_its_caller_for_an_hour(service: Service) -> None:
    partial = service.ask(5, service.takes(30, text_turn("")))
    other = service.ask(5, service.takes(30, text_turn("")))

    assert service.refusal(partial.resume_token, BOB) == (400, "resume_token_invalid")
    service.ask(20, service.takes(1, text_turn("Done.")), resume_token=partial.resume_token)
    assert service.refusal(partial.resume_token) == (409, "resume_token_used")
    service.clock.now += LIFETIME_SECONDS
    assert service.refusal(other.resume_token) == (410, "resume_token_expired")


def test_failed_resumption_leaves_its_token_valid(service: Service) -> None:
    partial = service.ask(5, service.takes(30, text_turn("")))
    down = ModelError("down", type="server_error", provider="openai")

    with pytest.raises(ModelError):
        service.ask(20, down, resume_token=partial.resume_token)
    answer = service.ask(20, service.takes(1, text_turn("Done.")), resume_token=partial.resume_token)

    assert answer.content == "Done."


def test_missing_table_omits_the_token_and_returns_the_answer(service: Service) -> None:
    service.dynamodb.delete_table(TableName=CHATS)

    answer = service.ask(10, service.takes(3, work("a", 1)), service.takes(30, text_turn("")))

    assert (answer.status, outcomes(answer), answer.resume_token) == ("partial", [("a", "ok")], None)


def test_configuration_timeout_is_an_error_before_the_deadline(service: Service) -> None:
    service.catalog_error = UnavailableError("the configuration could not be read in time")

    with pytest.raises(UnavailableError):
        service.ask(5)


@dataclass
class Worker:
    """A model that works `turns` times and is then done, or says so earlier when no more tools may be called."""

    service: Service
    chance: random.Random
    name: str
    time_budget: float
    turns: int

    def __call__(self, messages: Sequence[Message], options: ChatOptions) -> Completion:
        done = sum(1 for message in messages if message.tool_calls)
        completion = text_turn("Done.")
        if done < self.turns and options.tool_choice == "auto":
            completion = work(f"{self.name}.{done}", self.chance.uniform(0, 3) * self.time_budget, turn=done + 1)
        return self.service.takes(self.chance.uniform(0, 2) * self.time_budget, completion)(messages, options)


@pytest.mark.parametrize("seed", range(5))
def test_random_chats_answer_in_time_and_run_each_call_once(service: Service, seed: int) -> None:
    """Thirty chats of random paces and deadlines; `Service.ask` sees that each answer comes in time, `takes` that each
    call has one result."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated
    endings: Counter[str] = Counter()
    for number in range(30):
        time_budget, turns = chance.choice((0.05, 0.5, 2.0, 6.0)), chance.randint(0, 6)
        worker = Worker(service, chance, f"{number}", time_budget, turns)

        answer = service.ask(chance.uniform(2, 20), *[worker] * 10)
        while answer.status == "partial":
            endings["partial"] += 1
            answer = service.ask(60, *[worker] * 10, resume_token=answer.resume_token)
        endings["hurried" if answer.deadline_reached else "complete"] += 1

        assert answer.content == "Done."
        calls = [name for name, _ in outcomes(answer)]
        assert calls == [f"{number}.{done}" for done in range(len(calls))]
        assert [call.iteration for call in answer.tool_calls] == list(range(1, len(calls) + 1))

    executed = service.executed()
    assert len(executed) == len(set(map(str, executed)))
    assert endings.keys() == {"partial", "hurried", "complete"}
