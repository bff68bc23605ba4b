"""Tests of one phase alone, with the configured or another prompt or model."""

import time
from http import HTTPStatus
from typing import Annotated

from pydantic import Field, field_validator

from flexchat.api import ChatRequest, history_messages
from flexchat.api.base import ApiModel
from flexchat.api.explain import IntentView, TopicView
from flexchat.api.request import MAX_HISTORY_MESSAGES, MAX_MESSAGE_CHARACTERS, ClientMessage
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.phases import ModelChoice
from flexchat.config.phase_models import Phase, phase_model
from flexchat.deadline import Clock, Deadline
from flexchat.errors import RequestError
from flexchat.http_api.caller import Caller
from flexchat.messages import AnswerOutcome
from functions.chat.generation.events import Emit
from functions.chat.inspection.explain import intent_view, topic_view
from functions.chat.phases.collections import RetrievalResult, retrieve
from functions.chat.phases.intent import detect_intent
from functions.chat.phases.llm_call import PhaseModel, model_of
from functions.chat.phases.topic import detect_topic
from functions.chat.runtime import Runtime, RuntimeCache
from functions.chat.tools.executor import SearchInvoker
from functions.chat.tracing.recorder import StepOutcome, TraceOrigin
from functions.chat.tracing.sender import TraceSender

PhasePrompt = Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE_CHARACTERS)]
EntryName = Annotated[str, Field(min_length=1, max_length=256)]


class PhaseTrial(ApiModel):
    """A message for a test of a phase; `prompt`, `llm` and `model` replace the configured ones."""

    message: Annotated[str, Field(max_length=MAX_MESSAGE_CHARACTERS, examples=["How long does a refund take?"])]
    topic: Annotated[str, Field(max_length=2_000)] | None = None
    prompt: PhasePrompt | None = None
    llm: EntryName | None = None
    model: EntryName | None = None

    @field_validator("message")
    @classmethod
    def _is_not_blank(cls, message: str) -> str:
        if not message.strip():
            raise ValueError("must contain more than white space")
        return message


class TopicTrial(PhaseTrial):
    """Test of phase 1: a message, its history and the current topic."""

    history: Annotated[tuple[ClientMessage, ...], Field(max_length=MAX_HISTORY_MESSAGES)] = ()


class IntentTrial(PhaseTrial):
    """Test of phase 3: a message, its topic, and the collections to search first. The query of the search is the topic,
    if there is one, as after the first turn of a chat."""

    selected_collections: Annotated[tuple[Annotated[str, Field(max_length=256)], ...], Field(max_length=50)] = ()
    intents: Annotated[dict[EntryName, Annotated[str, Field(max_length=2_000)]], Field(max_length=200)] | None = None


class PhaseTests:
    """Tests of the phases that call a model, each with a trace. A disabled section can be tested as well."""

    def __init__(
        self, *, runtimes: RuntimeCache, invoker: SearchInvoker, traces: TraceSender, clock: Clock = time.monotonic
    ) -> None:
        self._runtimes = runtimes
        self._invoker = invoker
        self._traces = traces
        self._clock = clock

    def try_topic(self, trial: TopicTrial, *, caller: Caller, deadline: Deadline, request_id: str) -> TopicView:
        """Return the outcome of phase 1 for a message. Raises RequestError (409) without a `topic` section."""
        runtime = self._runtimes.current()
        configuration = runtime.catalog.configuration
        section = configuration.topic
        if section is None:
            raise _not_configured("topic", '"topic": {}')
        choice = _choice(section.provider, trial)
        tested = section.model_copy(update={"provider": choice})
        model = _model("topic", runtime, configuration.model_copy(update={"topic": tested}), trial)
        origin = _origin(caller, request_id)
        with self._traces.chat(origin, runtime, message=trial.message, clock=self._clock) as traced:
            decision = detect_topic(
                trial.message,
                history=history_messages(trial.history),
                current_topic=trial.topic,
                model=model,
                prompt=choice.prompt,
                deadline=deadline,
                emit=traced.observe,
                trace=origin.context,
            )
            traced.tested(StepOutcome(outcome=_outcome(decision.error), topic=decision.topic))
        return topic_view(decision)

    def try_intent(self, trial: IntentTrial, *, caller: Caller, deadline: Deadline, request_id: str) -> IntentView:
        """Return the outcome of phase 3 for a message, after phase 2 for the selected collections.

        Raises RequestError (409) without an `intent` section.
        """
        runtime = self._runtimes.current()
        configuration = runtime.catalog.configuration
        section = configuration.intent
        if section is None:
            raise _not_configured("intent", '"intent": {"detection": {"intents": {"NAME": "what it means"}}}')
        choice = _choice(section.provider, trial)
        tested = section.model_copy(update={"provider": choice})
        model = _model("intent", runtime, configuration.model_copy(update={"intent": tested}), trial)
        origin = _origin(caller, request_id)
        with self._traces.chat(origin, runtime, message=trial.message, clock=self._clock) as traced:
            decision = detect_intent(
                trial.message,
                topic=trial.topic,
                retrieved=self._searched(trial, runtime, deadline, request_id, traced.observe),
                intents=section.detection.intents if trial.intents is None else trial.intents,
                model=lambda: model,
                prompt=choice.prompt,
                deadline=deadline,
                emit=traced.observe,
                trace=origin.context,
            )
            traced.tested(StepOutcome(outcome=_outcome(decision.error), topic=trial.topic, intent=decision.intent))
        return intent_view(decision)

    def _searched(
        self, trial: IntentTrial, runtime: Runtime, deadline: Deadline, request_id: str, emit: Emit
    ) -> RetrievalResult | None:
        if not trial.selected_collections:
            return None
        return retrieve(
            ChatRequest(message=trial.message, topic=trial.topic, selected_collections=trial.selected_collections),
            is_first_turn=trial.topic is None,
            catalog=runtime.catalog,
            invoker=self._invoker,
            deadline=deadline,
            request_id=request_id,
            emit=emit,
        )


def _origin(caller: Caller, request_id: str) -> TraceOrigin:
    return TraceOrigin.of_request(request_id, front_end="phase_test", caller=caller.principal)


def _outcome(error: str | None) -> AnswerOutcome:
    return "answered" if error is None else "model_failed"


def _model(phase: Phase, runtime: Runtime, configuration: Configuration, trial: PhaseTrial) -> PhaseModel:
    """Return the model to test. Raises RequestError for an unknown llm of the caller."""
    if trial.llm is not None:
        try:
            phase_model(configuration, phase)
        except ValueError as exc:
            raise RequestError(str(exc)) from exc
    return model_of(phase, configuration, runtime.candidate)


def _choice(configured: ModelChoice, trial: PhaseTrial) -> ModelChoice:
    """Return the model and prompt to test; the configured model applies only to the configured llm."""
    prompt = trial.prompt or configured.prompt
    if trial.llm is not None:
        return ModelChoice(llm=trial.llm, model=trial.model, prompt=prompt)
    return ModelChoice(llm=configured.llm, model=trial.model or configured.model, prompt=prompt)


def _not_configured(section: Phase, example: str) -> RequestError:
    message = f"the configuration has no section {section!r}; add {example} (docs/configuration.md)"
    return RequestError(message, status=HTTPStatus.CONFLICT, code="not_configured")
