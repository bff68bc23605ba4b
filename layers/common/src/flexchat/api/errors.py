"""Error envelope of all routes."""

from flexchat.api.base import ApiModel, Optional
from flexchat.api.limits import LimitView


class ErrorDetail(ApiModel):
    """One problem and its place in the request."""

    path: str
    message: str


class ErrorResponse(ApiModel):
    """Error of any route: `error` is a stable name, `message` has the cause and the remedy.

    `limit` is present with status 429 for a configured limit.
    """

    error: str
    message: str
    request_id: str
    details: Optional[tuple[ErrorDetail, ...]] = None
    limit: Optional[LimitView] = None
