"""Scenarios of single chats: one request, a session's second turn, a repeated request, a background run."""

from collections.abc import Mapping
from typing import Any

from dev.chaos.chat import LATER_SECONDS, Chat
from dev.chaos.client import Reply, moment

DELIVERIES = 3
"""Deliveries by Lambda of an event that fails; during the last one only models fail."""

ROUNDING_SECONDS = 0.05
RUN_END_SECONDS = 1.0
"""Seconds after its deadline in which a run must store its answer, while its table is available."""

STORE_SECONDS = 5.0
"""Additional seconds for each of the two writes, while the table is not available."""

OPENING = "Hello there"


def plain(chat: Chat) -> None:
    """Send one request, and resume its answer if it is partial."""
    chat.outcome.status = chat.completed(chat.post())
    chat.check_executions()


def session(chat: Chat) -> None:
    """Send a second message to a session."""
    chat.begin(calm=True)
    opened = chat.client.post({**chat.plan.request(), "message": OPENING, "deadline_ms": 25_000})
    if opened.outcome != "complete":
        chat.outcome.violation(f"a first message that nothing disturbed came to {opened.outcome}")
    plain(chat)
    chat.begin(calm=True)
    questions = [message["content"] for message in chat.messages() if message["role"] == "user"]
    if questions[:1] != [OPENING] or len(questions) > 2:
        chat.outcome.violation(f"the session has the questions {questions}")


def idempotent(chat: Chat) -> None:
    """Send the same request with the same key twice: the second gets the answer of the first."""
    headers = {"Idempotency-Key": f"key-{chat.plan.number}"}
    first = chat.post(headers=headers)
    again = chat.post(headers=headers, calm=True)
    chat.check_executions(may_repeat=chat.plan.tables_fail or first.status != 200)
    if first.outcome == "complete":
        chat.succeeded("complete", first.body)
    if first.status != 200 or chat.plan.tables_fail:
        if again.outcome == "complete":
            chat.succeeded("complete", again.body)
        chat.outcome.status = f"{first.outcome}, then {again.outcome}"
        return
    check_replayed(chat, first, again)
    chat.outcome.status = f"{first.outcome}, repeated"


def check_replayed(chat: Chat, first: Reply, again: Reply) -> None:
    if (again.body, again.headers.get("idempotent-replayed")) != (first.body, "true"):
        chat.outcome.violation(f"the second answer is not the first: {again.outcome} after {first.outcome}")
    if any(key.startswith(f"{chat.client.request_id}:") for key in chat.executed()):
        chat.outcome.violation("a repeated request ran tools again")


def background(chat: Chat) -> None:
    """Answer a chat in the background, with its event delivered once or more."""
    started = accepted(chat)
    if started is None:
        return
    run, order = started
    waited = chat.client.wait.total()
    for attempt in range(DELIVERIES):
        chat.begin(calm=attempt == DELIVERIES - 1)
        if chat.client.deliver(order):
            break
    waited = chat.client.wait.total() - waited
    if chat.plan.delivered_twice:
        chat.client.deliver(order)
    ended = run_view(chat, str(run["id"]))
    if ended.get("deadline_at") != run["deadline_at"]:
        chat.outcome.violation(f"a run was due at {run['deadline_at']}, and then at {ended.get('deadline_at')}")
    _check_run_time(chat, run, ended, waited)
    chat.outcome.status = run_status(chat, ended)
    chat.check_executions()


def accepted(chat: Chat, *, headers: Mapping[str, str] | None = None) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Start a background run; return its first view and its event, or None when it was not accepted."""
    reply = chat.post(headers={"Prefer": "respond-async", **(headers or {})})
    orders, chat.environment.functions.orders[:] = [*chat.environment.functions.orders], []
    if reply.status != 202:
        chat.outcome.status = f"not accepted: {reply.outcome}"
        return None
    if not orders:
        chat.outcome.violation("a run was accepted, and no invocation was ordered for it")
        return None
    deadline_ms = chat.plan.deadline_ms
    seconds = moment(reply.body["deadline_at"]) - moment(reply.body["created_at"])
    if abs(seconds - deadline_ms / 1000) > ROUNDING_SECONDS:
        chat.outcome.violation(f"a run with {deadline_ms} ms is due {seconds:.1f} s after its creation")
    return reply.body, orders[-1]


def run_view(chat: Chat, run_id: str) -> dict[str, Any]:
    """Return the view of an ended run: now, or after its lease."""
    chat.begin(calm=True)
    reply = chat.client.get(f"/api/runs/{run_id}")
    if reply.outcome in ("queued", "running"):
        if not chat.plan.tables_fail and chat.plan.scenario != "death":
            chat.outcome.violation(f"a run did not end: {reply.outcome}")
        reply = chat.client.later("GET", f"/api/runs/{run_id}", seconds=LATER_SECONDS)
    if reply.outcome not in ("succeeded", "failed", "cancelled"):
        chat.outcome.violation(f"a run did not end: HTTP {reply.status} {reply.outcome}")
    return reply.body


def run_status(chat: Chat, run: Mapping[str, Any]) -> str:
    """Return the outcome of a run after a check of its answer."""
    answer: dict[str, Any] | None = run.get("answer")
    if answer is None:
        if run.get("status") == "succeeded":
            chat.outcome.violation("a run succeeded without an answer")
        return f"run {run.get('status')}"
    chat.checked(Reply(200, answer))
    if answer["status"] == "complete":
        chat.succeeded("complete", answer)
    return f"run {run['status']}, {answer['status']}"


def _check_run_time(chat: Chat, accepted: Mapping[str, Any], ended: Mapping[str, Any], waited: float) -> None:
    """Check that a run ended by its caller's deadline."""
    if ended.get("finished_at") is None or ended.get("started_at") is None:
        return
    if ended.get("error", {}).get("error") == "interrupted":  # finished_at is the time of the reader
        return
    due = moment(accepted["created_at"]) + chat.plan.deadline_ms / 1000 + RUN_END_SECONDS
    if chat.plan.tables_fail:
        due += 2 * STORE_SECONDS
    if ended["status"] == "failed" and chat.plan.tables_fail:
        return
    chat.client.check_margin("the end of a run", due - moment(ended["finished_at"]), waited)
