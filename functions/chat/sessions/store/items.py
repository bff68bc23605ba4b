"""Items of a session: keys, attributes, and the conversion from and to sessions, messages and calls.

`S#<owner>#<session>` holds `META`, and for each incarnation of the session its messages,
`M#<incarnation>#<turn>#<step>`, each followed by its calls, `…#C#<call>`. The answer of a turn has the last step, so
that a later answer replaces a partial one.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import groupby

from flexchat.aws.dynamodb import Value, Values, decimals
from flexchat.messages import Message, assistant
from flexchat.sessions import MAX_CALL_CHARACTERS, Answer, OpenTurn, RecordedCall, RecordedMessage, Session, timestamp
from functions.chat.sessions.store.values import call_value, message_value, read_call, read_message, text_value

type Item = dict[str, Value]

META = "META"
MESSAGES = "M#"
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


def first_of(incarnation: str) -> str:
    """Lower bound of the keys of an incarnation's messages."""
    return f"{MESSAGES}{incarnation}#"


def last_of(incarnation: str) -> str:
    """Upper bound of the keys of an incarnation's messages."""
    return f"{MESSAGES}{incarnation}#{_AFTER}"


def end_of_turn(incarnation: str, turn: int) -> str:
    """Upper bound of the keys of a turn, smaller than those of the next turn."""
    return f"{MESSAGES}{incarnation}#{turn:06}{_AFTER}"


def after_message(incarnation: str, turn: int, step: int) -> str:
    """Upper bound of the keys of a message and its calls, smaller than the key of the next message."""
    return f"{message_key(incarnation, turn, step)}{_AFTER}"


def incarnation_of(sk: str) -> str:
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
        "lock_run": session.lock_run,
        "lock_until": None if session.lock_run is None else moment(session.lock_until),
    }


def read_meta(item: Values) -> Session:
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
    )
