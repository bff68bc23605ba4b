"""Request for a chat."""

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Self, cast

from pydantic import ConfigDict, Field, ValidationInfo, field_validator, model_validator

from flexchat.api.base import ApiModel
from flexchat.attachments import (
    MAX_ATTACHMENTS,
    MAX_INLINE_BYTES,
    MAX_NAME_CHARACTERS,
    AttachmentError,
    attachment_of_url,
    uploaded,
)
from flexchat.messages import Attachment, ImageDetail, Json, Message, Part, Role, Text, user
from flexchat.text import truncate_middle

MAX_BODY_BYTES = 256 * 1024
MAX_MESSAGE_CHARACTERS = 32_000
MAX_HISTORY_MESSAGES = 200
MIN_DEADLINE_MS = 1_000
MAX_DEADLINE_MS = 900_000

MIN_LEASE_SECONDS = 15
MAX_LEASE_SECONDS = 600
"""Lease of a client: two renewals and a pause of the service's own checks fit into the shortest one."""

MAX_TURN = 999_999
MAX_CHOICE_CHARACTERS = 256

SESSION_ID_PATTERN = r"^[A-Za-z0-9_-]{1,64}$"


class AttachmentInput(ApiModel):
    """Picture or file of a message: a data URL or an https address in `url`, or the `file_id` of `POST /api/files`.

    `name` is that of the file: its extension is the type of a Word, PowerPoint, Excel or EPUB file. `detail` is the
    resolution at which some models read a picture.
    """

    url: Annotated[
        str | None, Field(max_length=MAX_INLINE_BYTES, repr=False, examples=["https://example.com/red.png"])
    ] = None
    file_id: Annotated[str | None, Field(max_length=64)] = None
    name: Annotated[str, Field(max_length=MAX_NAME_CHARACTERS)] = ""
    detail: ImageDetail = "auto"

    @model_validator(mode="after")
    def _is_usable(self) -> Self:
        if (self.url is None) is (self.file_id is None):
            raise ValueError("must have either url or file_id")
        try:
            _ = self.part
        except AttachmentError as exc:
            raise ValueError(f"{'url' if self.file_id is None else 'file_id'} {exc.message}") from exc
        return self

    @cached_property
    def part(self) -> Attachment:
        """The canonical part. Raises AttachmentError."""
        if self.file_id is not None:
            return uploaded(self.file_id, name=self.name, detail=self.detail)
        return attachment_of_url(self.url or "", name=self.name, detail=self.detail)


class HistoryMessage(ApiModel):
    """One earlier message of a validation case: `{role, content}`, or `{type, text}`.

    Messages of other roles than user and assistant are ignored.
    """

    role: Annotated[str, Field(max_length=32)] = "user"
    content: Annotated[str, Field(max_length=MAX_MESSAGE_CHARACTERS)]

    @model_validator(mode="before")
    @classmethod
    def _accept_type_and_text(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, Any]", value)
        if "content" in fields or "text" not in fields:
            return fields
        return {"role": fields.get("type", fields.get("role", "user")), "content": fields["text"]}

    def as_message(self) -> Message | None:
        """Return the canonical message, or None for a role that callers may not use."""
        return _message(self.role, self.content)


_CLIENT_MESSAGE_SCHEMA: dict[str, Any] = {
    "properties": {
        "role": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": "user"},
        "type": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "content": {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object"}]}},
                {"type": "null"},
            ]
        },
        "text": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "tool_calls": {},
        "attachments": {"type": "array", "items": {"type": "object"}},
    },
    "required": [],
    "anyOf": [{"required": ["content"]}, {"required": ["text"]}, {"required": ["tool_calls"]}],
}
"""Accepted forms of `ClientMessage`; pydantic would describe the parsed one."""


