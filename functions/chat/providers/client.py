"""Clients of one llm, with retries, time limits and every failure as a ModelError, and the adapters on them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final, override

import httpx2
from msgspec import Struct

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS, ProviderType
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.error_bodies import BodyTooLargeError, bounded_error
from flexchat.errors import ConfigError, ModelError, Problem
from flexchat.http_client import BoundedHttpClient, HttpRequestError, HttpStream
from flexchat.messages import Completion, Json, Message
from flexchat.retry import retry_after_seconds
from functions.chat.providers.base import (
    MAX_ANSWER_BYTES,
    MAX_STREAM_BYTES,
    ChatOptions,
    Delta,
    ListedModel,
    OnDelta,
    ResponseFormat,
    report_completion,
    too_large,
)
from functions.chat.providers.errors import (
    ERROR_IN_SUCCESS,
    FailedAnswerError,
    WireError,
    transport_error,
)
from functions.chat.providers.model_state import ModelStates
from functions.chat.providers.parameter_fallback import AdaptiveProfiles
from functions.chat.providers.profiles import (
    ModelProfile,
    check_address,
    check_endpoint,
    model_profile,
    offered_tools,
)
from functions.chat.providers.request_log import OnResponse, RequestLog, ignore_response
from functions.chat.providers.response_format import FormedRequest, requested_choice
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.streams import (
    PLAIN_ENCODING,
    SplitEvents,
    StreamReader,
    UnreadableEventError,
    is_json,
    read_stream,
    sse_events,
)
from functions.chat.providers.wire_format import RequestBodies, Tools

NO_HEADERS: Final[Mapping[str, str]] = {}

type ErrorReader = Callable[[int, bytes], WireError | None]
"""Parser of an error body by HTTP status, 500 for an error in a success; returns `None` for a body without an error."""


class LlmEndpoint(Struct, frozen=True):
    """The entry `name` of `llms`, whose secrets are resolved, and the network of its client.

    Connections are made by the rules of `egress`; `transport` replaces the network.
    """

    name: str
    config: LlmConfig
    retry: RetryPolicy | None = None
    egress: EgressPolicy = PUBLIC
    transport: httpx2.BaseTransport | None = None

    @property
    def base_url(self) -> str:
        """The address of the llm, else that of its provider."""
        return self.config.base_url or PROVIDERS[self.config.type].default_url


class ModelClient(ABC):
    """Client of one llm, with one connection pool for the life of the environment.

    A subclass sends the requests; retries, times, sizes and errors are the same for all. Raises ConfigError for an
    address, a key or a header that cannot be used.
    """

    def __init__(self, endpoint: LlmEndpoint) -> None:
        config = endpoint.config
        check_endpoint(endpoint.name, config)
        if endpoint.transport is None:
            check_address(endpoint.name, endpoint.base_url, endpoint.egress)
        self._name = endpoint.name
        self._timeout = config.timeout_ms / 1000
        self._retry = endpoint.retry or RetryPolicy(max_retries=config.max_retries)
        self._secrets = tuple(secret for secret in (config.api_key, *config.headers.values()) if secret)
        self._configured = frozenset(name.lower() for name in config.headers)

    @abstractmethod
    def _opened(
        self,
        path: str,
        body: bytes | None,
        seconds: float,
        due: Deadline,
        *,
        headers: Mapping[str, str],
        streams: bool = False,
        received: OnResponse = ignore_response,
    ) -> AbstractContextManager[HttpStream]:
        """Return a successful response before its body: of a GET request without a body.

        `received` is called with each response, also that of an error. Raises ModelError.
        """

    @abstractmethod
    def _error_in(self, answer: bytes) -> WireError | None:
        """Return the error in the beginning of a success, None in an answer without one."""

    def post[T](
        self,
        path: str,
        body: bytes,
        *,
        deadline: Deadline,
        read: Callable[[bytes], T],
        headers: Mapping[str, str] = NO_HEADERS,
        log: RequestLog | None = None,
    ) -> T:
        """Return the response to the JSON `body`, parsed by `read`; a transient failure is retried.

        `path` is relative to the base address. `read` raises ValueError, without quoting the answer, when it cannot be
        read. `headers` and `log` are those of `ChatOptions`. Raises ModelError.
        """
        return self._ask(path, body, deadline, read, self._unconfigured(headers), log)

    def get[T](self, path: str, *, deadline: Deadline, read: Callable[[bytes], T]) -> T:
        """Return the response to a GET request, as `post` does."""
        return self._ask(path, None, deadline, read, NO_HEADERS, None)

    def _unconfigured(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        """Return the headers of one request that the llm does not set itself."""
        return {name: value for name, value in headers.items() if name not in self._configured}

    def _ask[T](
        self,
        path: str,
        body: bytes | None,
        deadline: Deadline,
        read: Callable[[bytes], T],
        headers: Mapping[str, str],
        log: RequestLog | None,
    ) -> T:
        received = ignore_response if log is None else log.received

        def attempt(seconds: float) -> T:
            due = deadline.within(seconds)
            with self._opened(path, body, seconds, due, headers=headers, received=received) as response:
                answer = self._body(response)
            return self._parsed(answer, read)

        return self._retry.call(attempt, deadline=deadline, timeout=self._timeout, provider=self._name, log=log)

    def _body(self, response: HttpStream) -> bytes:
        try:
            return response.read(MAX_ANSWER_BYTES)
        except BodyTooLargeError as exc:
            raise too_large(self._name) from exc

    def _parsed[T](self, answer: bytes, read: Callable[[bytes], T]) -> T:
        try:
            return read(answer)
        except ValueError as exc:
            raise self._unreadable(answer, exc) from exc

    def _unreadable(self, answer: bytes, problem: ValueError) -> ModelError:
        """Return the error of an unreadable response; gateways send errors with status 200."""
        error = problem.error if isinstance(problem, FailedAnswerError) else self._error_in(bounded_error(answer))
        return self._invalid(problem) if error is None else self._described(error, ERROR_IN_SUCCESS, {})

    def _invalid(self, problem: Exception) -> ModelError:
        return ModelError(f"the answer cannot be read: {problem}", type="invalid_response", provider=self._name)

    def _described(
        self, error: WireError, status: int, headers: Mapping[str, str], sent: bytes | None = None
    ) -> ModelError:
        """Return the error of a response with `status` and `headers`, whose body is `error`, to the body `sent`."""
        return error.model_error(status, _retry_after(headers), provider=self._name, secrets=self._secrets, sent=sent)

    def _unsent(self, error: HttpRequestError, seconds: float) -> ModelError:
        """Return the error of a request without a whole response."""
        return transport_error(error.failure, seconds, provider=self._name, detail=error.detail)


class JsonClient(ModelClient):
    """Client of an API in JSON.

    `headers` are the provider's own, with the key; configured headers override them. `read_error` parses error bodies.
    """

    def __init__(self, endpoint: LlmEndpoint, *, headers: Mapping[str, str], read_error: ErrorReader) -> None:
        super().__init__(endpoint)
        self._read_error = read_error
        try:
            self._client = BoundedHttpClient(
                base_url=endpoint.base_url,
                headers=_merged({"accept": "application/json"}, headers, endpoint.config.headers),
                max_connections=100,
                max_idle_connections=20,
                egress=endpoint.egress,
                transport=endpoint.transport,
            )
        except HttpRequestError as exc:
            raise unusable_address(endpoint.name) from exc

    def stream(
        self,
        path: str,
        body: bytes,
        *,
        deadline: Deadline,
        on_delta: OnDelta,
        reader: Callable[[], StreamReader[bytes]],
        read: Callable[[bytes], Completion],
        split: SplitEvents = sse_events,
        headers: Mapping[str, str] = NO_HEADERS,
        log: RequestLog | None = None,
    ) -> Completion:
        """Return the completion of a streamed response, with its deltas in `on_delta`.

        `split` returns the events of the body, a new `reader` reads those of each attempt, and `read` parses the plain
        response, as of `post`. A response in one piece, of a server that does not stream, is accepted. Raises
        ModelError.
        """
        own = self._unconfigured(headers)
        received = ignore_response if log is None else log.received

        def attempt(seconds: float, report: OnDelta) -> Completion:
            with self._opened(path, body, seconds, deadline, headers=own, streams=True, received=received) as response:
                if split is sse_events and is_json(response.headers):
                    return report_completion(self._parsed(self._body(response), read), report)
                try:
                    events = split(self._chunks(response, seconds))
                    answer = read_stream(events, reader(), report, provider=self._name)
                except UnreadableEventError as exc:
                    raise self._unreadable(exc.event, exc.problem) from exc
            return self._parsed(answer, read)

        return self._retry.stream(
            attempt, on_delta, deadline=deadline, timeout=self._timeout, provider=self._name, log=log
        )

    @override
    @contextmanager
    def _opened(
        self,
        path: str,
        body: bytes | None,
        seconds: float,
        due: Deadline,
        *,
        headers: Mapping[str, str],
        streams: bool = False,
        received: OnResponse = ignore_response,
    ) -> Generator[HttpStream]:
        method = "GET" if body is None else "POST"
        headers = {**headers, **PLAIN_ENCODING} if streams else headers
        try:
            with self._client.stream(method, path, body, headers=headers, seconds=seconds, due=due) as response:
                received(response.status, response.headers)
                if not response.is_success:
                    content = response.read(MAX_ANSWER_BYTES)
                    error = self._read_error(response.status, content) or WireError()
                    raise self._described(error, response.status, response.headers, body)
                yield response
        except HttpRequestError as exc:
            raise self._unsent(exc, seconds) from exc

    def _chunks(self, response: HttpStream, seconds: float) -> Iterator[bytes]:
        try:
            yield from response.chunks(MAX_STREAM_BYTES)
        except HttpRequestError as exc:
            raise self._unsent(exc, seconds) from exc

    @override
    def _error_in(self, answer: bytes) -> WireError | None:
        return self._read_error(ERROR_IN_SUCCESS, answer)


def unusable_address(name: str) -> ConfigError:
    """Return the error of an address that no client can use."""
    return ConfigError((Problem(f"llms.{name}.base_url", "must be an address such as 'https://host/v1'"),))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    milliseconds = retry_after_seconds(headers.get("retry-after-ms"))
    return milliseconds / 1000 if milliseconds is not None else retry_after_seconds(headers.get("retry-after"))


def _merged(*headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers with lowercase names; the last value of a name takes precedence."""
    return {name.lower(): value for each in headers for name, value in each.items()}


