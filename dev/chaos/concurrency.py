"""Scenarios with several requests at the same time, each in a separate process."""

from collections import Counter
from typing import Any

from dev.chaos.chat import Chat
from dev.chaos.client import Reply
from dev.chaos.scenarios import check_replayed

REQUESTS = 3


def same_session(chat: Chat) -> None:
    """Send several messages to one session at once: one is answered, the others are answered or rejected as busy."""
    chat.begin()
    bodies = [chat.plan.request(f" (request {number})") for number in range(1, REQUESTS + 1)]
    pending = [chat.client.start(body) for body in bodies]
    replies = [reply for request in pending if (reply := chat.finish(request)) is not None]
    outcomes = [reply.outcome for reply in replies]
    answered = [reply for reply in replies if reply.status == 200]
    unexpected = {reply.outcome for reply in replies if reply.status != 200} - {"session_busy"}
    if chat.plan.fault_group == "calm" and (not answered or unexpected):
        chat.outcome.violation(f"several messages to one session came to {outcomes}")
    _check_questions(chat, [str(body["message"]) for body in bodies], replies)
    chat.outcome.succeeded = any(reply.outcome == "complete" for reply in replies)
    chat.outcome.status = f"{_counted(outcomes)} on a session"
    chat.check_executions(may_repeat=True)


def same_key(chat: Chat) -> None:
    """Send one request several times at once with one key: it runs once and has one answer."""
    headers = {"Idempotency-Key": f"key-{chat.plan.number}"}
    chat.begin()
    pending = [chat.client.start(chat.plan.request(), headers=headers) for _ in range(REQUESTS)]
    replies = [reply for request in pending if (reply := chat.finish(request)) is not None]
    outcomes = [reply.outcome for reply in replies]
    done = [reply for reply in replies if reply.status == 200]
    again = chat.post(headers=headers, calm=True)
    unexpected = {reply.outcome for reply in replies if reply.status != 200} - {"idempotency_in_progress"}
    if chat.plan.fault_group == "calm" and (not done or unexpected):
        chat.outcome.violation(f"several requests with one key came to {outcomes}")
    if not chat.plan.tables_fail:
        _check_one_answer(chat, done, again)
    if complete := [reply for reply in (*done, again) if reply.outcome == "complete"]:
        chat.succeeded("complete", complete[0].body)
    chat.outcome.status = f"{_counted(outcomes)} with a key"
    chat.check_executions(may_repeat=chat.plan.tables_fail)


def _check_one_answer(chat: Chat, done: list[Reply], again: Reply) -> None:
    answers = {str(reply.body["request_id"]) for reply in done}
    if len(answers) > 1:
        chat.outcome.violation(f"one key got the answers of the requests {sorted(answers)}")
    if done:
        check_replayed(chat, done[0], again)
    requests = {key.partition(":")[0] for key in chat.executed()}
    if len(requests) > 1:
        chat.outcome.violation(f"tools ran for the requests {sorted(requests)} with one key")


def _check_questions(chat: Chat, questions: list[str], replies: list[Reply]) -> None:
    """Check that each message with a saved answer is in the session once, followed by its answer."""
    for reply in replies:
        if reply.status == 200 and not _is_saved(reply):
            chat.check_unsaved(reply.body.get("session") or {})
    saved = [(question, reply) for question, reply in zip(questions, replies, strict=False) if _is_saved(reply)]
    if not saved:
        return
    chat.begin(calm=True)
    messages = chat.messages()
    contents = Counter(message["content"] for message in messages if message["role"] == "user")
    for question, reply in saved:
        turns = [message["turn"] for message in messages if message["content"] == question]
        answers = [message["content"] for message in messages if message["turn"] in turns and message["role"] != "user"]
        if contents[question] != 1 or reply.body["content"] not in answers:
            chat.outcome.violation(f"the session has {question[-30:]!r} {contents[question]} times, answers {answers}")
        else:
            chat.outcome.saved += 1


def _is_saved(reply: Reply) -> bool:
    session: dict[str, Any] = reply.body.get("session") or {}
    return reply.status == 200 and session.get("saved") is True


def _counted(outcomes: list[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(Counter(outcomes).items())) or "no reply"