class ClientMessage(ApiModel):
    """One earlier message as a client has it: `{role, content}`, or `{type, text}` as older clients send it.

    `content` is a text or a list of parts, of which those with a `text` are read; `attachments` are those of a user's
    message. Messages without either, and those of roles other than a user's or the assistant's, are accepted and left
    out; so are all other keys. A text of more than 32,000 characters is cut to its head and tail (decision C37).
    """

    model_config = ConfigDict(extra="ignore", json_schema_extra=_CLIENT_MESSAGE_SCHEMA)

    role: str = "user"
    content: str | None
    attachments: tuple[AttachmentInput, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _accept_every_form(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        sent = cast("dict[str, Any]", value)
        role = sent.get("role")
        if role is None:
            role = sent.get("type")
        fields: dict[str, Any] = {"role": "user" if role is None else role}
        if sent.get("attachments") is not None:
            fields["attachments"] = sent["attachments"]
        for name in ("content", "text"):
            if sent.get(name) is not None:
                return fields | {"content": _text_of(sent[name])}
        is_empty = sent.keys() & {"content", "text", "tool_calls", "attachments"}
        return fields | {"content": None} if is_empty else fields

    def as_message(self) -> Message | None:
        """Return the canonical message, or None for an ignored one."""
        if self.content is None and not self.attachments:
            return None
        message = _message(self.role, truncate_middle(self.content or "", MAX_MESSAGE_CHARACTERS))
        if message is None or message.role != "user" or not self.attachments:
            return message
        return user(message.text, [each.part for each in self.attachments])


def _text_of(content: Any) -> Any:
    """Return the text of a list of content parts, or another value unchanged."""
    if not isinstance(content, list):
        return content
    texts = [_text_of_part(part) for part in cast("list[Any]", content)]
    found = [text for text in texts if text is not None]
    return "\n".join(found) if found else None


def _text_of_part(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise ValueError('a part of content must be an object such as {"type": "text", "text": "Hello"}')  # noqa: TRY004 (pydantic's)
    text = cast("dict[str, Any]", part).get("text")
    return text if isinstance(text, str) else None


def _message(role: str, text: str) -> Message | None:
    known = _CALLER_ROLES.get(role.lower())
    return Message(known, (Text(text),)) if known else None


_CALLER_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
}


def _is_none(value: object) -> bool:
    """Return True for a field that a request does not have, so that it is not part of the stored request either."""
    return value is None


class ChatRequest(ApiModel):
    """One user message and the context for its answer.

    `selected_collections` are searched first, each `service/collection` or a collection's name alone. `profile` has
    fields for prompts, and for rules where the configuration allows it. `deadline_ms` is the maximum time of the
    response in milliseconds. `session_id` is a stored conversation of the caller: its first message creates it, and it
    replaces `history`. `attachments` are pictures and files of the message. `resume_token` is that of a partial answer:
    the request has no message and continues that answer. `response_schema` is the JSON Schema of the answer, which is a
    JSON object then, in place of that of the rule. `explain` adds the decisions of each phase. `lease_seconds` is for a
    streamed chat: it is cancelled when its client does not renew its lease for that time.

    A message follows the last turn of its session, or the turn `parent_turn`, 0 for none. `edit_turn` is a turn whose
    place the message takes in a new branch, with the pictures and files of that turn unless it has its own.
    `regenerate_turn` is a turn whose message is answered again in a new branch: the request has no message. `rule` and
    `model` are chosen by the caller, where the configuration lets them, in place of those that the service selects.
    """

    resume_token: Annotated[str, Field(max_length=2_000)] | None = None
    regenerate_turn: Annotated[int | None, Field(ge=1, le=MAX_TURN, exclude_if=_is_none)] = None
    message: Annotated[
        str, Field(max_length=MAX_MESSAGE_CHARACTERS, validate_default=True, examples=["What is 15% of 45?"])
    ] = ""
    attachments: Annotated[tuple[AttachmentInput, ...], Field(max_length=MAX_ATTACHMENTS)] = ()
    history: Annotated[tuple[ClientMessage, ...], Field(max_length=MAX_HISTORY_MESSAGES)] = ()
    selected_collections: Annotated[tuple[Annotated[str, Field(max_length=256)], ...], Field(max_length=50)] = ()
    topic: Annotated[str, Field(max_length=2_000)] | None = None
    profile: dict[str, Json] = Field(default_factory=dict[str, Json])
    deadline_ms: Annotated[int, Field(ge=MIN_DEADLINE_MS, le=MAX_DEADLINE_MS)] | None = None
    session_id: Annotated[str, Field(pattern=SESSION_ID_PATTERN)] | None = None
    response_schema: dict[str, Json] | None = None
    explain: bool = False
    lease_seconds: Annotated[int | None, Field(ge=MIN_LEASE_SECONDS, le=MAX_LEASE_SECONDS, exclude_if=_is_none)] = None
    parent_turn: Annotated[int | None, Field(ge=0, le=MAX_TURN, exclude_if=_is_none)] = None
    edit_turn: Annotated[int | None, Field(ge=1, le=MAX_TURN, exclude_if=_is_none)] = None
    rule: Annotated[
        str | None, Field(min_length=1, max_length=MAX_CHOICE_CHARACTERS, exclude_if=_is_none, examples=["weather"])
    ] = None
    model: Annotated[
        str | None,
        Field(min_length=1, max_length=MAX_CHOICE_CHARACTERS, exclude_if=_is_none, examples=["openai:gpt-4o"]),
    ] = None

    @property
    def content(self) -> tuple[Part, ...]:
        """Parts of the message where it has pictures or files, else none."""
        return user(self.message, [each.part for each in self.attachments]).parts if self.attachments else ()

    @field_validator("message")
    @classmethod
    def _is_not_blank(cls, message: str, info: ValidationInfo) -> str:
        has_message = info.data.get("resume_token") is not None or info.data.get("regenerate_turn") is not None
        if not message.strip() and not has_message:
            raise ValueError("is required and must contain more than white space")
        return message

    @model_validator(mode="after")
    def _check_exclusive_fields(self) -> Self:
        if self.resume_token is not None and self.model_fields_set & _DECIDED_BEFORE:
            named = ", ".join(sorted(self.model_fields_set & _DECIDED_BEFORE))
            raise ValueError(f"resume_token excludes {named}: a resumed answer has those of the original request")
        if self.session_id is not None and self.history:
            raise ValueError("send history or session_id, not both: a session has its own history")
        self._check_turns()
        return self

    def _check_turns(self) -> None:
        """Raise ValueError for fields of a branch that exclude each other, or have no session."""
        sent = [name for name in _TURNS if getattr(self, name) is not None]
        if len(sent) > 1:
            raise ValueError(f"send one of {', '.join(sent)}: each is the place of the message in the session")
        if sent and self.session_id is None:
            raise ValueError(f"{sent[0]} is a turn of a session: send its session_id too")
        if self.regenerate_turn is not None and (self.message or self.attachments):
            raise ValueError(
                "regenerate_turn excludes message and attachments: they are those of the turn. To change them, send "
                "edit_turn instead"
            )


_DECIDED_BEFORE = frozenset(
    {
        "message",
        "attachments",
        "history",
        "selected_collections",
        "topic",
        "profile",
        "response_schema",
        "parent_turn",
        "edit_turn",
        "regenerate_turn",
        "rule",
        "model",
    }
)
"""Fields that a resumed answer takes from the original request."""

_TURNS = ("parent_turn", "edit_turn", "regenerate_turn")
"""Fields with the place of a message in its session."""


def history_messages(history: Iterable[HistoryMessage | ClientMessage]) -> tuple[Message, ...]:
    """Return the canonical messages of a request's history; entries with other roles are left out."""
    return tuple(message for entry in history if (message := entry.as_message()) is not None)
