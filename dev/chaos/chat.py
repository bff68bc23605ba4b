"""Requests of one chat under the faults of its plan, and the checks common to all scenarios."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from dev.chaos.checks import check_answer, check_calm
from dev.chaos.client import ChaosClient, Pending, Reply
from dev.chaos.environment import Environment
from dev.chaos.outcome import Outcome
from dev.chaos.processes import Processes
from dev.chaos.questions import CALLS_PER_TURN, MANY_CALLS
from dev.chaos.scenario_plan import ScenarioPlan
from functions.chat.sessions.turn import LOST

RESUMPTIONS = 3
"""Maximum number of resumptions of a partial answer; in the last one only models fail."""

LATER_SECONDS = 90.0
"""Seconds after which every lease of a dead worker or a lost write has expired."""

HELD = frozenset({"resume_token_in_use", "session_busy"})
"""Seconds until the lease of a token or a session expires after a request whose end was not stored."""

USED_UP = frozenset({"resume_token_used", "session_moved_on"})


class Chat:
    """Requests and checks of one chat; a scenario determines their order."""

    def __init__(
        self, environment: Environment, plan: ScenarioPlan, outcome: Outcome, client: ChaosClient, processes: Processes
    ) -> None:
        self.environment = environment
        self.plan = plan
        self.outcome = outcome
        self.client = client
        self.processes = processes
        self._attempts = 0

    def begin(self, *, calm: bool = False) -> None:
        """Enable the faults of the plan, or only those of models."""
        self._attempts += 1
        if calm:
            self.environment.recover()
        else:
            self.environment.fail(self.plan, self._attempts)

    def post(
        self, body: Mapping[str, Any] | None = None, *, headers: Mapping[str, str] | None = None, calm: bool = False
    ) -> Reply:
        """Post the plan's request, or another body."""
        self.begin(calm=calm)
        return self.checked(self.client.post(body or self.plan.request(), headers=headers))

    def later(self, body: Mapping[str, Any]) -> Reply:
        """Post to an environment whose clock is past every lease, with faults of models only."""
        self.begin(calm=True)
        reply = self.client.finish(self.client.start(body, later_seconds=LATER_SECONDS))
        return self.checked(reply or Reply(500, {"error": "process died"}))

    def finish(self, pending: Pending) -> Reply | None:
        """Wait for a process, and check its response; None if it died."""
        reply = self.client.finish(pending)
        return None if reply is None else self.checked(reply)

    def checked(self, reply: Reply) -> Reply:
        if reply.status == 200 and "content" in reply.body:
            check_answer(reply.body, self.plan, self.environment.functions, self.outcome)
        return reply

    def completed(self, reply: Reply) -> str:
        """Resume a partial answer until it is complete; return the outcome."""
        self.check_saved(reply)
        if reply.outcome == "complete":
            return self.succeeded("complete", reply.body)
        if reply.outcome != "partial":
            return reply.outcome
        token = reply.body.get("resume_token")
        if token is None:
            if not (self.plan.tables_fail or self.plan.settings_fail or self.outcome.starved):
                self.outcome.violation("a partial answer has no resume token, though its table and key were available")
            return "partial, no token"
        return self._resumed(str(token))

    def succeeded(self, status: str, body: Mapping[str, Any]) -> str:
        """Record the success of a chat with the answer `body`."""
        self.outcome.succeeded = True
        if self.plan.fault_group == "calm" and not self.outcome.hindered:
            check_calm(body, self.plan, self.outcome)
        return status

    def _resumed(self, token: str) -> str:
        for left in reversed(range(RESUMPTIONS)):
            reply = self.post(self.resumption(token), calm=left == 0)
            self.check_saved(reply)
            if reply.outcome == "complete":
                self.outcome.resumed += 1
                return self.succeeded("complete, resumed", reply.body)
            if reply.outcome == "partial":
                self.outcome.resumed += 1
                token = reply.body.get("resume_token") or token
            elif reply.outcome in HELD and self.plan.tables_fail:
                return self._resumed_later(token)
            elif left == 0 or reply.status < 500:
                return self._unusable(reply)
        return "partial"

    def _resumed_later(self, token: str) -> str:
        reply = self.later(self.resumption(token))
        if reply.status != 200:
            return self._unusable(reply)
        self.outcome.resumed += 1
        self.check_saved(reply)
        return self.succeeded("complete, resumed later", reply.body)

    def resumption(self, token: str) -> dict[str, Any]:
        return {"resume_token": token, "deadline_ms": self.plan.deadline_ms}

    def _unusable(self, reply: Reply) -> str:
        """Check that a resume token leads to an answer: only a model may still fail, only a lost answer consumes it."""
        is_models = reply.outcome.startswith("model_") and self.plan.models_fail
        is_lost = reply.outcome in USED_UP and self.plan.tables_fail
        is_key = reply.outcome == "unavailable" and self.plan.settings_fail
        if not (is_models or is_lost or is_key):
            self.outcome.violation(f"a resume token could not be used: HTTP {reply.status} {reply.outcome}")
        return f"partial, then {reply.outcome}"

    def check_saved(self, reply: Reply) -> None:
        """Check that a session contains the saved part of an answer."""
        session = reply.body.get("session")
        if self.plan.session is None or reply.status != 200 or session is None:
            return
        if not session["saved"]:
            self.check_unsaved(session)
            return
        self.environment.recover()
        messages = self.messages()
        turn = [message for message in messages if message["turn"] == messages[-1]["turn"]] if messages else []
        calls = _not_refused(call for message in turn for call in message.get("tool_calls", ()))
        if not turn or (turn[0]["content"], turn[-1]["content"]) != (self.plan.message, reply.body["content"]):
            self.outcome.violation(f"an answer was saved, but the session ends with {turn}")
        elif calls != _not_refused(reply.body["tool_calls"]):
            self.outcome.violation(f"an answer was saved with the calls {calls}, which are not its own")
        else:
            self.outcome.saved += 1

    def check_unsaved(self, session: Mapping[str, Any]) -> None:
        """Check that an answer is saved unless its table failed, and that no other request used its session."""
        problem = session.get("problem")
        if problem == LOST or not (self.plan.tables_fail or self.outcome.starved):
            self.outcome.violation(f"an answer was not saved: {problem}")

    def messages(self) -> list[dict[str, Any]]:
        """Read all messages of the session; each turn has one question and at most one answer."""
        messages: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            path = f"/api/sessions/{self.plan.session}/messages"
            page = self.client.get(path, {"cursor": cursor} if cursor else None)
            if page.status != 200:
                self.outcome.violation(f"a session cannot be read: HTTP {page.status} {page.outcome}")
                return messages
            messages += page.body["messages"]
            cursor = page.body.get("cursor")
            if cursor is None:
                self._check_messages(messages)
                return messages

    def _check_messages(self, messages: list[dict[str, Any]]) -> None:
        kinds = Counter(
            (message["turn"], "question" if message["role"] == "user" else "answer")
            for message in messages
            if message["role"] == "user" or not message.get("tool_calls")
        )
        for (turn, kind), count in kinds.items():
            if count > 1:
                self.outcome.violation(f"turn {turn} of the session has its {kind} {count} times")

    def executed(self) -> Counter[str]:
        """Return the number of executions of each call of this chat, without searches, by idempotency key."""
        own = {
            key: count
            for key, count in self.environment.functions.executed.copy().items()
            if key.startswith(self.client.prefix) and ":search_" not in key
        }
        return Counter(own)

    def check_executions(self, *, may_repeat: bool = False) -> None:
        """Report calls with more than one execution; with `may_repeat`, another request may repeat one with the same
        effect."""
        executed = self.executed()
        self.outcome.calls = sum(executed.values())
        for key, count in executed.items():
            if count > 1:
                self.outcome.violation(f"the call {key} ran {count} times")
        if may_repeat:
            return
        if self.plan.calls == MANY_CALLS and self.outcome.calls > CALLS_PER_TURN:
            self.outcome.violation(f"{self.outcome.calls} calls of one turn ran, {CALLS_PER_TURN} may")
        number = f' {self.plan.number}"}}'
        for effect, count in self.environment.functions.effects.copy().items():
            if effect.startswith("notify ") and effect.endswith(number) and count > 1:
                self.outcome.violation(f"a call ran again in another request, {count} times: {effect}")


def _not_refused(calls: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the ids of the calls that had time: a refused one is in the session, not in the answer of a resumption."""
    return [call["call_id"] for call in calls if call["result"].get("error_type") != "deadline"]
