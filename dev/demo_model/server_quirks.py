"""Answers of model servers as they are in the field: kinds of servers with histories of their own, and odd answers.

The kinds and most of the odd answers are those of servers with OpenAI's protocol; answers of others are unchanged.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final, Literal, cast, get_args

from dev.demo_model.conversation import Reply
from dev.demo_model.protocols.base import ProtocolError
from flexchat.messages import Json

Quirk = Literal[
    "bad_call",
    "overflow",
    "refused",
    "tagged",
    "hidden",
    "beside",
    "failed",
    "one_index",
    "idle",
    "error_field",
    "unended",
]
"""A call that the server cannot read, an overlong conversation, a refused parameter, reasoning in tags, a text in the
reasoning alone, an error beside the answer or as its finish reason; in streams calls with one index and without ids,
events without data, an error in a field of its own, and no last event."""

QUIRKS: Final[tuple[Quirk, ...]] = get_args(Quirk)

Kind = Literal["deepseek", "mistral", "google"]
"""Servers that demand their reasoning back, ids of nine characters, and signatures of calls."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_ERROR: Final[Json] = {"message": "(demo model) the server behind the gateway failed", "code": 503}

_REFUSALS: Final[Mapping[str, tuple[str, int]]] = {
    "bad_call": (
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        400,
    ),
    "overflow": ("Context size has been exceeded.", 500),
    "refused": ("tool_choice is not supported by this server", 400),
}


def check_quirk(quirk: str | None, reply: Reply, body: bytes) -> None:
    """Raise ProtocolError for a quirk that refuses the request."""
    refusal = _REFUSALS.get(quirk or "")
    if (
        refusal is None
        or (quirk == "bad_call" and not reply.calls)
        or (quirk == "refused" and b'"tool_choice"' not in body)
    ):
        return
    raise ProtocolError(*refusal)


def with_thoughts(quirk: str | None, reply: Reply) -> Reply:
    """Return the reply with reasoning in its text."""
    return replace(reply, text=f"<think>\nLet me see.\n</think>\n\n{reply.text}") if quirk == "tagged" else reply


def check_history(kind: str | None, body: bytes) -> None:
    """Raise ProtocolError, in the words of the server, for a history that this kind refuses."""
    if kind is None:
        return
    for message in json.loads(body).get("messages", ()):
        for call in message.get("tool_calls") or ():
            if kind == "deepseek" and "reasoning_content" not in message:
                raise ProtocolError("The `reasoning_content` in the thinking mode must be passed back to the API.")
            if kind == "mistral" and not re.fullmatch(r"[a-zA-Z0-9]{9}", call["id"]):
                raise ProtocolError(f"Tool call id was {call['id']} but must be a-z, A-Z, 0-9, with a length of 9.")
            if kind == "google" and call is message["tool_calls"][0] and not call.get("extra_content"):
                raise ProtocolError("Function call is missing a thought_signature in functionCall parts.")


def with_quirk(answer: Json, quirk: str | None, kind: str | None) -> Json:
    """Return a plain answer with the state of a kind of server, and with a quirk."""
    if not isinstance(answer, dict) or "choices" not in answer:
        return answer
    body = cast("dict[str, Any]", json.loads(json.dumps(answer)))
    choice = body["choices"][0]
    message = choice["message"]
    for call in message.get("tool_calls", ()):
        if kind == "deepseek":
            message["reasoning_content"] = f"I need {call['function']['name']}."
        elif kind == "mistral":
            call["id"] = sha256(call["id"].encode()).hexdigest()[:9]
        elif kind == "google":
            call["extra_content"] = {"google": {"thought_signature": "c2ln"}}
    if quirk == "hidden" and not message.get("tool_calls"):
        message["reasoning_content"], message["content"] = message["content"], ""
    elif quirk == "beside":
        body["error"] = _ERROR
    elif quirk == "failed":
        choice["finish_reason"] = "error"
    return body


def with_odd_calls(events: Sequence[Json], quirk: str | None) -> Sequence[Json]:
    """Return the events of a stream; with the quirk `one_index`, all calls have index 0 and no id."""
    if quirk == "one_index":
        for event in events:
            for choice in cast("dict[str, Any]", event).get("choices", ()):
                for call in choice["delta"].get("tool_calls", ()):
                    call["index"] = 0
                    call.pop("id", None)
    return events


def with_odd_pieces(pieces: list[bytes], quirk: str | None, content_type: str) -> list[bytes]:
    """Return the pieces of a stream of server-sent events with a quirk."""
    if not content_type.startswith("text/event-stream"):
        return pieces
    match quirk:
        case "idle":
            return [odd for piece in pieces for odd in (b"data:\n\n", piece)]
        case "error_field":
            return [*pieces[: len(pieces) // 2], b"error: " + json.dumps(_ERROR).encode() + b"\n\n"]
        case "unended":
            return pieces[:-1]
        case _:
            return pieces
