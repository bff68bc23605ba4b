"""Questions of the chats with the expected content of an undisturbed answer.

Every question has unique numbers, so that an empty tool result, or that of another call, is detected.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Purpose = Literal["any", "collections", "resume", "quick", "two_turns"]
"""Kinds of questions: for every chat, with collections, interrupted once, with fast tools, or with two turns of slow
ones."""

TEMPERATURES: Mapping[str, int] = {"Paris": 171, "Oslo": 143, "Rome": 265, "Cairo": 384, "Lima": 197, "Quito": 138}
"""Temperature of each place in tenths of a degree, all different."""

REPORT_ROWS: Mapping[int, int] = {days: 1000 + 37 * days for days in range(1, 21)}
REPORT_SECONDS = 0.7
MANY_CALLS = 24
CALLS_PER_TURN = 16
"""Maximum number of calls of one turn that a tool executes; the others get an error result."""


@dataclass(frozen=True, slots=True)
class Question:
    """Message, the texts that its answer must contain, and the number of calls of its model."""

    text: str
    expected: tuple[str, ...]
    calls: int


def question(purpose: Purpose, number: int, rng: random.Random) -> Question:
    """Draw a question; `number` is the chat's and makes its message unique."""
    drawn = rng.choice(_QUESTIONS[purpose])(number, rng)
    return Question(f"{drawn.text} (chat {number})", drawn.expected, drawn.calls)


def _product(number: int, rng: random.Random) -> Question:
    first, second = rng.randint(11, 99), number + 11
    return Question(f"What is {first} * {second}?", (f"{first} * {second} is {first * second}.",), 1)


def _share_and_weather(number: int, rng: random.Random) -> Question:
    place, percent, whole = rng.choice([*TEMPERATURES]), rng.randint(3, 40), 100 * (number + 3)
    share = f"{percent}% of {whole}"
    text = f"What is {share}, and the weather in {place}?"
    return Question(text, (f"{share} is {percent * (number + 3)}.", _weather(place)), 2)


def _two_places(number: int, rng: random.Random) -> Question:
    del number
    first, second = rng.sample([*TEMPERATURES], 2)
    return Question(f"What is the weather in {first} and {second}?", (_weather(first), _weather(second)), 2)


def _greeting(number: int, rng: random.Random) -> Question:
    del rng
    text = "Hello, who are you?"
    return Question(text, (f'You said: "{text} (chat {number})',), 0)


def _two_effects(number: int, rng: random.Random) -> Question:
    del rng
    texts = (f"first of {number}", f"second of {number}")
    return Question(f"Please pass it on {_notify(*texts)}", _notified(*texts), 2)


def _slow_twice(number: int, rng: random.Random) -> Question:
    del number
    days = rng.choice([*REPORT_ROWS])
    return Question(f"Look into it {_call('report', times=2, days=days)}", (f"report says: {REPORT_ROWS[days]}.",), 2)


def _failing_calls(number: int, rng: random.Random) -> Question:
    del number, rng
    text = f"And count {_call('calculate', expression='1/0')} {_call('no_such_tool')}"
    return Question(text, ("I could not get calculate", "I could not get no_such_tool"), 2)


def _many_calls(number: int, rng: random.Random) -> Question:
    del rng
    texts = [f"part {part} of {number}" for part in range(1, MANY_CALLS + 1)]
    return Question(f"Pass on each {_notify(*texts)}", _notified(texts[0]), MANY_CALLS)


def _refund(number: int, rng: random.Random) -> Question:
    del rng
    return Question(f"How long does a refund for order {number} take?", (passage(number),), 0)


def _cut_off_once(number: int, rng: random.Random) -> Question:
    """Question with one fault of the model after its tools: a partial answer that is then resumed."""
    drawn = _two_effects(number, rng)
    return Question(f"[demo:status=400 after=1 times=1] {drawn.text}", drawn.expected, drawn.calls)


def _two_turns(number: int, rng: random.Random) -> Question:
    slow, effect = _slow_twice(number, rng), f"only once for {number}"
    return Question(f"{slow.text} {_notify(effect)}", (*slow.expected, *_notified(effect)), 3)


_QUESTIONS: Mapping[Purpose, Sequence[Callable[[int, random.Random], Question]]] = {
    "any": (
        _product,
        _share_and_weather,
        _two_places,
        _greeting,
        _two_effects,
        _slow_twice,
        _failing_calls,
        _many_calls,
    ),
    "collections": (_refund,),
    "resume": (_cut_off_once,),
    "quick": (_two_effects,),
    "two_turns": (_two_turns,),
}


def passage(order: int) -> str:
    """Return the passage for a search for an order."""
    return f"A refund for order {order} takes {order % 9 + 2} days"


def _weather(place: str) -> str:
    return f"The weather in {place}: {TEMPERATURES[place]}."


def _notified(*texts: str) -> tuple[str, ...]:
    return tuple(f"notify says: {text}." for text in texts)


def _notify(*texts: str) -> str:
    return " ".join(_call("notify", text=text) for text in texts)


def _call(tool: str, *, times: int = 1, **arguments: object) -> str:
    """Return the demo model's fault directive for a call in `times` turns."""
    suffix = f" times={times}" if times > 1 else ""
    return f"[demo:call={tool} {json.dumps(arguments)}{suffix}]"
