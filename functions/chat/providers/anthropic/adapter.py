"""Anthropic's Messages API."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import httpx

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.anthropic.messages import (
    blocks_in_words_json,
    blocks_json,
    read_completion,
    read_error,
    system_text,
    turns_json,
)
from functions.chat.providers.anthropic.models import PATH as MODELS_PATH
from functions.chat.providers.anthropic.models import read_models
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.fragments import FragmentCache, to_json
from functions.chat.providers.http_client import JsonClient
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.parameter_fallback import LearnedProfiles
from functions.chat.providers.profiles import ModelProfile, profile_for
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.sampling import max_tokens, temperature

DEFAULT_BASE_URL = "https://api.anthropic.com"

API_VERSION = "2023-06-01"
"""The version that takes a temperature, for the models that do. An llm's `headers` may name another."""

DEFAULT_MAX_TOKENS = 4096
DEFAULT_MAX_TOKENS_WITH_REASONING = 16_384
"""The wire insists on a limit. What a model thinks counts towards it."""


class AnthropicProvider:
    """One entry of `llms` of type `anthropic`."""

    def __init__(
        self,
        name: str,
        config: LlmConfig,
        *,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._name = name
        self._config = config
        self._blocks = FragmentCache(blocks_json)
        self._words = FragmentCache(blocks_in_words_json)
        self._tools = FragmentCache[Mapping[str, Json]](lambda tool: to_json(dict(tool)))
        self._profiles = LearnedProfiles(name, lambda model: profile_for(self.type, model, config))
        self._client = JsonClient(
            name,
            config,
            base_url=config.base_url or DEFAULT_BASE_URL,
            headers={"anthropic-version": API_VERSION} | ({"x-api-key": config.api_key} if config.api_key else {}),
            read_error=read_error,
            retry=retry,
            transport=transport,
        )

    @property
    def name(self) -> str:
        return self._name

    @property
    def type(self) -> ProviderType:
        return "anthropic"

    def generate_chat(self, messages: Sequence[Message], model: str, options: ChatOptions) -> Completion:
        """The model's next message. Raises ModelError."""
        return self._profiles.ask(
            model,
            lambda profile: self._client.post(
                "/v1/messages",
                self._body(messages, model, options, profile),
                deadline=options.deadline,
                read=partial(read_completion, model=model, conversation=messages),
            ),
        )

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Every model. Raises ModelError."""
        return self._client.get(MODELS_PATH, deadline=deadline, read=read_models)

    def _body(self, messages: Sequence[Message], model: str, options: ChatOptions, profile: ModelProfile) -> bytes:
        """The request as JSON, joined from what earlier turns have already written."""
        blocks = self._blocks if options.tools else self._words
        fields = [
            b'"model":' + to_json(model),
            b'"messages":' + turns_json(messages, blocks.fragment),
            *(to_json(name) + b":" + to_json(value) for name, value in self._parameters(options, profile)),
        ]
        if system := system_text(messages):
            fields.append(b'"system":' + to_json(system))
        if options.tools:
            fields.append(b'"tools":' + self._tools.join(options.tools))
        return b"{" + b",".join(fields) + b"}"

    def _parameters(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        default = DEFAULT_MAX_TOKENS_WITH_REASONING if profile.reasoning else DEFAULT_MAX_TOKENS
        yield "max_tokens", max_tokens(options, self._config) or default
        if profile.takes("temperature"):
            # Other wires take up to 2, this one up to 1.
            yield "temperature", min(1.0, temperature(options, self._config))
        if options.tools and profile.takes("tool_choice"):
            yield "tool_choice", _tool_choice(options, profile)


def _tool_choice(options: ChatOptions, profile: ModelProfile) -> dict[str, Json]:
    if options.tool_choice == "none":
        return {"type": "none"}
    return {"type": "auto"} if profile.parallel_tool_calls else {"type": "auto", "disable_parallel_tool_use": True}
