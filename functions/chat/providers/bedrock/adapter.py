"""Every model of Amazon Bedrock, through its Converse API and the function's own role.

This module is imported when the first llm of this type is made: botocore reads the service's model then.
"""

from collections.abc import Iterator, Mapping, Sequence

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message
from functions.chat.aws.bedrock import ConverseClient, ConverseError, bedrock_runtime
from functions.chat.aws.bedrock_models import ListTextModels, list_text_models
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.bedrock.errors import model_error
from functions.chat.providers.bedrock.messages import (
    conversation_json,
    message_blocks,
    message_blocks_in_words,
    read_completion,
)
from functions.chat.providers.endpoint import check_endpoint
from functions.chat.providers.fragments import FragmentCache, to_json
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.parameter_fallback import LearnedProfiles
from functions.chat.providers.profiles import ModelProfile, profile_for
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.sampling import max_tokens, temperature

HIGHEST_TEMPERATURE = 1.0
"""Converse refuses more, where other providers take up to 2."""


class BedrockProvider:
    """One entry of `llms` of type `bedrock`: one client for the life of the environment."""

    def __init__(
        self,
        name: str,
        config: LlmConfig,
        *,
        retry: RetryPolicy | None = None,
        client: ConverseClient | None = None,
        list_text_models: ListTextModels = list_text_models,
    ) -> None:
        check_endpoint(name, config)
        self._name = name
        self._config = config
        self._retry = retry or RetryPolicy(max_retries=config.max_retries)
        self._secrets = tuple(config.headers.values())
        self._blocks = FragmentCache(message_blocks)
        self._words = FragmentCache(message_blocks_in_words)
        self._tools = FragmentCache[Mapping[str, Json]](lambda tool: to_json(dict(tool)))
        self._list_text_models = list_text_models
        self._learned = LearnedProfiles(name, lambda model: profile_for("bedrock", model, config))
        self._client = client or bedrock_runtime(
            f"llms.{name}",
            region=config.region,
            endpoint_url=config.base_url,
            timeout_seconds=config.timeout_ms / 1000,
            headers=config.headers,
        )

    @property
    def name(self) -> str:
        return self._name

    @property
    def type(self) -> ProviderType:
        return "bedrock"

    def generate_chat(self, messages: Sequence[Message], model: str, options: ChatOptions) -> Completion:
        """The model's next message. Raises ModelError."""

        def call(profile: ModelProfile) -> Completion:
            body = self._body(messages, options, profile)
            return self._retry.run(
                lambda seconds: self._attempt(model, body, seconds, messages),
                deadline=options.deadline,
                timeout=self._config.timeout_ms / 1000,
                provider=self._name,
            )

        return self._learned.ask(model, call)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """The region's models and inference profiles that write text. Raises ModelError."""
        seconds = deadline.remaining()
        try:
            found = self._list_text_models(
                region=self._config.region,
                endpoint_url=self._config.base_url,
                timeout_seconds=seconds,
                headers=self._config.headers,
            )
        except ConverseError as exc:
            raise model_error(exc, seconds, provider=self._name, secrets=self._secrets) from exc
        return tuple(ListedModel(model.id, vision=model.reads_images) for model in found)

    def _body(self, messages: Sequence[Message], options: ChatOptions, profile: ModelProfile) -> bytes:
        """The request as JSON, joined from what earlier turns have already written.

        Calls in the history are refused where no tools are offered, and there is no way to forbid offered ones: without
        tools, and with tools that must not be called, the history is told in words.
        """
        offers_tools = bool(options.tools) and options.tool_choice == "auto"
        blocks = (self._blocks if offers_tools else self._words).fragment
        fields = [b'"messages":' + conversation_json(messages, blocks)]
        system = b",".join(filter(None, (blocks(message) for message in messages if message.role == "system")))
        if system:
            fields.append(b'"system":[' + system + b"]")
        if parameters := dict(self._parameters(options, profile)):
            fields.append(b'"inferenceConfig":' + to_json(parameters))
        if offers_tools:
            choice = b',"toolChoice":{"auto":{}}' if profile.takes("tool_choice") else b""
            fields.append(b'"toolConfig":{"tools":' + self._tools.join(options.tools) + choice + b"}")
        return b"{" + b",".join(fields) + b"}"

    def _parameters(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        limit = max_tokens(options, self._config)
        if limit is not None and profile.takes("max_tokens"):
            yield "maxTokens", limit
        if profile.takes("temperature"):
            yield "temperature", min(temperature(options, self._config), HIGHEST_TEMPERATURE)

    def _attempt(self, model: str, body: bytes, seconds: float, messages: Sequence[Message]) -> Completion:
        try:
            answer = self._client.converse(model, body, seconds=seconds)
        except ConverseError as exc:
            raise model_error(exc, seconds, provider=self._name, secrets=self._secrets) from exc
        try:
            return read_completion(answer, model=model, conversation=messages)
        except ValueError as exc:
            raise ModelError(f"the answer cannot be read: {exc}", type="invalid_response", provider=self._name) from exc
