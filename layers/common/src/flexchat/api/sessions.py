"""Models of the sessions' routes."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from flexchat.api.answer import ToolCallView
from flexchat.api.base import ApiModel, Optional
from flexchat.messages import AnswerOutcome
from flexchat.sessions import MAX_TITLE_CHARACTERS

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TITLE_CHARACTERS)]


class SessionView(ApiModel):
    """A session.

    `title` is missing until its first message, `topic` until the topic phase returns one. `turns` counts the user's
    messages; the times are ISO 8601 in UTC.
    """

    id: str
    title: Optional[str] = None
    topic: Optional[str] = None
    turns: int
    created_at: str
    updated_at: str
    expires_at: str


class SessionList(ApiModel):
    """Sessions, the last changed first. `cursor` requests the next page; the last page has none."""

    sessions: tuple[SessionView, ...]
    cursor: Optional[str] = None


class NewSession(ApiModel):
    """A new session; by default its title comes from its first message."""

    title: Annotated[Title | None, Field(examples=["Holiday plans"])] = None


class SessionChange(ApiModel):
    """A session's new title."""

    title: Title


class AttachmentView(ApiModel):
    """Picture or file of a message, without its content; `size` is in bytes."""

    type: Literal["image", "file"]
    media_type: str
    name: str
    size: int


class SessionMessageView(ApiModel):
    """A message of a session, with its tool calls, and the pictures and files of a user's message.

    The answer of a turn also has `service`, `model`, `status` (`partial` after a deadline or a failure of the model),
    its `outcome`, the name of the response `rule` and the `request_id` of its request. `demo` is true for answers of
    the demo model. Answers of earlier versions have no `outcome`.
    """

    role: Literal["user", "assistant"]
    content: str
    at: str
    turn: int
    attachments: Annotated[tuple[AttachmentView, ...], Field(exclude_if=lambda attachments: not attachments)] = ()
    tool_calls: tuple[ToolCallView, ...] = ()
    service: Optional[str] = None
    model: Optional[str] = None
    demo: Optional[bool] = None
    status: Optional[Literal["complete", "partial"]] = None
    outcome: Optional[AnswerOutcome] = None
    rule: Optional[str] = None
    request_id: Optional[str] = None


class SessionMessages(ApiModel):
    """Messages, the oldest first. `cursor` requests the next page; the last page has none."""

    messages: tuple[SessionMessageView, ...]
    cursor: Optional[str] = None
