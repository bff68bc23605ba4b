"""A session's items: how they are named, written and read.

`S#<owner>#<session>` holds `META`, and for each incarnation of the session its messages,
`M#<incarnation>#<turn>#<step>`, each followed by its calls, `…#C#<call>`. A turn's answer stands at the last step, so
that an answer that is given later takes the place of a partial one.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from flexchat.messages import Message, assistant
from flexchat.sessions import MAX_CALL_CHARACTERS, Answer, OpenTurn, RecordedCall, RecordedMessage, Session, timestamp
from functions.chat.sessions.store.values import call_value, message_value, read_call, read_message, text_value

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    type Item = dict[str, AttributeValueTypeDef]

META = "META"
MESSAGES = "M#"
ANSWER_STEP = 9_999
QUESTION_STEP = 0

_AFTER = "~"
"""Sorts behind whatever follows a key."""

TITLE_CHARACTERS = 250
TOPIC_CHARACTERS = 2_000
_NAME_CHARACTERS = 256
_CALL_FIELD = 5
"""Where a call's key has its number."""


def partition(owner: str, session_id: str) -> str:
    return f"S#{owner}#{session_id}"


def owner_prefix(owner: str) -> str:
    """What the partitions of all sessions of an owner begin with."""
    return f"S#{owner}#"


def message_key(incarnation: str, turn: int, step: int) -> str:
    return f"{MESSAGES}{incarnation}#{turn:06}#{step:04}"


def first_of(incarnation: str) -> str:
    """No message of the incarnation has a smaller key."""
    return f"{MESSAGES}{incarnation}#"


def end_of_turn(incarnation: str, turn: int) -> str:
    """Greater than every key of the turn and those before, smaller than those of the next."""
    return f"{MESSAGES}{incarnation}#{turn:06}{_AFTER}"


def after_message(incarnation: str, turn: int, step: int) -> str:
    """Greater than the keys of a message and its calls, smaller than the next message's."""
    return f"{message_key(incarnation, turn, step)}{_AFTER}"


def last_of(incarnation: str) -> str:
    """No message of the incarnation has a greater key."""
    return f"{MESSAGES}{incarnation}#{_AFTER}"


def incarnation_of(sk: str) -> str:
    return sk.split("#")[1]


def seconds(value: float) -> "AttributeValueTypeDef":
    """A count, or a moment in seconds since the epoch."""
    return {"N": str(value) if isinstance(value, int) else f"{value:.3f}"}


def meta_item(session: Session) -> "Item":
    """The whole of `META` of a new session, which has no topic yet."""
    item: Item = {
        "pk": {"S": partition(session.owner, session.id)},
        "sk": {"S": META},
        "owner": {"S": session.owner},
        "incarnation": {"S": session.incarnation},
        "turns": seconds(session.turns),
        "created_at": {"S": session.created_at},
        "updated_at": {"S": session.updated_at},
        "expires_at": seconds(session.expires_at),
    }
    if session.title is not None:
        item["title"] = text_value(session.title, TITLE_CHARACTERS)
    if session.lock_run is not None:
        item["lock_run"] = {"S": session.lock_run}
        item["lock_until"] = seconds(session.lock_until)
    return item


def read_meta(item: Mapping[str, Any]) -> Session:
    owner = item["owner"]["S"]
    return Session(
        id=item["pk"]["S"].removeprefix(owner_prefix(owner)),
        owner=owner,
        incarnation=item["incarnation"]["S"],
        title=item["title"]["S"] if "title" in item else None,
        topic=item["topic"]["S"] if "topic" in item else None,
        turns=int(item["turns"]["N"]),
        created_at=item["created_at"]["S"],
        updated_at=item["updated_at"]["S"],
        expires_at=expiry(item),
        lock_run=item["lock_run"]["S"] if "lock_run" in item else None,
        lock_until=float(item["lock_until"]["N"]) if "lock_until" in item else 0.0,
    )


def expiry(item: Mapping[str, Any]) -> int:
    return int(item["expires_at"]["N"])


def message_item(turn: OpenTurn, step: int, message: Message, *, now: float) -> "Item":
    """A message of the user, or one of the assistant that asks for tools."""
    return {
        **_place(turn, message_key(turn.session.incarnation, turn.number, step)),
        "at": {"S": timestamp(now)},
        "message": message_value(message),
    }


def call_item(
    turn: OpenTurn, step: int, place: int, call: RecordedCall, *, characters: int = MAX_CALL_CHARACTERS
) -> "Item":
    """The call at `place`, from 0, of the message of a step, with at most so many `characters` of its result."""
    sk = f"{message_key(turn.session.incarnation, turn.number, step)}#C#{place:03}"
    return {**_place(turn, sk), "call": call_value(call, characters)}


def answer_item(turn: OpenTurn, answer: Answer, *, now: float) -> "Item":
    """The answer of a turn."""
    item = message_item(turn, ANSWER_STEP, assistant(answer.content), now=now)
    item["service"] = text_value(answer.service, _NAME_CHARACTERS)
    item["model"] = text_value(answer.model, _NAME_CHARACTERS)
    item["status"] = {"S": answer.status}
    item["request_id"] = {"S": answer.request_id}
    if answer.rule is not None:
        item["rule"] = text_value(answer.rule, _NAME_CHARACTERS)
    if answer.outcome is not None:
        item["outcome"] = {"S": answer.outcome}
    if answer.demo:
        item["demo"] = {"BOOL": True}
    return item


def read_messages(items: Iterable[Mapping[str, Any]], *, now: float) -> Iterator[RecordedMessage]:
    """The messages of a session's items, in the order of the items, which may ascend or descend.

    Calls whose message was never written, and whatever has expired, are left out.
    """
    live = (item for item in items if expiry(item) > now)
    for _, group in groupby(live, key=_message_of):
        calls: dict[int, RecordedCall] = {}
        heads: list[Mapping[str, Any]] = []
        for item in group:
            place = item["sk"]["S"].split("#")[_CALL_FIELD:]
            if place:
                calls[int(place[0])] = read_call(item["call"])
            else:
                heads.append(item)
        yield from (_read_message(head, calls) for head in heads)


def _message_of(item: Mapping[str, Any]) -> str:
    """The key of the message that an item is, or belongs to."""
    return item["sk"]["S"].partition("#C#")[0]


def _read_message(item: Mapping[str, Any], calls: Mapping[int, RecordedCall]) -> RecordedMessage:
    message, own = read_message(item["message"], calls)
    _, _, turn, step = item["sk"]["S"].split("#")
    return RecordedMessage(
        turn=int(turn),
        step=int(step),
        at=item["at"]["S"],
        message=message,
        calls=own,
        expires_at=expiry(item),
        answer=_read_answer(item, message.text),
    )


def _place(turn: OpenTurn, sk: str) -> "Item":
    session = turn.session
    return {
        "pk": {"S": partition(session.owner, session.id)},
        "sk": {"S": sk},
        "expires_at": seconds(turn.expires_at),
    }


def _read_answer(item: Mapping[str, Any], content: str) -> Answer | None:
    if "status" not in item:
        return None
    return Answer(
        content=content,
        service=item["service"]["S"],
        model=item["model"]["S"],
        status=item["status"]["S"],
        request_id=item["request_id"]["S"],
        rule=item["rule"]["S"] if "rule" in item else None,
        outcome=item["outcome"]["S"] if "outcome" in item else None,
        demo="demo" in item,
    )
