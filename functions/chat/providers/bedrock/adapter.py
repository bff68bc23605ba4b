"""Adapter of Amazon Bedrock's Converse API, with the credentials of the function's role."""

from collections.abc import Iterator, Sequence
from typing import Final

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.bedrock.aws.converse import ConverseClient, ConverseError, bedrock_runtime
from functions.chat.providers.bedrock.aws.text_models import ListTextModels, list_text_models
from functions.chat.providers.bedrock.errors import model_error
from functions.chat.providers.bedrock.messages import parse_completion, wire_blocks, wire_messages
from functions.chat.providers.bedrock.models import FAMILIES
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.options import check_address, check_endpoint, max_tokens, temperature
from functions.chat.providers.parameter_fallback import AdaptiveProfiles
from functions.chat.providers.profiles import ModelProfile, model_profile
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.wire_format import to_json

MAX_TEMPERATURE: Final = 1.0
"""Other providers accept temperatures up to 2."""


class BedrockProvider:
    """Adapter of one llm of type `bedrock`."""

    def __init__(
        self,
        name: str,
        config: LlmConfig,
        *,
        retry: RetryPolicy | None = None,
        egress: EgressPolicy = PUBLIC,
        client: ConverseClient | None = None,
        list_text_models: ListTextModels = list_text_models,
    ) -> None:
        check_endpoint(name, config)
        if config.base_url is not None:
            check_address(name, config.base_url, egress)
        self.name: Final = name
        self.type: Final[ProviderType] = "bedrock"
        self._config = config
        self._retry = retry or RetryPolicy(max_retries=config.max_retries)
        self._secrets = tuple(config.headers.values())
        self._list_text_models = list_text_models
        self._profiles = AdaptiveProfiles(name, lambda model: model_profile(FAMILIES, model, config))
        self._client = client or bedrock_runtime(
            f"llms.{name}",
            region=config.region,
            endpoint_url=config.base_url,
            timeout_seconds=config.timeout_ms / 1000,
            headers=config.headers,
        )

    def generate_chat(self, messages: Sequence[Message], model: str, options: ChatOptions) -> Completion:
        """Return the model's next message. Raises ModelError."""

        def call(profile: ModelProfile) -> Completion:
            body = to_json(self._request(messages, options, profile))
            return self._retry.call(
                lambda seconds: self._attempt(model, body, seconds, messages),
                deadline=options.deadline,
                timeout=self._config.timeout_ms / 1000,
                provider=self.name,
            )

        return self._profiles.call(model, call)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the region's models and inference profiles that write text. Raises ModelError."""
        seconds = deadline.remaining()
        try:
            found = self._list_text_models(
                region=self._config.region,
                endpoint_url=self._config.base_url,
                timeout_seconds=seconds,
                headers=self._config.headers,
            )
        except ConverseError as exc:
            raise model_error(exc, seconds, provider=self.name, secrets=self._secrets) from exc
        return tuple(ListedModel(model.id, vision=model.reads_images) for model in found)

    def _request(self, messages: Sequence[Message], options: ChatOptions, profile: ModelProfile) -> dict[str, Json]:
        # The API cannot forbid calls of offered tools: tools that must not be called are not offered.
        offers_tools = bool(options.tools) and options.tool_choice == "auto"
        system = (message for message in messages if message.role == "system")
        request: dict[str, Json] = {"messages": wire_messages(messages, offers_tools=offers_tools)}
        if blocks := [block for message in system for block in wire_blocks(message, offers_tools=offers_tools)]:
            request["system"] = blocks
        if parameters := dict(self._parameters(options, profile)):
            request["inferenceConfig"] = parameters
        if offers_tools:
            choice: dict[str, Json] = {"toolChoice": {"auto": {}}} if profile.supports("tool_choice") else {}
            request["toolConfig"] = {"tools": [dict(tool) for tool in options.tools], **choice}
        return request

    def _parameters(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        limit = max_tokens(options, self._config)
        if limit is not None and profile.supports("max_tokens"):
            yield "maxTokens", limit
        if profile.supports("temperature"):
            yield "temperature", min(temperature(options, self._config), MAX_TEMPERATURE)

    def _attempt(self, model: str, body: bytes, seconds: float, messages: Sequence[Message]) -> Completion:
        try:
            response = self._client.converse(model, body, seconds=seconds)
        except ConverseError as exc:
            raise model_error(exc, seconds, provider=self.name, secrets=self._secrets) from exc
        try:
            return parse_completion(response, model=model, conversation=messages)
        except ValueError as exc:
            raise ModelError(f"the answer cannot be read: {exc}", type="invalid_response", provider=self.name) from exc


create_provider = BedrockProvider
