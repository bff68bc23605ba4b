"""Adapter of Anthropic's Messages API."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Final, override

import httpx2

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.anthropic.messages import (
    mark_messages,
    marked,
    parse_completion,
    parse_error,
    system_text,
    wire_messages,
)
from functions.chat.providers.anthropic.models import MODELS_PATH, parse_models
from functions.chat.providers.anthropic.stream import AnthropicStreamReader
from functions.chat.providers.base import ChatOptions, ListedModel, NamedTool, OnDelta, ResponseFormat, ToolChoice
from functions.chat.providers.claude import (
    DEFAULT_MAX_TOKENS_WITH_REASONING,
    claude_thinking,
    with_thinking,
)
from functions.chat.providers.client import HttpAdapter, JsonClient, LlmEndpoint
from functions.chat.providers.profiles import (
    ModelProfile,
    extra_body,
    max_tokens,
    sampling,
    tool_choice,
)
from functions.chat.providers.prompt_cache import MarkedPart, PromptMarks
from functions.chat.providers.response_format import closed_form
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.wire_format import RequestBodies, Tools

PATH: Final = "/v1/messages"

API_VERSION: Final = "2023-06-01"
"""Version with a temperature, for the models that support one. An llm's `headers` may set another."""

DEFAULT_MAX_TOKENS: Final = 4096
"""The API requires a limit. Reasoning counts towards it, and has a higher one."""

MAX_TEMPERATURE: Final = 1.0
"""Other providers accept temperatures up to 2."""


class AnthropicProvider(HttpAdapter[JsonClient]):
    """Adapter of one llm of type `anthropic`."""

    type: ProviderType = "anthropic"
    required = frozenset({"max_tokens"})

    def __init__(
        self,
        name: str,
        config: LlmConfig,
        *,
        retry: RetryPolicy | None = None,
        egress: EgressPolicy = PUBLIC,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        super().__init__(name, config, retry=retry, egress=egress, transport=transport)
        self._marked_bodies: Final = RequestBodies(_marked_tools)
        self._marks: Final = PromptMarks(config, default=True)

    @override
    def _connect(self, endpoint: LlmEndpoint) -> JsonClient:
        key = endpoint.config.api_key
        headers = {"anthropic-version": API_VERSION} | ({"x-api-key": key} if key else {})
        return JsonClient(endpoint, headers=headers, read_error=parse_error)

    @override
    def _generate(
        self,
        messages: Sequence[Message],
        model: str,
        options: ChatOptions,
        profile: ModelProfile,
        on_delta: OnDelta | None,
    ) -> Completion:
        read = partial(parse_completion, model=model, conversation=messages)
        thinking = claude_thinking(options, profile, max_tokens(options, self._config) or _default_limit(profile))
        profile = with_thinking(profile, thinking)
        extra = extra_body(options, profile)
        parts = self._marks.parts(messages, model, options, profile)
        request = self._request(messages, model, options, profile, parts) | _with_form(
            thinking, options.response_format
        )
        bodies = self._marked_bodies if "tools" in parts else self._bodies
        if on_delta is None:
            body = bodies.encode(request, options.tools, extra)
            return self._client.post(
                PATH, body, deadline=options.deadline, read=read, headers=options.headers, log=options.log
            )
        return self._client.stream(
            PATH,
            bodies.encode(request | {"stream": True}, options.tools, extra),
            deadline=options.deadline,
            headers=options.headers,
            log=options.log,
            on_delta=on_delta,
            reader=AnthropicStreamReader,
            read=read,
        )

    _native_form = staticmethod(closed_form)

    @override
    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return every model. Raises ModelError."""
        return self._client.get(MODELS_PATH, deadline=deadline, read=parse_models)

    def _request(
        self,
        messages: Sequence[Message],
        model: str,
        options: ChatOptions,
        profile: ModelProfile,
        parts: Collection[MarkedPart],
    ) -> dict[str, Json]:
        sent = wire_messages(messages, offers_tools=bool(options.tools))
        if "messages" in parts:
            mark_messages(sent)
        request: dict[str, Json] = {
            "model": model,
            "messages": sent,
            **dict(self._parameters(options, profile)),
        }
        if system := system_text(messages):
            request["system"] = [marked({"type": "text", "text": system})] if "system" in parts else system
        return request

    def _parameters(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        yield "max_tokens", max_tokens(options, self._config) or _default_limit(profile)
        degree, top_p = sampling(options, self._config, profile)
        if degree is not None:
            yield "temperature", min(MAX_TEMPERATURE, degree)
        if top_p is not None:
            yield "top_p", top_p
        # The API refuses sequences of white space only.
        if (stop := [text for text in options.stop if text.strip()]) and profile.supports("stop"):
            yield "stop_sequences", [*stop]
        if choice := tool_choice(options, profile):
            yield "tool_choice", _tool_choice(choice, profile)


def _with_form(fields: dict[str, Json], form: ResponseFormat | None) -> dict[str, Json]:
    """Return the fields of thinking, and the form of the answer beside its effort."""
    if form is None or form.schema is None:
        return fields
    own = fields.get("output_config")
    format_: dict[str, Json] = {"type": "json_schema", "schema": dict(form.schema)}
    return {**fields, "output_config": {**(own if isinstance(own, dict) else {}), "format": format_}}


def _default_limit(profile: ModelProfile) -> int:
    return DEFAULT_MAX_TOKENS_WITH_REASONING if profile.reasoning else DEFAULT_MAX_TOKENS


def _marked_tools(tools: Tools) -> Json:
    *others, last = tools
    return [*map(dict[str, Json], others), marked(last)]


def _tool_choice(choice: ToolChoice, profile: ModelProfile) -> dict[str, Json]:
    if choice == "none":
        return {"type": "none"}
    calls: dict[str, Json] = {} if profile.parallel_tool_calls else {"disable_parallel_tool_use": True}
    if isinstance(choice, NamedTool):
        return {"type": "tool", "name": choice.name, **calls}
    return {"type": "any" if choice == "required" else "auto", **calls}


create_provider = AnthropicProvider
