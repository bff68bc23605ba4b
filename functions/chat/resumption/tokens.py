"""Resume tokens: issued with a partial answer, valid for one request of the same caller."""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from hashlib import sha256
from http import HTTPStatus
from types import TracebackType
from typing import Any, ClassVar, Protocol
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import asdict

from flexchat.api import ChatRequest
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, RequestError
from flexchat.http_api.caller import Caller
from flexchat.messages import Json, Message, Part, user
from flexchat.observability import logger
from flexchat.redacted_struct import RedactedStruct
from flexchat.runs import HEARTBEAT_SECONDS, LEASE_SECONDS
from flexchat.sessions import Exposure
from functions.chat.deadlines import ChatDeadlines, Heartbeat
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT, Checkpoint, PendingIteration
from functions.chat.generation.events import IterationFinished
from functions.chat.transcript import message_from_json, message_to_json


def sign(payload: bytes, *, key: bytes, bound_to: tuple[str, ...]) -> str:
    """Return `payload` as a signed text; `bound_to`, such as a purpose and an owner, is needed to verify it."""
    text = _base64url(payload)
    return f"{text}.{_signature(text, key, bound_to)}"


def verified(signed: str, *, key: bytes, bound_to: tuple[str, ...]) -> bytes | None:
    """Return the payload of a signed text; None when it was not signed with this key for `bound_to`."""
    text, _, signature = signed.rpartition(".")
    expected = _signature(text, key, bound_to)
    if not hmac.compare_digest(signature.encode(errors="replace"), expected.encode()):
        return None
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _signature(text: str, key: bytes, bound_to: tuple[str, ...]) -> str:
    """Sign a JSON array, in which text cannot move from one part to another."""
    return _base64url(hmac.digest(key, json.dumps([text, *bound_to]).encode(), sha256))


def _base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


_VERSION = 1


