"""Adapter of Ollama's own API, which unlike its OpenAI-compatible one accepts the size of the context window."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import override

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.attachments import results_apart
from functions.chat.providers.base import ChatOptions, ListedModel, NamedTool, OnDelta
from functions.chat.providers.client import HttpAdapter, JsonClient, LlmEndpoint, bearer_token
from functions.chat.providers.ollama.messages import parse_completion, parse_error, wire_messages
from functions.chat.providers.ollama.models import (
    SHOW_PATH,
    TAGS_PATH,
    parse_details,
    parse_names,
    with_details,
)
from functions.chat.providers.ollama.stream import OllamaStreamReader
from functions.chat.providers.profiles import ModelProfile, extra_body, max_tokens, reasoning_effort, sampling
from functions.chat.providers.streams import json_lines
from functions.chat.providers.wire_format import joined_messages, to_json


class OllamaProvider(HttpAdapter[JsonClient]):
    """Adapter of one llm of type `ollama`."""

    type: ProviderType = "ollama"

    @override
    def _connect(self, endpoint: LlmEndpoint) -> JsonClient:
        return JsonClient(endpoint, headers=bearer_token(endpoint.config), read_error=parse_error)

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
        if on_delta is None:
            body = self._bodies.encode(request, _offered(options), extra_body(options, profile))
            return self._client.post(
                "/api/chat", body, deadline=options.deadline, read=read, headers=options.headers, log=options.log
            )
        return self._client.stream(
            "/api/chat",
            self._bodies.encode(request | {"stream": True}, _offered(options), extra_body(options, profile)),
            deadline=options.deadline,
            headers=options.headers,
            log=options.log,
            on_delta=on_delta,
            reader=OllamaStreamReader,
            read=read,
            split=json_lines,
        )

    @override
    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the installed models that answer chats. Raises ModelError."""

        def show(name: str) -> ListedModel | None:
            body = to_json({"model": name})
            return self._client.post(SHOW_PATH, body, deadline=deadline, read=partial(parse_details, name))

        return with_details(self._client.get(TAGS_PATH, deadline=deadline, read=parse_names), show)

    def _request(
        self, messages: Sequence[Message], model: str, options: ChatOptions, profile: ModelProfile
    ) -> dict[str, Json]:
        request: dict[str, Json] = {
            "model": model,
            "messages": [
                wire for message in joined_messages(results_apart(messages)) for wire in wire_messages(message)
            ],
            "stream": False,
            "options": dict(self._options(options, profile)),
        }
        if (form := options.response_format) is not None:
            request["format"] = "json" if form.schema is None else dict(form.schema)
        if effort := reasoning_effort(options, profile):
            request["think"] = effort if profile.effort_form == "level" else effort != "none"
        return request

    def _options(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        """Yield the options; servers ignore unknown ones, so that none is refused."""
        degree, top_p = sampling(options, self._config, profile)
        if degree is not None:
            yield "temperature", degree
        if top_p is not None:
            yield "top_p", top_p
        if options.stop and profile.supports("stop"):
            yield "stop", [*options.stop]
        limit = max_tokens(options, self._config)
        if limit is not None and profile.supports("max_tokens"):
            yield "num_predict", limit
        if profile.context_window is not None:
            yield "num_ctx", profile.context_window


def _offered(options: ChatOptions) -> Sequence[Mapping[str, Json]]:
    """Return the tools of a request.

    The API has no `tool_choice`: tools that must not be called are not offered, and a required call remains optional.
    """
    choice = options.tool_choice
    if choice == "none":
        return []
    if not isinstance(choice, NamedTool):
        return options.tools
    return [tool for tool in options.tools if _has_name(tool, choice.name)]


def _has_name(tool: Mapping[str, Json], name: str) -> bool:
    match tool:
        case {"function": {"name": str(own)}}:
            return own == name
        case _:
            return False


create_provider = OllamaProvider
