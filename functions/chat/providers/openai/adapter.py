"""Adapter of OpenAI's Chat Completions API and of compatible servers, through the openai package.

The package takes most of a second to import. Its typed `create()` converts the whole conversation in every call, so the
request is posted as bytes; authentication, headers and the connection pool are the package's.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Final, cast

import httpx2
import openai
from openai import Omit

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.error_bodies import bounded_error
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.base import ChatOptions, NamedTool, OnDelta, ToolChoice
from functions.chat.providers.bodies import read_body, read_chunks
from functions.chat.providers.deltas import report_completion
from functions.chat.providers.event_lines import sse_events
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.openai.errors import connection_error, error_in_success, status_error
from functions.chat.providers.openai.messages import parse_completion, parse_error, wire_messages
from functions.chat.providers.openai.models import FAMILIES, parse_models
from functions.chat.providers.openai.stream import OpenAIStreamReader
from functions.chat.providers.openai.transport import GuardedTransport
from functions.chat.providers.options import check_address, check_endpoint, max_tokens, sampling, tool_choice
from functions.chat.providers.parameter_fallback import AdaptiveProfiles
from functions.chat.providers.profiles import ModelProfile, model_profile
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.streams import (
    PLAIN_ENCODING,
    UnreadableEventError,
    is_json,
    read_stream,
)
from functions.chat.providers.wire_format import to_json

DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"

CONNECT_SECONDS = 5.0
POOL = httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=60)

NO_HEADERS: Final[Mapping[str, str]] = {}

_ERROR_STATUS = "flexchat_error_status"


class OpenAIProvider:
    """Adapter of one llm of type `openai`."""

    def __init__(
        self,
        name: str,
        config: LlmConfig,
        *,
        retry: RetryPolicy | None = None,
        egress: EgressPolicy = PUBLIC,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        check_endpoint(name, config)
        if transport is None:
            check_address(name, config.base_url or DEFAULT_BASE_URL, egress)
            transport = GuardedTransport(egress, limits=POOL)
        self.name: Final = name
        self.type: Final[ProviderType] = "openai"
        self._config = config
        self._retry = retry or RetryPolicy(max_retries=config.max_retries)
        self._secrets = tuple(secret for secret in (config.api_key, *config.headers.values()) if secret)
        self._profiles = AdaptiveProfiles(name, lambda model: model_profile(FAMILIES, model, config))
        self._headers = _request_headers(config)
        self._client = _client(config, transport)

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        """Return the model's next message. Raises ModelError."""
        return self._profiles.call(
            model,
            lambda profile: self._generate(messages, model, options, profile, on_delta),
            forces_tools=options.forces_tools,
        )

    def _generate(
        self,
        messages: Sequence[Message],
        model: str,
        options: ChatOptions,
        profile: ModelProfile,
        on_delta: OnDelta | None,
    ) -> Completion:
        request = self._request(messages, model, options, profile)
        read = partial(parse_completion, model=model, conversation=messages)
        timeout = self._config.timeout_ms / 1000
        if on_delta is not None and profile.supports("stream"):
            body = to_json(request | _stream_parameters(profile))
            return self._retry.stream(
                lambda seconds, report: self._stream(body, seconds, options.deadline, read, report),
                on_delta,
                deadline=options.deadline,
                timeout=timeout,
                provider=self.name,
            )
        body = to_json(request)

        def attempt(seconds: float) -> Completion:
            answer = self._send(body, seconds, options.deadline.within(seconds))
            return self._read_answer(answer, read, "a chat completion")

        completion = self._retry.call(attempt, deadline=options.deadline, timeout=timeout, provider=self.name)
        return completion if on_delta is None else report_completion(completion, on_delta)

    def _stream(
        self, body: bytes, seconds: float, deadline: Deadline, read: Callable[[bytes], Completion], report: OnDelta
    ) -> Completion:
        """Return the completion of one attempt, whose deltas are reported. Raises ModelError."""
        with self._opened(body, seconds, deadline, PLAIN_ENCODING) as response:
            if is_json(response.headers):
                answer = read_body(
                    response.iter_bytes(), is_success=True, seconds=seconds, due=deadline, provider=self.name
                )
                return report_completion(self._read_answer(answer, read, "a chat completion"), report)
            try:
                events = sse_events(self._chunks(response, seconds, deadline))
                answer = read_stream(events, OpenAIStreamReader(), report, provider=self.name)
            except UnreadableEventError as exc:
                raise self._unreadable(exc.event, exc.problem, "a chat completion") from exc
        return self._read_answer(answer, read, "a chat completion")

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the server's models that answer chats, as far as their names indicate it. Raises ModelError."""

        def attempt(seconds: float) -> Sequence[ListedModel]:
            answer = self._send(None, seconds, deadline.within(seconds))
            return self._read_answer(answer, parse_models, "a list of models")

        return self._retry.call(attempt, deadline=deadline, timeout=self._config.timeout_ms / 1000, provider=self.name)

    def _request(
        self, messages: Sequence[Message], model: str, options: ChatOptions, profile: ModelProfile
    ) -> dict[str, Json]:
        request: dict[str, Json] = {
            "model": model,
            "messages": [wire for message in messages for wire in wire_messages(message)],
            **dict(self._parameters(options, profile)),
        }
        if options.tools:
            request["tools"] = [dict(tool) for tool in options.tools]
        return request

    def _parameters(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        limit = max_tokens(options, self._config)
        if limit is not None and profile.limit_parameter:
            yield profile.limit_parameter, limit
        degree, top_p = sampling(options, self._config, profile)
        if degree is not None:
            yield "temperature", degree
        if top_p is not None:
            yield "top_p", top_p
        if options.stop and profile.supports("stop"):
            yield "stop", [*options.stop]
        if choice := tool_choice(options, profile):
            yield "tool_choice", _tool_choice(choice)
        if options.tools and not profile.parallel_tool_calls and profile.supports("parallel_tool_calls"):
            yield "parallel_tool_calls", False

    def _send(self, body: bytes | None, seconds: float, due: Deadline) -> bytes:
        """Return the response to `body`, or without one the list of models. Raises ModelError."""
        with self._opened(body, seconds, due) as response:
            return read_body(response.iter_bytes(), is_success=True, seconds=seconds, due=due, provider=self.name)

    @contextmanager
    def _opened(
        self, body: bytes | None, seconds: float, due: Deadline, headers: Mapping[str, str] = NO_HEADERS
    ) -> Generator[httpx2.Response]:
        """Return a successful response before its body. Raises ModelError."""
        timeout = httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        try:
            # For a plain response type, the package returns the response unread and creates no stream.
            send = partial(self._client.get, "/models")
            if body is not None:
                send = partial(self._client.post, "/chat/completions", content=body)
            answer: object = send(
                cast_to=httpx2.Response,
                options={"headers": {**self._headers, **headers}, "timeout": timeout},
                stream=True,
                stream_cls=openai.Stream[object],
            )
            with closing(cast("httpx2.Response", answer)) as response:
                status: int | None = response.extensions.get(_ERROR_STATUS)
                if status is None:
                    yield response
                    return
                content = read_body(
                    response.iter_bytes(), is_success=False, seconds=seconds, due=due, provider=self.name
                )
        except (openai.APIConnectionError, httpx2.HTTPError, EgressError) as exc:
            raise connection_error(exc, seconds, provider=self.name) from exc
        raise status_error(status, response.headers, content, provider=self.name, secrets=self._secrets)

    def _chunks(self, response: httpx2.Response, seconds: float, due: Deadline) -> Iterator[bytes]:
        """Yield the body of a stream as it arrives. Raises ModelError."""
        try:
            yield from read_chunks(response.iter_bytes(), seconds=seconds, due=due, provider=self.name)
        except httpx2.HTTPError as exc:
            raise connection_error(exc, seconds, provider=self.name) from exc

    def _read_answer[T](self, answer: bytes, read: Callable[[bytes], T], expected: str) -> T:
        try:
            return read(answer)
        except ValueError as exc:
            raise self._unreadable(answer, exc, expected) from exc

    def _unreadable(self, answer: bytes, problem: ValueError, expected: str) -> ModelError:
        """Return the error of an unreadable response or event."""
        detail = parse_error(bounded_error(answer))
        if detail is not None:
            return error_in_success(detail, provider=self.name, secrets=self._secrets)
        return ModelError(f"the answer is not {expected}: {problem}", type="invalid_response", provider=self.name)


def _tool_choice(choice: ToolChoice) -> Json:
    return {"type": "function", "function": {"name": choice.name}} if isinstance(choice, NamedTool) else choice


def _stream_parameters(profile: ModelProfile) -> dict[str, Json]:
    """Return the parameters of a streamed request; usage is sent only where it is asked for."""
    usage: dict[str, Json] = {"include_usage": True}
    return {"stream": True, **({"stream_options": usage} if profile.supports("stream_options") else {})}


def _client(config: LlmConfig, transport: httpx2.BaseTransport) -> openai.OpenAI:
    """Return the package's client with every option set: it reads missing ones from the environment."""
    return openai.OpenAI(
        api_key=config.api_key or "",
        admin_api_key="",
        base_url=config.base_url or DEFAULT_BASE_URL,
        max_retries=0,
        default_headers=config.headers,
        http_client=httpx2.Client(
            follow_redirects=False,
            trust_env=False,
            transport=transport,
            event_hooks={"response": [_hide_error_status]},
        ),
        _enforce_credentials=False,
    )


def _hide_error_status(response: httpx2.Response) -> None:
    """Make the package return an error response unread: it would read the body without a limit."""
    if not response.is_success:
        response.extensions[_ERROR_STATUS] = response.status_code
        response.status_code = 200


def _request_headers(config: LlmConfig) -> dict[str, str | Omit]:
    """Return the headers; for a server without a key the package requires `Authorization` to be omitted explicitly."""
    headers: dict[str, str | Omit] = {"Content-Type": "application/json"}
    if not config.api_key and not any(key.lower() == "authorization" for key in config.headers):
        headers["Authorization"] = Omit()
    return headers


create_provider = OpenAIProvider
