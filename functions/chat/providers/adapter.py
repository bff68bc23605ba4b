"""Common part of the adapters of HTTP APIs: construction, the profile of a call's model, and the tools in requests."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

import httpx2

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.base import ChatOptions, ListedModel, OnDelta
from functions.chat.providers.client import LlmEndpoint, ModelClient
from functions.chat.providers.parameter_fallback import AdaptiveProfiles
from functions.chat.providers.profiles import Families, ModelProfile, model_profile
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.wire_format import RequestBodies, Tools


class HttpAdapter[C: ModelClient](ABC):
    """Adapter of one llm; a subclass has the wire format of its provider."""

    type: ProviderType
    families: Families

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
        self._profiles: Final = AdaptiveProfiles(name, lambda model: model_profile(self.families, model, config))
        self._bodies: Final = RequestBodies(self._wire_tools)
        self._client: Final = self._connect(LlmEndpoint(name, config, retry, egress, transport))

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        """Return the model's next message. Raises ModelError."""
        return self._profiles.call(
            model,
            lambda profile: self._generate(messages, model, options, profile, on_delta),
            forces_tools=options.forces_tools,
        )

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
    def _wire_tools(tools: Tools) -> Json:
        """Return the `tools` of a request."""
        return [dict(tool) for tool in tools]


def bearer_token(config: LlmConfig) -> dict[str, str]:
    """Return the authorization header with the llm's key, if it has one."""
    return {"authorization": f"Bearer {config.api_key}"} if config.api_key else {}
