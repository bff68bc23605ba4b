"""Requests to one llm with the openai package, and its errors as ModelError.

The package writes requests, reads streams and classifies errors. It gets bodies as bytes and returns responses unread:
its typed calls convert the whole conversation in every call. Retries, times and sizes are those of all providers.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from typing import cast

import httpx2
from openai import APIConnectionError, APIError, APIStatusError, AzureOpenAI, Omit, RequestOptions, Stream
from pydantic_core import from_json

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS
from flexchat.deadline import Deadline
from flexchat.egress.client import GuardedTransport, guarded_client
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.egress.urls import parse_address
from flexchat.error_bodies import BodyTooLargeError, bounded_error, read_bounded
from flexchat.errors import ConfigError, ModelError, Problem
from flexchat.http_client import BoundedErrors, HttpRequestError, HttpStream, request_error
from flexchat.messages import Completion, Json
from flexchat.openai_client import openai_endpoint, sdk_client
from flexchat.timeouts import time_limit
from functions.chat.providers.base import OnDelta
from functions.chat.providers.bodies import MAX_ANSWER_BYTES, MAX_STREAM_BYTES, too_large
from functions.chat.providers.deltas import report_completion
from functions.chat.providers.errors import transport_error
from functions.chat.providers.http_client import ERROR_IN_SUCCESS, WireError, described_error
from functions.chat.providers.openai.errors import error_in_success, error_of_status, read_error
from functions.chat.providers.openai.events import EventBody
from functions.chat.providers.openai.stream import OpenAIStreamReader
from functions.chat.providers.options import check_address, check_endpoint
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.streams import END_SECONDS, PLAIN_ENCODING, plain_response

type Headers = Mapping[str, str | Omit]


class OpenAIClient:
    """Client of the llm `name`, with one connection pool for the life of the environment.

    Connections are made by the rules of `egress`; `transport` replaces the network. Raises ConfigError for an address,
    a key or a header that cannot be used.
    """

    def __init__(
        self,
        name: str,
        config: LlmConfig,
        *,
        retry: RetryPolicy | None = None,
        egress: EgressPolicy = PUBLIC,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        base_url = config.base_url or PROVIDERS["openai"].default_url
        check_endpoint(name, config)
        if transport is None:
            check_address(name, base_url, egress)
        self._name = name
        self._timeout = config.timeout_ms / 1000
        self._retry = retry or RetryPolicy(max_retries=config.max_retries)
        self._secrets = tuple(secret for secret in (config.api_key, *config.headers.values()) if secret)
        endpoint = openai_endpoint(config)
        network = BoundedErrors(transport or GuardedTransport(egress))
        try:
            parse_address(base_url)
            self._client = sdk_client(endpoint, guarded_client(egress, transport=network))
        except (EgressError, httpx2.InvalidURL) as exc:
            problem = Problem(f"llms.{name}.base_url", "must be an address such as 'https://host/v1'")
            raise ConfigError((problem,)) from exc
        self._request = httpx2.Request("POST", self._client.base_url)  # of the errors in streams
        self._headers: Headers = {name: Omit() if value is None else value for name, value in endpoint.headers.items()}
        self._stream_headers: Headers = {**self._headers, **PLAIN_ENCODING}

    def post[T](self, path: str, body: bytes, *, deadline: Deadline, read: Callable[[bytes], T]) -> T:
        """Return the response to the JSON `body`, parsed by `read`; a transient failure is retried.

        `read` raises ValueError, without quoting the answer, when it cannot be read. Raises ModelError.
        """
        return self._ask(path, body, deadline, read)

    def get[T](self, path: str, *, deadline: Deadline, read: Callable[[bytes], T]) -> T:
        """Return the response to a GET request, as `post` does."""
        return self._ask(path, None, deadline, read)

    def stream(
        self, path: str, body: bytes, *, deadline: Deadline, on_delta: OnDelta, read: Callable[[bytes], Completion]
    ) -> Completion:
        """Return the completion of a streamed response, with its deltas in `on_delta`.

        `read` parses the plain response, as of `post`. A response in one piece, of a server that does not stream, is
        accepted. Raises ModelError.
        """

        def attempt(seconds: float, report: OnDelta) -> Completion:
            with self._opened(path, body, seconds, deadline, self._stream_headers) as response:
                events = EventBody(response.chunks(MAX_STREAM_BYTES))
                if not events.has_events:
                    answer = read_bounded(events.plain(), is_success=True, max_bytes=MAX_ANSWER_BYTES, due=deadline)
                    return report_completion(self._parsed(answer, read), report)
                answer = self._streamed(events, report)
            return self._parsed(answer, read)

        return self._retry.stream(attempt, on_delta, deadline=deadline, timeout=self._timeout, provider=self._name)

    def _streamed(self, events: EventBody, report: OnDelta) -> bytes:
        """Return the plain response in `events`, whose deltas are reported as they are read."""
        reader = OpenAIStreamReader()
        received = httpx2.Response(200, content=events, request=self._request)
        for event in self._events(Stream(cast_to=object, response=received, client=self._client)):
            try:
                deltas = reader.read(event)
            except ValueError as exc:
                raise self._unreadable(event, exc) from exc
            for delta in deltas:
                report(delta)
        if not events.is_ended:  # by `[DONE]`
            for delta in reader.end():
                report(delta)
            with suppress(HttpRequestError, BodyTooLargeError), time_limit(END_SECONDS):
                events.drain()
        return plain_response(reader.response(), provider=self._name)

    def _events(self, stream: Stream[object]) -> Iterator[Json]:
        """Yield the events of a stream. Raises ModelError for an unreadable one and for an error."""
        try:
            yield from cast("Iterator[Json]", stream)
        except APIError as exc:
            error = read_error(ERROR_IN_SUCCESS, exc.body) or WireError()
            raise self._described(error, ERROR_IN_SUCCESS, httpx2.Headers()) from exc
        except (ValueError, RecursionError) as exc:
            raise self._invalid(exc) from exc

    def _ask[T](self, path: str, body: bytes | None, deadline: Deadline, read: Callable[[bytes], T]) -> T:
        def attempt(seconds: float) -> T:
            with self._opened(path, body, seconds, deadline.within(seconds), self._headers) as response:
                answer = response.read(MAX_ANSWER_BYTES)
            return self._parsed(answer, read)

        return self._retry.call(attempt, deadline=deadline, timeout=self._timeout, provider=self._name)

    @contextmanager
    def _opened(
        self, path: str, body: bytes | None, seconds: float, due: Deadline, headers: Headers
    ) -> Generator[HttpStream]:
        """Return a successful response before its body. Raises ModelError, also from the `with` statement."""
        try:
            with time_limit(due.remaining()), closing(self._sent(path, body, seconds, headers)) as response:
                yield HttpStream(response, due)
        except APIStatusError as exc:
            error = read_error(exc.status_code, error_of_status(exc)) or WireError()
            raise self._described(error, exc.status_code, exc.response.headers) from exc
        except BodyTooLargeError as exc:
            raise too_large(self._name) from exc
        except (APIConnectionError, HttpRequestError, EgressError, TimeoutError) as exc:
            failed = request_error(exc.__cause__ if isinstance(exc, APIConnectionError) else exc)
            raise transport_error(failed.failure, seconds, provider=self._name, detail=failed.detail) from exc

    def _sent(self, path: str, body: bytes | None, seconds: float, headers: Headers) -> httpx2.Response:
        """Return the response to a request before its body.

        The package itself writes a request to Azure, since it puts the model into the path.
        """
        options: RequestOptions = {"headers": headers, "timeout": seconds}
        if body is None:
            response = self._client.get(path, cast_to=httpx2.Response, options=options, stream=True)
        elif isinstance(self._client, AzureOpenAI):
            response = self._client.post(
                path, cast_to=httpx2.Response, body=from_json(body), options=options, stream=True
            )
        else:
            response = self._client.post(path, cast_to=httpx2.Response, content=body, options=options, stream=True)
        return response

    def _parsed[T](self, answer: bytes, read: Callable[[bytes], T]) -> T:
        try:
            return read(answer)
        except ValueError as exc:
            try:
                body = from_json(bounded_error(answer))
            except ValueError:
                raise self._invalid(exc) from exc
            raise self._unreadable(body, exc) from exc

    def _unreadable(self, body: object, problem: ValueError) -> ModelError:
        """Return the error of an unreadable response; gateways send errors with status 200."""
        error = read_error(ERROR_IN_SUCCESS, error_in_success(body))
        return self._invalid(problem) if error is None else self._described(error, ERROR_IN_SUCCESS, httpx2.Headers())

    def _invalid(self, problem: Exception) -> ModelError:
        return ModelError(f"the answer cannot be read: {problem}", type="invalid_response", provider=self._name)

    def _described(self, error: WireError, status: int, headers: httpx2.Headers) -> ModelError:
        return described_error(error, status, headers, provider=self._name, secrets=self._secrets)
