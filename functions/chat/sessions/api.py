"""Sessions in the HTTP API."""

import secrets
from collections.abc import Callable, Iterator
from itertools import islice

from flexchat.api.answer import ToolCallView
from flexchat.api.sessions import AttachmentView, SessionList, SessionMessages, SessionMessageView, SessionView
from flexchat.deadline import Clock, Deadline
from flexchat.json import dumps
from flexchat.messages import Image, Json
from flexchat.sessions import MessagePage, RecordedCall, RecordedMessage, Session, call_characters, timestamp
from flexchat.text import truncate_middle
from functions.chat.response import MAX_PAYLOAD_BYTES, call_record, fitted_calls, payload_bytes
from functions.chat.sessions.store.sessions import SessionStore
from functions.chat.sessions.turn import expiry_of
from functions.chat.tools.results import bounded_envelope

_ID_BYTES = 12


type DeleteFiles = Callable[[str, str, Deadline], None]
"""Deletes the files of a session, by its owner and its id."""


class SessionsApi:
    """Sessions of one table by owner, with the errors of `SessionStore`; `delete_files` deletes those of a session.

    `clock` returns seconds since the epoch; a session without a turn expires after `ttl_days`.
    """

    def __init__(self, *, store: SessionStore, delete_files: DeleteFiles, clock: Clock, ttl_days: int) -> None:
        self._store = store
        self._delete_files = delete_files
        self._clock = clock
        self._ttl_days = ttl_days

    def create(self, owner: str, *, title: str | None, deadline: Deadline) -> SessionView:
        """Create a session with a new id."""
        now = self._clock()
        session = self._store.create(
            owner,
            secrets.token_hex(_ID_BYTES),
            title=title,
            now=now,
            expires_at=expiry_of(now, self._ttl_days),
            deadline=deadline,
        )
        return _session_view(session)

    def list(self, owner: str, *, limit: int, cursor: str | None, deadline: Deadline) -> SessionList:
        page = self._store.list(owner, limit=limit, cursor=cursor, now=self._clock(), deadline=deadline)
        return SessionList(sessions=tuple(map(_session_view, page.sessions)), cursor=page.cursor)

    def get(self, owner: str, session_id: str, *, deadline: Deadline) -> SessionView:
        return _session_view(self._store.get(owner, session_id, now=self._clock(), deadline=deadline))

    def messages(
        self, owner: str, session_id: str, *, limit: int, cursor: str | None, deadline: Deadline, from_turn: int = 1
    ) -> SessionMessages:
        page = self._store.messages(
            owner,
            session_id,
            limit=limit,
            cursor=cursor,
            now=self._clock(),
            deadline=deadline,
            from_turn=from_turn,
        )
        return _page_view(page)

    def rename(self, owner: str, session_id: str, title: str, *, deadline: Deadline) -> SessionView:
        return _session_view(self._store.rename(owner, session_id, title, now=self._clock(), deadline=deadline))

    def delete(self, owner: str, session_id: str, *, deadline: Deadline) -> None:
        self._delete_files(owner, session_id, deadline)  # first: a failed request can be repeated
        self._store.delete(owner, session_id, deadline=deadline)


def _session_view(session: Session) -> SessionView:
    return SessionView(
        id=session.id,
        title=session.title,
        topic=session.topic,
        turns=session.turns,
        created_at=session.created_at,
        updated_at=session.updated_at,
        expires_at=timestamp(session.expires_at),
    )


def _page_view(page: MessagePage) -> SessionMessages:
    """Return a page of messages; records of tool calls are truncated to the limit of a response."""
    views = [_message_view(recorded) for recorded in page.messages]
    room = MAX_PAYLOAD_BYTES - payload_bytes([view.model_dump(mode="json") for view in views])
    records = [record for recorded in page.messages for record in _call_records(recorded.calls)]
    calls = map(ToolCallView.model_validate, fitted_calls(records, room))
    messages = (
        view.model_copy(update={"tool_calls": tuple(islice(calls, len(recorded.calls)))})
        for view, recorded in zip(views, page.messages, strict=True)
    )
    return SessionMessages(messages=tuple(messages), cursor=page.cursor)


def _message_view(recorded: RecordedMessage) -> SessionMessageView:
    answer = recorded.answer
    return SessionMessageView(
        role="user" if recorded.message.role == "user" else "assistant",
        content=recorded.message.text,
        attachments=tuple(
            AttachmentView(
                type="image" if isinstance(part, Image) else "file",
                media_type=part.media_type,
                name=part.name,
                size=part.size,
            )
            for part in recorded.message.attachments
        ),
        at=recorded.at,
        turn=recorded.turn,
        service=answer.service if answer else None,
        model=answer.model if answer else None,
        demo=(answer.demo or None) if answer else None,
        status=answer.status if answer else None,
        outcome=answer.outcome if answer else None,
        rule=answer.rule if answer else None,
        request_id=answer.request_id if answer else None,
    )


def _call_records(calls: tuple[RecordedCall, ...]) -> Iterator[dict[str, Json]]:
    """Yield the truncated calls of a message as fields of `ToolCallView`."""
    limit = call_characters(len(calls))
    for call in calls:
        record = call_record(call.execution, limit)
        text = dumps(record["params"])
        if len(text) > limit:
            record["params"] = truncate_middle(text, limit)
        if call.truncated and call.execution.result.success:
            record["result"] = {**bounded_envelope(call.execution.result, limit), "truncated": True}
        yield record
