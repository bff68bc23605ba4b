"""Calls of the model of one chat, or of its fallback."""

import re
from collections.abc import Callable, Mapping, Sequence
from copy import replace
from hashlib import sha256
from typing import Final, Literal

from msgspec import Struct, field

from flexchat.config.model_names import ModelName
from flexchat.config.models.base import ReasoningEffort
from flexchat.config.models.phases import PLACEHOLDER
from flexchat.config.models.rules import ResponseRule
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.json import dumps
from flexchat.messages import Completion, Image, Json, Message, Part, Usage, assistant, user
from flexchat.observability import logger
from flexchat.text import truncate, truncate_middle
from flexchat.trace_context import TraceContext
from functions.chat.deadlines import TimeBudget
from functions.chat.generation.answer_form import AnswerForm, FormReceiver, misformed, repair_request, with_text
from functions.chat.generation.checks import BlockedError, CheckedStream, TextChecks, checked_message
from functions.chat.generation.client_calls import ClientCallStream
from functions.chat.generation.events import (
    Emit,
    LimitReached,
    ModelDelta,
    ModelFinished,
    ModelRequest,
    ModelStarted,
    WarningRaised,
    tokens_of_failure,
    unreported_tokens,
)
from functions.chat.generation.shortening import Shortening
from functions.chat.providers.base import ChatOptions, Delta, OnDelta, PromptCache, ResponseFormat, ToolChoice
from functions.chat.providers.fallback import RETRYABLE_ERRORS, Candidates
from functions.chat.providers.request_log import RequestLog
from functions.chat.providers.wire_format import OfTools, to_json
from functions.chat.tools.executor import TakeCalls, unlimited
from functions.chat.tools.formats import ProviderTools
from functions.chat.tools.manager import ClientTool
from functions.chat.tools.marking import NOTICE, TAG, marked
from functions.chat.tools.policy import ExposureTracker
from functions.chat.tools.results import AuditCall


class ChatOverrides(Struct, frozen=True, kw_only=True):
    """Settings of one chat by its front end, in place of those of the response rule.

    `rule` is the name of the rule that answers, instead of the first that matches. `model` answers in place of the
    rule's models, without fallbacks. `instructions` follow the prompt of the rule. With the tool choice `none`, no tool
    is offered. `content` has the parts of the last user message where it has pictures or files, in place of its text.
    `history` has the messages before the last user message, in place of the request's. `iterations` has the messages
    after it: of the assistant, with calls of `tools`, and their results. `warnings` are those of the front end, for the
    answer. `response_format` is the form of the answer, in place of the rule's.
    """

    rule: str | None = None
    model: ModelName | None = None
    instructions: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    reasoning_effort: ReasoningEffort | None = None
    tools: tuple[ClientTool, ...] = ()
    tool_choice: ToolChoice = "auto"
    content: tuple[Part, ...] = ()
    history: tuple[Message, ...] | None = None
    iterations: tuple[Message, ...] = ()
    warnings: tuple[str, ...] = ()
    response_format: ResponseFormat | None = None


NO_OVERRIDES: Final = ChatOverrides()


CACHE_KEY_CHARACTERS: Final = 32
"""Digits of the hash that is the key of a prompt cache; OpenAI accepts 64."""

MAX_REJECTED_CHARACTERS: Final = 2_000

MAX_LOGGED_CHARACTERS: Final = 500

MAX_REASONING_CHARACTERS: Final = 4_000
"""Longest text of the reasoning of one model call that is shown."""

RESTARTED_ERRORS: Final = RETRYABLE_ERRORS - {"timeout", "invalid_format"}
"""Errors in the middle of an answer after which the same model answers anew."""

MIN_MODEL_SECONDS = 0.2
"""Minimum time left for a model call."""

TIME_IS_UP = user(
    "(Time is up and no more tools can be called. Answer now from the results so far, and say what is missing.)"
)
CALLS_ARE_USED_UP = user(
    "(No more tools can be called in this chat. Answer now from the results so far, and say what is missing.)"
)

EMPTY_ANSWER = user("(Your answer was empty. Answer now.)")
"""Message after an empty answer; it is not part of the conversation."""

type LastCallLimit = Literal["deadline", "tool_calls"]
"""Limits after which the model must answer without more tools."""

LAST_WORDS: Mapping[LastCallLimit, Message] = {
    "deadline": TIME_IS_UP,
    "tool_calls": CALLS_ARE_USED_UP,
}
"""Message of the last calls, by the limit that forbids more tools; it is not part of the conversation."""

