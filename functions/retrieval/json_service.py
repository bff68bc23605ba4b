"""JSON requests to a service of the configuration, every failure as a RetrievalError."""

from collections.abc import Callable, Mapping

import httpx2

from flexchat.charsets import utf_8_json
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.error_bodies import BodyTooLargeError
from flexchat.errors import RefusedRequestError, RetrievalError, RetrievalErrorCode, TransientRetrievalError
from flexchat.http_client import BoundedHttpClient, HttpRequestError, HttpResponse
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.redaction import redact_error_message
from flexchat.retry import RETRIED_STATUS, Retry, retry_after_seconds


def call_service[T](retry: Retry, attempt: Callable[[float], T], *, deadline: Deadline, service: str) -> T:
    """Return the first success of `attempt(seconds)`, where `seconds` is its time.

    Raises RetrievalError, at once where a wait would pass the deadline.
    """

    def timed() -> T:
        seconds = deadline.remaining()
        if seconds <= 0:
            raise RetrievalError(f"no time was left to call {service}", code="unavailable")
        return attempt(seconds)

    return retry.run(timed, transient=TransientRetrievalError, deadline=deadline, service=service)


type Send = Callable[[str, bytes, float, Deadline], HttpResponse]
"""Sends a body to a path, with the seconds of a pause and the deadline of the response.

Raises HttpRequestError, and BodyTooLargeError.
"""


class JsonService:
    """Address of one service, with one pool of connections for the life of the environment.

    `label` names it in errors. `headers` may contain `secrets`, which no error contains. Raises RetrievalError
    `invalid` for a header that cannot be sent or an address that `egress` does not allow. `transport` replaces the
    network, `send` the client.
    """

    def __init__(
        self,
        label: str,
        *,
        url: str,
        headers: Mapping[str, str],
        retry: Retry,
        max_answer_bytes: int,
        egress: EgressPolicy = PUBLIC,
        transport: httpx2.BaseTransport | None = None,
        send: Send | None = None,
    ) -> None:
        self._label = label
        self._retry = retry
        self._max_answer_bytes = max_answer_bytes
        self._secrets = tuple(headers.values())
        self._url = url
        if not all(value.isascii() and value.isprintable() for header in headers.items() for value in header):
            raise RetrievalError(f"{label} has a header that is not printable ASCII on one line", code="invalid")
        problem = egress.address_problem(url) if transport is None else None
        if problem is not None:
            raise RetrievalError(f"{label} has an address that is not allowed: it {problem}", code="invalid")
        self._send_request = send or self._own_client(headers, egress, transport)

    def post[T](
        self,
        path: str,
        body: Json,
        *,
        deadline: Deadline,
        read: Callable[[bytes], T],
        codes: Mapping[int, RetrievalErrorCode] | None = None,
    ) -> T:
        """Return `read` of the response to `body`; transient failures are retried.

        `path` is appended to the address. `read` raises ValueError for an unexpected response. `codes` maps statuses to
        error codes. Raises RetrievalError.
        """
        content = dumps(body).encode("utf-8", "replace")

        def attempt(seconds: float) -> T:
            response = self._send(path, content, seconds, deadline)
            if not response.is_success:
                raise self._refused(response, codes or {})
            try:
                return read(_json_of(response))
            except ValueError as exc:
                raise RetrievalError(
                    f"{self._label} returned a response that cannot be parsed", code="unavailable"
                ) from exc

        return call_service(self._retry, attempt, deadline=deadline, service=self._label)

    def _own_client(
        self, headers: Mapping[str, str], egress: EgressPolicy, transport: httpx2.BaseTransport | None
    ) -> Send:
        client = BoundedHttpClient(
            headers={name.lower(): value for name, value in headers.items()},
            max_connections=32,
            max_idle_connections=8,
            compressed=False,
            egress=egress,
            transport=transport,
        )

        def send(path: str, content: bytes, seconds: float, due: Deadline) -> HttpResponse:
            limit = self._max_answer_bytes
            return client.send("POST", self._url + path, content, seconds=seconds, due=due, max_bytes=limit)

        return send

    def _send(self, path: str, content: bytes, seconds: float, due: Deadline) -> HttpResponse:
        limit = self._max_answer_bytes
        try:
            return self._send_request(path, content, seconds, due)
        except HttpRequestError as exc:
            raise self._request_error(exc) from exc
        except BodyTooLargeError as exc:
            raise RetrievalError(f"{self._label} answered with more than {limit} bytes", code="unavailable") from exc

    def _request_error(self, exc: HttpRequestError) -> RetrievalError:
        match exc.failure:
            case "unreachable":
                return TransientRetrievalError(f"{self._label} could not be reached")
            case "timeout":
                return RetrievalError(f"{self._label} did not answer in time", code="unavailable")
            case "refused":
                logger.error("service address refused", rag_service=self._label, detail=exc.detail)
                message = "has an address that is not allowed: its host must have public IP addresses only"
                return RetrievalError(f"{self._label} {message}", code="invalid")
            case "invalid_address":
                return RetrievalError(f"{self._label} has an address that cannot be used", code="invalid")
            case "compressed":
                shown = redact_error_message(exc.detail, secrets=self._secrets)[:40]
                return RetrievalError(
                    f"{self._label} compressed its response without a request for it ({shown})", code="unavailable"
                )
            case "broken" | "undecodable":
                return TransientRetrievalError(f"{self._label} closed the connection during its response")

    def _refused(self, response: HttpResponse, codes: Mapping[int, RetrievalErrorCode]) -> RetrievalError:
        status = response.status
        words = redact_error_message(_words(_json_of(response)), secrets=self._secrets)
        if 300 <= status < 400:
            words = "a redirect, which is not followed"
        message = f"{self._label} answered with status {status}" + (f": {words}" if words else "")
        if status in RETRIED_STATUS:
            return TransientRetrievalError(
                message, retry_after=retry_after_seconds(response.headers.get("retry-after"))
            )
        return RefusedRequestError(message, status=status, code=codes.get(status, "unavailable"))


def _json_of(response: HttpResponse) -> bytes:
    return utf_8_json(response.body, content_type=response.headers.get("content-type", ""))


def _words(answer: bytes) -> str:
    """Return the text of an error body: `error` as text or with a `message`, a `message`, or a `detail`."""
    try:
        value = safe_loads(answer)
    except JsonError:
        return ""
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return ""
    error = value.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return next((text for text in (message, value.get("message"), value.get("detail")) if isinstance(text, str)), "")