class HttpAdapter[C: ModelClient](ABC):
    """Adapter of one llm; a subclass has the wire format of its provider."""

    type: ProviderType
    required: frozenset[str] = frozenset()
    """Parameters that the API requires, which no refusal leaves out."""

    def __init__(
        self,
        name: str,
        config: LlmConfig,
        *,
        retry: RetryPolicy | None = None,
        egress: EgressPolicy = PUBLIC,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self.name: Final = name
        self._config: Final = config
        self._profiles: Final = AdaptiveProfiles(
            name, lambda model: model_profile(self.type, model, config), required=self.required
        )
        self._states: Final = ModelStates(name)
        self._bodies: Final = RequestBodies(self._wire_tools)
        self._client: Final = self._connect(LlmEndpoint(name, config, retry, egress, transport))

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        """Return the model's next message. Raises ModelError."""

        def send(own: Sequence[Message]) -> Completion:
            return self._profiles.call(
                model,
                lambda profile: self._formed(own, model, options, profile, on_delta),
                choice=requested_choice(options),
            )

        return self._states.call(model, messages, send)

    def _formed(
        self,
        messages: Sequence[Message],
        model: str,
        options: ChatOptions,
        profile: ModelProfile,
        on_delta: OnDelta | None,
    ) -> Completion:
        """Return the completion of one request in the form that the options ask for, as far as the model has it."""
        if options.response_format is None:
            return self._answer(messages, model, offered_tools(options, profile), profile, on_delta)
        request = FormedRequest.of(options, profile, self.type, self._native_form)
        completion = self._answer(
            messages, model, offered_tools(request.options, profile), profile, request.receiver(on_delta)
        )
        return request.completion(completion)

    def _answer(
        self,
        messages: Sequence[Message],
        model: str,
        options: ChatOptions,
        profile: ModelProfile,
        on_delta: OnDelta | None,
    ) -> Completion:
        """Return the completion of one request, streamed or in one piece as the model supports it."""
        if not profile.supports("stream"):
            completion = self._generate(messages, model, options, profile, None)
            return completion if on_delta is None else report_completion(completion, on_delta)
        if on_delta is None and not profile.supports("non_streaming"):
            on_delta = _ignore_delta
        return self._generate(messages, model, options, profile, on_delta)

    @abstractmethod
    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the models of the provider that answer chats. Raises ModelError."""

    @abstractmethod
    def _connect(self, endpoint: LlmEndpoint) -> C:
        """Return the client of the llm. Raises ConfigError."""

    @abstractmethod
    def _generate(
        self,
        messages: Sequence[Message],
        model: str,
        options: ChatOptions,
        profile: ModelProfile,
        on_delta: OnDelta | None,
    ) -> Completion:
        """Return the completion of one request with the parameters of `profile`. Raises ModelError."""

    @staticmethod
    def _native_form(form: ResponseFormat) -> ResponseFormat | None:
        """Return the format as the provider's own parameter takes it; None for one that it does not."""
        return form

    @staticmethod
    def _wire_tools(tools: Tools) -> Json:
        """Return the `tools` of a request."""
        return [dict(tool) for tool in tools]


def _ignore_delta(_delta: Delta) -> None:
    """Drop the deltas of a model that answers in streams alone."""


def bearer_token(config: LlmConfig) -> dict[str, str]:
    """Return the authorization header with the llm's key, if it has one."""
    return {"authorization": f"Bearer {config.api_key}"} if config.api_key else {}
