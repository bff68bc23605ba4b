"""Plans of the chats: request, scenario, deadline and faults, deterministic for a seed."""

import json
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from dev.chaos.questions import Purpose, question
from dev.demo_model.server_quirks import KINDS
from flexchat.config.providers import PROVIDERS, ProviderType
from flexchat.messages import Json

FaultGroup = Literal["calm", "models", "bodies", "servers", "tools", "tables", "settings", "everything"]
"""The part that fails during a chat: nothing, model requests, model bodies, model servers that are odd, tool functions,
DynamoDB, SSM with Secrets Manager, or all of them."""

Scenario = Literal[
    "plain",
    "session",
    "idempotent",
    "stream",
    "async",
    "resume",
    "same_session",
    "same_key",
    "cancel",
    "delete",
    "death",
]
"""Scenario of a chat: one request, a session's second turn, a repeated request, a streamed chat, a background run, a
resumed partial answer, concurrent requests on one session or one key, a cancelled run, a session deleted while in use,
and a killed worker process."""

Victim = Literal["run", "session", "key"]
"""Work of the killed process: a background run, a chat in a session, a request with a key."""

SETTINGS_FAULTS = frozenset[FaultGroup](("settings", "everything"))
GROUPS = 40
"""Chats of one group run in one worker; there are never more workers than groups."""

LLMS: tuple[ProviderType, ...] = tuple(name for name, provider in PROVIDERS.items() if not provider.aws_signed)

SERVERS: tuple[str, ...] = (*LLMS, *KINDS)
"""Llms of chats with odd servers: one of each provider, and one of each kind of compatible server."""

KEY_DEADLINE_MS = 3_000
"""Seconds until the key of a dead process is released, two after its deadline by the wall clock."""

KEY_MOMENTS = 3
"""Minimum number of AWS requests of a chat with a key."""

_SCENARIOS: dict[Scenario, int] = {
    "plain": 20,
    "session": 19,
    "idempotent": 7,
    "stream": 12,
    "async": 11,
    "resume": 7,
    "same_session": 4,
    "same_key": 4,
    "cancel": 5,
    "delete": 4,
    "death": 7,
}
_FAULT_GROUPS: dict[FaultGroup, int] = {
    "calm": 16,
    "models": 20,
    "bodies": 8,
    "servers": 14,
    "tools": 17,
    "tables": 13,
    "settings": 8,
    "everything": 18,
}
_PURPOSES: dict[Scenario, Purpose] = {
    "resume": "resume",
    "cancel": "two_turns",
    "death": "two_turns",
    "delete": "two_turns",
}
_DIRECTIVES: dict[FaultGroup, str] = {
    "models": "[demo:chaos={} percent=30] ",
    "everything": "[demo:chaos={} percent=30] ",
    "bodies": "[demo:chaos={} percent=30 of=bodies] ",
    "servers": "[demo:chaos={} percent=30 of=servers] ",
}


@dataclass(frozen=True, slots=True)
class ScenarioPlan:
    """Plan of one chat.

    `seed` determines the faults of its tools, tables and settings; those of its model are in its message. `expected`
    and `calls` are those of an undisturbed answer. `moment` is the number of the AWS request at which a run is
    cancelled, a session deleted or a process killed; with `after` the request still takes effect. The client of a
    streamed chat disconnects after `moment` pieces with `after`.
    """

    number: int
    seed: str
    fault_group: FaultGroup
    scenario: Scenario
    message: str
    expected: tuple[str, ...]
    calls: int
    llm: str
    deadline_ms: int
    collections: tuple[str, ...]
    delivered_twice: bool
    cold: bool
    moment: int
    after: bool
    victim: Victim

    @property
    def group(self) -> int:
        return self.number % GROUPS

    @property
    def session(self) -> str | None:
        """Id of the chat's own session, if it has one."""
        needs_one = self.scenario in ("session", "same_session", "delete") or self.dies_in_session
        return f"s{self.number}" if needs_one else None

    @property
    def dies_in_session(self) -> bool:
        return self.scenario == "death" and (
            self.victim == "session" or (self.victim == "run" and self.delivered_twice)
        )

    @property
    def tools_fail(self) -> bool:
        return self.fault_group in ("tools", "everything")

    @property
    def tables_fail(self) -> bool:
        return self.fault_group in ("tables", "everything")

    @property
    def settings_fail(self) -> bool:
        return self.fault_group in SETTINGS_FAULTS

    @property
    def models_fail(self) -> bool:
        return self.fault_group in ("models", "bodies", "servers", "everything")

    def request(self, suffix: str = "") -> dict[str, Json]:
        """Return the request body; `suffix` is appended to the message."""
        body: dict[str, Json] = {
            "message": f"{self.message}{suffix}",
            "deadline_ms": self.deadline_ms,
            "profile": {"llm": self.llm},
            "selected_collections": list(self.collections),
        }
        return body if self.session is None else {**body, "session_id": self.session}


def plans(
    *,
    seed: str,
    chats: int,
    deadlines: tuple[float, float],
    scenarios: Collection[Scenario] = (),
    fault_groups: Collection[FaultGroup] = (),
) -> Sequence[ScenarioPlan]:
    """Return the plans of a run.

    `deadlines` are the shortest and the longest, in seconds; `scenarios` and `fault_groups` restrict the
    draws, if not empty.
    """
    return [_plan(seed, number, deadlines, scenarios, fault_groups) for number in range(1, chats + 1)]


def _plan(
    seed: str,
    number: int,
    deadlines: tuple[float, float],
    scenarios: Collection[Scenario],
    fault_groups: Collection[FaultGroup],
) -> ScenarioPlan:
    rng = random.Random(f"{seed}/{number}")  # noqa: S311 (no secret depends on it)
    fault_group = _drawn(rng, _FAULT_GROUPS, fault_groups)
    scenario = _drawn(rng, _SCENARIOS, scenarios)
    uses_collections = rng.random() < 0.15
    victim = rng.choice(get_args(Victim))
    has_short_key = scenario == "death" and victim == "key"
    purpose = _PURPOSES.get(scenario, "collections" if uses_collections else "any")
    if has_short_key:
        purpose = "quick"
    drawn = question(purpose, number, rng)
    lower, upper = deadlines
    if fault_group == "calm":  # it must complete, also on a busy machine
        lower = (lower + upper) / 2
    deadline_ms = round(rng.uniform(lower, upper) * 1000)
    return ScenarioPlan(
        number=number,
        seed=json.dumps([seed, number]),
        fault_group=fault_group,
        scenario=scenario,
        message=_DIRECTIVES.get(fault_group, "").format(seed) + drawn.text,
        expected=drawn.expected,
        calls=drawn.calls,
        llm=rng.choice(SERVERS if fault_group == "servers" else LLMS),
        deadline_ms=KEY_DEADLINE_MS if has_short_key else deadline_ms,
        collections=("kb/faq", "kb/news") if uses_collections else (),
        delivered_twice=rng.random() < 0.4,
        cold=rng.random() < 0.3,
        moment=rng.randint(1, KEY_MOMENTS if has_short_key else 16),
        after=rng.random() < 0.5,
        victim=victim,
    )


def _drawn[T: str](rng: random.Random, weights: dict[T, int], only: Collection[T]) -> T:
    names = [name for name in weights if not only or name in only]
    return rng.choices(names, [weights[name] for name in names])[0]