type FormatTools = Callable[[ProviderType], ProviderTools]
"""Returns the tools of one chat in the format of a provider type."""


_digest_of_tools: Final = OfTools(lambda tools: sha256(to_json([dict(tool) for tool in tools])).hexdigest())


type CheckBudget = Callable[[Deadline], None]
"""Raises RequestError (429) when the next model call of a chat would exceed a limit of its caller."""


def no_budget(_deadline: Deadline) -> None:
    """Permit every model call."""


class GenerationContext(Struct, frozen=True):
    """Deadline, id, receivers of events and of tool calls, limits and caller of one chat.

    `check_budget` raises RequestError (429) before a model call that a limit of tokens or money refuses.
    With `streams` the answers of models are streamed: `emit` receives their deltas, in the thread of the attempt. With
    `restarts` a text may begin anew: a model call that breaks after a part of it is repeated once, before a fallback.
    `overrides` are the settings of the front end. `session_id` is that of the chat's session, if it has one. `trace` is
    the trace context of the chat: requests to models and tools are sent in spans of its trace. With
    `waits_for_approvals` the chat ends when calls of tools need the approval of a person; without it they are refused.
    `exposure` is what the conversation has read. `checks` are those of the texts of the model: nothing of a text is
    emitted before its check.
    """

    deadline: Deadline
    request_id: str
    emit: Emit
    audit: AuditCall
    take_calls: TakeCalls = unlimited
    check_budget: CheckBudget = no_budget
    principal: str | None = None
    streams: bool = False
    overrides: ChatOverrides = NO_OVERRIDES
    restarts: bool = False
    session_id: str | None = None
    trace: TraceContext | None = None
    waits_for_approvals: bool = False
    exposure: ExposureTracker = field(default_factory=ExposureTracker)
    checks: TextChecks | None = None


