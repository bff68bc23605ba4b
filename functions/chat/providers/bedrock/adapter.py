"""Adapter of Amazon Bedrock's Converse API, with the credentials of the function's role."""

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message
from flexchat.observability import logger
from functions.chat.providers.base import (
    MAX_STREAM_BYTES,
    ChatOptions,
    ListedModel,
    NamedTool,
    OnDelta,
    ResponseFormat,
    ToolChoice,
    report_completion,
)
from functions.chat.providers.bedrock.aws.converse import ConverseClient, ConverseError, bedrock_runtime
from functions.chat.providers.bedrock.aws.text_models import ListTextModels, list_text_models
from functions.chat.providers.bedrock.messages import (
    CACHE_POINT,
    mark_messages,
    model_error,
    parse_completion,
    refuses_streaming,
    wire_blocks,
    wire_messages,
)
from functions.chat.providers.bedrock.stream import BedrockStreamReader
from functions.chat.providers.bedrock.tool_names import SafeNames
from functions.chat.providers.claude import DEFAULT_MAX_TOKENS_WITH_REASONING, claude_thinking, with_thinking
from functions.chat.providers.errors import ERROR_IN_SUCCESS, FailedAnswerError
from functions.chat.providers.model_state import ModelStates
from functions.chat.providers.parameter_fallback import AdaptiveProfiles
from functions.chat.providers.profiles import (
    ModelProfile,
    check_address,
    check_endpoint,
    extra_body,
    max_tokens,
    model_profile,
    reasoning_effort,
    sampling,
    tool_choice,
)
from functions.chat.providers.prompt_cache import MarkedPart, PromptMarks
from functions.chat.providers.request_log import OnResponse, RequestLog, ignore_response
from functions.chat.providers.response_format import FormedRequest, closed_form, requested_choice
from functions.chat.providers.retry import RetryPolicy
from functions.chat.providers.streams import UnreadableEventError, read_stream
from functions.chat.providers.wire_format import patched, to_json

MAX_TEMPERATURE: Final = 1.0
"""Other providers accept temperatures up to 2."""


