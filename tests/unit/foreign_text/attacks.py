"""Texts on which a backtracking pattern is slow, and uses of patterns."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

type Match = Literal["search", "match", "fullmatch"]


@dataclass(frozen=True, slots=True)
class Attack:
    """Text of any length on which a backtracking pattern is slow: `unit` many times between `before` and `after`."""

    unit: str
    before: str = ""
    after: str = ""

    def text(self, size: int) -> str:
        return self.before + self.unit * (size // len(self.unit)) + self.after


@dataclass(frozen=True, slots=True)
class Use:
    """The use of a pattern, the attacks on it, and the pattern where it is not a constant."""

    match: Match
    attacks: tuple[Attack, ...]
    pattern: re.Pattern[str] | None = None


def searched(*attacks: Attack, pattern: str | None = None) -> Use:
    return Use("search", attacks, re.compile(pattern) if pattern else None)


def matched(*attacks: Attack) -> Use:
    return Use("match", attacks)


def whole(*attacks: Attack, pattern: str | None = None) -> Use:
    return Use("fullmatch", attacks, re.compile(pattern) if pattern else None)


BATTERY: Final = (
    *(Attack(unit) for unit in " \t\n\r\"'\\/.,:;!?*+-_=#%&@()[]{}<>|`~^$aA1é漢"),
    *(
        Attack(unit)
        for unit in ("a ", " a", "a\n", "1,", "1 ", "a.", "a-", "\n ", ' "', "\\n", "a=", "a:", "((", "[]", "{}")
    ),
    Attack("a", after="!"),
    Attack(" ", after="x"),
    Attack("1", after="x"),
)


def run_of(pattern: Any, match: Match) -> Callable[[str], object]:
    """Return the function that finds every match of a searched pattern, or the only match of another one."""

    def run(text: str) -> object:
        subject = text.encode() if isinstance(pattern.pattern, bytes) else text
        return sum(1 for _ in pattern.finditer(subject)) if match == "search" else getattr(pattern, match)(subject)

    return run
