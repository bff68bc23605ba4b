"""Adapter of OpenAI's Chat Completions API and of compatible servers."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import override

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from flexchat.openai_client import openai_endpoint
from functions.chat.providers.attachments import results_apart
from functions.chat.providers.base import ChatOptions, ListedModel, NamedTool, OnDelta, ResponseFormat, ToolChoice
from functions.chat.providers.client import HttpAdapter, LlmEndpoint
from functions.chat.providers.openai.client import OpenAIClient
from functions.chat.providers.openai.messages import parse_completion, wire_messages
from functions.chat.providers.openai.models import parse_models
from functions.chat.providers.profiles import (
    ModelProfile,
    extra_body,
    max_tokens,
    reasoning_effort,
    sampling,
    tool_choice,
)
from functions.chat.providers.wire_format import joined_messages


class OpenAIProvider(HttpAdapter[OpenAIClient]):
    """Adapter of one llm of type `openai`."""

    type: ProviderType = "openai"

    @override
    def _connect(self, endpoint: LlmEndpoint) -> OpenAIClient:
        client = OpenAIClient(endpoint)
        self._is_openai = openai_endpoint(endpoint.config).is_openai
        return client

    @override
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
        extra = extra_body(options, profile)
        if on_delta is None:
            body = self._bodies.encode(request, options.tools, extra)
            return self._client.post(
                "/chat/completions",
                body,
                deadline=options.deadline,
                read=read,
                headers=options.headers,
                log=options.log,
            )
        return self._client.stream(
            "/chat/completions",
            self._bodies.encode(request | _stream_parameters(profile), options.tools, extra),
            deadline=options.deadline,
            headers=options.headers,
            log=options.log,
            on_delta=on_delta,
            read=read,
        )

    @override
    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the server's models that answer chats, as far as their names indicate it. Raises ModelError."""
        return self._client.get("/models", deadline=deadline, read=parse_models)

    def _request(
        self, messages: Sequence[Message], model: str, options: ChatOptions, profile: ModelProfile
    ) -> dict[str, Json]:
        request: dict[str, Json] = {
            "model": model,
            "messages": [
                wire for message in joined_messages(results_apart(messages)) for wire in wire_messages(message, profile)
            ],
            **dict(self._parameters(options, profile)),
        }
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
        if effort := reasoning_effort(options, profile):
            yield "reasoning_effort", effort
        if options.tools and not profile.parallel_tool_calls and profile.supports("parallel_tool_calls"):
            yield "parallel_tool_calls", False
        if options.response_format is not None:
            yield "response_format", _response_format(options.response_format)
        if options.cache is not None and self._takes_cache_key(profile):
            yield "prompt_cache_key", options.cache.key

    def _takes_cache_key(self, profile: ModelProfile) -> bool:
        """Return whether requests have a `prompt_cache_key`; a compatible server gets one if its profile has it."""
        wanted = self._is_openai if profile.prompt_cache is None else profile.prompt_cache
        return wanted and self._config.prompt_cache and profile.supports("prompt_cache_key")


def _tool_choice(choice: ToolChoice) -> Json:
    return {"type": "function", "function": {"name": choice.name}} if isinstance(choice, NamedTool) else choice


def _response_format(form: ResponseFormat) -> dict[str, Json]:
    if form.schema is None:
        return {"type": "json_object"}
    described: dict[str, Json] = {"name": form.name, "schema": dict(form.schema)}
    if form.description:
        described["description"] = form.description
    if form.strict is not None:
        described["strict"] = form.strict
    return {"type": "json_schema", "json_schema": described}


def _stream_parameters(profile: ModelProfile) -> dict[str, Json]:
    """Return the parameters of a streamed request; usage is sent only where it is asked for."""
    usage: dict[str, Json] = {"include_usage": True}
    return {"stream": True, **({"stream_options": usage} if profile.supports("stream_options") else {})}


create_provider = OpenAIProvider
