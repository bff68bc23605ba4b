"""Google's Gemini API, for a key of Google AI Studio."""

from collections.abc import Iterator, Sequence
from functools import partial
from urllib.parse import quote

import httpx

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.fragments import FragmentCache, to_json
from functions.chat.providers.gemini.errors import read_error
from functions.chat.providers.gemini.messages import contents_json, message_parts, read_completion, tool_json
from functions.chat.providers.gemini.models import PATH as MODELS_PATH
from functions.chat.providers.gemini.models import read_models
from functions.chat.providers.http_client import JsonClient
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.parameter_fallback import LearnedProfiles
from functions.chat.providers.profiles import ModelProfile, profile_for
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.sampling import max_tokens, temperature

DEFAULT_BASE_URL = "https://generativelanguage.googleapis.com"


class GeminiProvider:
    """One entry of `llms` of type `gemini`."""

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
        self._parts = FragmentCache(message_parts)
        self._tools = FragmentCache(tool_json)
        self._profiles = LearnedProfiles(name, lambda model: profile_for(self.type, model, config))
        self._client = JsonClient(
            name,
            config,
            base_url=config.base_url or DEFAULT_BASE_URL,
            headers={"x-goog-api-key": config.api_key} if config.api_key else {},
            read_error=read_error,
            retry=retry,
            transport=transport,
        )

    @property
    def name(self) -> str:
        return self._name

    @property
    def type(self) -> ProviderType:
        return "gemini"

    def generate_chat(self, messages: Sequence[Message], model: str, options: ChatOptions) -> Completion:
        """The model's next message. Raises ModelError."""
        return self._profiles.ask(
            model,
            lambda profile: self._client.post(
                _path(model),
                self._body(messages, options, profile),
                deadline=options.deadline,
                read=partial(read_completion, model=model, conversation=messages),
            ),
        )

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """The models that generate text. Raises ModelError."""
        return self._client.get(MODELS_PATH, deadline=deadline, read=read_models)

    def _body(self, messages: Sequence[Message], options: ChatOptions, profile: ModelProfile) -> bytes:
        """The request as JSON, joined from what earlier turns have already written."""
        parts = self._parts.fragment
        fields = [b'"contents":' + contents_json(messages, parts)]
        system = b",".join(filter(None, (parts(message) for message in messages if message.role == "system")))
        if system:
            fields.append(b'"systemInstruction":{"parts":[' + system + b"]}")
        if parameters := dict(self._parameters(options, profile)):
            fields.append(b'"generationConfig":' + to_json(parameters))
        if options.tools:
            fields.append(b'"tools":[{"functionDeclarations":' + self._tools.join(options.tools) + b"}]")
            if profile.takes("tool_choice"):
                mode = options.tool_choice.upper()
                fields.append(b'"toolConfig":' + to_json({"functionCallingConfig": {"mode": mode}}))
        return b"{" + b",".join(fields) + b"}"

    def _parameters(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        if profile.takes("temperature"):
            yield "temperature", temperature(options, self._config)
        limit = max_tokens(options, self._config)
        if limit is not None and profile.takes("max_tokens"):
            yield "maxOutputTokens", limit


def _path(model: str) -> str:
    """Of `gemini-3-pro`, and of a resource that is named in full, as `tunedModels/mine`."""
    resource = model if "/" in model else f"models/{model}"
    return f"/v1beta/{quote(resource)}:generateContent"
