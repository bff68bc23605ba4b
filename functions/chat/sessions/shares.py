"""Read-only links to sessions: who creates them, what they show, and to whom.

A reader needs a token of the stage with the role of the link, and its secret, of which only a hash is stored. Links
that do not exist, have expired, were revoked or are for another role are the same 404.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from http import HTTPStatus
from typing import Final

from flexchat.api.sessions import (
    CreatedShare,
    NewShare,
    SessionMessageView,
    SharedSession,
    ShareList,
    ShareSettings,
    ShareView,
)
from flexchat.config.models.limits import SharingConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import RequestError
from flexchat.http_api.caller import Caller
from flexchat.observability import logger
from flexchat.sessions import RecordedMessage, Session, timestamp
from functions.chat.sessions.api import page_view
from functions.chat.sessions.store.sessions import SessionStore, branch_path
from functions.chat.sessions.store.shares import Share, ShareStore

MAX_SHARES: Final = 20
"""Links of one session."""

_OWN: Final = dict.fromkeys(
    ("rule", "request_id", "chosen_rule", "chosen_model", "usage", "duration_ms", "model_calls"), None
)
"""Attributes of an answer that concern its author alone."""

_ID_BYTES = 16
_SECRET_BYTES = 32
_SECONDS_PER_DAY = 86_400


class ShareNotFoundError(RequestError):
    """No such link for this caller and secret; the error does not reveal which of these it is."""

    def __init__(self) -> None:
        message = "this link does not exist, has expired, was revoked or is not for this token; ask for a new one"
        super().__init__(message, status=HTTPStatus.NOT_FOUND, code="share_not_found")


class SharesApi:
    """Links of the sessions of one table, with `settings` of the configuration. `clock` returns seconds since the
    epoch."""

    def __init__(self, *, sessions: SessionStore, shares: ShareStore, settings: SharingConfig, clock: Clock) -> None:
        self._sessions = sessions
        self._shares = shares
        self._settings = settings
        self._clock = clock

    def create(self, caller: Caller, session_id: str, new: NewShare, *, deadline: Deadline) -> CreatedShare:
        """Create a link to the answered turns of a session.

        Raises RequestError where sharing is off or not for this token (403), for a validity beyond the configured one
        (400), and for a session without an answer or with too many links (409); SessionNotFoundError.
        """
        self._check(caller, new)
        now = self._clock()
        session = self._sessions.get(caller.principal, session_id, now=now, deadline=deadline)
        path, expires_at = self._extent(session, new.branch, now=now, deadline=deadline)
        if len(self._shares.of_session(session, now=now, deadline=deadline)) >= MAX_SHARES:
            message = f"session {session_id!r} has {MAX_SHARES} links, the most; revoke one first"
            raise RequestError(message, status=HTTPStatus.CONFLICT, code="too_many_shares")
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        share = Share(
            id=secrets.token_hex(_ID_BYTES),
            owner=caller.principal,
            session_id=session_id,
            incarnation=session.incarnation,
            digest=_digest(secret),
            turn=path[-1],
            turns=len(path),
            role=new.role,
            tool_calls=new.tool_calls,
            attachments=new.attachments,
            created_at=timestamp(now),
            expires_at=min(int(now) + new.expires_in_days * _SECONDS_PER_DAY, expires_at),
        )
        self._shares.add(share, deadline=deadline)
        logger.info("session shared", share=share.id, session=session_id, role=share.role, expires_at=share.expires_at)
        return CreatedShare(**_view(share).model_dump(), secret=secret, path=f"shared/{share.id}#{secret}")

    def list(self, caller: Caller, session_id: str, *, deadline: Deadline) -> ShareList:
        """Return the links of a session, also where sharing is off. Raises SessionNotFoundError."""
        now = self._clock()
        session = self._sessions.get(caller.principal, session_id, now=now, deadline=deadline)
        shares = self._shares.of_session(session, now=now, deadline=deadline)
        settings = ShareSettings(
            enabled=self._settings.enabled,
            may_share=self._settings.enabled and self._may_share(caller),
            max_days=self._settings.max_days,
        )
        return ShareList(shares=tuple(map(_view, shares)), settings=settings)

    def revoke(self, caller: Caller, session_id: str, id: str, *, deadline: Deadline) -> None:
        """Delete a link of a session. Raises SessionNotFoundError and ShareNotFoundError."""
        now = self._clock()
        session = self._sessions.get(caller.principal, session_id, now=now, deadline=deadline)
        for share in self._shares.of_session(session, now=now, deadline=deadline):
            if share.id == id:
                self._shares.remove(share, deadline=deadline)
                logger.info("share revoked", share=id, session=session_id)
                return
        raise ShareNotFoundError

    def open(
        self, caller: Caller, id: str, secret: str, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> SharedSession:
        """Return a page of a shared session. Raises ShareNotFoundError, and RequestError for a cursor of another one.

        The title is the current one; the messages are those of the turns when it was shared.
        """
        share = self._opened(caller, id, secret, deadline)
        now = self._clock()
        try:
            session = self._sessions.get(share.owner, share.session_id, now=now, deadline=deadline)
        except RequestError as error:
            raise ShareNotFoundError from error
        if session.incarnation != share.incarnation:
            raise ShareNotFoundError
        page = self._sessions.messages(
            share.owner,
            share.session_id,
            limit=limit,
            cursor=cursor,
            now=now,
            deadline=deadline,
            branch=share.turn,
        )
        # Later turns of this branch have larger numbers.
        shown = tuple(message for message in page.messages if message.turn <= share.turn)
        if cursor is None:
            logger.info("share opened", share=share.id, reader=caller.principal)
        view = page_view(shown, session)
        return SharedSession(
            title=session.title,
            turns=share.turns,
            shared_at=share.created_at,
            expires_at=timestamp(share.expires_at),
            tool_calls=share.tool_calls,
            attachments=share.attachments,
            messages=tuple(_shown(message, share) for message in view),
            cursor=page.cursor if len(shown) == len(page.messages) else None,
        )

    def _opened(self, caller: Caller, id: str, secret: str, deadline: Deadline) -> Share:
        """Return the link that `caller` may open with `secret`, compared in constant time."""
        share = self._shares.find(id, now=self._clock(), deadline=deadline)
        digest = b"" if share is None else share.digest
        if not hmac.compare_digest(digest, _digest(secret)) or share is None or not self._settings.enabled:
            raise ShareNotFoundError
        if not caller.has(share.role):
            raise ShareNotFoundError
        return share

    def _check(self, caller: Caller, new: NewShare) -> None:
        if not self._settings.enabled:
            message = "sharing is off; an operator can set `sessions.sharing.enabled` in the configuration"
            raise RequestError(message, status=HTTPStatus.FORBIDDEN, code="sharing_disabled")
        if not self._may_share(caller):
            roles = " or ".join(map(repr, self._settings.roles))
            message = f"this token may not share sessions; it needs the role {roles}"
            raise RequestError(message, status=HTTPStatus.FORBIDDEN, code="forbidden")
        if new.expires_in_days > self._settings.max_days:
            message = f"expires_in_days is {new.expires_in_days}; a link is valid for at most {self._settings.max_days}"
            raise RequestError(message)

    def _may_share(self, caller: Caller) -> bool:
        return caller.is_operator or caller.has_one_of(self._settings.roles)

    def _extent(
        self, session: Session, branch: int | None, *, now: float, deadline: Deadline
    ) -> tuple[tuple[int, ...], int]:
        """Return the turns of a branch up to the last answered one, and when its first message expires."""
        path = branch_path(session, branch)
        first = next(self._messages(session, branch, path[0], now, deadline), None) if path else None
        last = [
            each.turn
            for each in (self._messages(session, branch, path[-2:][0], now, deadline) if path else ())
            if each.answer is not None
        ]
        if first is None or not last:
            message = f"session {session.id!r} has no answer to share; share it after its first answer"
            raise RequestError(message, status=HTTPStatus.CONFLICT, code="nothing_to_share")
        return session.path(last[-1]), first.expires_at

    def _messages(
        self, session: Session, branch: int | None, turn: int, now: float, deadline: Deadline
    ) -> Iterator[RecordedMessage]:
        _, messages = self._sessions.read(
            session.owner, session.id, from_turn=turn, branch=branch, now=now, deadline=deadline
        )
        return messages


def _digest(secret: str) -> bytes:
    """Return the stored form of a secret: 256 random bits need neither a salt nor a slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def _view(share: Share) -> ShareView:
    return ShareView(
        id=share.id,
        role=share.role,
        tool_calls=share.tool_calls,
        attachments=share.attachments,
        turns=share.turns,
        created_at=share.created_at,
        expires_at=timestamp(share.expires_at),
    )


def _shown(message: SessionMessageView, share: Share) -> SessionMessageView:
    """Return a message without what concerns its author alone, and with the chosen parts."""
    hidden: dict[str, object] = {**_OWN, "siblings": ()}
    if not share.tool_calls:
        hidden["tool_calls"] = ()
    named = (attachment.model_copy(update={"id": None}) for attachment in message.attachments)
    hidden["attachments"] = tuple(named) if share.attachments else ()
    return message.model_copy(update=hidden)
