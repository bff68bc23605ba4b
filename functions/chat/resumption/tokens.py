"""Resume tokens: given out with a partial answer, good for one request of the same caller."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Protocol
from uuid import uuid4

from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, RequestError
from flexchat.http_api.caller import Caller
from flexchat.observability import logger
from flexchat.runs import HEARTBEAT_SECONDS, LEASE_SECONDS
from functions.chat.aws.leases import LeaseStore, Refusal
from functions.chat.resumption.signing import sign, verified
from functions.chat.resumption.state import ResumptionState
from functions.chat.runs.heartbeat import Heartbeat

LIFETIME_SECONDS = 3_600

_PURPOSE = "flexchat resume token"
_VERSION = 1


class StateStore(Protocol):
    """Where states are kept, such as `Blobs`."""

    def put(self, key: str, content: bytes, *, expires_at: int, deadline: Deadline) -> None: ...

    def get(self, key: str, *, now: float, deadline: Deadline) -> bytes | None: ...


@dataclass(frozen=True, slots=True)
class Resumption:
    """A state that one request, `run`, has taken up; `claim` is the key of its claim.

    `renewal` extends the claim's lease until the resumption ends; None where the first lease is long enough.
    """

    state: ResumptionState
    claim: str
    run: str
    renewal: Heartbeat | None = None

    def stop_renewing(self) -> None:
        if self.renewal is not None:
            self.renewal.stop()


class ResumeTokens:
    """Keeps states and exchanges them for tokens.

    `key` gives the signing key before a deadline. `clock` is the wall's, in seconds since the epoch. `heartbeat` calls
    what renews a long lease.
    """

    def __init__(
        self,
        *,
        states: StateStore,
        claims: LeaseStore,
        key: Callable[[Deadline], bytes],
        clock: Clock,
        heartbeat: Callable[[Callable[[], bool]], Heartbeat] = Heartbeat,
    ) -> None:
        self._states = states
        self._claims = claims
        self._key = key
        self._clock = clock
        self._heartbeat = heartbeat

    def issue(self, state: ResumptionState, *, caller: Caller, deadline: Deadline) -> str | None:
        """A token for `state`, good for an hour; None, with a warning logged, when it cannot be kept in time.

        A partial answer without a token is still an answer.
        """
        token_id = uuid4().hex
        expires_at = int(self._clock()) + LIFETIME_SECONDS
        payload = {"v": _VERSION, "id": token_id, "exp": expires_at}
        if state.session_id is not None:
            payload["s"] = state.session_id
        try:
            key = self._key(deadline)
            self._states.put(_state_key(caller, token_id), state.as_bytes(), expires_at=expires_at, deadline=deadline)
        except FlexchatError as error:
            logger.warning("partial answer cannot be resumed", reason=str(error))
            return None
        return sign(json.dumps(payload).encode(), key=key, bound_to=(_PURPOSE, caller.principal))

    def session_of(self, token: str, *, caller: Caller, deadline: Deadline) -> str | None:
        """The session that `token` belongs to; None where it has none, or was never given to this caller.

        UnavailableError and ConfigError are those of the key.
        """
        payload = self._payload(token, caller, deadline)
        return None if payload is None else payload.get("s")

    def _payload(self, token: str, caller: Caller, deadline: Deadline) -> dict[str, Any] | None:
        payload = verified(token, key=self._key(deadline), bound_to=(_PURPOSE, caller.principal))
        return None if payload is None else json.loads(payload)

    def redeem(
        self,
        token: str,
        *,
        caller: Caller,
        session_id: str | None,
        run: str,
        lease_until: float,
        deadline: Deadline,
    ) -> Resumption:
        """The state behind `token`, claimed for `run` until `lease_until`, in seconds since the epoch.

        The claim is a lease of at most 30 seconds that is renewed meanwhile, so that the token can be used again soon
        after its request died.

        `session_id` is the request's own, which may leave it to the token. Raises RequestError: 400 for what was never
        given to this caller for this session, 410 for what has expired, 409 for what is used or being used.
        UnavailableError and ConfigError are those of the table and the key.
        """
        said = self._payload(token, caller, deadline)
        if said is None:
            raise _invalid()
        if session_id is not None and session_id != said.get("s"):
            raise _invalid()
        now = self._clock()
        if said["v"] != _VERSION or said["exp"] <= now:
            raise _expired()
        state = self._state(_state_key(caller, said["id"]), now, deadline)
        claim = f"P#{caller.principal}#{said['id']}"
        expires_at = max(said["exp"], int(lease_until)) + LIFETIME_SECONDS

        def take(due: Deadline) -> Refusal | None:
            """Take the claim, or extend the lease of `run`, which holds it."""
            now = self._clock()
            until = min(lease_until, now + LEASE_SECONDS)
            return self._claims.take(claim, by=run, now=now, lease_until=until, expires_at=expires_at, deadline=due)

        refusal = take(deadline)
        if refusal is not None:
            raise _used() if refusal.done else _in_use(refusal.lease_until)
        if lease_until <= now + LEASE_SECONDS:
            return Resumption(state, claim, run)
        renewal = self._heartbeat(lambda: take(deadline.within(HEARTBEAT_SECONDS)) is None)
        renewal.start()
        return Resumption(state, claim, run, renewal)

    def done(self, resumption: Resumption, *, deadline: Deadline) -> None:
        """The answer is there, whole or partial with a token of its own: this token is used up.

        That it could not be written down is logged only. The token can then be used again when its lease has passed.
        """
        resumption.stop_renewing()
        try:
            self._claims.complete(resumption.claim, by=resumption.run, now=self._clock(), deadline=deadline)
        except FlexchatError as error:
            logger.warning("resume token not marked as used", reason=str(error))

    def give_back(self, resumption: Resumption, *, deadline: Deadline) -> None:
        """There is no answer, only an error: the same token may be tried again at once, or after its lease."""
        resumption.stop_renewing()
        try:
            self._claims.release(resumption.claim, by=resumption.run, deadline=deadline)
        except FlexchatError as error:
            logger.warning("resume token not given back", reason=str(error))

    def _state(self, key: str, now: float, deadline: Deadline) -> ResumptionState:
        content = self._states.get(key, now=now, deadline=deadline)
        if content is None:
            raise _expired()
        try:
            return ResumptionState.from_bytes(content)
        except ValueError as exc:
            raise _expired() from exc


def _state_key(caller: Caller, token_id: str) -> str:
    return f"{caller.principal}#resume#{token_id}"


def _invalid() -> RequestError:
    """The same for every reason: whoever tries tokens learns nothing from it."""
    message = "resume_token is not one that was given to you for this session; send the one of the partial answer"
    return RequestError(message, code="resume_token_invalid")


def _expired() -> RequestError:
    message = "what resume_token stands for is no longer kept; send the message again"
    return RequestError(message, status=HTTPStatus.GONE, code="resume_token_expired")


def _used() -> RequestError:
    message = "resume_token has been used; each is good for one answer"
    return RequestError(message, status=HTTPStatus.CONFLICT, code="resume_token_used")


def _in_use(until: float) -> RequestError:
    when = datetime.fromtimestamp(until, UTC).isoformat(timespec="seconds")
    message = f"another request is going on from resume_token; if it fails, the token can be used again after {when}"
    return RequestError(message, status=HTTPStatus.CONFLICT, code="resume_token_in_use")
