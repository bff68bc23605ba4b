"""Errors of Bedrock's Converse API and of botocore."""

from flexchat.errors import FlexchatError


class ConverseError(FlexchatError):
    """Request without a response.

    `code` is the service's own name for the error, as `ThrottlingException`, or botocore's without a response, as
    `ReadTimeoutError`. `message` is the service's own, empty without a response: botocore's would name hosts.
    `retry_after` is the header's text.
    """

    def __init__(self, code: str, message: str = "", *, status: int | None = None, retry_after: str | None = None):
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.message = message
        self.status = status
        self.retry_after = retry_after
