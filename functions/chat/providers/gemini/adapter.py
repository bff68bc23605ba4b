"""Adapter of Google's Gemini API, with a key of Google AI Studio."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final, override
from urllib.parse import quote

from flexchat.config.models.base import ReasoningEffort
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.attachments import results_apart
from functions.chat.providers.base import ChatOptions, ListedModel, NamedTool, OnDelta, ResponseFormat, ToolChoice
from functions.chat.providers.client import HttpAdapter, JsonClient, LlmEndpoint
from functions.chat.providers.gemini.messages import (
    function_declarations,
    parse_completion,
    parse_error,
    wire_contents,
    wire_parts,
)
from functions.chat.providers.gemini.models import MODELS_PATH, TOOL_FORMAT, parse_models
from functions.chat.providers.gemini.stream import GeminiStreamReader
from functions.chat.providers.profiles import (
    ModelProfile,
    extra_body,
    max_tokens,
    reasoning_effort,
    sampling,
    tool_choice,
)
from functions.chat.providers.response_format import compiled_form
from functions.chat.providers.wire_format import Tools


class GeminiProvider(HttpAdapter[JsonClient]):
    """Adapter of one llm of type `gemini`."""

    type: ProviderType = "gemini"

    @override
    def _connect(self, endpoint: LlmEndpoint) -> JsonClient:
        key = endpoint.config.api_key
        return JsonClient(endpoint, headers={"x-goog-api-key": key} if key else {}, read_error=parse_error)

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
        body = self._bodies.encode(
            self._request(messages, options, profile), options.tools, extra_body(options, profile)
        )
        if on_delta is None:
            path = f"{_path(model)}:generateContent"
            return self._client.post(
                path, body, deadline=options.deadline, read=read, headers=options.headers, log=options.log
            )
        return self._client.stream(
            f"{_path(model)}:streamGenerateContent?alt=sse",
            body,
            deadline=options.deadline,
            headers=options.headers,
            log=options.log,
            on_delta=on_delta,
            reader=GeminiStreamReader,
            read=read,
        )

    @override
    @staticmethod
    def _native_form(form: ResponseFormat) -> ResponseFormat:
        return compiled_form(form, TOOL_FORMAT.dialect)

    @override
    @staticmethod
    def _wire_tools(tools: Tools) -> Json:
        return [{"functionDeclarations": function_declarations(tools)}]

    @override
    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the models that generate text. Raises ModelError."""
        return self._client.get(MODELS_PATH, deadline=deadline, read=parse_models)

    def _request(self, messages: Sequence[Message], options: ChatOptions, profile: ModelProfile) -> dict[str, Json]:
        request: dict[str, Json] = {
            "contents": wire_contents(messages if profile.result_images else results_apart(messages))
        }
        if system := [part for message in messages if message.role == "system" for part in wire_parts(message)]:
            request["systemInstruction"] = {"parts": system}
        if parameters := dict(self._parameters(options, profile)):
            request["generationConfig"] = parameters
        if options.tools and (choice := tool_choice(options, profile)):
            request["toolConfig"] = {"functionCallingConfig": _calling_config(choice)}
        return request

    def _parameters(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        degree, top_p = sampling(options, self._config, profile)
        if degree is not None:
            yield "temperature", degree
        if top_p is not None:
            yield "topP", top_p
        if options.stop and profile.supports("stop"):
            yield "stopSequences", [*options.stop]
        limit = max_tokens(options, self._config)
        if limit is not None and profile.supports("max_tokens"):
            yield "maxOutputTokens", limit
        if (form := options.response_format) is not None:
            yield "responseMimeType", "application/json"
            if form.schema is not None:
                yield "responseJsonSchema", dict(form.schema)
        if effort := reasoning_effort(options, profile):
            yield "thinkingConfig", _thinking_config(effort, profile)


_BUDGETS: Final[Mapping[ReasoningEffort, int]] = {"none": 0, "low": 1_024, "medium": 8_192, "high": 24_576}
"""Tokens of thinking of Gemini 2.5 by effort: https://ai.google.dev/gemini-api/docs/openai"""

_LEVELS: Final[Mapping[ReasoningEffort, str]] = {"none": "minimal", "xhigh": "high", "max": "high"}
"""Levels of thinking for the efforts that are no level."""


def _thinking_config(effort: ReasoningEffort, profile: ModelProfile) -> dict[str, Json]:
    if profile.effort_form == "budget" and effort in _BUDGETS:
        return {"thinkingBudget": _BUDGETS[effort]}
    return {"thinkingLevel": _LEVELS.get(effort, effort)}


def _calling_config(choice: ToolChoice) -> dict[str, Json]:
    if isinstance(choice, NamedTool):
        return {"mode": "ANY", "allowedFunctionNames": [choice.name]}
    return {"mode": "ANY" if choice == "required" else choice.upper()}


def _path(model: str) -> str:
    """Return the path for `gemini-3-pro` or for a full resource name such as `tunedModels/mine`."""
    resource = model if "/" in model else f"models/{model}"
    return f"/v1beta/{quote(resource)}"


create_provider = GeminiProvider
