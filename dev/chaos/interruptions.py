"""Scenarios with an interruption: a cancelled run, a deleted session, a killed process.

The plan selects the AWS request at which the interruption happens, while the process waits.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from dev.chaos.chat import LATER_SECONDS, Chat
from dev.chaos.client import Pending, Reply
from dev.chaos.scenarios import OPENING, accepted, run_status, run_view

FIRST_TURN_CALLS = 2
"""Calls of the question's first turn; a second turn follows."""

KEY_RELEASE_SECONDS = 3.0
"""Seconds after its deadline until the key of a dead process is released."""


@dataclass(frozen=True, slots=True)
class DelayedCheck:
    """Check that runs at `at`, a time of `time.monotonic`."""

    at: float
    check: Callable[[], None]


def cancel(chat: Chat) -> None:
    """Cancel a background run while a process executes it."""
    started = accepted(chat)
    if started is None:
        return
    run, order = started
    path = f"/api/runs/{run['id']}"
    pending = chat.client.start_order(order, stop_at=chat.plan.moment, after=chat.plan.after)
    pending.invocation.wait_until_stopped()
    chat.begin(calm=True)
    before = sum(chat.executed().values())
    cancelled = chat.client.delete(path)
    chat.client.finish(pending)
    ended = chat.client.get(path)
    after = sum(chat.executed().values())
    chat.outcome.status = f"run {ended.outcome}"
    if cancelled.status != 200 or cancelled.outcome in ("queued", "running"):
        chat.outcome.violation(f"a run was cancelled: HTTP {cancelled.status} {cancelled.outcome}")
    if ended.outcome != cancelled.outcome:
        chat.outcome.violation(f"a run was {cancelled.outcome}, and then {ended.outcome}")
    if ended.outcome == "cancelled":
        chat.outcome.succeeded = True
        if before == 0 and after > FIRST_TURN_CALLS:
            chat.outcome.violation(f"{after} calls ran after their run had been cancelled")
    else:
        chat.outcome.status = run_status(chat, ended.body)
    chat.check_executions()


def delete(chat: Chat) -> None:
    """Delete a session while a process answers in it; it remains deleted, and its id can be reused."""
    chat.begin()
    path = f"/api/sessions/{chat.plan.session}"
    pending = chat.client.start(chat.plan.request(), stop_at=chat.plan.moment, after=chat.plan.after)
    pending.invocation.wait_until_stopped()
    chat.begin(calm=True)
    deleted = chat.client.delete(path)
    if deleted.status not in (204, 404):
        chat.outcome.violation(f"a session could not be deleted: HTTP {deleted.status} {deleted.outcome}")
    reply = chat.finish(pending)
    shown = chat.client.get(path)
    if deleted.status == 204 and shown.status != 404:
        _check_created_after(chat, reply, shown)
    _check_used_anew(chat, deleted)
    chat.check_executions()


def _check_created_after(chat: Chat, reply: Reply | None, shown: Reply) -> None:
    chat.outcome.violation(
        f"a deleted session is there again: HTTP {shown.status}, its chat came to {reply.outcome if reply else None}"
    )


def _check_used_anew(chat: Chat, deleted: Reply) -> None:
    """Check that a session with the same id accepts a new chat without the deleted turns."""
    body = {**chat.plan.request(), "message": OPENING, "deadline_ms": 25_000}
    reply = chat.client.finish(chat.client.start(body, later_seconds=LATER_SECONDS))
    if reply is None or reply.outcome != "complete":
        chat.outcome.violation(f"a session could not be used anew: {reply.outcome if reply else 'its process died'}")
        return
    questions = [message["content"] for message in chat.messages() if message["role"] == "user"]
    if deleted.status == 204 and questions != [OPENING]:
        chat.outcome.violation(f"a deleted session has the questions {questions}")
    chat.outcome.succeeded = True
    chat.outcome.status = "used anew after deletion" if deleted.status == 204 else "deletion came too early"


def death(chat: Chat) -> DelayedCheck | None:
    """Kill a process at a request to AWS: its locks are released, and its tools run at most once."""
    match chat.plan.victim:
        case "run":
            _death_of_run(chat)
        case "session":
            _death_in_session(chat)
        case "key":
            return _death_with_key(chat)
    return None


def _killed(pending: Pending) -> bool:
    """Kill the process at its stop; return true unless it had ended before."""
    if not pending.invocation.wait_until_stopped():
        return False
    pending.invocation.kill()
    return pending.invocation.proceed() is None


def _death_of_run(chat: Chat) -> None:
    started = accepted(chat)
    if started is None:
        return
    run, order = started
    died = _killed(chat.client.start_order(order, stop_at=chat.plan.moment, after=chat.plan.after))
    chat.begin(calm=True)
    if chat.client.get(f"/api/runs/{run['id']}").outcome == "queued":  # no effect yet
        chat.client.deliver(order)
    before = chat.executed()
    ended = run_view(chat, str(run["id"]))
    status = run_status(chat, ended)
    chat.begin(calm=True)
    chat.client.deliver(order)
    if chat.executed() != before:
        chat.outcome.violation("a run that had begun ran its tools again")
    if died and ended.get("status") == "failed":
        error = ended["error"]["error"]
        if error not in ("interrupted", "unavailable") and not error.startswith("model_"):
            chat.outcome.violation(f"a run whose worker died failed with {error}")
        chat.outcome.succeeded = True
    if chat.plan.session is not None:
        _check_released(chat)
    chat.outcome.status = f"{'killed' if died else 'not killed'}, {status}"
    chat.check_executions()


def _death_in_session(chat: Chat) -> None:
    chat.begin()
    pending = chat.client.start(chat.plan.request(), stop_at=chat.plan.moment, after=chat.plan.after)
    died = _killed(pending)
    if not died and (reply := chat.finish(pending)) is not None:
        chat.outcome.status = reply.outcome
    _check_released(chat)
    chat.outcome.status = "killed, session released" if died else f"not killed, {chat.outcome.status}"
    chat.check_executions()


def _check_released(chat: Chat) -> None:
    """Check that the session of a killed chat accepts the next one after the lease."""
    reply = chat.later({**chat.plan.request(), "message": OPENING, "deadline_ms": 25_000})
    if reply.outcome != "complete":
        chat.outcome.violation(f"a session was not released after a death: HTTP {reply.status} {reply.outcome}")
        return
    chat.outcome.succeeded = True
    chat.messages()


def _death_with_key(chat: Chat) -> DelayedCheck | None:
    headers = {"Idempotency-Key": f"key-{chat.plan.number}"}
    chat.begin()
    started = time.monotonic()
    pending = chat.client.start(chat.plan.request(), headers=headers, stop_at=chat.plan.moment, after=chat.plan.after)
    died = _killed(pending)
    if not died:
        reply = chat.finish(pending)
        chat.outcome.status = f"not killed, {reply.outcome if reply else 'no reply'}"
        chat.outcome.succeeded = reply is not None and reply.outcome == "complete"
        chat.check_executions()
        return None

    def check() -> None:
        again = chat.post({**chat.plan.request()}, headers=headers, calm=True)
        chat.outcome.status = f"killed, then {again.outcome}"
        chat.outcome.succeeded = again.status == 200  # partial because of its short deadline
        is_models = again.outcome.startswith("model_") and chat.plan.models_fail
        if again.status != 200 and not is_models:
            chat.outcome.violation(f"a key was not released after a death: HTTP {again.status} {again.outcome}")
        chat.check_executions(may_repeat=True)

    return DelayedCheck(started + chat.plan.deadline_ms / 1000 + KEY_RELEASE_SECONDS, check)
