"""Items of a session: keys, attributes, and the conversion from and to sessions, messages and calls.

`S#<owner>#<session>` holds `META`, whose attributes are those of a list of sessions, because the index `by_owner`
copies them at each write; `META#LOCK`, while a request holds the lock; and for each incarnation of the session its
messages, `M#<incarnation>#<turn>#<step>`, each followed by its calls, `…#C#<call>`, and its links,
`SHARE#<incarnation>#<id>`. The answer of a turn has the last step, so that a later answer replaces a partial one.
"""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import replace
from decimal import Decimal
from itertools import groupby
from typing import Any, cast

from msgspec import convert
from msgspec.structs import asdict

from flexchat.aws.dynamodb import Value, Values, decimals
from flexchat.json import JsonError, dumps
from flexchat.messages import (
    Attachment,
    Document,
    Image,
    Json,
    Message,
    Part,
    ProviderState,
    Reasoning,
    Text,
    ToolCall,
    ToolOutput,
    assistant,
)
from flexchat.sessions import (
    MAX_CALL_CHARACTERS,
    Answer,
    AnswerTotals,
    Exposure,
    OpenTurn,
    RecordedCall,
    RecordedMessage,
    Session,
    timestamp,
)
from flexchat.text import MARKER_CHARACTERS, truncate_middle
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.transcript import execution_from_json, execution_to_json, message_from_json, message_to_json

LEFT_OUT = "this could not be kept"

_SMALL = 200
_VALIDATION_ERRORS = 20


def cut_part(part: Text | Attachment | Reasoning | ToolOutput, limit: int) -> Part | None:
    """Return the part with at most `limit` characters; None for reasoning with a larger state, which must be whole."""
    match part:
        case Image() | Document():
            return part
        case Text():
            return replace(part, text=truncate_middle(part.text, limit), state=_state(part.state, limit))
        case Reasoning():
            state = _state(part.state, limit)
            return Reasoning(state, truncate_middle(part.text, limit)) if state else None
        case ToolOutput():
            return cut_output(part, limit)


def cut_output(output: ToolOutput, limit: int) -> ToolOutput:
    return replace(output, content=truncate_middle(output.content, limit))


def cut_call(call: ToolCall, limit: int) -> ToolCall:
    """Return the call; arguments of more than `limit` characters become a text with a problem."""
    arguments = _fitting(call.arguments, limit)
    if call.arguments is None or arguments is not None:
        raw = call.raw if len(call.raw) <= limit else arguments or truncate_middle(call.raw, limit)
        return replace(call, raw=raw, state=_state(call.state, limit))
    problem = "the arguments were too large to be kept"
    return ToolCall(call.id, call.name, None, truncate_middle(call.raw, limit), problem, _state(call.state, limit))


def cut_execution(execution: ToolExecution, limit: int) -> tuple[ToolExecution, bool]:
    """Return the execution with texts of at most `limit` characters, and True when its result was truncated."""
    params, _ = _cut_json(execution.params, limit)
    result = execution.result
    value, truncated = _cut_json(result.result, limit)
    shortened = replace(
        result,
        result=value,
        error=_cut_text(result.error, limit),
        user_message=_cut_text(result.user_message, limit),
        validation_errors=tuple(
            truncate_middle(error, limit) for error in result.validation_errors[:_VALIDATION_ERRORS]
        ),
    )
    return replace(
        execution, params=params if isinstance(params, dict) else str(params), result=shortened
    ), truncated or result.truncated


def smallest_call(call: RecordedCall) -> RecordedCall:
    """Return the smallest record of a call: its tool and its success."""
    call_id = "call_" + hashlib.sha256(call.call.id.encode("utf-8", "replace")).hexdigest()[:24]
    name, tool = truncate_middle(call.call.name, _SMALL), truncate_middle(call.execution.tool, _SMALL)
    result = call.execution.result
    return RecordedCall(
        call=ToolCall(call_id, name, None, "", LEFT_OUT),
        output=ToolOutput(call_id, name, LEFT_OUT, call.output.is_error),
        execution=ToolExecution(
            tool=tool,
            params=LEFT_OUT,
            result=ToolResult(
                success=result.success,
                tool_name=tool,
                execution_time_ms=result.execution_time_ms,
                result=LEFT_OUT if result.success else None,
                error=None if result.success else LEFT_OUT,
                error_type=result.error_type,
            ),
            iteration=call.execution.iteration,
            call_id=call_id,
        ),
        truncated=True,
    )


