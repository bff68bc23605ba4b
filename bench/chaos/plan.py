"""What is asked, in which way, by when and under which faults: the same plans for the same seed."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from flexchat.messages import Json

Weather = Literal["calm", "models", "tools", "tables", "everything"]
"""What fails during a chat."""

Way = Literal["plain", "session", "async", "idempotent"]

GROUPS = 40
"""Chats of one group share sessions, and so a worker; there are never more workers than groups."""

LLMS = ("openai", "ollama", "gemini", "anthropic")

_WAYS: dict[Way, int] = {"plain": 40, "session": 35, "async": 13, "idempotent": 12}
_WEATHER: dict[Weather, int] = {"calm": 10, "models": 30, "tools": 20, "tables": 15, "everything": 25}

_QUESTIONS = (
    "What is 15% of 45, and the weather in Paris?",
    "What is 12 * 12?",
    "What is the weather in Oslo and Rome?",
    "Hello, who are you?",
    'Please say so [demo:call=notify {"text": "once"}] [demo:call=notify {"text": "twice"}]',
    'Look into it [demo:call=report {"days": 3} times=3]',
    'And count [demo:call=calculate {"expression": "1/0"}] [demo:call=no_such_tool {}]',
    "How long does a refund take?",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """One chat. `seed` is for the faults of its tools and tables; those of its model are in its message."""

    number: int
    seed: str
    weather: Weather
    way: Way
    message: str
    llm: str
    deadline_ms: int
    session: str | None
    collections: tuple[str, ...]
    delivered_twice: bool

    @property
    def group(self) -> int:
        return self.number % GROUPS

    @property
    def tools_fail(self) -> bool:
        return self.weather in ("tools", "everything")

    @property
    def tables_fail(self) -> bool:
        return self.weather in ("tables", "everything")

    def request(self) -> dict[str, Json]:
        """The body that is posted."""
        body: dict[str, Json] = {
            "message": self.message,
            "deadline_ms": self.deadline_ms,
            "profile": {"llm": self.llm},
            "selected_collections": list(self.collections),
        }
        return body if self.session is None else {**body, "session_id": self.session}


def plans(*, seed: str, chats: int, deadlines: tuple[float, float]) -> Sequence[Plan]:
    """The plans of a run; `deadlines` are the shortest and the longest, in seconds."""
    return [_plan(seed, number, deadlines) for number in range(1, chats + 1)]


def _plan(seed: str, number: int, deadlines: tuple[float, float]) -> Plan:
    chance = random.Random(f"{seed}/{number}")  # noqa: S311 (no secret depends on it)
    weather = chance.choices(get_args(Weather), [*_WEATHER.values()])[0]
    way = chance.choices(get_args(Way), [*_WAYS.values()])[0]
    question = chance.choice(_QUESTIONS)
    dial = f"[demo:chaos={seed} percent=30] " if weather in ("models", "everything") else ""
    return Plan(
        number=number,
        seed=json.dumps([seed, number]),
        weather=weather,
        way=way,
        message=f"{dial}{question} (chat {number})",
        llm=chance.choice(LLMS),
        deadline_ms=round(chance.uniform(*deadlines) * 1000),
        session=f"s{number % GROUPS}-{chance.randrange(2)}" if way == "session" else None,
        collections=("kb/faq", "kb/news") if chance.random() < 0.25 else (),
        delivered_twice=chance.random() < 0.4,
    )
