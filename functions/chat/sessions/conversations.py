"""Opens the session of a chat: takes its lock, and reads what the model should know of the turns before."""

from collections.abc import Callable
from contextlib import suppress

from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.messages import Message
from flexchat.runs import HEARTBEAT_SECONDS, LEASE_SECONDS
from flexchat.sessions import OpenTurn, title_of
from functions.chat.runs.heartbeat import Heartbeat
from functions.chat.sessions.conversation import Conversation
from functions.chat.sessions.history import model_history
from functions.chat.sessions.lifetime import expiry_of
from functions.chat.sessions.store.turns import SessionTurns

LEASE_MARGIN_SECONDS = 3.0
"""How long a session stays locked after the deadline of a request that died."""

MAX_LEASE_SECONDS = LEASE_SECONDS + LEASE_MARGIN_SECONDS
"""The longest lease: a request with more time than that, which only a background run has, renews it while it works."""


class Conversations:
    """The sessions of one table, as chats use them.

    `clock` gives seconds since the epoch. A session is kept for `ttl_days` after its last turn began; its history is
    bounded by `max_history_tokens`. `heartbeat` calls what renews a long turn's lease.
    """

    def __init__(
        self,
        *,
        turns: SessionTurns,
        clock: Clock,
        ttl_days: int,
        max_history_tokens: int,
        heartbeat: Callable[[Callable[[], bool]], Heartbeat] = Heartbeat,
    ) -> None:
        self._turns = turns
        self._clock = clock
        self._ttl_days = ttl_days
        self._max_history_tokens = max_history_tokens
        self._heartbeat = heartbeat

    def open(self, *, owner: str, session_id: str, message: str, run: str, deadline: Deadline) -> Conversation:
        """Begin a turn with the user's message; the session is created when there is none.

        `run` is the request's id: a request that is delivered again has the same turn again. `deadline` is that of the
        whole chat, the closing of its conversation included. Raises SessionBusyError while another request answers,
        UnavailableError and ConfigError.
        """
        now = self._clock()
        turn = self._turns.begin(
            owner,
            session_id,
            message,
            run=run,
            lease_until=self._lease(now, deadline),
            now=now,
            expires_at=expiry_of(now, self._ttl_days),
            title=title_of(message),
            deadline=deadline,
        )
        return self._opened(turn, message, None, deadline)

    def resume(self, *, owner: str, session_id: str, turn: int, run: str, deadline: Deadline) -> Conversation:
        """Go on with a turn that was not completely answered; its answer then takes the place of the partial one.

        Raises SessionMovedOnError when the turn is answered or not the last any more, SessionNotFoundError,
        SessionBusyError, UnavailableError and ConfigError.
        """
        now = self._clock()
        resumed, recorded = self._turns.resume(
            owner,
            session_id,
            turn,
            run=run,
            lease_until=self._lease(now, deadline),
            now=now,
            expires_at=expiry_of(now, self._ttl_days),
            deadline=deadline,
        )
        return self._opened(resumed, recorded.question, recorded.steps, deadline)

    def _opened(self, turn: OpenTurn, message: str, steps: int | None, deadline: Deadline) -> Conversation:
        """The conversation of a turn, which has as many steps already; None is for those that the table knows."""
        try:
            conversation = Conversation(
                turns=self._turns,
                turn=turn,
                message=message,
                history=self._history(turn, deadline),
                steps=self._steps(turn, deadline) if steps is None else steps,
                deadline=deadline,
                clock=self._clock,
                heartbeat=self._renewal(turn, deadline),
            )
        except FlexchatError:
            # The turn was begun, the chat will not take place.
            with suppress(FlexchatError):
                self._turns.abandon(turn, keep=not turn.is_new, deadline=deadline)
            raise
        conversation.begin()
        return conversation

    def _renewal(self, turn: OpenTurn, deadline: Deadline) -> Heartbeat | None:
        """The renewal of a turn's lease; None where the first lease outlasts the deadline."""
        if deadline.remaining() + LEASE_MARGIN_SECONDS <= MAX_LEASE_SECONDS:
            return None

        def renew() -> bool:
            lease_until = self._lease(self._clock(), deadline)
            return self._turns.renew(turn, lease_until=lease_until, deadline=deadline.within(HEARTBEAT_SECONDS))

        return self._heartbeat(renew)

    def _history(self, turn: OpenTurn, deadline: Deadline) -> tuple[Message, ...]:
        if turn.number == 1:
            return ()
        earlier = self._turns.recent(
            turn.session,
            before=turn.number,
            max_tokens=self._max_history_tokens,
            now=self._clock(),
            deadline=deadline,
        )
        messages = (message for each in earlier for message in each.messages)
        return model_history(messages, max_tokens=self._max_history_tokens)

    def _steps(self, turn: OpenTurn, deadline: Deadline) -> int:
        if turn.is_new:
            return 0
        return self._turns.turn(turn.session, turn.number, now=self._clock(), deadline=deadline).steps

    def _lease(self, now: float, deadline: Deadline) -> float:
        return now + min(deadline.remaining() + LEASE_MARGIN_SECONDS, MAX_LEASE_SECONDS)
