"""Models of the sessions' routes."""

import operator
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from flexchat.api.answer import ToolCallView, UsageView
from flexchat.api.base import ApiModel, Optional
from flexchat.messages import AnswerOutcome
from flexchat.sessions import MAX_TITLE_CHARACTERS
from flexchat.tokens import Role

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TITLE_CHARACTERS)]


class TextPart(ApiModel):
    """Part of a text; `marked` is true for a found word."""

    text: str
    marked: Annotated[bool, Field(exclude_if=operator.not_)] = False


class SessionMatch(ApiModel):
    """Found words of a session: in its `title`, and in the part of the message of `turn` that has most of them.

    The parts of a text are joined without anything between them. A session whose title alone has the words has no
    message.
    """

    title: tuple[TextPart, ...] = ()
    turn: Optional[int] = None
    role: Optional[Literal["user", "assistant"]] = None
    message: Annotated[tuple[TextPart, ...], Field(exclude_if=operator.not_)] = ()


class AnsweringView(ApiModel):
    """The turn of a session that is being answered. `run_id` is the run of a streamed chat or a background run: `GET
    /api/runs/{run_id}/events` has its events."""

    turn: int
    run_id: Optional[str] = None


class SessionView(ApiModel):
    """A session.

    `title` is missing until its first message, `topic` until the topic phase returns one. `turns` counts the user's
    messages of all branches; the times are ISO 8601 in UTC. `answering` is present while a request is being answered;
    lists of sessions do not have it. Only results of a search have a `match`.
    """

    id: str
    title: Optional[str] = None
    topic: Optional[str] = None
    turns: int
    created_at: str
    updated_at: str
    expires_at: str
    answering: Optional[AnsweringView] = None
    match: Optional[SessionMatch] = None


class SearchProgress(ApiModel):
    """Extent of a search: the number of `sessions` that this request searched, the last changed first.

    `until` is the time of the last change of the last one. With `complete`, no session is left.
    """

    sessions: int
    until: Optional[str] = None
    complete: bool


class SessionList(ApiModel):
    """Sessions, the last changed first. `cursor` requests the next page; the last page has none.

    A search returns `searched` as well: a request searches for a few seconds, so it may return no session and a cursor.
    """

    sessions: tuple[SessionView, ...]
    cursor: Optional[str] = None
    searched: Optional[SearchProgress] = None


class NewSession(ApiModel):
    """A new session; by default its title comes from its first message."""

    title: Annotated[Title | None, Field(examples=["Holiday plans"])] = None


class SessionChange(ApiModel):
    """A session's new title."""

    title: Title


class AttachmentView(ApiModel):
    """Picture or file of a message, without its content; `size` is in bytes.

    `GET /api/sessions/{id}/files/{file}` returns the content of its `id`. A file that could not be stored has none.
    """

    id: Optional[str] = None
    type: Literal["image", "file"]
    media_type: str
    name: str
    size: int


class SessionMessageView(ApiModel):
    """A message of a session, with its tool calls, and the pictures and files of a user's message.

    The answer of a turn also has `service`, `model`, `status` (`partial` after a deadline or a failure of the model),
    its `outcome`, the name of the response `rule` and the `request_id` of its request. `demo` is true for answers of
    the demo model. `usage`, `duration_ms` and `model_calls` are those of its request. Answers of earlier versions lack
    `outcome` or these. `chosen_rule` and `chosen_model` are those that the caller chose.

    The message of a user with other versions (edited, or with a regenerated answer) has their turns as `siblings`, with
    its own, in the order of their creation.
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
    chosen_rule: Optional[str] = None
    chosen_model: Optional[str] = None
    siblings: Annotated[tuple[int, ...], Field(exclude_if=lambda siblings: not siblings)] = ()
    usage: Optional[UsageView] = None
    duration_ms: Optional[int] = None
    model_calls: Optional[int] = None


class SessionMessages(ApiModel):
    """Messages of one branch, the oldest first. `cursor` requests the next page; the last page has none. `turns` are
    the numbers of all turns of the branch."""

    messages: tuple[SessionMessageView, ...]
    turns: tuple[int, ...] = ()
    cursor: Optional[str] = None


class SessionExport(ApiModel):
    """Exported session with the complete turns from `from_turn`, oldest message first.

    `next_turn` is the first turn that this response has no room for; the last part has none.
    """

    exported_at: str
    session: SessionView
    from_turn: int
    next_turn: Optional[int] = None
    messages: tuple[SessionMessageView, ...]


class NewShare(ApiModel):
    """New read-only link to a session as it is now, for tokens with `role`.

    `expires_in_days` is at most `sessions.sharing.max_days` of the configuration. Tool calls, and the names of pictures
    and files, are shown only where they are chosen. The branch is that of the turn `branch`, by default that of the
    last turn.
    """

    expires_in_days: Annotated[int, Field(ge=1, le=365, strict=True, examples=[7])]
    role: Role = "user"
    tool_calls: bool = False
    attachments: bool = False
    branch: Annotated[int | None, Field(ge=1)] = None


class ShareView(ApiModel):
    """Read-only link to a session, without its secret. `turns` is the number of turns that it shows.

    It expires earlier than requested where its messages do.
    """

    id: str
    role: Role
    tool_calls: bool
    attachments: bool
    turns: int
    created_at: str
    expires_at: str


class CreatedShare(ShareView):
    """New link with its `secret`, which is not shown again. The page has it at `path`, relative to the stage."""

    secret: str
    path: str


class ShareSettings(ApiModel):
    """Settings of links: `may_share` is true if this token may create one, `max_days` is their longest validity."""

    enabled: bool
    may_share: bool
    max_days: int


class ShareList(ApiModel):
    """Links of a session that have not expired, the newest first; `settings` are those of the configuration."""

    shares: tuple[ShareView, ...]
    settings: ShareSettings


class SharedSession(ApiModel):
    """Shared session with a page of its messages, oldest first. `cursor` requests the next page; the last has none.

    `shared_at` is the time of the link: later messages are not part of it.
    """

    title: Optional[str] = None
    turns: int
    shared_at: str
    expires_at: str
    tool_calls: bool
    attachments: bool
    messages: tuple[SessionMessageView, ...]
    cursor: Optional[str] = None
