"""The one envelope of every error."""

from datetime import datetime
from typing import Literal

from flexchat.api.base import ApiModel, Optional


class ErrorDetail(ApiModel):
    """One thing that is wrong, and where in the request."""

    path: str
    message: str


class LimitView(ApiModel):
    """The limit that a request met: how much it allows, and when it begins to count anew."""

    name: Literal["requests_per_minute", "tool_calls_per_minute", "tokens_per_day"]
    scope: Literal["caller", "session"]
    allowed: int
    resets_at: datetime


class ErrorResponse(ApiModel):
    """Every error of every route: `error` is a stable name, `message` says what would be right.

    `limit` comes with status 429 where a limit of the configuration is the reason.
    """

    error: str
    message: str
    request_id: str
    details: Optional[tuple[ErrorDetail, ...]] = None
    limit: Optional[LimitView] = None
