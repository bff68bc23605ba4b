"""OpenAI and every server that speaks its Chat Completions wire, through the openai package.

This module is imported when the first model of this type is asked for: the package costs most of a second of a cold
start. Its typed `create()` walks the whole conversation in every call, so the request is posted as finished bytes;
authentication, headers and the connection pool are the package's.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import cast

import httpx2
import openai
from openai import Omit

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.error_bodies import bounded_error
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.bodies import read_body
from functions.chat.providers.endpoint import check_endpoint
from functions.chat.providers.fragments import FragmentCache, to_json
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.openai.errors import connection_error, disguised_error, status_error
from functions.chat.providers.openai.messages import message_json, read_completion, read_error
from functions.chat.providers.openai.models import read_models
from functions.chat.providers.parameter_fallback import LearnedProfiles
from functions.chat.providers.profiles import ModelProfile, profile_for
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.sampling import max_tokens, temperature

DEFAULT_BASE_URL = "https://api.openai.com/v1"

CONNECT_SECONDS = 5.0
POOL = httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=60)

_ERROR_STATUS = "flexchat_error_status"


class OpenAIProvider:
    """One entry of `llms` of type `openai`: one client and one pool of connections for the life of the environment."""

    def __init__(
        self,
        name: str,
        config: LlmConfig,
        *,
        retry: RetryPolicy | None = None,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        check_endpoint(name, config)
        self._name = name
        self._config = config
        self._retry = retry or RetryPolicy(max_retries=config.max_retries)
        self._secrets = tuple(secret for secret in (config.api_key, *config.headers.values()) if secret)
        self._messages = FragmentCache(message_json)
        self._tools = FragmentCache[Mapping[str, Json]](lambda tool: to_json(dict(tool)))
        self._profiles = LearnedProfiles(name, lambda model: profile_for(self.type, model, config))
        self._headers = _request_headers(config)
        self._client = _client(config, transport)

    @property
    def name(self) -> str:
        return self._name

    @property
    def type(self) -> ProviderType:
        return "openai"

    def generate_chat(self, messages: Sequence[Message], model: str, options: ChatOptions) -> Completion:
        """The model's next message. Raises ModelError."""
        return self._profiles.ask(model, lambda profile: self._generate(messages, model, options, profile))

    def _generate(
        self, messages: Sequence[Message], model: str, options: ChatOptions, profile: ModelProfile
    ) -> Completion:
        body = self._body(messages, model, options, profile)
        read = partial(read_completion, model=model, conversation=messages)

        def attempt(seconds: float) -> Completion:
            answer = self._send(body, seconds, options.deadline.within(seconds))
            return self._read_answer(answer, read, "a chat completion")

        return self._retry.run(
            attempt, deadline=options.deadline, timeout=self._config.timeout_ms / 1000, provider=self._name
        )

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """The server's models that answer chats, as far as their names tell. Raises ModelError."""

        def attempt(seconds: float) -> Sequence[ListedModel]:
            answer = self._send(None, seconds, deadline.within(seconds))
            return self._read_answer(answer, read_models, "a list of models")

        return self._retry.run(attempt, deadline=deadline, timeout=self._config.timeout_ms / 1000, provider=self._name)

    def _body(self, messages: Sequence[Message], model: str, options: ChatOptions, profile: ModelProfile) -> bytes:
        """The request as JSON, joined from what earlier turns have already written."""
        fields = [
            b'"model":' + to_json(model),
            b'"messages":' + self._messages.join(messages),
            *(to_json(name) + b":" + to_json(value) for name, value in self._parameters(options, profile)),
        ]
        if options.tools:
            fields.append(b'"tools":' + self._tools.join(options.tools))
        return b"{" + b",".join(fields) + b"}"

    def _parameters(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        limit = max_tokens(options, self._config)
        if limit is not None and profile.limit_parameter:
            yield profile.limit_parameter, limit
        if profile.takes("temperature"):
            yield "temperature", temperature(options, self._config)
        if options.tools and profile.takes("tool_choice"):
            yield "tool_choice", options.tool_choice
        if options.tools and not profile.parallel_tool_calls and profile.takes("parallel_tool_calls"):
            yield "parallel_tool_calls", False

    def _send(self, body: bytes | None, seconds: float, due: Deadline) -> bytes:
        """The answer to `body`, or to the question for the models when there is none. Raises ModelError."""
        timeout = httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        try:
            # Asked for a plain response, the package hands it over unread and never makes a stream of its own.
            ask = partial(self._client.get, "/models")
            if body is not None:
                ask = partial(self._client.post, "/chat/completions", content=body)
            answer: object = ask(
                cast_to=httpx2.Response,
                options={"headers": self._headers, "timeout": timeout},
                stream=True,
                stream_cls=openai.Stream[object],
            )
            with closing(cast("httpx2.Response", answer)) as response:
                status: int | None = response.extensions.get(_ERROR_STATUS)
                content = read_body(
                    response.iter_bytes(), is_success=status is None, seconds=seconds, due=due, provider=self._name
                )
        except (openai.APIConnectionError, httpx2.HTTPError) as exc:
            raise connection_error(exc, seconds, provider=self._name) from exc
        if status is not None:
            raise status_error(status, response.headers, content, provider=self._name, secrets=self._secrets)
        return content

    def _read_answer[T](self, answer: bytes, read: Callable[[bytes], T], expected: str) -> T:
        try:
            return read(answer)
        except ValueError as exc:
            detail = read_error(bounded_error(answer))
            if detail is not None:
                raise disguised_error(detail, provider=self._name, secrets=self._secrets) from exc
            raise ModelError(
                f"the answer is not {expected}: {exc}", type="invalid_response", provider=self._name
            ) from exc


def _client(config: LlmConfig, transport: httpx2.BaseTransport | None) -> openai.OpenAI:
    """The package's client, told everything: what it is not told it would look for in the environment."""
    return openai.OpenAI(
        api_key=config.api_key or "",
        admin_api_key="",
        base_url=config.base_url or DEFAULT_BASE_URL,
        max_retries=0,
        default_headers=config.headers,
        http_client=httpx2.Client(
            limits=POOL,
            follow_redirects=False,
            transport=transport,
            event_hooks={"response": [_set_error_status_aside]},
        ),
        _enforce_credentials=False,
    )


def _set_error_status_aside(response: httpx2.Response) -> None:
    """Have the package return an error response unread: it reads one itself whole, however large and slow it is."""
    if not response.is_success:
        response.extensions[_ERROR_STATUS] = response.status_code
        response.status_code = 200


def _request_headers(config: LlmConfig) -> dict[str, str | Omit]:
    """A server without any key is asked without `Authorization`; the package insists on hearing that it is meant."""
    headers: dict[str, str | Omit] = {"Content-Type": "application/json"}
    if not config.api_key and not any(key.lower() == "authorization" for key in config.headers):
        headers["Authorization"] = Omit()
    return headers