class ModelCalls:
    """Calls the model of one rule, or its fallback.

    `forbidden_by` are the limits after which no more tools may be called; until then, `tool_choice` applies. `form` is
    that of the answer. `client_calls` receives the pieces of calls of the client's tools.
    """

    def __init__(
        self, *, rule: ResponseRule, models: Candidates, context: GenerationContext, form: AnswerForm | None = None
    ) -> None:
        self.rule = rule
        self.models = models
        self.context = context
        self.form = form
        self.time_budget = TimeBudget(context.deadline)
        self.forbidden_by: set[LastCallLimit] = set()
        self.tool_choice: ToolChoice = "auto"
        self.client_calls: ClientCallStream | None = None
        self._last_words: tuple[Message, ...] = ()
        self._request: tuple[Message, ...] = ()
        self._shortening: Shortening | None = None
        self._asked_again = False
        self._corrected = 0
        self._restarted = 0
        self._sent = 0
        self._form_receiver: FormReceiver | None = None
        self._stream: CheckedStream | None = None
        self._rejected: tuple[str, Sequence[str]] | None = None
        self._is_free = False
        self._repaired = False
        self._cache: tuple[ProviderTools, PromptCache | None] | None = None

    @property
    def has_time(self) -> bool:
        return self.context.deadline.remaining() >= MIN_MODEL_SECONDS

    def forbid_tools(self, limit: LastCallLimit, iteration: int) -> None:
        """Request the answer without more tools from the next model call on."""
        if limit not in self.forbidden_by:
            self.forbidden_by.add(limit)
            self._last_words = (LAST_WORDS[limit],)
            logger.warning("tools forbidden", limit=limit, iteration=iteration)
            self.context.emit(LimitReached(limit, iteration))

    def tool_called(self, *, keep_choice: bool) -> None:
        """Leave the choice of tools to the model after its first calls.

        With `keep_choice` a required call remains required: that of a client's tool, which ends the loop.
        """
        if not (keep_choice and self.tool_choice == "required"):
            self.tool_choice = "auto"

    def call(self, messages: Sequence[Message], *, iteration: int) -> Completion | None:
        """Return the message of a model without tools; None when its time was over. Raises ModelError."""
        while self.has_time:
            completion = self.attempt(messages, iteration, None)
            if completion is not None:
                return completion
        return None

    def attempt(self, messages: Sequence[Message], iteration: int, tools: FormatTools | None) -> Completion | None:
        """Return the current model's message; None when another attempt may follow in the time left.

        A malformed call is shown to its model once in an iteration, an overlong conversation is shortened once, an
        empty answer is asked for once more, and one that is not in its form is repaired once. Raises ModelError when no
        model is left, and RequestError (429) for a reached limit of the caller.
        """
        try:
            completion = self._send(messages, iteration, tools)
            if self._ask_again(completion, iteration):
                return None
            completion = self._in_form(completion)
        except ModelError as error:
            if (self._last_words or self._request) and error.type == "invalid_request" and not error.after_output:
                # Mistral's servers accept no user message after results; `tool_choice` forbids the tools as well.
                self._last_words = self._request = ()
                return None
            if self._can_repeat(error) and (
                self._correct(error, iteration) or self._shorten(error, messages) or self._repair(error, iteration)
            ):
                return None
            if not self.has_time:
                if error.type == "timeout":
                    return None
                raise
            in_tool_loop = any(message.role == "tool" for message in messages)
            failed = self.models.current.name
            if self._restart(error, iteration):
                self.context.emit(WarningRaised(f"{failed} broke off ({error.type}) and answers anew"))
                return None
            if not self.models.replace(
                error,
                in_tool_loop=in_tool_loop,
                has_pictures=any(isinstance(part, Image) for message in messages for part in message.parts),
                restarts=self.context.restarts,
            ):
                raise
            # They were for the model that failed.
            self._request, self._corrected, self._rejected, self._repaired = (), 0, None, False
            message = f"{failed} failed ({error.type}); {self.models.current.name} answers instead"
            self.context.emit(WarningRaised(message))
            return None
        self._request = ()
        return completion

    def _can_repeat(self, error: ModelError) -> bool:
        return self.has_time and (self.context.restarts or not error.after_output)

    def _correct(self, error: ModelError, iteration: int) -> bool:
        """Return whether the model is told what was wrong with its call: once in an iteration."""
        if error.type != "malformed_tool_call" or self._corrected == iteration:
            return False
        self._corrected = iteration
        self._request = (_correction(error),)
        logger.warning("malformed tool call returned", model=self.models.current.name, iteration=iteration)
        return True

    def _shorten(self, error: ModelError, messages: Sequence[Message]) -> bool:
        """Return whether the conversation is sent again without a part of it: once in a chat."""
        if error.type != "context_length" or self._shortening is not None:
            return False
        self._shortening = Shortening.of(messages)
        if self._shortening is None:
            return False
        name, omitted = self.models.current.name, self._shortening.omitted
        logger.warning("conversation shortened", model=name, messages=omitted)
        lost = f"its {omitted} oldest messages were left out" if omitted else "long results of tools were cut"
        self.context.emit(WarningRaised(f"the conversation was too long for {name}: {lost}"))
        return True

    def _in_form(self, completion: Completion) -> Completion:
        """Return an answer with its text as JSON alone. Raises ModelError for one that is not in the form."""
        message = completion.message
        if self.form is None or message.tool_calls or completion.finish_reason not in ("stop", "unknown"):
            return completion
        said = message.text if message.text.strip() else message.reasoning
        text, problems = self.form.read(said)
        is_shown = self._form_receiver is not None and self._form_receiver.has_shown
        if not problems:
            return with_text(completion, message.text.lstrip() if is_shown else text)
        self._rejected = said, problems
        error = misformed(self.models.current.provider.name, problems)
        raise error.after_first_delta() if is_shown else error

    def _repair(self, error: ModelError, iteration: int) -> bool:
        """Return whether the model is asked for its answer in the form: once.

        The first answer of a model that takes no form beside its tools does not count. No tool is offered any more: the
        loop has ended.
        """
        if error.type != "invalid_format" or self.form is None or self._rejected is None or self._repaired:
            return False
        self._repaired = not self._is_free
        self._request = repair_request(*self._rejected, self.form)
        logger.warning("answer rejected", model=self.models.current.name, iteration=iteration)
        return True

    def _ask_again(self, completion: Completion, iteration: int) -> bool:
        """Return whether the model is asked for an answer that was empty: once in a chat."""
        if self._asked_again or "deadline" in self.forbidden_by or not self.has_time or not is_empty(completion):
            return False
        self._asked_again = True
        self._request = (EMPTY_ANSWER,)
        logger.warning("empty answer received", model=self.models.current.name, iteration=iteration)
        return True

    def _restart(self, error: ModelError, iteration: int) -> bool:
        """Return whether the current model is called again: once in an iteration, as other transient errors are."""
        if not (self.context.restarts and error.after_output) or error.type not in RESTARTED_ERRORS:
            return False
        first, self._restarted = self._restarted != iteration, iteration
        return first

    def _send(self, messages: Sequence[Message], iteration: int, tools: FormatTools | None) -> Completion:
        self.context.check_budget(self.context.deadline)
        candidate = self.models.current
        name = candidate.name
        offered = tools if candidate.profile.tools and self._rejected is None else None
        own = self.context.overrides
        provider_tools = offered(candidate.provider.type) if offered else ()
        self._is_free = bool(provider_tools) and not candidate.profile.format_with_tools
        self._sent += 1
        trace, log = self.context.trace, RequestLog()
        options = ChatOptions(
            deadline=self.models.due(self.context.deadline),
            max_tokens=min(filter(None, (self.rule.max_tokens, own.max_tokens)), default=None),
            temperature=self.rule.temperature if own.temperature is None else own.temperature,
            tools=provider_tools,
            tool_choice="none" if self.forbidden_by else self.tool_choice,
            top_p=own.top_p,
            stop=own.stop,
            cache=self._prompt_cache(messages, provider_tools),
            reasoning_effort=self.context.overrides.reasoning_effort or self.rule.reasoning_effort,
            extra_body=self.rule.extra_body if candidate.provider.name == self.rule.llm else {},
            response_format=None if self.form is None else self.form.format,
            headers={} if trace is None else trace.headers(trace.child(f"model:{self._sent}")),
            log=log,
        )
        kept = messages if self._shortening is None else self._shortening.apply(messages)
        sent = [*kept, *self._request, *self._last_words]
        started = self.context.deadline.clock()
        request = ModelRequest(sent, options, candidate.provider.type, self.context.streams, self.models.fallback)
        self.context.emit(ModelStarted(iteration, name, request))
        try:
            completion = candidate.generate_chat(sent, options, self._receiver(iteration))
        except ModelError as error:
            reason = "" if error.type == "malformed_tool_call" else truncate(error.message, MAX_LOGGED_CHARACTERS)
            logger.warning(
                "model call failed",
                model=name,
                iteration=iteration,
                error_type=error.type,
                status=error.status,
                reason=reason,
                provider_request_id=log.request_id,
            )
            lost = tokens_of_failure(sent, error.type)
            self.context.emit(ModelFinished(iteration, name, error=error.type, unreported=lost, failure=error))
            raise
        except BlockedError:  # in the middle of a stream, whose usage is unknown
            received = "" if self._stream is None else self._stream.received
            self._blocked(iteration, name, sent, Completion(assistant(received), "content_filter", Usage(), name))
            raise
        try:
            completion = self._checked(completion, iteration)
        except BlockedError:
            self._blocked(iteration, name, sent, completion)
            raise
        self.time_budget.model_took(started)
        self.context.emit(
            ModelFinished(
                iteration,
                name,
                completion.finish_reason,
                completion.usage,
                unreported=unreported_tokens(sent, completion),
                reasoning=truncate_middle(completion.message.reasoning.strip(), MAX_REASONING_CHARACTERS),
                completion=completion,
            )
        )
        logger.info(
            "model answered",
            model=name,
            iteration=iteration,
            finish_reason=completion.finish_reason,
            tool_calls=len(completion.message.tool_calls),
        )
        return completion

    def _checked(self, completion: Completion, iteration: int) -> Completion:
        """Return a completion with its text after the checks, without reasoning to show. Raises BlockedError."""
        checks = self.context.checks
        if checks is None:
            return completion
        text = completion.message.text
        stream = self._stream
        checked = checks.check(text, iteration=iteration) if stream is None else stream.finish(text)
        return replace(completion, message=checked_message(completion.message, checked))

    def _blocked(self, iteration: int, name: str, sent: Sequence[Message], completion: Completion) -> None:
        """Emit the end of a model call whose text is blocked, with its usage and without its text."""
        lost = unreported_tokens(sent, completion)
        event = ModelFinished(iteration, name, "content_filter", completion.usage, unreported=lost)
        self.context.emit(event)

    def _prompt_cache(self, messages: Sequence[Message], tools: ProviderTools) -> PromptCache | None:
        """Return the use of the prompt cache; None where hardly any request would read what this one writes.

        That is a chat without tools whose system prompt has values of the request. The key is a hash, since the id of a
        session is not for providers.
        """
        if self._cache is None or self._cache[0] is not tools:
            session = self.context.session_id
            cache = None
            if tools or not PLACEHOLDER.search(self.rule.prompt):
                system = "".join(message.text for message in messages if message.role == "system")
                text = to_json(session or [self.rule.name, system, _digest_of_tools(tools)])
                key = sha256(text).hexdigest()[:CACHE_KEY_CHARACTERS]
                cache = PromptCache(key, continues=bool(tools) or session is not None)
            self._cache = (tools, cache)
        return self._cache[1]

    def _receiver(self, iteration: int) -> OnDelta | None:
        """Return the receiver of the deltas of a call; None for one that is not streamed.

        Calls of the client's tools are not emitted in pieces where the message may begin anew, or is not used.
        """
        client_calls = self.client_calls
        if client_calls is not None:
            client_calls.begin()
        if not self.context.streams:
            return None
        receive = self._delta_receiver(iteration)
        if client_calls is None or self.context.restarts or "deadline" in self.forbidden_by:
            return receive

        def receive_calls(delta: Delta) -> None:
            receive(delta)
            client_calls.receive(delta)

        return receive_calls

    def _delta_receiver(self, iteration: int) -> OnDelta:
        emit, checks = self.context.emit, self.context.checks

        def receive(delta: Delta) -> None:
            emit(ModelDelta(iteration, delta))

        if checks is not None:
            receive = self._stream = checks.stream(receive, iteration)
        if self.form is None:
            return receive
        self._form_receiver = FormReceiver(receive)
        return self._form_receiver.receive