class ChatState(RedactedStruct, frozen=True):
    """Message, history and profile of a chat before phase 6, and its checkpoint.

    A resumed chat skips phases 1 to 4 and matches the response rule anew, in the configuration of that time. `turn` is
    the number of the unfinished turn of `session_id`. `response_schema` is that of the request. `completed` is the last
    turn of the checkpoint if it is new: it was completed by the results of a client. `pending` is the iteration after
    the checkpoint if it waited for approvals, which are decided. Neither is stored. `content` has the parts of the
    message where it has pictures or files, whose contents are not part of the stored state. `rule` and `model` are
    those that the caller chose. `exposure` is that of the conversation, `nonce` the id of its tags; both are None in a
    state of a version that did not store them.
    """

    redacted: ClassVar = ("profile",)

    message: str
    history: tuple[Message, ...]
    profile: Mapping[str, Json]
    checkpoint: Checkpoint = EMPTY_CHECKPOINT
    session_id: str | None = None
    turn: int | None = None
    response_schema: Mapping[str, Json] | None = None
    completed: IterationFinished | None = None
    content: tuple[Part, ...] = ()
    rule: str | None = None
    model: str | None = None
    pending: PendingIteration | None = None
    exposure: Exposure | None = None
    nonce: str | None = None

    @property
    def user_message(self) -> Message:
        """Message of the user with its pictures and files."""
        return Message("user", self.content) if self.content else user(self.message)

    def as_json(self) -> dict[str, Json]:
        return {
            "v": _VERSION,
            "message": self.message,
            "history": [message_to_json(message) for message in self.history],
            "profile": dict(self.profile),
            "progress": self.checkpoint.as_json(),
            "session_id": self.session_id,
            "turn": self.turn,
            "response_schema": None if self.response_schema is None else dict(self.response_schema),
            **({"content": message_to_json(self.user_message)["parts"]} if self.content else {}),
            **({"rule": self.rule} if self.rule is not None else {}),
            **({"model": self.model} if self.model is not None else {}),
            **({"exposure": asdict(self.exposure)} if self.exposure is not None else {}),
            **({"nonce": self.nonce} if self.nonce is not None else {}),
        }

    def as_bytes(self) -> bytes:
        return json.dumps(self.as_json(), separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> "ChatState":
        """Parse the output of `as_bytes`. Raises ValueError for another version."""
        return cls.from_json(json.loads(content))

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> "ChatState":
        """Parse the output of `as_json`. Raises ValueError for another version."""
        if state["v"] != _VERSION:
            raise ValueError(f"chat state of version {state['v']!r}; this code reads version {_VERSION}")
        return cls(
            message=state["message"],
            history=tuple(message_from_json(message) for message in state["history"]),
            profile=state["profile"],
            checkpoint=Checkpoint.from_json(state["progress"]),
            session_id=state["session_id"],
            turn=state["turn"],
            response_schema=state.get("response_schema"),
            content=message_from_json({"role": "user", "parts": state.get("content", [])}).parts,
            rule=state.get("rule"),
            model=state.get("model"),
            exposure=Exposure(**state["exposure"]) if "exposure" in state else None,
            nonce=state.get("nonce"),
        )


LIFETIME_SECONDS = 3_600

LEASE_MARGIN_SECONDS = 1.0
"""Lease of a token beyond the deadline of its request, in seconds."""

_PURPOSE = "flexchat resume token"


class StateStore(Protocol):
    """Storage of states, such as `Blobs`."""

    def put(self, key: str, content: bytes, *, expires_at: int, deadline: Deadline) -> None: ...

    def get(self, key: str, *, now: float, deadline: Deadline) -> bytes | None: ...


class RefusedLease(Struct, frozen=True):
    """A lease that is not available: its work is done, or another holder has it until `lease_until`."""

    done: bool
    lease_until: float


class Leases(Protocol):
    """Leases on work that is done once, such as a `LeaseStore`; times are seconds since the epoch."""

    def take(
        self, pk: str, *, by: str, now: float, lease_until: float, expires_at: int, deadline: Deadline
    ) -> RefusedLease | None: ...

    def complete(self, pk: str, *, by: str, now: float, deadline: Deadline) -> bool: ...

    def release(self, pk: str, *, by: str, deadline: Deadline) -> None: ...


class RedeemedToken(Struct, frozen=True):
    """Context manager of a token that one request, `run`, has leased, entered as its state.

    The token is marked as used when the block ends, and can be used again at once after an exception. `renewal` extends
    the lease meanwhile; None where the first lease is long enough.
    """

    state: ChatState
    lease: str
    run: str
    leases: Leases
    clock: Clock
    deadline: Deadline
    renewal: Heartbeat | None = None

    def __enter__(self) -> ChatState:
        if self.renewal is not None:
            self.renewal.start()
        return self.state

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.renewal is not None:
            self.renewal.stop()
        if kind is None:
            self._complete()
        else:
            self._release()

    def _complete(self) -> None:
        """Mark the token as used; when that fails, it can be used again after its lease."""
        try:
            self.leases.complete(self.lease, by=self.run, now=self.clock(), deadline=self.deadline)
        except FlexchatError as error:
            logger.warning("resume token not marked as used", reason=str(error))

    def _release(self) -> None:
        try:
            self.leases.release(self.lease, by=self.run, deadline=self.deadline)
        except FlexchatError as error:
            logger.warning("resume token not released", reason=str(error))


class ResumeTokens:
    """Stores states and exchanges them for tokens.

    `states` and `leases` are called when the first token needs them. `key` returns the signing key before a deadline.
    `clock` returns seconds since the epoch. `heartbeat` creates the renewal of a long lease.
    """

    def __init__(
        self,
        *,
        states: Callable[[], StateStore],
        leases: Callable[[], Leases],
        key: Callable[[Deadline], bytes],
        clock: Clock,
        heartbeat: Callable[[Callable[[], bool]], Heartbeat] = Heartbeat,
    ) -> None:
        self._states = states
        self._leases = leases
        self._key = key
        self._clock = clock
        self._heartbeat = heartbeat

    def issue(self, state: ChatState, *, caller: Caller, deadline: Deadline) -> str | None:
        """Return a token for `state`, valid for an hour; None, with a warning logged, when it cannot be stored."""
        token_id = uuid4().hex
        expires_at = int(self._clock()) + LIFETIME_SECONDS
        payload = {"v": _VERSION, "id": token_id, "exp": expires_at}
        if state.session_id is not None:
            payload["s"] = state.session_id
        try:
            key = self._key(deadline)
            self._states().put(_state_key(caller, token_id), state.as_bytes(), expires_at=expires_at, deadline=deadline)
        except FlexchatError as error:
            logger.warning("resume token not issued", reason=str(error))
            return None
        return sign(json.dumps(payload).encode(), key=key, bound_to=(_PURPOSE, caller.principal))

    def session_of(self, token: str, *, caller: Caller, deadline: Deadline) -> str | None:
        """Return the session of `token`; None for one without a session, or issued to another caller.

        Raises UnavailableError and ConfigError when the key cannot be read.
        """
        payload = self._payload(token, caller, deadline)
        return None if payload is None else payload.get("s")

    def redeemed(
        self, request: ChatRequest, *, caller: Caller, run: str, deadlines: ChatDeadlines
    ) -> AbstractContextManager[ChatState | None]:
        """Return the context manager of a request's token, entered as its state; None for a request without a token.

        Raises the errors of `redeem`.
        """
        if request.resume_token is None:
            return nullcontext()
        return self.redeem(
            request.resume_token, caller=caller, session_id=request.session_id, run=run, deadlines=deadlines
        )

    def redeem(
        self, token: str, *, caller: Caller, session_id: str | None, run: str, deadlines: ChatDeadlines
    ) -> RedeemedToken:
        """Lease the state behind `token` for the request `run`.

        A lease lasts at most 30 seconds and is renewed meanwhile, so that the token can be used again soon after its
        request died. `session_id` is that of the request, which may leave it to the token. Raises RequestError: 400 for
        a token of another caller or session, 410 for an expired one, 409 for a used or leased one; UnavailableError and
        ConfigError when the table or the key cannot be read.
        """
        payload = self._payload(token, caller, deadlines.work)
        if payload is None or session_id not in (None, payload.get("s")):
            raise _invalid()
        now = self._clock()
        if payload["v"] != _VERSION or payload["exp"] <= now:
            raise _expired()
        state = self._state(_state_key(caller, payload["id"]), now, deadlines.work)
        lease = f"P#{caller.principal}#{payload['id']}"
        lease_until = now + deadlines.total.remaining() + LEASE_MARGIN_SECONDS
        expires_at = max(payload["exp"], int(lease_until)) + LIFETIME_SECONDS
        leases = self._leases()

        def take(deadline: Deadline) -> RefusedLease | None:
            """Acquire the lease, or extend it for `run`."""
            now = self._clock()
            until = min(lease_until, now + LEASE_SECONDS)
            return leases.take(lease, by=run, now=now, lease_until=until, expires_at=expires_at, deadline=deadline)

        if (refusal := take(deadlines.work)) is not None:
            raise _used() if refusal.done else _in_use(refusal.lease_until)
        renewal: Heartbeat | None = None
        if lease_until > now + LEASE_SECONDS:
            renewal = self._heartbeat(lambda: take(deadlines.work.within(HEARTBEAT_SECONDS)) is None)
        return RedeemedToken(state, lease, run, leases, self._clock, deadlines.persist, renewal)

    def _payload(self, token: str, caller: Caller, deadline: Deadline) -> dict[str, Any] | None:
        payload = verified(token, key=self._key(deadline), bound_to=(_PURPOSE, caller.principal))
        return None if payload is None else json.loads(payload)

    def _state(self, key: str, now: float, deadline: Deadline) -> ChatState:
        content = self._states().get(key, now=now, deadline=deadline)
        if content is None:
            raise _expired()
        try:
            return ChatState.from_bytes(content)
        except ValueError as exc:
            raise _expired() from exc


def _state_key(caller: Caller, token_id: str) -> str:
    return f"{caller.principal}#resume#{token_id}"


def _invalid() -> RequestError:
    """Return the same error for every reason, which gives no information for guessing tokens."""
    message = "resume_token was not issued to you for this session; send the one of the partial answer"
    return RequestError(message, code="resume_token_invalid")


def _expired() -> RequestError:
    message = "resume_token has expired; send the message again"
    return RequestError(message, status=HTTPStatus.GONE, code="resume_token_expired")


def _used() -> RequestError:
    message = "resume_token has been used; each is valid for one answer"
    return RequestError(message, status=HTTPStatus.CONFLICT, code="resume_token_used")


def _in_use(until: float) -> RequestError:
    when = datetime.fromtimestamp(until, UTC).isoformat(timespec="seconds")
    message = f"resume_token is in use by another request; if that fails, the token can be used again after {when}"
    return RequestError(message, status=HTTPStatus.CONFLICT, code="resume_token_in_use")
