"""Adapter of OpenAI's Chat Completions API and of compatible servers."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import httpx2

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.base import ChatOptions, NamedTool, OnDelta, ToolChoice
from functions.chat.providers.deltas import report_completion
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.openai.client import OpenAIClient
from functions.chat.providers.openai.messages import parse_completion, wire_messages
from functions.chat.providers.openai.models import FAMILIES, parse_models
from functions.chat.providers.options import max_tokens, sampling, tool_choice
from functions.chat.providers.parameter_fallback import AdaptiveProfiles
from functions.chat.providers.profiles import ModelProfile, model_profile
from functions.chat.providers.request_bodies import RequestBodies
from functions.chat.providers.retry import RetryPolicy


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
        self.name: Final = name
        self.type: Final[ProviderType] = "openai"
        self._config = config
        self._profiles = AdaptiveProfiles(name, lambda model: model_profile(FAMILIES, model, config))
        self._bodies = RequestBodies()
        self._client = OpenAIClient(name, config, retry=retry, egress=egress, transport=transport)

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
        if on_delta is not None and profile.supports("stream"):
            return self._client.stream(
                "/chat/completions",
                self._bodies.encode(request | _stream_parameters(profile), options.tools),
                deadline=options.deadline,
                on_delta=on_delta,
                read=read,
            )
        body = self._bodies.encode(request, options.tools)
        completion = self._client.post("/chat/completions", body, deadline=options.deadline, read=read)
        return completion if on_delta is None else report_completion(completion, on_delta)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the server's models that answer chats, as far as their names indicate it. Raises ModelError."""
        return self._client.get("/models", deadline=deadline, read=parse_models)

    def _request(
        self, messages: Sequence[Message], model: str, options: ChatOptions, profile: ModelProfile
    ) -> dict[str, Json]:
        request: dict[str, Json] = {
            "model": model,
            "messages": [wire for message in messages for wire in wire_messages(message)],
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
        if options.tools and not profile.parallel_tool_calls and profile.supports("parallel_tool_calls"):
            yield "parallel_tool_calls", False


def _tool_choice(choice: ToolChoice) -> Json:
    return {"type": "function", "function": {"name": choice.name}} if isinstance(choice, NamedTool) else choice


def _stream_parameters(profile: ModelProfile) -> dict[str, Json]:
    """Return the parameters of a streamed request; usage is sent only where it is asked for."""
    usage: dict[str, Json] = {"include_usage": True}
    return {"stream": True, **({"stream_options": usage} if profile.supports("stream_options") else {})}


create_provider = OpenAIProvider