class _Call(Struct, frozen=True):
    """Request to a model; `conversation` is that of its body, `headers` and `log` are those of `ChatOptions`."""

    model: str
    body: bytes
    conversation: Sequence[Message]
    headers: Mapping[str, str]
    log: RequestLog | None = None

    @property
    def received(self) -> OnResponse:
        return ignore_response if self.log is None else self.log.received


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
        self._timeout = config.timeout_ms / 1000
        self._unstreamed: set[tuple[str, bool]] = set()
        self._secrets = tuple(config.headers.values())
        self._list_text_models = list_text_models
        self._profiles = AdaptiveProfiles(name, lambda model: model_profile("bedrock", model, config))
        self._states = ModelStates(name)
        self._marks = PromptMarks(config, default=False)
        self._client = client or bedrock_runtime(
            f"llms.{name}",
            region=config.region,
            endpoint_url=config.base_url,
            timeout_seconds=self._timeout,
            headers=config.headers,
        )

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        """Return the model's next message. Raises ModelError."""

        names = SafeNames.of(model, options)
        if names is not None:
            messages, options = names.history(messages), names.options(options)
            on_delta = on_delta and names.deltas(on_delta)

        def send(own: Sequence[Message]) -> Completion:
            return self._profiles.call(
                model,
                lambda profile: self._formed(own, model, options, profile, on_delta),
                choice=requested_choice(options),
            )

        completion = self._states.call(model, messages, send)
        return completion if names is None else names.completion(completion)

    def _formed(
        self,
        messages: Sequence[Message],
        model: str,
        options: ChatOptions,
        profile: ModelProfile,
        on_delta: OnDelta | None,
    ) -> Completion:
        """Return the completion of one request in the form that the options ask for, as far as the model has it."""
        request = FormedRequest.of(options, profile, "bedrock", closed_form)
        completion = self._generate(messages, model, request.options, profile, request.receiver(on_delta))
        return request.completion(completion)

    def _generate(
        self,
        messages: Sequence[Message],
        model: str,
        options: ChatOptions,
        profile: ModelProfile,
        on_delta: OnDelta | None,
    ) -> Completion:
        limit = max_tokens(options, self._config) or DEFAULT_MAX_TOKENS_WITH_REASONING
        reasoning = _reasoning_fields(options, profile, limit)
        profile = with_thinking(profile, reasoning)
        parts = self._marks.parts(messages, model, options, profile)
        request = self._request(messages, options, profile, parts)
        if reasoning:
            request["additionalModelRequestFields"] = reasoning
        body = to_json(patched(request, extra_body(options, profile)))
        call = _Call(model, body, messages, options.headers, options.log)
        if not profile.supports("stream"):
            completion = self._plain(call, options.deadline)
            return completion if on_delta is None else report_completion(completion, on_delta)
        if on_delta is None:
            return self._plain(call, options.deadline)
        return self._streamed(call, options.deadline, on_delta, has_tools="toolConfig" in request)

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

    def _request(
        self,
        messages: Sequence[Message],
        options: ChatOptions,
        profile: ModelProfile,
        parts: Collection[MarkedPart],
    ) -> dict[str, Json]:
        # The API cannot forbid calls of offered tools: tools that must not be called are not offered.
        offers_tools = bool(options.tools) and options.tool_choice != "none"
        system = (message for message in messages if message.role == "system")
        sent = wire_messages(messages, offers_tools=offers_tools)
        if "messages" in parts:
            mark_messages(sent, results=profile.supports("cached_results"))
        request: dict[str, Json] = {"messages": sent}
        if blocks := [block for message in system for block in wire_blocks(message, offers_tools=offers_tools)]:
            request["system"] = [*blocks, CACHE_POINT] if "system" in parts else blocks
        if parameters := dict(self._parameters(options, profile)):
            request["inferenceConfig"] = parameters
        if (form := options.response_format) is not None:
            request["outputConfig"] = {"textFormat": _text_format(form)}
        if offers_tools:
            choice = tool_choice(options, profile)
            request["toolConfig"] = {
                "tools": [*map(dict[str, Json], options.tools), *([CACHE_POINT] if "tools" in parts else [])],
                **({"toolChoice": _tool_choice(choice)} if choice else {}),
            }
        return request

    def _parameters(self, options: ChatOptions, profile: ModelProfile) -> Iterator[tuple[str, Json]]:
        limit = max_tokens(options, self._config)
        if limit is not None and profile.supports("max_tokens"):
            yield "maxTokens", limit
        degree, top_p = sampling(options, self._config, profile)
        if degree is not None:
            yield "temperature", min(degree, MAX_TEMPERATURE)
        if top_p is not None:
            yield "topP", top_p
        if options.stop and profile.supports("stop"):
            yield "stopSequences", [*options.stop]

    def _plain(self, call: _Call, deadline: Deadline) -> Completion:
        def attempt(seconds: float) -> Completion:
            with self._errors(seconds, call.body):
                answer = self._client.converse(
                    call.model, call.body, seconds=seconds, headers=call.headers, received=call.received
                )
            return self._parsed(answer, call)

        return self._retry.call_in_thread(
            attempt, deadline=deadline, timeout=self._timeout, provider=self.name, log=call.log
        )

    def _streamed(self, call: _Call, deadline: Deadline, on_delta: OnDelta, *, has_tools: bool) -> Completion:
        """Return a streamed completion, in one piece from a model that was found to support no stream."""
        kind = (call.model, has_tools)
        if kind not in self._unstreamed:
            try:
                return self._retry.stream(
                    lambda seconds, report: self._stream(call, seconds, deadline, report),
                    on_delta,
                    deadline=deadline,
                    timeout=self._timeout,
                    provider=self.name,
                    log=call.log,
                )
            except ModelError as exc:
                if not refuses_streaming(exc):
                    raise
                logger.warning("streaming rejected", provider=self.name, model=call.model, tools=has_tools)
                self._unstreamed.add(kind)
        return report_completion(self._plain(call, deadline), on_delta)

    def _stream(self, call: _Call, seconds: float, due: Deadline, report: OnDelta) -> Completion:
        with (
            self._errors(seconds, call.body),
            self._client.converse_stream(
                call.model,
                call.body,
                seconds=seconds,
                headers=call.headers,
                received=call.received,
                due=due,
                max_bytes=MAX_STREAM_BYTES,
            ) as events,
        ):
            answer = read_stream(self._translated(events, seconds), BedrockStreamReader(), report, provider=self.name)
        return self._parsed(answer, call)

    def _translated(self, events: Iterator[bytes], seconds: float) -> Iterator[bytes]:
        with self._errors(seconds):
            yield from events

    @contextmanager
    def _errors(self, seconds: float, sent: bytes | None = None) -> Generator[None]:
        """Raise errors of the client, to the body `sent`, and of unreadable events as ModelError."""
        try:
            yield
        except ConverseError as exc:
            raise model_error(exc, seconds, provider=self.name, secrets=self._secrets, sent=sent) from exc
        except UnreadableEventError as exc:
            raise self._unreadable(exc.problem) from exc

    def _parsed(self, answer: bytes, call: _Call) -> Completion:
        try:
            return parse_completion(answer, model=call.model, conversation=call.conversation)
        except ValueError as exc:
            raise self._unreadable(exc) from exc

    def _unreadable(self, problem: ValueError) -> ModelError:
        if isinstance(problem, FailedAnswerError):
            return problem.error.model_error(ERROR_IN_SUCCESS, provider=self.name, secrets=self._secrets)
        return ModelError(f"the answer cannot be read: {problem}", type="invalid_response", provider=self.name)


def _reasoning_fields(options: ChatOptions, profile: ModelProfile, limit: int) -> dict[str, Json]:
    """Return the fields of the model's own API for its reasoning effort; none for a family without a known form."""
    if profile.effort_form in ("adaptive", "budget"):
        return claude_thinking(options, profile, limit)
    effort = reasoning_effort(options, profile)
    if effort is None:
        return {}
    match profile.effort_form:
        case "nova" if effort == "none":
            return {"reasoningConfig": {"type": "disabled"}}
        case "nova":
            return {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": effort}}
        case "openai":
            return {"reasoning_effort": effort}
        case _:
            return {}


def _text_format(form: ResponseFormat) -> dict[str, Json]:
    """Return the form of an answer; the API takes the schema as text."""
    described: dict[str, Json] = {"schema": to_json(dict(form.schema or {})).decode(), "name": form.name}
    if form.description:
        described["description"] = form.description
    return {"type": "json_schema", "structure": {"jsonSchema": described}}


def _tool_choice(choice: ToolChoice) -> dict[str, Json]:
    if isinstance(choice, NamedTool):
        return {"tool": {"name": choice.name}}
    return {"any" if choice == "required" else "auto": {}}


create_provider = BedrockProvider
