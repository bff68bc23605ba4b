"""Sessions: stored conversations of an owner.

A session has turns, counted from 1. A turn is one message of the user, the steps of the tool loop (each an assistant
message with its calls and their results), and the answer.
"""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Literal

from msgspec import Struct

from flexchat.errors import FlexchatError, RequestError
from flexchat.messages import AnswerOutcome, Document, Image, Message, Reasoning, Stateful, Text, ToolCall, ToolOutput
from flexchat.text import single_line, truncate
from flexchat.tools import ToolExecution

MAX_TITLE_CHARACTERS = 200
DERIVED_TITLE_CHARACTERS = 60

CALLS_CHARACTERS = 1_000_000
"""Most characters of arguments and results of all calls of one message, as stored and shown."""

MAX_CALL_CHARACTERS = 262_144

MESSAGE_TOKENS = 4
"""Tokens of a message beside its text."""

type AnswerStatus = Literal["complete", "partial"]


class SessionNotFoundError(RequestError):
    """No such session, or another principal's, which the error does not reveal."""

    def __init__(self, session_id: str) -> None:
        message = f"session {session_id!r} not found; GET /api/sessions lists yours"
        super().__init__(message, status=HTTPStatus.NOT_FOUND, code="session_not_found")


class SessionBusyError(RequestError):
    """Another request is answering in the session. `until` is the end of its lease, in seconds since the epoch;
    `retry_after` is in seconds from `now`."""

    def __init__(self, session_id: str, *, until: float, now: float) -> None:
        message = (
            f"another request is answering in the session {session_id!r}; send this one when that is answered. "
            f"Its lease ends at {timestamp(until)} unless it is renewed"
        )
        super().__init__(message, status=HTTPStatus.CONFLICT, code="session_busy", retry_after=max(1.0, until - now))
        self.until = until


class SessionMovedOnError(RequestError):
    """The turn of a resume request has a complete answer or is no longer the session's last."""

    def __init__(self, session_id: str) -> None:
        message = f"the session {session_id!r} has moved on since that answer; send a new message without resume_token"
        super().__init__(message, status=HTTPStatus.CONFLICT, code="session_moved_on")


class SessionLostError(FlexchatError):
    """The session of a request was deleted, or another request took it over after the lease."""


class Session(Struct, frozen=True):
    """A session. `turns` counts started turns; the times are ISO 8601 in UTC.

    `incarnation` distinguishes a session from an earlier one of the same id. Until `lock_until` (seconds since the
    epoch) only the request `lock_run` may write. `expires_at` is in seconds since the epoch.
    """

    id: str
    owner: str
    incarnation: str
    title: str | None
    topic: str | None
    turns: int
    created_at: str
    updated_at: str
    expires_at: int
    lock_run: str | None = None
    lock_until: float = 0.0

    def is_held(self, *, now: float, run: str) -> bool:
        """Return True while a request other than `run` holds the lock."""
        return self.lock_run not in (None, run) and self.lock_until >= now


class OpenTurn(Struct, frozen=True):
    """A turn that the request `run` may write while it holds the session's lock.

    All items of the turn expire at `expires_at`. `is_new` is false for a resumed turn.
    """

    session: Session
    number: int
    run: str
    expires_at: int
    is_new: bool = True


class Answer(Struct, frozen=True):
    """A turn's answer with its origin; `rule` is the name of the response rule, if it has one.

    `outcome` is None for an answer of a version without outcomes.
    """

    content: str
    service: str
    model: str
    status: AnswerStatus
    request_id: str
    rule: str | None = None
    outcome: AnswerOutcome | None = None
    demo: bool = False


class RecordedCall(Struct, frozen=True):
    """A tool call with its result: as the model saw it (`call`, `output`), and as it was executed.

    `truncated` marks an execution whose stored result is incomplete.
    """

    call: ToolCall
    output: ToolOutput
    execution: ToolExecution
    truncated: bool = False


