"""Scenario of a streamed chat: its events arrive in order, exactly once, also for a client that comes back."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from cli.event_stream import ServerEvent, read_events
from dev.chaos.chat import LATER_SECONDS, Chat
from dev.chaos.checks import is_models_own
from dev.chaos.client import Reply
from dev.chaos.receiving import ReceivingStream

LAST: Final = frozenset({"answer", "error"})
"""Events of which a stream has exactly one, at its end."""


def streamed(chat: Chat) -> None:
    """Send one request and follow its events; a client that disconnects comes back for the rest."""
    chat.begin()
    stream = ReceivingStream(chat.plan.moment if chat.plan.after else None)
    response = chat.client.post_for_events(chat.plan.request(), stream)
    if isinstance(response, Reply):
        chat.outcome.status = f"not started: {response.outcome}"
        return
    events = list(read_events([response.encode()]))
    came_back = not (events and events[-1].name in LAST)
    if came_back:
        events += _rest(chat, events)
    _check_order(chat, events)
    if events[-1].name == "answer":
        _check_answer(chat, events, may_lack_text=came_back and chat.plan.tables_fail)
    else:
        chat.outcome.status = f"stream ended by {_data(events[-1]).get('error')}"
        if chat.plan.fault_group == "calm":
            chat.outcome.violation(f"a stream that nothing disturbed ended with {events[-1].data}")
    chat.check_executions()


def _rest(chat: Chat, events: Sequence[ServerEvent]) -> list[ServerEvent]:
    """Return the events of the run after the last received one: now, or after the lease of a run without an end."""
    run = _data(events[0])["run_id"]
    chat.begin(calm=True)
    view = chat.client.get(f"/api/runs/{run}")
    headers = {"Last-Event-ID": events[-1].id}
    seconds = LATER_SECONDS if view.outcome == "running" else None
    if seconds is not None and not chat.plan.tables_fail:
        chat.outcome.violation("the run of a streamed chat did not end")
    text = chat.client.events(f"/api/runs/{run}/events", headers, later_seconds=seconds)
    return list(read_events([text.encode()]))


def _check_order(chat: Chat, events: Sequence[ServerEvent]) -> None:
    names = [event.name for event in events]
    if names[0] != "accepted" or names.count("accepted") != 1:
        chat.outcome.violation(f"a stream does not begin with one accepted: {names}")
    if names[-1] not in LAST or sum(name in LAST for name in names) != 1:
        chat.outcome.violation(f"a stream does not end with one answer or error: {names}")
    started = Counter(_data(event)["call_id"] for event in events if event.name == "tool_started")
    finished = Counter(_data(event)["call_id"] for event in events if event.name == "tool_finished")
    for counted in (started, finished):
        if twice := [call for call, count in counted.items() if count > 1]:
            chat.outcome.violation(f"the calls {twice} are in a stream more than once")
    if unknown := [call for call in started if call not in finished and names[-1] == "answer"]:
        chat.outcome.violation(f"the calls {unknown} have no end in a stream with an answer")


def _check_answer(chat: Chat, events: Sequence[ServerEvent], *, may_lack_text: bool) -> None:
    """Check the answer as that of any other chat, and that its text and its calls are in the events."""
    body = _data(events[-1])
    reply = chat.checked(Reply(200, body))
    if is_models_own(body) and not may_lack_text:
        text = _last_text(events)
        if text != body["content"]:
            chat.outcome.violation(f"the pieces of a stream are {text[:200]!r}, its answer {body['content'][:200]!r}")
        listed = [call["call_id"] for call in body.get("tool_calls") or ()]
        finished = [_data(event)["call_id"] for event in events if event.name == "tool_finished"]
        if Counter(listed) != Counter(finished):
            chat.outcome.violation(f"a stream ended the calls {finished}, its answer lists {listed}")
    chat.outcome.status = f"{chat.completed(reply)}, streamed"


def _last_text(events: Sequence[ServerEvent]) -> str:
    """Return the text of the last model call."""
    pieces: list[str] = []
    for event in events:
        if event.name == "model_started":
            pieces.clear()
        elif event.name == "delta":
            pieces.append(_data(event)["text"])
    return "".join(pieces)


def _data(event: ServerEvent) -> dict[str, Any]:
    return json.loads(event.data)
