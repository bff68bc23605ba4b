"""Error envelope of all routes."""

from datetime import datetime

from flexchat.api.base import ApiModel, Optional
from flexchat.errors import LimitName, LimitScope


class ErrorDetail(ApiModel):
    """One problem and its place in the request."""

    path: str
    message: str


class LimitView(ApiModel):
    """The limit that a request reached: its size, its use, and the time of its reset.

    `allowed` and `used` are numbers, or US dollars; `used` includes the reservations of running requests. `role` is
    that of a limit that all callers with a role share.
    """

    name: LimitName
    scope: LimitScope
    role: Optional[str] = None
    allowed: int | float
    used: int | float
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
