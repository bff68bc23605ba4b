"""Signed requests to one AWS service, over connections that all services share."""

import json
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from http import HTTPStatus
from typing import Any, Final, cast, override

from msgspec import Struct

from flexchat import __version__
from flexchat.aws.environment import trace_header
from flexchat.aws.signatures import Credentials, signed
from flexchat.deadline import Deadline
from flexchat.egress.connections import ConnectionPool
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.transport import HttpFailure, HttpRequestError, HttpTransport, OutgoingRequest
from flexchat.egress.urls import Address
from flexchat.retry import Retry
from flexchat.timeouts import time_left

USER_AGENT: Final = f"flexchat/{__version__}"

MAX_PARALLEL: Final = 128
"""Most requests at the same time; a turn of a chat and the chats of a validation run invoke many tools at once."""

REPEATED: Final = frozenset(
    {
        "BandwidthLimitExceeded",
        "EC2ThrottledException",
        "InternalServerError",
        "LimitExceededException",
        "PriorRequestNotComplete",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "RequestThrottledException",
        "RequestTimeout",
        "RequestTimeoutException",
        "SlowDown",
        "ThrottledException",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionInProgressException",
    }
)
"""Codes of errors that another attempt may not have (https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html)."""

REPEATED_STATUS: Final = frozenset({500, 502, 503, 504})

NO_LIMIT_SECONDS: Final = 60.0
"""Time of a request and its repetitions outside of a call with a limit."""

type Convert = Callable[[dict[str, Any]], Any]
"""Conversion of each JSON object of a response."""


class AwsNetwork(EgressPolicy, frozen=True):
    """Policy that allows every address: endpoints are part of the deployment, and those of a VPC are private."""

    @override
    def check_address(self, address: Address) -> None:
        """Allow the address."""

    @override
    def check_ip(self, ip: str, host: str) -> None:
        """Allow the address."""


POOL: Final = ConnectionPool(AwsNetwork(), max_connections=MAX_PARALLEL, max_idle=MAX_PARALLEL)
"""Connections of all clients of this process."""


def close_connections() -> None:
    """Close the idle connections of all clients."""
    POOL.close()


class _AttemptError(Exception):
    """Failed attempt that another one may repeat; `error` is botocore's error for it."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class Answer(Struct, frozen=True):
    """Successful response of a service; names of `headers` are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class SignedRequests:
    """Signed POST requests to one service.

    A request is sent at most `attempts` times; each may take `seconds`, within the time of the call it belongs to.
    """

    def __init__(
        self,
        service: str,
        *,
        address: Address,
        region: str,
        credentials: Callable[[], Credentials],
        seconds: float,
        attempts: int = 3,
        transport: HttpTransport = POOL,
        retry: Retry | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.service = service
        self._address = address
        self._region = region
        self._credentials = credentials
        self._seconds = seconds
        self._transport = transport
        self._retry = retry or Retry(max_retries=attempts - 1, base=0.1, cap=2.0)
        self._now = now

    def post(
        self, operation: str, path: str, headers: Mapping[str, str], body: bytes, convert: Convert | None = None
    ) -> Answer:
        """Return the response to a request; `path` is percent-encoded, `convert` is for the JSON of an error.

        Raises botocore's errors: ClientError, EndpointConnectionError, ConnectionClosedError, ReadTimeoutError,
        NoCredentialsError, and CallOverError when the time of the call has ended.
        """
        left = time_left()
        deadline = Deadline.after(NO_LIMIT_SECONDS if left is None else left)
        try:
            return self._retry.run(
                lambda: self._attempt(operation, path, headers, body, convert),
                transient=_AttemptError,
                deadline=deadline,
                service=self.service,
            )
        except _AttemptError as exc:
            raise exc.error from exc.__cause__

    def _attempt(
        self, operation: str, path: str, headers: Mapping[str, str], body: bytes, convert: Convert | None
    ) -> Answer:
        left = time_left()
        if left is not None and left <= 0:
            from flexchat.aws.botocore_clients import CallOverError

            raise CallOverError
        request = OutgoingRequest("POST", self._address, path, self._signed(path, headers, body), body, self._seconds)
        try:
            with closing(self._transport.send(request)) as response:
                answer = Answer(response.status, response.headers, b"".join(response.pieces()))
        except HttpRequestError as exc:
            raise _AttemptError(self._unanswered(exc.failure)) from exc
        except EgressError as exc:  # the host has no address
            raise _AttemptError(self._unanswered("unreachable")) from exc
        if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
            raise self._refused(operation, answer, convert)
        return answer

    def _signed(self, path: str, headers: Mapping[str, str], body: bytes) -> dict[str, str]:
        """Return the headers with a signature, and those that a proxy may change, which are not signed."""
        complete = signed(
            path,
            {"host": self._address.netloc, **headers},
            body,
            credentials=self._credentials(),
            region=self._region,
            service=self.service,
            seconds=self._now(),
        )
        complete["user-agent"] = USER_AGENT
        if trace := trace_header():
            complete["x-amzn-trace-id"] = trace
        return complete

    def _unanswered(self, failure: HttpFailure) -> Exception:
        """Return botocore's error of a request without a whole response."""
        from botocore import exceptions

        url = f"{self._address.scheme}://{self._address.netloc}"
        match failure:
            case "timeout":
                return exceptions.ReadTimeoutError(endpoint_url=url)
            case "broken":
                return exceptions.ConnectionClosedError(endpoint_url=url)
            case _:
                return exceptions.EndpointConnectionError(endpoint_url=url)

    def _refused(self, operation: str, answer: Answer, convert: Convert | None) -> Exception:
        """Return botocore's error of an error response, within `_AttemptError` if it may be repeated."""
        from botocore.exceptions import ClientError

        found: Any = _error(answer, convert)
        error = ClientError(found, operation)
        is_repeated = answer.status in REPEATED_STATUS or found["Error"]["Code"] in REPEATED
        return _AttemptError(error) if is_repeated else error


def _error(answer: Answer, convert: Convert | None) -> dict[str, Any]:
    """Return an error response in botocore's form, with the fields of the service beside `Error`."""
    try:
        found: Any = json.loads(answer.body, object_hook=convert)
    except ValueError:
        found = None
    fields = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    code = answer.headers.get("x-amzn-errortype") or fields.get("__type") or fields.get("code") or answer.status
    message = fields.get("message") or fields.get("Message") or ""
    return {
        **fields,
        "Error": {"Code": str(code).partition(":")[0].rpartition("#")[2], "Message": str(message)},
        "ResponseMetadata": {
            "HTTPStatusCode": answer.status,
            "RequestId": answer.headers.get("x-amzn-requestid", ""),
        },
    }