def _fitting(value: Mapping[str, Json] | None, limit: int) -> str | None:
    """Return `value` as JSON; None without a value, or for more than `limit` characters."""
    if value is None:
        return None
    try:
        text = dumps(dict(value))
    except JsonError:
        return None
    return text if len(text) <= limit else None


def _cut_json(value: Mapping[str, Json] | Json, limit: int) -> tuple[Json, bool]:
    plain = dict(value) if isinstance(value, Mapping) else value
    try:
        text = plain if isinstance(plain, str) else dumps(plain)
    except JsonError:
        return LEFT_OUT, True
    return (plain, False) if len(text) <= limit else (truncate_middle(text, limit), True)


def _cut_text(text: str | None, limit: int) -> str | None:
    return None if text is None else truncate_middle(text, limit)


def _state(state: ProviderState | None, limit: int) -> ProviderState | None:
    if state is None:
        return None
    return state if _fitting({"value": state.value}, limit) is not None else None


PLAIN_BYTES = 4_096
"""Longer values are compressed."""

MAX_VALUE_BYTES = 350_000
"""An item of DynamoDB has at most 400 KB, its keys and other attributes included."""

COMPRESSION = 3
"""Twice as fast as gzip's usual 6, for JSON a few per cent larger."""

_LIMITS = (262_144, 65_536, 16_384, 4_096, 1_024, 256)
"""Limits of each text of a value, tried in this order until the value fits."""


def message_value(message: Message) -> str | bytes:
    """Return a message with the positions of its calls, which have items of their own."""

    def cut_to(limit: int) -> Json:
        parts: list[Part] = []
        places: list[Json] = []
        for part in message.parts:
            if isinstance(part, ToolCall):
                places.append(len(parts) + len(places))
            elif (truncated := cut_part(part, limit)) is not None:
                parts.append(truncated)
        return {**message_to_json(Message(message.role, tuple(parts))), "calls": places}

    def smallest() -> Json:
        parts = (Text(truncate_middle(message.text, _LIMITS[-1])), *message.tool_calls)
        places = list[Json](range(1, len(parts)))
        return {**message_to_json(Message(message.role, parts[:1])), "calls": places}

    return _fitted(cut_to, smallest)


def read_message(value: str | bytes, calls: Mapping[int, RecordedCall]) -> tuple[Message, tuple[RecordedCall, ...]]:
    """Return a message with its own calls among `calls`, by number."""
    stored = _unpacked(value)
    parts = list(message_from_json(stored).parts)
    own: list[RecordedCall] = []
    for number, place in enumerate(stored["calls"]):
        if number in calls:
            parts.insert(place, calls[number].call)
            own.append(calls[number])
    return Message(stored["role"], tuple(parts)), tuple(own)


def call_value(call: RecordedCall, characters: int = MAX_CALL_CHARACTERS) -> str | bytes:
    """Return a tool call in the model's form and as executed, with at most `characters` of its result."""

    def cut_to(limit: int) -> Json:
        execution, truncated = cut_execution(call.execution, min(limit, characters - MARKER_CHARACTERS))
        return _call_to_json(
            RecordedCall(cut_call(call.call, limit), cut_output(call.output, limit), execution, truncated=truncated)
        )

    return _fitted(cut_to, lambda: _call_to_json(smallest_call(call)))


def read_call(value: str | bytes) -> RecordedCall:
    """Return the call that `call_value` wrote."""
    stored = _unpacked(value)
    return RecordedCall(
        call=cast("ToolCall", message_from_json(stored["call"]).parts[0]),
        output=cast("ToolOutput", message_from_json(stored["output"]).parts[0]),
        execution=execution_from_json(stored["execution"]),
        truncated=stored["truncated"],
    )


def text_value(text: str, limit: int) -> str:
    """Return a short text truncated to about `limit` characters, with lone surrogates replaced."""
    return truncate_middle(text, limit).encode("utf-8", "replace").decode()


def _call_to_json(call: RecordedCall) -> Json:
    return {
        "call": message_to_json(Message("assistant", (call.call,))),
        "output": message_to_json(Message("tool", (call.output,))),
        "execution": execution_to_json(call.execution),
        "truncated": call.truncated,
    }


def _fitted(cut_to: Callable[[int], Json], smallest: Callable[[], Json]) -> str | bytes:
    for limit in _LIMITS:
        packed = _packed(cut_to(limit))
        if isinstance(packed, str) or len(packed) <= MAX_VALUE_BYTES:
            return packed
    return _packed(smallest())