def is_empty(completion: Completion) -> bool:
    """Return True for neither text nor calls, unless the provider has a reason."""
    message = completion.message
    return not message.tool_calls and not message.text.strip() and completion.finish_reason == "stop"


def _correction(error: ModelError) -> Message:
    """Return the message to a model whose call could not be read; it is not part of the conversation."""
    rejected = (
        f" It was: {truncate_middle(error.rejected_call, MAX_REJECTED_CHARACTERS)}" if error.rejected_call else ""
    )
    reason = truncate_middle(error.message, MAX_REJECTED_CHARACTERS)
    return user(
        f"(Your last tool call was not run, since it could not be read: {reason}.{rejected} Call a tool again by its "
        "name, with one JSON object of its arguments, or answer without it.)"
    )


def system_prompt(
    template: str, profile: Mapping[str, Json], *instructions: str, nonce: str | None, has_marked_tools: bool
) -> str:
    """Return the text of the system message: the rule's prompt, then those of the front end and of the answer's form,
    if any.

    `nonce` is the id of the tags around found documents, None for documents without tags. The tags are explained if
    the prompt has some, or the offered tools return some.
    """
    text = substitute_variables(template, profile, nonce=nonce)
    is_marked = nonce is not None and f"<{TAG} id={nonce}" in text
    return "\n\n".join(filter(None, (text, *instructions, NOTICE if is_marked or has_marked_tools else "")))


