"""The one envelope of every error."""

from flexchat.api.base import ApiModel, Optional


class ErrorDetail(ApiModel):
    """One thing that is wrong, and where in the request."""

    path: str
    message: str


class ErrorResponse(ApiModel):
    """Every error of every route: `error` is a stable name, `message` says what would be right."""

    error: str
    message: str
    request_id: str
    details: Optional[tuple[ErrorDetail, ...]] = None