def _packed(value: Json) -> str | bytes:
    data = dumps(value).encode("utf-8", "replace")
    if len(data) <= PLAIN_BYTES:
        return data.decode()
    return gzip.compress(data, compresslevel=COMPRESSION, mtime=0)


def _unpacked(value: str | bytes) -> dict[str, Any]:
    return json.loads(value if isinstance(value, str) else gzip.decompress(value))


type Item = dict[str, Value]

META = "META"
LOCK = "META#LOCK"
"""Sort key of the lock: its renewals rewrite neither the session nor its copy in the index."""

MESSAGES = "M#"
SHARES = "SHARE#"
SHARE = "SHARE"
"""Sort key of the item of a link that a reader's request finds."""

ANSWER_STEP = 9_999
QUESTION_STEP = 0

_AFTER = "~"
"""A character that sorts behind every character of a key."""

TITLE_CHARACTERS = 250
TOPIC_CHARACTERS = 2_000
_NAME_CHARACTERS = 256
_CALL_FIELD = 5
"""Position of the number of a call in its key."""


def partition(owner: str, session_id: str) -> str:
    return f"S#{owner}#{session_id}"


def owner_prefix(owner: str) -> str:
    """Common prefix of the partitions of an owner's sessions."""
    return f"S#{owner}#"


def message_key(incarnation: str, turn: int, step: int) -> str:
    return f"{MESSAGES}{incarnation}#{turn:06}#{step:04}"


def end_of_turn(incarnation: str, turn: int) -> str:
    """Upper bound of the keys of a turn, smaller than those of the next turn."""
    return f"{MESSAGES}{incarnation}#{turn:06}{_AFTER}"


def after_message(incarnation: str, turn: int, step: int) -> str:
    """Upper bound of the keys of a message and its calls, smaller than the key of the next message."""
    return f"{message_key(incarnation, turn, step)}{_AFTER}"


def share_key(incarnation: str, share_id: str) -> str:
    """Sort key of a link in the partition of its session."""
    return f"{SHARES}{incarnation}#{share_id}"


def share_of(sk: str) -> str:
    """Return the id of the link in a sort key."""
    return sk.split("#")[2]


def share_partition(share_id: str) -> str:
    """Partition of the item of a link that a reader's request finds."""
    return f"{SHARES}{share_id}"


def incarnation_of(sk: str) -> str:
    """Return the incarnation in the sort key of a message, a call or a link."""
    return sk.split("#")[1]


def moment(seconds: float) -> Decimal:
    """Return seconds since the epoch with three decimals, as they are stored and compared."""
    return decimals(seconds, 3)


def meta_item(session: Session) -> Item:
    """Return the whole of `META` of a new session, which has no topic yet."""
    return {
        "pk": partition(session.owner, session.id),
        "sk": META,
        "owner": session.owner,
        "incarnation": session.incarnation,
        "turns": session.turns,
        "created_at": session.created_at,
        "updated_at": session.updated_at,
        "expires_at": session.expires_at,
        "title": None if session.title is None else text_value(session.title, TITLE_CHARACTERS),
        "title_by": session.title_by,
        "exposure": exposure_value(session.exposure or Exposure()),
    }


def exposure_value(exposure: Exposure) -> list[Value]:
    """Return the attribute of `META` with what the conversation has read."""
    return [name for name, is_read in asdict(exposure).items() if is_read]


def _read_exposure(names: Sequence[str] | None) -> Exposure | None:
    return None if names is None else Exposure(private="private" in names, untrusted="untrusted" in names)


def forks_value(forks: Mapping[int, int]) -> dict[str, Value]:
    """Return the attribute of `META` with the turns that do not follow the turn before them."""
    return {str(turn): parent for turn, parent in forks.items()}


def lock_item(session: Session) -> Item:
    """Return the whole of `META#LOCK`."""
    return {
        "pk": partition(session.owner, session.id),
        "sk": LOCK,
        "incarnation": session.incarnation,
        "lock_run": session.lock_run,
        "lock_until": moment(session.lock_until),
        "answering": session.answering,
        "expires_at": session.expires_at,
    }


def read_session(items: Iterable[Values]) -> Session | None:
    """Return the session of `META` and `META#LOCK`; None without `META`.

    An earlier version had the lock in `META`: the later one counts.
    """
    found = {item["sk"]: item for item in items}
    if META not in found:
        return None
    session = read_meta(found[META])
    lock = found.get(LOCK)
    if lock is None or lock["incarnation"] != session.incarnation or lock["lock_until"] < session.lock_until:
        return session
    return replace(
        session,
        lock_run=lock["lock_run"],
        lock_until=float(lock["lock_until"]),
        answering=lock.get("answering"),
    )


