"""Sessions in the HTTP API."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from flexchat.api.answer import ToolCallView, UsageView
from flexchat.api.sessions import (
    AnsweringView,
    AttachmentView,
    SearchProgress,
    SessionList,
    SessionMessages,
    SessionMessageView,
    SessionView,
)
from flexchat.deadline import Clock, Deadline
from flexchat.json import dumps
from flexchat.messages import Image, Json
from flexchat.sessions import (
    AnswerTotals,
    RecordedCall,
    RecordedMessage,
    Session,
    call_characters,
    timestamp,
)
from flexchat.text import truncate_middle
from functions.chat.response import MAX_PAYLOAD_BYTES, call_record, fitted_calls, payload_bytes
from functions.chat.sessions.conversations import expiry_of
from functions.chat.sessions.export import Export, ExportFormat, export
from functions.chat.sessions.search import SEARCH_SECONDS, read_words, search
from functions.chat.sessions.store.sessions import SessionStore, session_cursor
from functions.chat.tools.results import bounded_envelope
from functions.chat.transcript import stored_file_id

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

    def search(self, owner: str, query: str, *, limit: int, cursor: str | None, deadline: Deadline) -> SessionList:
        """Return sessions with all words of `query`, and how far this request searched.

        Raises RequestError (400) for a query without words and for a cursor of another search.
        """
        words, now = read_words(query), self._clock()
        scope = f"search {owner} {' '.join(words)}"
        sessions = self._store.newest(owner, scope=scope, cursor=cursor, now=now, deadline=deadline)
        found: list[SessionView] = []
        searched, last, complete = 0, None, True
        for each in search(
            sessions,
            words,
            lambda session: self._store.texts(session, now=now, deadline=deadline),
            deadline=deadline.within(SEARCH_SECONDS),
        ):
            if len(found) == limit:
                complete = False
                break
            searched, last = searched + 1, each.session
            if each.match is not None:
                found.append(_session_view(each.session).model_copy(update={"match": each.match}))
        else:
            complete = next(sessions, None) is None
        return SessionList(
            sessions=tuple(found),
            cursor=None if complete or last is None else session_cursor(scope, last),
            searched=SearchProgress(sessions=searched, until=last and last.updated_at, complete=complete),
        )

    def get(self, owner: str, session_id: str, *, deadline: Deadline) -> SessionView:
        now = self._clock()
        session = self._store.get(owner, session_id, now=now, deadline=deadline)
        if session.lock_run is None or session.lock_until < now:
            return _session_view(session)
        answering = AnsweringView(turn=session.turns, run_id=session.answering)
        return _session_view(session).model_copy(update={"answering": answering})

    def messages(
        self,
        owner: str,
        session_id: str,
        *,
        limit: int,
        cursor: str | None,
        deadline: Deadline,
        from_turn: int = 1,
        branch: int | None = None,
    ) -> SessionMessages:
        page = self._store.messages(
            owner,
            session_id,
            limit=limit,
            cursor=cursor,
            now=self._clock(),
            deadline=deadline,
            from_turn=from_turn,
            branch=branch,
        )
        return SessionMessages(messages=page_view(page.messages, page.session), turns=page.path, cursor=page.cursor)

    def export(
        self,
        owner: str,
        session_id: str,
        form: ExportFormat,
        *,
        from_turn: int,
        branch: int | None,
        deadline: Deadline,
    ) -> Export:
        """Return the turns of a branch from `from_turn` as a file; those without room in a response are in the next."""
        now = self._clock()
        session, messages = self._store.read(
            owner, session_id, from_turn=from_turn, branch=branch, now=now, deadline=deadline
        )
        return export(
            _session_view(session),
            (_whole_view(recorded, session) for recorded in messages),
            form,
            exported_at=timestamp(now),
            from_turn=from_turn,
        )

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


def page_view(page: Sequence[RecordedMessage], session: Session) -> tuple[SessionMessageView, ...]:
    """Return the messages of a page; records of tool calls are truncated to the limit of a response."""
    views = [_message_view(recorded, session) for recorded in page]
    room = MAX_PAYLOAD_BYTES - payload_bytes([view.model_dump(mode="json") for view in views])
    records = [record for recorded in page for record in _call_records(recorded.calls)]
    calls = map(ToolCallView.model_validate, fitted_calls(records, room))
    return tuple(
        view.model_copy(update={"tool_calls": tuple(islice(calls, len(recorded.calls)))})
        for view, recorded in zip(views, page, strict=True)
    )


def _message_view(recorded: RecordedMessage, session: Session) -> SessionMessageView:
    answer = recorded.answer
    totals = answer.totals if answer else None
    siblings = session.siblings(recorded.turn) if recorded.message.role == "user" else ()
    return SessionMessageView(
        role="user" if recorded.message.role == "user" else "assistant",
        content=recorded.message.text,
        attachments=tuple(
            AttachmentView(
                id=stored_file_id(session.id, part.reference),
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
        usage=_usage_view(totals) if totals else None,
        duration_ms=totals.duration_ms if totals else None,
        model_calls=totals.model_calls if totals else None,
        chosen_rule=answer.chosen_rule if answer else None,
        chosen_model=answer.chosen_model if answer else None,
        siblings=siblings if len(siblings) > 1 else (),
    )


def _usage_view(totals: AnswerTotals) -> UsageView:
    return UsageView(
        input_tokens=totals.input_tokens,
        output_tokens=totals.output_tokens,
        total_tokens=totals.input_tokens + totals.output_tokens,
        cached_tokens=totals.cached_tokens,
        reasoning_tokens=totals.reasoning_tokens,
        cache_write_tokens=totals.cache_write_tokens,
        cost_usd=totals.cost_usd,
    )


def _whole_view(recorded: RecordedMessage, session: Session) -> SessionMessageView:
    """Return a message with its calls as they are stored."""
    calls = tuple(map(ToolCallView.model_validate, _call_records(recorded.calls)))
    return _message_view(recorded, session).model_copy(update={"tool_calls": calls})


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
