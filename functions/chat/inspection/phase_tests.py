"""Tests of one phase alone, with the configured or another prompt or model."""

from http import HTTPStatus

from flexchat.api import ChatRequest, history_messages
from flexchat.api.explain import IntentView, TopicView
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.phases import ModelChoice
from flexchat.config.phase_models import Phase, phase_model
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from functions.chat.generation.events import ignore_event
from functions.chat.inspection.explain import intent_view, topic_view
from functions.chat.inspection.phase_trials import IntentTrial, PhaseTrial, TopicTrial
from functions.chat.phases.collections import RetrievalResult, retrieve
from functions.chat.phases.intent import detect_intent
from functions.chat.phases.llm_call import PhaseModel, model_of
from functions.chat.phases.topic import detect_topic
from functions.chat.runtime import Runtime, RuntimeCache
from functions.chat.tools.invoker import SearchInvoker


class PhaseTests:
    """Tests of the phases that call a model. A disabled section can be tested as well."""

    def __init__(self, *, runtimes: RuntimeCache, invoker: SearchInvoker) -> None:
        self._runtimes = runtimes
        self._invoker = invoker

    def try_topic(self, trial: TopicTrial, *, deadline: Deadline) -> TopicView:
        """Return the outcome of phase 1 for a message. Raises RequestError (409) without a `topic` section."""
        runtime = self._runtimes.current()
        configuration = runtime.catalog.configuration
        section = configuration.topic
        if section is None:
            raise _not_configured("topic", '"topic": {}')
        choice = _choice(section.provider, trial)
        tested = section.model_copy(update={"provider": choice})
        decision = detect_topic(
            trial.message,
            history=history_messages(trial.history),
            current_topic=trial.topic,
            model=_model("topic", runtime, configuration.model_copy(update={"topic": tested}), trial),
            prompt=choice.prompt,
            deadline=deadline,
            emit=ignore_event,
        )
        return topic_view(decision)

    def try_intent(self, trial: IntentTrial, *, deadline: Deadline, request_id: str) -> IntentView:
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
        retrieved: RetrievalResult | None = None
        if trial.selected_collections:
            retrieved = retrieve(
                ChatRequest(message=trial.message, topic=trial.topic, selected_collections=trial.selected_collections),
                is_first_turn=trial.topic is None,
                catalog=runtime.catalog,
                invoker=self._invoker,
                deadline=deadline,
                request_id=request_id,
                emit=ignore_event,
            )
        decision = detect_intent(
            trial.message,
            topic=trial.topic,
            retrieved=retrieved,
            intents=section.detection.intents if trial.intents is None else trial.intents,
            model=lambda: model,
            prompt=choice.prompt,
            deadline=deadline,
            emit=ignore_event,
        )
        return intent_view(decision)


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