class RecordedMessage(Struct, frozen=True):
    """A stored message of the user or the assistant; `answer` is set for the answer of a turn.

    Steps count within a turn from 0, the user's message. `at` is ISO 8601 in UTC.
    """

    turn: int
    step: int
    at: str
    message: Message
    expires_at: int
    calls: tuple[RecordedCall, ...] = ()
    answer: Answer | None = None

    @property
    def characters(self) -> int:
        """Approximate length of the message with its calls."""
        return len(self.message.text) + sum(
            len(str(call.execution.params)) + len(str(call.execution.result.result)) for call in self.calls
        )

    @property
    def messages(self) -> tuple[Message, ...]:
        """The message followed by the tool messages with the results of its calls."""
        return (self.message, *(Message("tool", (call.output,)) for call in self.calls))


class SessionPage(Struct, frozen=True):
    """Sessions, the last changed first; `cursor` is that of the next page, None after the last."""

    sessions: tuple[Session, ...]
    cursor: str | None


class MessagePage(Struct, frozen=True):
    """Messages, the oldest first; `cursor` is that of the next page, None after the last."""

    messages: tuple[RecordedMessage, ...]
    cursor: str | None


class RecordedTurn(Struct, frozen=True):
    """Stored messages of one turn, oldest first."""

    number: int
    recorded: tuple[RecordedMessage, ...]

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(message for recorded in self.recorded for message in recorded.messages)

    @property
    def is_open(self) -> bool:
        """True with a question and without a complete answer."""
        answers = [recorded.answer for recorded in self.recorded if recorded.answer is not None]
        has_question = any(recorded.step == 0 for recorded in self.recorded)
        return has_question and all(answer.status == "partial" for answer in answers)

    @property
    def question(self) -> str:
        """Text of the user's message; empty without one."""
        return next((recorded.message.text for recorded in self.recorded if recorded.step == 0), "")

    @property
    def steps(self) -> int:
        """Number of steps of the tool loop."""
        return max((recorded.step for recorded in self.recorded if recorded.answer is None), default=0)


def timestamp(now: float) -> str:
    """Return seconds since the epoch as ISO 8601 in UTC with microseconds; such texts sort by time."""
    return datetime.fromtimestamp(now, tz=UTC).isoformat(timespec="microseconds")


def title_of(message: str) -> str:
    """Return the title of a session that begins with `message`: its first characters on one line."""
    return truncate(single_line(message), DERIVED_TITLE_CHARACTERS)


def call_characters(calls: int) -> int:
    """Return the most characters of the result, and of the arguments, of each of the `calls` of one message."""
    return min(MAX_CALL_CHARACTERS, CALLS_CHARACTERS // max(1, 2 * calls))


IMAGE_TOKENS = 1_600
LOW_DETAIL_TOKENS = 300
"""Estimates of the tokens of a picture by its detail: of one in full resolution Claude reads at most some 1,600, GPT
and Gemini up to 1,500."""


def text_tokens(text: str) -> int:
    """Return an upper estimate of the tokens of `text` for any model's tokenizer.

    A token for 3 ASCII characters (English has 4 to 5 of them in one, source code and digits 2 to 3), and for 2 bytes
    of anything else: 1.5 tokens for a Chinese or Japanese character, 1 for a Cyrillic one, 2 for most emoji.
    """
    ascii_bytes = len(text.encode("ascii", "ignore"))
    other_bytes = len(text.encode("utf-8", "surrogatepass")) - ascii_bytes
    return -(-ascii_bytes // 3) + -(-other_bytes // 2)


def message_tokens(message: Message) -> int:
    """Return an upper estimate of the tokens of a message with all its parts, including provider state."""
    texts: list[str] = []
    other = MESSAGE_TOKENS
    for part in message.parts:
        match part:
            case Text() | Reasoning():
                texts.append(part.text)
            case Image():
                other += _image_tokens(part)
            case Document():
                other += part.tokens
            case ToolCall():
                texts += [part.id, part.name, part.raw if part.arguments is None else str(dict(part.arguments))]
            case ToolOutput():
                texts += [part.call_id, part.content]
                other += sum(map(_image_tokens, part.images))
        if isinstance(part, Stateful) and part.state is not None:
            texts.append(str(part.state.value))
    return other + sum(map(text_tokens, texts))


def _image_tokens(image: Image) -> int:
    return LOW_DETAIL_TOKENS if image.detail == "low" else IMAGE_TOKENS
