"""Checks of texts by guardrails: whole ones, and streamed ones in pieces that leave only after their check."""

from collections.abc import Iterator, Sequence
from copy import replace
from typing import Final

from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.messages import Message, Part, Reasoning, Text
from flexchat.observability import logger
from functions.chat.generation.events import Emit, GuardrailFinished, GuardrailVerdict, WarningRaised
from functions.chat.guardrails.base import GuardrailError, NamedGuardrail, TextSource, Verdict
from functions.chat.providers.base import Delta, OnDelta, TextDelta

MAX_CHECKED_CHARACTERS: Final = 25_000
"""Longest text of one check: ApplyGuardrail accepts 25 text units of 1,000 characters."""

BLOCKED_INPUT: Final = "This message cannot be answered, because a content policy does not allow it."
BLOCKED_OUTPUT: Final = "The answer is not shown, because a content policy does not allow it."
UNCHECKED: Final = "There is no answer, because its content could not be checked. Try again later."

WITHHELD_MESSAGE: Final = "(This message is withheld by a content policy.)"
"""Text that is stored in place of a user's message that is blocked, or not checked yet."""

_ENDS: Final = ("\n", ". ", "! ", "? ", "\u3002", "\uff01", "\uff1f")
"""Ends of sentences, after which a streamed text is divided."""


class BlockedError(FlexchatError):
    """A guardrail blocked a text; `answer` is the text for the user in its place."""

    def __init__(self, answer: str) -> None:
        super().__init__("a guardrail blocked a text")
        self.answer = answer


class TextChecks(Struct, frozen=True, kw_only=True):
    """Guardrails of one chat for the texts of one source, which check one after another.

    A streamed text is checked in pieces of about `chunk_characters`. `emit` receives the end of each check.
    """

    guardrails: Sequence[NamedGuardrail]
    source: TextSource
    deadline: Deadline
    emit: Emit
    chunk_characters: int = MAX_CHECKED_CHARACTERS

    def check(self, text: str, *, iteration: int = 0) -> str:
        """Return a text, or what replaces it. Raises BlockedError."""
        for guardrail in self.guardrails:
            pieces = _pieces(text, MAX_CHECKED_CHARACTERS)
            text = "".join([self._checked(guardrail, piece, iteration) for piece in pieces])
        return text

    def stream(self, receive: OnDelta, iteration: int) -> "CheckedStream":
        """Return a receiver of deltas that passes their texts on after their check."""
        return CheckedStream(self, receive, iteration)

    def _checked(self, guardrail: NamedGuardrail, piece: str, iteration: int) -> str:
        text = piece.strip()
        if not text:
            return piece
        config, clock = guardrail.config, self.deadline.clock
        started = clock()
        verdict: Verdict | None = None
        failure: GuardrailError | None = None
        try:
            verdict = guardrail.client.check(text, self.source, deadline=self.deadline.within(config.timeout_ms / 1000))
        except GuardrailError as exc:
            failure = exc
        action: GuardrailVerdict = "failed" if verdict is None else verdict.action
        self.emit(
            GuardrailFinished(
                name=guardrail.name,
                type=config.type,
                source=self.source,
                verdict=action,
                started=started,
                duration_ms=round((clock() - started) * 1000),
                iteration=iteration,
                policies=() if verdict is None else verdict.policies,
                units=0 if verdict is None else verdict.units,
                error=None if failure is None else failure.type,
            )
        )
        log = logger.info if action == "allowed" else logger.warning
        log(
            "guardrail checked",
            guardrail=guardrail.name,
            source=self.source,
            verdict=action,
            policies=[] if verdict is None else list(verdict.policies),
            error_type=None if failure is None else failure.type,
            status=None if failure is None else failure.status,
        )
        if verdict is None:
            if config.on_error == "allow":
                subject = "the message" if self.source == "input" else "a part of the answer"
                self.emit(WarningRaised(f"the guardrail {guardrail.name!r} could not check {subject}"))
                return piece
            raise BlockedError(UNCHECKED) from failure
        match verdict.action:
            case "allowed":
                return piece
            case "masked":
                before, _, after = piece.partition(text)
                return before + verdict.text.strip() + after
            case "blocked":
                own = BLOCKED_INPUT if self.source == "input" else BLOCKED_OUTPUT
                raise BlockedError(config.message or verdict.message.strip() or own)


class CheckedStream:
    """Receiver of the deltas of one model call, in the thread of the attempt, which ends with `finish`.

    `receive` gets texts after their check, in the order of the deltas. After a blocked piece nothing is passed on.
    """

    def __init__(self, checks: TextChecks, receive: OnDelta, iteration: int) -> None:
        self._checks = checks
        self._receive = receive
        self._iteration = iteration
        self._waiting = ""
        self._received: list[str] = []
        self._passed: list[str] = []
        self._blocked: BlockedError | None = None

    @property
    def received(self) -> str:
        """Text of all deltas so far."""
        return "".join(self._received)

    def __call__(self, delta: Delta) -> None:
        """Receive a delta; a piece of a call follows the whole text before it. Raises BlockedError."""
        if not isinstance(delta, TextDelta):
            self._flush()
            self._receive(delta)
            return
        self._received.append(delta.text)
        self._waiting += delta.text
        while len(self._waiting) > self._checks.chunk_characters:
            self._pass(_end(self._waiting, self._checks.chunk_characters))

    def finish(self, text: str) -> str:
        """Check the rest, and return the checked form of `text`, the whole text of the completion.

        A text that differs from that of the deltas is checked as a whole. Raises BlockedError.
        """
        self._flush()
        if self.received.strip() == text.strip():
            return "".join(self._passed)
        return self._checks.check(text, iteration=self._iteration)

    def _flush(self) -> None:
        if self._waiting:
            self._pass(len(self._waiting))

    def _pass(self, length: int) -> None:
        if self._blocked is not None:
            raise self._blocked
        piece, self._waiting = self._waiting[:length], self._waiting[length:]
        try:
            checked = self._checks.check(piece, iteration=self._iteration)
        except BlockedError as exc:
            self._blocked = exc
            raise
        if checked:
            self._passed.append(checked)
            self._receive(TextDelta(checked))


def _end(text: str, limit: int) -> int:
    """Return the end of the first piece of `text`, of at most `limit` characters.

    It is after the last sentence or, without the end of one, before the last word.
    """
    sentence = max(place + len(end) if (place := text.rfind(end, 0, limit)) >= 0 else 0 for end in _ENDS)
    if sentence:
        return sentence
    word = text.rfind(" ", 1, limit)
    return word if word > 0 else limit


def _pieces(text: str, limit: int) -> Iterator[str]:
    while len(text) > limit:
        end = _end(text, limit)
        yield text[:end]
        text = text[end:]
    yield text


def checked_message(message: Message, text: str) -> Message:
    """Return a message whose text is `text`, in the place of its first text, and without the text of its reasoning.

    The state of a replaced text, which belongs to its provider, is dropped.
    """
    is_same = message.text == text
    parts: list[Part] = []
    is_placed = False
    for part in message.parts:
        if isinstance(part, Reasoning):
            parts.append(replace(part, text=""))
        elif is_same or not isinstance(part, Text):
            parts.append(part)
        elif not is_placed:
            is_placed = True
            parts += [Text(text)] if text else []
    if not (is_same or is_placed) and text:
        parts.append(Text(text))
    return replace(message, parts=tuple(parts))