def read_meta(item: Values) -> Session:
    """Return a session with the lock of an earlier version alone."""
    return Session(
        id=item["pk"].removeprefix(owner_prefix(item["owner"])),
        owner=item["owner"],
        incarnation=item["incarnation"],
        title=item.get("title"),
        topic=item.get("topic"),
        turns=item["turns"],
        created_at=item["created_at"],
        updated_at=item["updated_at"],
        expires_at=item["expires_at"],
        lock_run=item.get("lock_run"),
        lock_until=float(item.get("lock_until", 0)),
        title_by=item.get("title_by"),
        forks={int(turn): parent for turn, parent in item.get("forks", {}).items()},
        exposure=_read_exposure(item.get("exposure")),
    )


def message_item(turn: OpenTurn, step: int, message: Message, *, now: float) -> Item:
    """Return the item of a message of the user, or of the assistant with tool calls."""
    return {
        **_place(turn, message_key(turn.session.incarnation, turn.number, step)),
        "at": timestamp(now),
        "message": message_value(message),
    }


def call_item(
    turn: OpenTurn, step: int, place: int, call: RecordedCall, *, characters: int = MAX_CALL_CHARACTERS
) -> Item:
    """Return the item of the call at `place`, from 0, in the message of a step.

    The result has at most `characters`.
    """
    sk = f"{message_key(turn.session.incarnation, turn.number, step)}#C#{place:03}"
    return {**_place(turn, sk), "call": call_value(call, characters)}


def answer_item(turn: OpenTurn, answer: Answer, *, now: float) -> Item:
    """Return the item of a turn's answer."""
    return {
        **message_item(turn, ANSWER_STEP, assistant(answer.content), now=now),
        "service": text_value(answer.service, _NAME_CHARACTERS),
        "model": text_value(answer.model, _NAME_CHARACTERS),
        "status": answer.status,
        "request_id": answer.request_id,
        "rule": None if answer.rule is None else text_value(answer.rule, _NAME_CHARACTERS),
        "outcome": answer.outcome,
        "demo": answer.demo or None,
        "chosen_rule": None if answer.chosen_rule is None else text_value(answer.chosen_rule, _NAME_CHARACTERS),
        "chosen_model": None if answer.chosen_model is None else text_value(answer.chosen_model, _NAME_CHARACTERS),
        "totals": None if answer.totals is None else dumps(asdict(answer.totals)),
    }


def read_messages(items: Iterable[Values], *, now: float) -> Iterator[RecordedMessage]:
    """Return the messages of a session's items, in the order of the items, which may ascend or descend.

    Expired items, and calls without their message, are left out.
    """
    live = (item for item in items if item["expires_at"] > now)
    for _, group in groupby(live, key=_message_of):
        calls: dict[int, RecordedCall] = {}
        heads: list[Values] = []
        for item in group:
            place = item["sk"].split("#")[_CALL_FIELD:]
            if place:
                calls[int(place[0])] = read_call(item["call"])
            else:
                heads.append(item)
        yield from (_read_message(head, calls) for head in heads)


def _message_of(item: Values) -> str:
    """Return the key of the message that an item is, or belongs to."""
    return item["sk"].partition("#C#")[0]


def _read_message(item: Values, calls: Mapping[int, RecordedCall]) -> RecordedMessage:
    message, own = read_message(item["message"], calls)
    _, _, turn, step = item["sk"].split("#")
    return RecordedMessage(
        turn=int(turn),
        step=int(step),
        at=item["at"],
        message=message,
        calls=own,
        expires_at=item["expires_at"],
        answer=_read_answer(item, message.text),
    )


def _place(turn: OpenTurn, sk: str) -> Item:
    session = turn.session
    return {"pk": partition(session.owner, session.id), "sk": sk, "expires_at": turn.expires_at}


def _read_answer(item: Values, content: str) -> Answer | None:
    if "status" not in item:
        return None
    return Answer(
        content=content,
        service=item["service"],
        model=item["model"],
        status=item["status"],
        request_id=item["request_id"],
        rule=item.get("rule"),
        outcome=item.get("outcome"),
        demo="demo" in item,
        chosen_rule=item.get("chosen_rule"),
        chosen_model=item.get("chosen_model"),
        totals=convert(json.loads(item["totals"]), AnswerTotals) if "totals" in item else None,
    )
