"""Sessions: stored conversations of an owner.

A session has turns, counted from 1. A turn is one message of the user, the steps of the tool loop (each an assistant
message with its calls and their results), and the answer. The turns are a tree: each follows an earlier one, usually
the one before it. An edited message or a regenerated answer is another turn after the same earlier turn.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Literal

from msgspec import Struct, field

from flexchat.errors import FlexchatError, RequestError
from flexchat.messages import AnswerOutcome, Document, Image, Message, Reasoning, Stateful, Text, ToolCall, ToolOutput
from flexchat.text import single_line, truncate
from flexchat.tools import ToolExecution

MAX_TITLE_CHARACTERS = 200
DERIVED_TITLE_CHARACTERS = 60

CALLS_CHARACTERS = 1_000_000
"""Most characters of arguments and results of all calls of one message, as stored and shown."""

MAX_CALL_CHARACTERS = 262_144

MAX_FORKS = 200
"""Most turns of a session that do not follow the turn before them: some 2 KB of the session's item."""

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


class TurnNotFoundError(RequestError):
    """A request names a turn that its session does not have."""

    def __init__(self, session_id: str, turn: int, turns: int) -> None:
        have = f"it has the turns 1 to {turns}" if turns else "it has no turn yet"
        message = f"turn {turn} not found in the session {session_id!r}; {have}"
        super().__init__(message, status=HTTPStatus.NOT_FOUND, code="turn_not_found")


class SessionForksError(RequestError):
    """The session has as many edited messages and regenerated answers as it can have."""

    def __init__(self, session_id: str) -> None:
        message = (
            f"the session {session_id!r} has {MAX_FORKS} edited messages and regenerated answers, the most it can "
            "have; send a message after its last turn, or start a new session"
        )
        super().__init__(message, status=HTTPStatus.CONFLICT, code="session_forks_full")


class SessionLostError(FlexchatError):
    """The session of a request was deleted, or another request took it over after the lease."""


type TitleAuthor = Literal["person", "model"]
"""Author of a title that is not the beginning of the first message; `model` from when a model was asked for one."""


class Exposure(Struct, frozen=True):
    """What the model of a conversation has read: `private` data, and `untrusted` content."""

    private: bool = False
    untrusted: bool = False

    def joined(self, other: "Exposure") -> "Exposure":
        """Return the exposure to both."""
        return Exposure(self.private or other.private, self.untrusted or other.untrusted)


class Session(Struct, frozen=True):
    """A session. `turns` counts started turns; the times are ISO 8601 in UTC.

    `incarnation` distinguishes a session from an earlier one of the same id. Until `lock_until` (seconds since the
    epoch) only the request `lock_run` may write; `answering` is the run of its answer, if it has one. `expires_at` is
    in seconds since the epoch. `forks` has the turns that do not follow the turn before them, each with the turn that
    it follows, 0 for none. `exposure` is None for a session of a version that did not store it.
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
    title_by: TitleAuthor | None = None
    answering: str | None = None
    forks: Mapping[int, int] = field(default_factory=dict[int, int])
    exposure: Exposure | None = None

    def is_held(self, *, now: float, run: str) -> bool:
        """Return True while a request other than `run` holds the lock."""
        return self.lock_run not in (None, run) and self.lock_until >= now

    def parent(self, turn: int) -> int:
        """Return the turn that `turn` follows, 0 for the first of its branch."""
        return self.forks.get(turn, turn - 1)

    def path(self, turn: int) -> tuple[int, ...]:
        """Return the turns from the first one to `turn`, each followed by the next."""
        path: list[int] = []
        while turn > 0:
            path.append(turn)
            turn = self.parent(turn)
        return tuple(reversed(path))

    def latest(self, turn: int) -> int:
        """Return the last turn of the branches that `turn` belongs to or begins; 0 begins all of them."""
        descendants = {turn}
        for number in range(turn + 1, self.turns + 1):
            if self.parent(number) in descendants:
                descendants.add(number)
        return max(descendants)

    def siblings(self, turn: int) -> tuple[int, ...]:
        """Return the turns that follow the same turn as `turn`, with itself."""
        parent = self.parent(turn)
        following = {number for number, after in self.forks.items() if after == parent}
        if parent < self.turns and parent + 1 not in self.forks:
            following.add(parent + 1)
        return tuple(sorted(following))


def ranges(path: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the first and the last turn of each part of a path whose turns have consecutive numbers."""
    found: list[tuple[int, int]] = []
    for turn in path:
        if found and found[-1][1] == turn - 1:
            found[-1] = (found[-1][0], turn)
        else:
            found.append((turn, turn))
    return tuple(found)


class OpenTurn(Struct, frozen=True):
    """A turn that the request `run` may write while it holds the session's lock.

    All items of the turn expire at `expires_at`. `is_new` is false for a resumed turn.
    """

    session: Session
    number: int
    run: str
    expires_at: int
    is_new: bool = True


class AnswerTotals(Struct, frozen=True):
    """Time, model calls, tokens and cost of an answer; `cost_usd` is None without prices of all its models."""

    duration_ms: int
    model_calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None


class Answer(Struct, frozen=True):
    """A turn's answer with its origin; `rule` is the name of the response rule, if it has one.

    `outcome` is None for an answer of a version without outcomes, `totals` for one of a version without them.
    `chosen_rule` and `chosen_model` (`llm:model`) are
    those that the caller chose for the message.
    """

    content: str
    service: str
    model: str
    status: AnswerStatus
    request_id: str
    rule: str | None = None
    outcome: AnswerOutcome | None = None
    demo: bool = False
    chosen_rule: str | None = None
    chosen_model: str | None = None
    totals: AnswerTotals | None = None


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
    """Messages of one branch, the oldest first; `cursor` is that of the next page, None after the last.

    `path` has all turns of the branch.
    """

    session: Session
    path: tuple[int, ...]
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
        return "" if self.message is None else self.message.text

    @property
    def message(self) -> Message | None:
        """The user's message; None without one."""
        return next((recorded.message for recorded in self.recorded if recorded.step == 0), None)

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