DOCUMENT_FIELDS: Final = frozenset(("documents", "rag_context"))
"""Fields of a profile with texts of documents."""


def substitute_variables(template: str, profile: Mapping[str, Json], *, nonce: str | None = None) -> str:
    """Return `template` with every `{{name}}` and `{{dotted.name}}` replaced from `profile`, in one pass.

    A value is never expanded again, so a user's text cannot reach another value. An unknown name is left unchanged,
    with a warning; `None` becomes an empty string, and objects and lists become JSON. With a `nonce`, texts of
    documents are between tags.
    """
    unresolved: list[str] = []

    def value_of(match: re.Match[str]) -> str:
        found, value = _look_up(profile, match[1].split("."))
        if not found:
            unresolved.append(match[1])
            return match[0]
        found_text = _as_text(value)
        if nonce is None or not value or match[1].split(".")[0] not in DOCUMENT_FIELDS:
            return found_text
        return marked(found_text, source="documents", nonce=nonce)

    text = PLACEHOLDER.sub(value_of, template)
    if unresolved:
        logger.warning("prompt placeholder unresolved", names=unresolved)
    return text


def _look_up(profile: Mapping[str, Json], path: list[str]) -> tuple[bool, Json]:
    value: Json = dict(profile)
    for name in path:
        if not isinstance(value, dict) or name not in value:
            return False, None
        value = value[name]
    return True, value


def _as_text(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else dumps(value)
