"""Sessions of one table for chats: which turn a request begins or continues, with its history and its lease."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from msgspec import Struct

from flexchat.api import ChatRequest, history_messages
from flexchat.config.models.limits import SessionsConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.messages import Message, Part, user
from flexchat.runs import HEARTBEAT_SECONDS, LEASE_SECONDS
from flexchat.sessions import OpenTurn, title_of
from functions.chat.choices import NO_CHOICE, Choice
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


class PlacedMessage(Struct, frozen=True):
    """A request with its message and the turn that it follows; `content` has the parts of a message with files."""

    request: ChatRequest
    content: tuple[Part, ...] = ()


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

    def placed(self, request: ChatRequest, *, owner: str, deadline: Deadline) -> PlacedMessage:
        """Return a request with the message of the turn that it regenerates, or with the files of the one it edits.

        Raises SessionNotFoundError and TurnNotFoundError.
        """
        number = request.regenerate_turn or request.edit_turn
        if number is None or request.session_id is None:
            return PlacedMessage(request)
        parent, asked = self._turns().question(owner, request.session_id, number, now=self._clock(), deadline=deadline)
        text = request.message if request.edit_turn else asked.text
        files = () if request.attachments else asked.attachments
        changes = {"message": text, "parent_turn": parent, "edit_turn": None, "regenerate_turn": None}
        return PlacedMessage(request.model_copy(update=changes), user(text, files).parts if files else ())

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
        content: tuple[Part, ...] = (),
        answering: str | None = None,
        demo_llms: Collection[str] = (),
        withheld: str | None = None,
    ) -> Turn:
        """Return the turn of a request, a new one or the unfinished one of `state`.

        `run` is the id of the request, `answering` that of its run, if it has one. `history` is that of a client that
        sends it: it takes the place of the request's, and one that is not empty that of the session. `content` has the
        parts of a message with pictures or files, `demo_llms` the llms of the demo model. `withheld` is the text that a
        new turn has until `Turn.asked` records its message. Raises the errors of `open` and `resume` for a request with
        a session.
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
                answering=answering,
                choice=Choice(state.rule, state.model),
                demo_llms=demo_llms,
            )
        if request.session_id is None:
            if history is not None:
                return StatelessTurn(tuple(history))
            earlier = history_messages(request.history)
            return StatelessTurn(latest_turns(earlier, max_tokens=settings.max_history_tokens))
        opened = self.open(
            owner=owner,
            session_id=request.session_id,
            message=withheld or request.message,
            run=run,
            settings=settings,
            deadline=deadline,
            content=() if withheld else content,
            parent=request.parent_turn,
            answering=answering,
            choice=Choice(request.rule, request.model),
            demo_llms=demo_llms,
        )
        if history:  # what a client sends as history is the history
            opened.history = tuple(history)
        return opened

    def open(
        self,
        *,
        owner: str,
        session_id: str,
        message: str,
        run: str,
        settings: SessionsConfig,
        deadline: Deadline,
        content: tuple[Part, ...] = (),
        parent: int | None = None,
        answering: str | None = None,
        choice: Choice = NO_CHOICE,
        demo_llms: Collection[str] = (),
    ) -> SessionTurn:
        """Begin a turn with the user's message, or with its parts in `content`; a missing session is created.

        The turn follows the turn `parent`, by default the last one. A redelivered request, with the same `run`, gets
        the same turn again. `deadline` includes the closing of the turn. Raises SessionBusyError while another request
        holds the lock, TurnNotFoundError, SessionForksError, UnavailableError and ConfigError.
        """
        now = self._clock()
        turn = self._turns().begin(
            owner,
            session_id,
            Message("user", content) if content else user(message),
            run=run,
            lease_until=self._lease(now, deadline),
            now=now,
            expires_at=expiry_of(now, settings.ttl_days),
            title=title_of(message),
            deadline=deadline,
            parent=parent,
            answering=answering,
        )
        return self._opened(turn, message, None, settings, deadline, choice, demo_llms)

    def resume(
        self,
        *,
        owner: str,
        session_id: str,
        turn: int,
        run: str,
        settings: SessionsConfig,
        deadline: Deadline,
        answering: str | None = None,
        choice: Choice = NO_CHOICE,
        demo_llms: Collection[str] = (),
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
            answering=answering,
        )
        return self._opened(resumed, recorded.question, recorded.steps, settings, deadline, choice, demo_llms)

    def _opened(
        self,
        turn: OpenTurn,
        message: str,
        steps: int | None,
        settings: SessionsConfig,
        deadline: Deadline,
        choice: Choice,
        demo_llms: Collection[str],
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
                titled=settings.title is not None,
                choice=choice,
                demo_llms=demo_llms,
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
