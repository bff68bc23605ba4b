"""Ollama's own wire, which knows more of a local model than its OpenAI-compatible one: the context to make room for."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import httpx

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.fragments import FragmentCache, to_json
from functions.chat.providers.http_client import JsonClient
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.ollama.messages import message_json, read_completion, read_error
from functions.chat.providers.ollama.models import SHOW_PATH, TAGS_PATH, read_names, read_shown, shown_models
from functions.chat.providers.profiles import ModelProfile, profile_for
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.sampling import max_tokens, temperature

DEFAULT_BASE_URL = "http://localhost:11434"


class OllamaProvider:
    """One entry of `llms` of type `ollama`."""

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
        self._messages = FragmentCache(message_json)
        self._tools = FragmentCache[Mapping[str, Json]](lambda tool: to_json(dict(tool)))
        self._client = JsonClient(
            name,
            config,
            base_url=config.base_url or DEFAULT_BASE_URL,
            headers={"authorization": f"Bearer {config.api_key}"} if config.api_key else {},
            read_error=read_error,
            retry=retry,
            transport=transport,
        )

    @property
    def name(self) -> str:
        return self._name

    @property
    def type(self) -> ProviderType:
        return "ollama"

    def generate_chat(self, messages: Sequence[Message], model: str, options: ChatOptions) -> Completion:
        """The model's next message. Raises ModelError."""
        profile = profile_for(self.type, model, self._config)
        tools = () if options.tool_choice == "none" else options.tools
        return self._client.post(
            "/api/chat",
            self._body(messages, model, options, tools, profile),
            deadline=options.deadline,
            read=partial(read_completion, model=model, conversation=messages),
        )

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """The installed models that answer chats. Raises ModelError."""

        def show(name: str) -> ListedModel | None:
            body = to_json({"model": name})
            return self._client.post(SHOW_PATH, body, deadline=deadline, read=partial(read_shown, name))

        return shown_models(self._client.get(TAGS_PATH, deadline=deadline, read=read_names), show)

    def _body(
        self,
        messages: Sequence[Message],
        model: str,
        options: ChatOptions,
        tools: Sequence[Mapping[str, Json]],
        profile: ModelProfile,
    ) -> bytes:
        """The request as JSON, joined from what earlier turns have already written.

        The wire has no `tool_choice`: tools that must not be called are not offered.
        """
        fields = [
            b'"model":' + to_json(model),
            b'"messages":' + self._messages.join(messages),
            b'"stream":false',
            b'"options":' + to_json(dict(self._options(options, profile))),
        ]
        if tools:
            fields.append(b'"tools":' + self._tools.join(tools))
        return b"{" + b",".join(fields) + b"}"

    def _options(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        """An option that a server or a model does not know is ignored by it, so none is learnt to be left out."""
        if profile.takes("temperature"):
            yield "temperature", temperature(options, self._config)
        limit = max_tokens(options, self._config)
        if limit is not None:
            yield "num_predict", limit
        if profile.context_window is not None:
            yield "num_ctx", profile.context_window
