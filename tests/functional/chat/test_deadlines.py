"""Answers before the deadline, on a clock that models and tools advance."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from flexchat.errors import UnavailableError
from flexchat.messages import Completion, Message
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.chat.timed_chat import Service, outcomes, work
from tests.unit.runs.table import empty_tables

pytestmark = pytest.mark.slow


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with empty_tables(monkeypatch) as dynamodb:
        yield Service(dynamodb)


def test_chat_at_its_deadline_is_answered_from_its_results(service: Service) -> None:
    answer = service.send_chat(10, service.takes(3, work("a", 1)), service.takes(3, text_completion("So far: a.")))

    assert (answer.content, answer.status, answer.deadline_reached) == ("So far: a.", "complete", True)
    assert (outcomes(answer), answer.resume_token) == ([("a", "ok")], None)


def test_slow_tool_is_stopped_in_time_for_the_answer(service: Service) -> None:
    answer = service.send_chat(
        20, service.takes(2, work("a", 300)), service.takes(2, text_completion("It takes too long."))
    )

    assert (answer.content, answer.status, answer.deadline_reached) == ("It takes too long.", "complete", True)
    assert outcomes(answer) == [("a", "timeout")]


def test_configuration_timeout_is_an_error_before_the_deadline(service: Service) -> None:
    service.catalog_error = UnavailableError("the configuration could not be read in time")

    with pytest.raises(UnavailableError):
        service.send_chat(5)


@dataclass
class Worker:
    """Model that calls tools for `turns` turns and then answers, or earlier when tools are forbidden."""

    service: Service
    chance: random.Random
    name: str
    time_budget: float
    turns: int

    def __call__(self, messages: Sequence[Message], options: ChatOptions) -> Completion:
        done = sum(1 for message in messages if message.tool_calls)
        completion = text_completion("Done.")
        if done < self.turns and options.tool_choice == "auto":
            completion = work(f"{self.name}.{done}", self.chance.uniform(0, 3) * self.time_budget, turn=done + 1)
        return self.service.takes(self.chance.uniform(0, 2) * self.time_budget, completion)(messages, options)


@pytest.mark.parametrize("seed", range(5))
def test_random_chats_answer_in_time_and_run_each_call_once(service: Service, seed: int) -> None:
    """Thirty random chats; `Service.ask` checks the deadline, `takes` one result per call."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated
    endings: Counter[str] = Counter()
    for number in range(30):
        time_budget, turns = chance.choice((0.05, 0.5, 2.0, 6.0)), chance.randint(0, 6)
        worker = Worker(service, chance, f"{number}", time_budget, turns)

        answer = service.send_chat(chance.uniform(2, 20), *[worker] * 10)
        while answer.status == "partial":
            endings["partial"] += 1
            answer = service.send_chat(60, *[worker] * 10, resume_token=answer.resume_token)
        endings["hurried" if answer.deadline_reached else "complete"] += 1

        assert answer.content == "Done."
        calls = [name for name, _ in outcomes(answer)]
        assert calls == [f"{number}.{done}" for done in range(len(calls))]
        assert [call.iteration for call in answer.tool_calls] == list(range(1, len(calls) + 1))

    executed = service.executed()
    assert len(executed) == len(set(map(str, executed)))
    assert endings.keys() == {"partial", "hurried", "complete"}
