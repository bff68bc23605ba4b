"""Models of known accuracy: `skill-95` gets 95 of a hundred cases of the built-in suites right, `skill-60-seed-7` 60.

A hash of the seed, the case and the number of its runs selects the failed cases and their mistakes, the same with every
new server. The state is derived from the conversation, so cases may run at the same time.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from threading import Lock

from dev.demo_model.accuracy_plans import MISTAKES, Mistake, Turn, mistaken_turn, planned, right_turns
from dev.demo_model.conversation import Conversation, Reply, ToolReport
from dev.demo_model.rules import SIGNATURE
from flexchat.validation.cases import Suite, ValidationCase

SKILLED = ("skill-95", "skill-60")
"""Models of known accuracy in the model list; every other percentage and seed works too."""

_NAME = re.compile(r"\bskill-(?P<percent>\d{1,3})(?:-seed-(?P<seed>\d+))?\b")
_QUESTION = "Could you tell me what is missing, please?"
_DONE = "That is done."


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Percentage of correct cases, and their selection."""

    percent: int
    seed: str

    def mistake(self, case: str, number: int) -> Mistake | None:
        """Return the mistake in the `number`-th run of `case`; None for a correct run."""
        drawn = sha256(f"{self.seed} {number} {case}".encode()).digest()
        fraction = int.from_bytes(drawn[:8]) / (1 << 64)
        return None if fraction * 100 < self.percent else MISTAKES[drawn[8] % len(MISTAKES)]


def skill_of(model: str) -> Accuracy | None:
    """Return the accuracy in the name of a model."""
    found = _NAME.search(model)
    return None if found is None else Accuracy(int(found["percent"]), found["seed"] or "0")


@dataclass(frozen=True, slots=True)
class _SuiteCase:
    """Case of a suite, and the names of its tools."""

    suite: Suite
    case: ValidationCase
    tools: frozenset[str]

    @property
    def key(self) -> str:
        """Key of the case among all suites."""
        return f"{self.suite.name}/{self.case.id}"


class AccuracyModel:
    """Answers the cases of `suites` for models with an accuracy in their name, and ignores everything else."""

    def __init__(self, suites: Callable[[], Iterable[Suite]]) -> None:
        self._suites = suites
        self._asked: Counter[tuple[Accuracy, str]] = Counter()
        self._lock = Lock()

    def reply(self, conversation: Conversation) -> Reply | None:
        """Return the next turn; None for a model without such a name, or a message of no case."""
        skill = skill_of(conversation.model)
        known = None if skill is None else self._find(conversation)
        if skill is None or known is None:
            return None
        calls = self._calls(skill, known, conversation) if conversation.tools else ()
        return (
            Reply(calls=planned(calls), finish="tool_calls") if calls else Reply(f"{SIGNATURE} {_answer(known.case)}")
        )

    def _calls(self, skill: Accuracy, known: _SuiteCase, conversation: Conversation) -> Turn:
        right = right_turns(known.suite, known.case, conversation.tools)
        if conversation.turns:
            return _after(conversation.reports, right)
        mistake = skill.mistake(known.key, self._number(skill, known.key))
        if mistake is not None:
            return mistaken_turn(known.case, right, conversation.tools, mistake)
        return right[0] if right else ()

    def _find(self, conversation: Conversation) -> _SuiteCase | None:
        """Return the case of a message; if several have it, the one with the offered tools."""
        found = self._cases.get(conversation.message, ())
        offered = frozenset(tool.name for tool in conversation.tools)
        return next((known for known in found if known.tools == offered), next(iter(found), None))

    def _number(self, skill: Accuracy, key: str) -> int:
        with self._lock:
            self._asked[skill, key] += 1
            return self._asked[skill, key]

    @cached_property
    def _cases(self) -> Mapping[str, Sequence[_SuiteCase]]:
        cases: dict[str, list[_SuiteCase]] = {}
        for suite in self._suites():
            every = tuple(tool.name for tool in suite.tools)
            for case in suite.cases:
                names = every if case.tools is None else case.tools
                known = _SuiteCase(suite, case, frozenset(names))
                cases.setdefault(case.message, []).append(known)
        return cases


def _after(reports: Sequence[ToolReport], right: Sequence[Turn]) -> Turn:
    """Return the turn after those in `reports`; none after a mistake or the last turn."""
    made = [(report.tool, report.arguments) for report in reports]
    for turn in right:
        if not made:
            return turn
        if [(call.tool, call.arguments) for call in turn] != made[: len(turn)]:
            return ()
        made = made[len(turn) :]
    return ()


def _answer(case: ValidationCase) -> str:
    if case.expect.answer_contains:
        return case.expect.answer_contains[0]
    return _QUESTION if case.category == "clarification" else _DONE
