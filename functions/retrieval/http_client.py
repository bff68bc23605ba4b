"""Posts JSON to a service that an operator configured: bounded in time and size, and nowhere but there.

Redirects are not followed, and proxies, netrc and certificates named in the environment are not looked for: where a key
goes is decided by the configuration alone. Compressed answers are not asked for, so that none unfolds to any size.
"""

from collections.abc import Callable, Mapping

import httpx

from flexchat.deadline import Deadline
from flexchat.error_bodies import MAX_ERROR_BYTES, bounded_error
from flexchat.errors import RetrievalError, RetrievalErrorCode, TransientRetrievalError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.redaction import presentable
from flexchat.retry import RETRIED_STATUS, Retry, retry_after_seconds
from functions.retrieval.retry import call_service

CONNECT_SECONDS = 5.0
POOL = httpx.Limits(max_connections=32, max_keepalive_connections=8, keepalive_expiry=60)


class JsonService:
    """One service's address, with one pool of connections for the life of the environment.

    `label` names it in errors. `headers` may hold `secrets`, which no error shows. Raises RetrievalError `invalid` for
    a header that cannot be sent.
    """

    def __init__(
        self,
        label: str,
        *,
        url: str,
        headers: Mapping[str, str],
        retry: Retry,
        max_answer_bytes: int,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._label = label
        self._retry = retry
        self._max_answer_bytes = max_answer_bytes
        self._secrets = tuple(headers.values())
        self._url = url
        if not all(value.isascii() and value.isprintable() for header in headers.items() for value in header):
            raise RetrievalError(f"{label} has a header that is not printable ASCII on one line", code="invalid")
        self._client = httpx.Client(
            headers={
                "accept": "application/json",
                "accept-encoding": "identity",
                **{name.lower(): value for name, value in headers.items()},
            },
            limits=POOL,
            follow_redirects=False,
            trust_env=False,
            transport=transport,
        )

    def post[T](
        self,
        path: str,
        body: Json,
        *,
        deadline: Deadline,
        read: Callable[[bytes], T],
        codes: Mapping[int, RetrievalErrorCode] | None = None,
    ) -> T:
        """What `read` makes of the answer to `body`, tried again where that may help.

        `path` is put at the end of the address. `read` raises ValueError for an answer that is
        not as it should be. `codes` says what a status means here. Raises RetrievalError.
        """
        content = dumps(body).encode("utf-8", "replace")

        def attempt(seconds: float) -> T:
            status, headers, answer = self._send(path, content, seconds, deadline)
            if not 200 <= status < 300:
                raise self._refused(status, headers, answer, codes or {})
            try:
                return read(answer)
            except ValueError as exc:
                raise RetrievalError(
                    f"{self._label} answered in a form that is not understood", code="unavailable"
                ) from exc

        return call_service(self._retry, attempt, deadline=deadline, service=self._label)

    def _send(self, path: str, content: bytes, seconds: float, due: Deadline) -> tuple[int, Mapping[str, str], bytes]:
        timeout = httpx.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        headers = {"content-type": "application/json"}
        try:
            with self._client.stream(
                "POST", self._url + path, content=content, headers=headers, timeout=timeout
            ) as response:
                encoding = response.headers.get("content-encoding", "identity")
                if encoding != "identity":
                    shown = presentable(encoding, secrets=self._secrets)[:40]
                    raise RetrievalError(f"{self._label} compressed its answer unasked ({shown})", code="unavailable")
                limit = self._max_answer_bytes if response.is_success else MAX_ERROR_BYTES
                return response.status_code, response.headers, self._body(response, limit, due)
        except httpx.HTTPError as exc:
            raise self._unreached(exc) from exc
        except httpx.InvalidURL as exc:
            raise RetrievalError(f"{self._label} has an address that cannot be used", code="invalid") from exc

    def _body(self, response: httpx.Response, limit: int, due: Deadline) -> bytes:
        """A body that never ends, or trickles in for ever, stops here; read timeouts only bound its pauses."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > limit:
                if response.is_success:
                    raise RetrievalError(f"{self._label} answered with more than {limit} bytes", code="unavailable")
                break
            if due.expired:
                raise RetrievalError(f"{self._label} did not answer in time", code="unavailable")
        return bytes(body)

    def _unreached(self, exc: httpx.HTTPError) -> RetrievalError:
        """Only the kind of a failure is told: the texts of connection errors name hosts and addresses."""
        match exc:
            case httpx.ConnectError() | httpx.ConnectTimeout() | httpx.PoolTimeout():
                return TransientRetrievalError(f"{self._label} could not be reached")
            case httpx.TimeoutException():
                return RetrievalError(f"{self._label} did not answer in time", code="unavailable")
            case httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
                return RetrievalError(f"{self._label} has an address that cannot be used", code="invalid")
            case _:
                return TransientRetrievalError(f"{self._label} broke off its answer")

    def _refused(
        self, status: int, headers: Mapping[str, str], answer: bytes, codes: Mapping[int, RetrievalErrorCode]
    ) -> RetrievalError:
        words = presentable(_words(bounded_error(answer)), secrets=self._secrets)
        if 300 <= status < 400:
            words = "a redirect, which is not followed"
        message = f"{self._label} answered with status {status}" + (f": {words}" if words else "")
        if status in RETRIED_STATUS:
            return TransientRetrievalError(message, retry_after=retry_after_seconds(headers.get("retry-after")))
        return RetrievalError(message, code=codes.get(status, "unavailable"))


def _words(answer: bytes) -> str:
    """What an error body says: `error` as text or with a `message`, a `message`, or a `detail`."""
    try:
        value = safe_loads(answer)
    except JsonError:
        return ""
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return ""
    error = value.get("error")
    said = error.get("message") if isinstance(error, dict) else error
    return next((text for text in (said, value.get("message"), value.get("detail")) if isinstance(text, str)), "")
