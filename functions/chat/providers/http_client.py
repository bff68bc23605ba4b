"""HTTP client of one provider: attempts in time, and every failure as a ModelError.

An adapter writes the body and reads the answer; this module sends it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.error_bodies import BodyTooLargeError, bounded_error
from flexchat.errors import ConfigError, ModelError, ModelErrorType, Problem
from flexchat.http_client import BoundedHttpClient, HttpRequestError
from flexchat.redaction import presentable
from flexchat.retry import RETRIED_STATUS, retry_after_seconds
from functions.chat.providers.bodies import MAX_ANSWER_BYTES, too_large
from functions.chat.providers.options import check_endpoint
from functions.chat.providers.profiles import UnsupportedParameterError
from functions.chat.providers.retry import RetryPolicy, TransientError, error_type_of_status, timed_out


@dataclass(frozen=True, slots=True, kw_only=True)
class WireError:
    """What a provider's error body tells. What it leaves at `None`, the HTTP status and headers decide.

    `transient` says whether the same request may survive, `retry_after` in how many seconds; `parameter` is what the
    provider refused, when the request can do without it.
    """

    message: str = ""
    type: ModelErrorType | None = None
    transient: bool | None = None
    retry_after: float | None = None
    parameter: str | None = None


type ErrorReader = Callable[[int, bytes], WireError | None]
"""From an HTTP status and a body to the error the body tells of, or `None` when it tells of none."""


class JsonClient:
    """One provider's address, with one pool of connections for the life of the environment.

    `headers` are the provider's own, with the key; the configured ones come after them and win. `read_error` reads the
    provider's error bodies. Raises ConfigError for an address, a key or a header that cannot be used.
    """

    def __init__(
        self,
        name: str,
        config: LlmConfig,
        *,
        base_url: str,
        headers: Mapping[str, str],
        read_error: ErrorReader,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        check_endpoint(name, config)
        self._name = name
        self._timeout = config.timeout_ms / 1000
        self._read_error = read_error
        self._retry = retry or RetryPolicy(max_retries=config.max_retries)
        self._secrets = tuple(secret for secret in (config.api_key, *config.headers.values()) if secret)
        try:
            self._client = BoundedHttpClient(
                base_url=base_url,
                headers=_merged({"accept": "application/json"}, headers, config.headers),
                max_connections=100,
                max_idle_connections=20,
                transport=transport,
            )
        except HttpRequestError as exc:
            problem = Problem(f"llms.{name}.base_url", "must be an address such as 'https://host/v1'")
            raise ConfigError((problem,)) from exc

    def post[T](self, path: str, body: bytes, *, deadline: Deadline, read: Callable[[bytes], T]) -> T:
        """What `read` makes of the answer to the JSON `body`, tried again where that may help.

        `path` is relative to the base address. `read` raises ValueError, without quoting the answer, when it cannot be
        read. Raises ModelError.
        """
        return self._ask("POST", path, body, deadline, read)

    def get[T](self, path: str, *, deadline: Deadline, read: Callable[[bytes], T]) -> T:
        """As `post`, without a body."""
        return self._ask("GET", path, None, deadline, read)

    def _ask[T](self, method: str, path: str, body: bytes | None, deadline: Deadline, read: Callable[[bytes], T]) -> T:
        def attempt(seconds: float) -> T:
            answer = self._send(method, path, body, seconds, deadline.within(seconds))
            try:
                return read(answer)
            except ValueError as exc:
                raise self._unreadable(answer, exc) from exc

        return self._retry.call(attempt, deadline=deadline, timeout=self._timeout, provider=self._name)

    def _send(self, method: str, path: str, body: bytes | None, seconds: float, due: Deadline) -> bytes:
        """The body of a successful answer. Raises ModelError."""
        try:
            response = self._client.send(method, path, body, seconds=seconds, due=due, max_bytes=MAX_ANSWER_BYTES)
        except HttpRequestError as exc:
            raise _request_error(exc, seconds, provider=self._name) from exc
        except BodyTooLargeError as exc:
            raise too_large(self._name) from exc
        if not response.is_success:
            error = self._read_error(response.status, response.body) or WireError()
            raise self._described(error, response.status, response.headers)
        return response.body

    def _unreadable(self, answer: bytes, problem: ValueError) -> ModelError:
        """An answer of status 200 may still tell of an error; gateways do that."""
        error = self._read_error(500, bounded_error(answer))
        if error is not None:
            return self._described(error, 500, {})
        return ModelError(f"the answer cannot be read: {problem}", type="invalid_response", provider=self._name)

    def _described(self, error: WireError, status: int, headers: Mapping[str, str]) -> ModelError:
        transient = status in RETRIED_STATUS if error.transient is None else error.transient
        asked = error.retry_after
        described = (TransientError if transient else ModelError)(
            presentable(error.message, secrets=self._secrets) or f"the provider answered with status {status}",
            type=error.type or error_type_of_status(status),
            provider=self._name,
            status=status,
            retry_after=retry_after_seconds(headers.get("retry-after")) if asked is None else asked,
        )
        return described if error.parameter is None else UnsupportedParameterError.of(described, error.parameter)


def _merged(*headers: Mapping[str, str]) -> dict[str, str]:
    """One header of each name, whatever its capitals; the last one given."""
    return {name.lower(): value for each in headers for name, value in each.items()}


def _request_error(exc: HttpRequestError, seconds: float, *, provider: str) -> ModelError:
    """Return the error of an attempt without a whole answer; `seconds` is the time it had."""
    match exc.failure:
        case "unreachable":
            return TransientError("no connection could be made to the provider", type="network", provider=provider)
        case "timeout":
            return timed_out(seconds, provider=provider)
        case "undecodable" | "compressed":
            return ModelError("the answer could not be decompressed", type="invalid_response", provider=provider)
        case "invalid_address":
            return ModelError("the request could not be sent to this address", type="network", provider=provider)
        case "broken":
            return TransientError(
                "the connection broke before the answer was complete", type="network", provider=provider
            )
