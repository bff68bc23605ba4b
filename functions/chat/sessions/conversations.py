"""Turns of chats: locks the session, and reads its earlier turns as history."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from flexchat.api import ChatRequest, history_messages
from flexchat.config.models.limits import SessionsConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.messages import Message
from flexchat.runs import HEARTBEAT_SECONDS, LEASE_SECONDS
from flexchat.sessions import OpenTurn, title_of
from functions.chat.deadlines import Heartbeat
from functions.chat.resumption.tokens import ChatState
from functions.chat.sessions.history import latest_turns, model_history
from functions.chat.sessions.store.turns import SessionTurns
from functions.chat.sessions.turn import SessionTurn, StatelessTurn, Turn

LEASE_MARGIN_SECONDS = 3.0
"""Lease of a session beyond the deadline of its request, in seconds."""

MAX_LEASE_SECONDS = LEASE_SECONDS + LEASE_MARGIN_SECONDS
"""The longest lease; a request with more time, which only a background run has, renews it."""

_SECONDS_PER_DAY = 86_400


class Conversations:
    """Sessions of one table, for chats.

    `turns` is called for the first chat with a session. `clock` returns seconds since the epoch. `heartbeat` creates
    the renewal of a long turn's lease. A session expires `ttl_days` of its settings after its last turn began.
    """

    def __init__(
        self,
        *,
        turns: Callable[[], SessionTurns],
        clock: Clock,
        heartbeat: Callable[[Callable[[], bool]], Heartbeat] = Heartbeat,
    ) -> None:
        self._turns = turns
        self._clock = clock
        self._heartbeat = heartbeat

    def turn(
        self,
        request: ChatRequest,
        state: ChatState | None,
        *,
        owner: str,
        run: str,
        settings: SessionsConfig,
        deadline: Deadline,
        history: Sequence[Message] | None = None,
    ) -> Turn:
        """Return the turn of a request, a new one or the unfinished one of `state`.

        `run` is the id of the request. `history` takes the place of the request's. Raises the errors of `open` and
        `resume` for a request with a session.
        """
        if state is not None:
            if state.session_id is None or state.turn is None:
                return StatelessTurn(state.history)
            return self.resume(
                owner=owner,
                session_id=state.session_id,
                turn=state.turn,
                run=run,
                settings=settings,
                deadline=deadline,
            )
        if request.session_id is None:
            earlier = history_messages(request.history) if history is None else history
            return StatelessTurn(latest_turns(earlier, max_tokens=settings.max_history_tokens))
        return self.open(
            owner=owner,
            session_id=request.session_id,
            message=request.message,
            run=run,
            settings=settings,
            deadline=deadline,
        )

    def open(
        self, *, owner: str, session_id: str, message: str, run: str, settings: SessionsConfig, deadline: Deadline
    ) -> SessionTurn:
        """Begin a turn with the user's message; a missing session is created.

        A redelivered request, with the same `run`, gets the same turn again. `deadline` includes the closing of the
        turn. Raises SessionBusyError while another request holds the lock, UnavailableError and ConfigError.
        """
        now = self._clock()
        turn = self._turns().begin(
            owner,
            session_id,
            message,
            run=run,
            lease_until=self._lease(now, deadline),
            now=now,
            expires_at=expiry_of(now, settings.ttl_days),
            title=title_of(message),
            deadline=deadline,
        )
        return self._opened(turn, message, None, settings, deadline)

    def resume(
        self, *, owner: str, session_id: str, turn: int, run: str, settings: SessionsConfig, deadline: Deadline
    ) -> SessionTurn:
        """Continue a partially answered turn; its new answer replaces the partial one.

        Raises SessionMovedOnError when the turn is answered or no longer the last, SessionNotFoundError,
        SessionBusyError, UnavailableError and ConfigError.
        """
        now = self._clock()
        resumed, recorded = self._turns().resume(
            owner,
            session_id,
            turn,
            run=run,
            lease_until=self._lease(now, deadline),
            now=now,
            expires_at=expiry_of(now, settings.ttl_days),
            deadline=deadline,
        )
        return self._opened(resumed, recorded.question, recorded.steps, settings, deadline)

    def _opened(
        self, turn: OpenTurn, message: str, steps: int | None, settings: SessionsConfig, deadline: Deadline
    ) -> SessionTurn:
        """Return an opened turn; without `steps`, their number is read from the table."""
        try:
            return SessionTurn(
                turns=self._turns(),
                turn=turn,
                message=message,
                history=self._history(turn, settings.max_history_tokens, deadline),
                steps=self._steps(turn, deadline) if steps is None else steps,
                deadline=deadline,
                clock=self._clock,
                heartbeat=self._renewal(turn, deadline),
            )
        except FlexchatError:
            with suppress(FlexchatError):
                self._turns().abandon(turn, keep=not turn.is_new, deadline=deadline)
            raise

    def _renewal(self, turn: OpenTurn, deadline: Deadline) -> Heartbeat | None:
        """Return the renewal of a turn's lease; None where the first lease outlasts the deadline."""
        if deadline.remaining() + LEASE_MARGIN_SECONDS <= MAX_LEASE_SECONDS:
            return None

        def renew() -> bool:
            lease_until = self._lease(self._clock(), deadline)
            return self._turns().renew(turn, lease_until=lease_until, deadline=deadline.within(HEARTBEAT_SECONDS))

        return self._heartbeat(renew)

    def _history(self, turn: OpenTurn, max_tokens: int, deadline: Deadline) -> tuple[Message, ...]:
        if turn.number == 1:
            return ()
        earlier = self._turns().recent(
            turn.session, before=turn.number, max_tokens=max_tokens, now=self._clock(), deadline=deadline
        )
        return model_history((message for each in earlier for message in each.messages), max_tokens=max_tokens)

    def _steps(self, turn: OpenTurn, deadline: Deadline) -> int:
        if turn.is_new:
            return 0
        return self._turns().turn(turn.session, turn.number, now=self._clock(), deadline=deadline).steps

    def _lease(self, now: float, deadline: Deadline) -> float:
        return now + min(deadline.remaining() + LEASE_MARGIN_SECONDS, MAX_LEASE_SECONDS)


def expiry_of(now: float, ttl_days: int) -> int:
    """Return the expiry of a session that changes now: whole seconds since the epoch, as DynamoDB's TTL expects."""
    return int(now) + ttl_days * _SECONDS_PER_DAY
