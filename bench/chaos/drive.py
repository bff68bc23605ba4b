"""One chat from its first request to the last thing that must hold of it."""

import time
from collections.abc import Mapping
from typing import Any

from bench.chaos.door import Door, Reply
from bench.chaos.outcome import Outcome
from bench.chaos.plan import Plan
from bench.chaos.world import World

RESUMPTIONS = 3
"""How often a partial answer is gone on from; the last time nothing fails but models."""

HELD = frozenset({"resume_token_in_use", "session_busy"})
"""A request that could not say how it ended holds a token or a session until its lease is over."""

USED_UP = frozenset({"resume_token_used", "session_moved_on"})

DELIVERIES = 3
"""How often Lambda delivers an order that fails; the last time nothing fails but models."""


class Drive:
    """Drives one chat of a plan through `world`."""

    def __init__(self, world: World, plan: Plan, outcome: Outcome) -> None:
        self._world = world
        self._plan = plan
        self._outcome = outcome
        self._door = Door(world, outcome)
        self._attempts = 0
        self._run: str | None = None
        self._token: str | None = None

    def run(self) -> None:
        """Ask, go on, ask again; what is wrong is told to the outcome."""
        match self._plan.way:
            case "plain" | "session":
                self._outcome.status = self._chat(self._post())
            case "idempotent":
                self._outcome.status = self._twice()
            case "async":
                self._outcome.status = self._in_background()
        self._check_executions()

    def _chat(self, reply: Reply) -> str:
        """Go on from a partial answer until there is a whole one, or the end of patience; what it was in the end."""
        self._check_saved(reply)
        if reply.outcome != "partial":
            return reply.outcome
        token = reply.body.get("resume_token")
        if token is None:
            if not self._plan.tables_fail and not self._outcome.starved:
                self._outcome.violation("a partial answer without a resume token, though the table was well")
            return "partial, no token"
        for left in reversed(range(RESUMPTIONS)):
            resumed = self._resume(str(token), calm=left == 0)
            self._check_saved(resumed)
            if resumed.outcome == "complete":
                self._outcome.resumed += 1
                return "complete, resumed"
            if resumed.outcome == "partial":
                self._outcome.resumed += 1
                token = resumed.body.get("resume_token") or token
            elif resumed.outcome in HELD and self._plan.tables_fail:
                self._token = str(token)
                return f"partial, then {resumed.outcome}"
            elif left == 0 or resumed.status < 500:
                return self._unusable(resumed)
        return "partial"

    def _unusable(self, reply: Reply) -> str:
        """A resume token must be good for something: only a model may still fail, and only a lost answer uses it up."""
        is_models = reply.outcome.startswith("model_") and self._plan.weather in ("models", "everything")
        is_lost = reply.outcome in USED_UP and self._plan.tables_fail
        if not is_models and not is_lost:
            self._outcome.violation(f"a resume token was of no use: HTTP {reply.status} {reply.outcome}")
        return f"partial, then {reply.outcome}"

    def _twice(self) -> str:
        """The same request with the same key, twice: the second has the first one's answer."""
        headers = {"Idempotency-Key": f"key-{self._plan.number}"}
        first = self._post(headers)
        second = self._post(headers, calm=True)
        if first.status != 200 or self._plan.tables_fail:
            return f"{first.outcome}, then {second.outcome}"
        if (second.body, second.headers.get("idempotent-replayed")) != (first.body, "true"):
            self._outcome.violation(f"the second answer is not the first: {second.outcome} after {first.outcome}")
        if any(key.startswith(f"{self._door.request_id()}:") for key in self._world.functions.executed):
            self._outcome.violation("a repeated request ran tools again")
        return f"{first.outcome}, repeated"

    def _in_background(self) -> str:
        accepted = self._post({"Prefer": "respond-async"})
        orders = self._world.functions.orders
        delivered, orders[:] = [*orders], []
        if accepted.status != 202:
            return f"not accepted: {accepted.outcome}"
        if not delivered:
            self._outcome.violation("a run was accepted and nobody was ordered to do it")
            return "never ordered"
        for attempt in range(DELIVERIES):
            self._begin(calm=attempt == DELIVERIES - 1)
            if self._door.deliver(delivered[0]):
                break
        if self._plan.delivered_twice:
            self._door.deliver(delivered[0])
        self._run = str(accepted.body["id"])
        return "run not over"

    def settle(self, *, until: float) -> bool:
        """Whether all of this chat is over, its run and what is held by a lease; after `until`, it has to be.

        `until` is of `time.monotonic`.
        """
        may_wait = self._plan.tables_fail and time.monotonic() < until
        if self._run is not None:
            return self._settle_run(self._run, may_wait=may_wait)
        return self._token is None or self._settle_token(self._token, may_wait=may_wait)

    def _settle_run(self, run_id: str, *, may_wait: bool) -> bool:
        self._world.fail(tools=None, tables=None)
        run = self._door.get(f"/api/runs/{run_id}")
        status = str(run.body.get("status"))
        if status not in ("succeeded", "failed"):
            if may_wait:
                return False
            self._outcome.violation(f"a run did not end: HTTP {run.status} {status}")
        answer: Mapping[str, Any] | None = run.body.get("answer")
        if status == "succeeded" and answer is None:
            self._outcome.violation("a run succeeded without an answer")
        self._outcome.status = f"run {status}, {answer['status']}" if answer else f"run {status}"
        return True

    def _settle_token(self, token: str, *, may_wait: bool) -> bool:
        resumed = self._resume(token, calm=True)
        if resumed.outcome in HELD and may_wait:
            return False
        self._check_saved(resumed)
        self._outcome.resumed += resumed.status == 200
        self._outcome.status = "complete, resumed later" if resumed.status == 200 else self._unusable(resumed)
        return True

    def _post(self, headers: Mapping[str, str] | None = None, *, calm: bool = False) -> Reply:
        self._begin(calm=calm)
        return self._door.post(self._plan.request(), headers=headers)

    def _resume(self, token: str, *, calm: bool) -> Reply:
        self._begin(calm=calm)
        return self._door.post({"resume_token": token, "deadline_ms": self._plan.deadline_ms})

    def _begin(self, *, calm: bool) -> None:
        """Let fail what the plan says, each time by other chances; when it is `calm` models alone."""
        self._attempts += 1
        seed = f"{self._plan.seed}/{self._attempts}"
        self._world.fail(
            tools=seed if self._plan.tools_fail and not calm else None,
            tables=seed if self._plan.tables_fail and not calm else None,
        )

    def _check_saved(self, reply: Reply) -> None:
        """What an answer says was saved in its session is there, word for word."""
        session = reply.body.get("session")
        if self._plan.session is None or reply.status != 200 or session is None or not session["saved"]:
            return
        self._world.fail(tools=None, tables=None)
        messages = self._messages()
        turn = [message for message in messages if message["turn"] == messages[-1]["turn"]] if messages else []
        calls = [call["call_id"] for message in turn for call in message.get("tool_calls", ())]
        if not turn or (turn[0]["content"], turn[-1]["content"]) != (self._plan.message, reply.body["content"]):
            self._outcome.violation(f"an answer was saved, but the session ends with {turn}")
        elif calls != [call["call_id"] for call in reply.body["tool_calls"]]:
            self._outcome.violation(f"an answer was saved with the calls {calls}, which are not its own")
        else:
            self._outcome.saved += 1

    def _messages(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            path = f"/api/sessions/{self._plan.session}/messages"
            page = self._door.get(path, {"cursor": cursor} if cursor else None)
            if page.status != 200:
                self._outcome.violation(f"a session cannot be read: HTTP {page.status} {page.outcome}")
                return messages
            messages += page.body["messages"]
            cursor = page.body.get("cursor")
            if cursor is None:
                return messages

    def _check_executions(self) -> None:
        """No call was carried out twice: not by a retry, not by a second delivery, not by going on."""
        mine = f"chat-{self._plan.number}-"
        executed = {key: count for key, count in self._world.functions.executed.items() if key.startswith(mine)}
        self._outcome.calls = sum(executed.values())
        for key, count in executed.items():
            if count > 1:
                self._outcome.violation(f"the call {key} ran {count} times")
        if self._plan.way in ("plain", "session"):
            calls = [key.partition(":")[2] for key in executed if ":search_" not in key]
            if len(set(calls)) < len(calls):
                self._outcome.violation(f"a call ran again when an answer was gone on with: {sorted(calls)}")
