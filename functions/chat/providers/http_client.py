"""HTTP client of one provider, with retries, time limits and every failure as a ModelError.

An adapter supplies the request body and the parsers of responses and errors.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.error_bodies import BodyTooLargeError, bounded_error
from flexchat.errors import ConfigError, ModelError, ModelErrorType, Problem
from flexchat.http_client import BoundedHttpClient, HttpRequestError
from flexchat.retry import RETRIED_STATUS, retry_after_seconds
from functions.chat.providers.bodies import MAX_ANSWER_BYTES, too_large
from functions.chat.providers.errors import error_type_of_status, response_error, transport_error
from functions.chat.providers.options import check_address, check_endpoint
from functions.chat.providers.retry import RetryPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class WireError:
    """Parsed error body of a provider. The HTTP status and headers determine the fields that are `None`.

    `transient` is true when a retry may succeed, after `retry_after` seconds; `parameter` is an optional parameter that
    the provider refused.
    """

    message: str = ""
    type: ModelErrorType | None = None
    transient: bool | None = None
    retry_after: float | None = None
    parameter: str | None = None


type ErrorReader = Callable[[int, bytes], WireError | None]
"""Parser of an error body by HTTP status; returns `None` for a body without an error."""


class JsonClient:
    """Client of one provider, with one connection pool for the life of the environment.

    `headers` are the provider's own, with the key; configured headers override them. `read_error` parses error bodies.
    Connections are made by the rules of `egress`; `transport` replaces the network.
    Raises ConfigError for an address, a key or a header that cannot be used.
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
        egress: EgressPolicy = PUBLIC,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        check_endpoint(name, config)
        if transport is None:
            check_address(name, base_url, egress)
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
                egress=egress,
                transport=transport,
            )
        except HttpRequestError as exc:
            problem = Problem(f"llms.{name}.base_url", "must be an address such as 'https://host/v1'")
            raise ConfigError((problem,)) from exc

    def post[T](self, path: str, body: bytes, *, deadline: Deadline, read: Callable[[bytes], T]) -> T:
        """Return the response to the JSON `body`, parsed by `read`; a transient failure is retried.

        `path` is relative to the base address. `read` raises ValueError, without quoting the answer, when it cannot be
        read. Raises ModelError.
        """
        return self._ask("POST", path, body, deadline, read)

    def get[T](self, path: str, *, deadline: Deadline, read: Callable[[bytes], T]) -> T:
        """Return the response to a GET request, as `post` does."""
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
        """Return the body of a successful response. Raises ModelError."""
        try:
            response = self._client.send(method, path, body, seconds=seconds, due=due, max_bytes=MAX_ANSWER_BYTES)
        except HttpRequestError as exc:
            raise transport_error(exc.failure, seconds, provider=self._name, detail=exc.detail) from exc
        except BodyTooLargeError as exc:
            raise too_large(self._name) from exc
        if not response.is_success:
            error = self._read_error(response.status, response.body) or WireError()
            raise self._described(error, response.status, response.headers)
        return response.body

    def _unreadable(self, answer: bytes, problem: ValueError) -> ModelError:
        """Return the error of an unreadable response; gateways send errors with status 200."""
        error = self._read_error(500, bounded_error(answer))
        if error is not None:
            return self._described(error, 500, {})
        return ModelError(f"the answer cannot be read: {problem}", type="invalid_response", provider=self._name)

    def _described(self, error: WireError, status: int, headers: Mapping[str, str]) -> ModelError:
        delay = error.retry_after
        return response_error(
            error.message,
            type=error.type or error_type_of_status(status),
            transient=status in RETRIED_STATUS if error.transient is None else error.transient,
            status=status,
            retry_after=retry_after_seconds(headers.get("retry-after")) if delay is None else delay,
            parameter=error.parameter,
            provider=self._name,
            secrets=self._secrets,
        )


def _merged(*headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers with lowercase names; the last value of a name takes precedence."""
    return {name.lower(): value for each in headers for name, value in each.items()}
