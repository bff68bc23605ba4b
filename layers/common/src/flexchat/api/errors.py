"""Error envelope of all routes."""

from datetime import datetime
from typing import Literal

from flexchat.api.base import ApiModel, Optional


class ErrorDetail(ApiModel):
    """One problem and its place in the request."""

    path: str
    message: str


class LimitView(ApiModel):
    """The limit that a request reached: its size, and the time of its reset."""

    name: Literal["requests_per_minute", "tool_calls_per_minute", "tokens_per_day"]
    scope: Literal["caller", "service", "session"]
    allowed: int
    resets_at: datetime


class ErrorResponse(ApiModel):
    """Error of any route: `error` is a stable name, `message` has the cause and the remedy.

    `limit` is present with status 429 for a configured limit.
    """

    error: str
    message: str
    request_id: str
    details: Optional[tuple[ErrorDetail, ...]] = None
    limit: Optional[LimitView] = None
