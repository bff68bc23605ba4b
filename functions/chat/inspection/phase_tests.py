"""Tries one phase alone, on the configuration as it is or with another prompt or model."""

from collections.abc import Callable
from http import HTTPStatus

from flexchat.api import ChatRequest
from flexchat.api.explain import IntentTrial, IntentView, PhaseTrial, TopicTrial, TopicView
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.phases import ModelChoice
from flexchat.config.phase_models import Phase, phase_model
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from functions.chat.generation.events import ignore_event
from functions.chat.inspection.explain import intent_view, topic_view
from functions.chat.phases.collections import retrieve
from functions.chat.phases.intent import detect_intent
from functions.chat.phases.llm_call import CandidateOf, PhaseModel, model_of
from functions.chat.phases.topic import detect_topic
from functions.chat.tools.invoker import SearchInvoker


class PhaseTests:
    """The phases that ask a model, one at a time. A section that is switched off can be tried as well.

    `catalog` gives the current configuration, `candidate` the model of an llm by name.
    """

    def __init__(self, *, catalog: Callable[[], Catalog], candidate: CandidateOf, invoker: SearchInvoker) -> None:
        self._catalog = catalog
        self._candidate = candidate
        self._invoker = invoker

    def try_topic(self, trial: TopicTrial, *, deadline: Deadline) -> TopicView:
        """What phase 1 says of a message. Raises RequestError (409) without a `topic` section."""
        configuration = self._catalog().configuration
        section = configuration.topic
        if section is None:
            raise _not_configured("topic", '"topic": {}')
        choice = _choice(section.provider, trial)
        tried = section.model_copy(update={"provider": choice})
        decision = detect_topic(
            trial.message,
            history=[message for entry in trial.history if (message := entry.as_message()) is not None],
            current_topic=trial.topic,
            model=self._model("topic", configuration.model_copy(update={"topic": tried}), trial),
            prompt=choice.prompt,
            deadline=deadline,
            emit=ignore_event,
        )
        return topic_view(decision)

    def try_intent(self, trial: IntentTrial, *, deadline: Deadline, request_id: str) -> IntentView:
        """What phase 3 says of a message, after phase 2 for the collections that the trial selects.

        Raises RequestError (409) without an `intent` section.
        """
        catalog = self._catalog()
        configuration = catalog.configuration
        section = configuration.intent
        if section is None:
            raise _not_configured("intent", '"intent": {"detection": {"intents": {"NAME": "what it means"}}}')
        choice = _choice(section.provider, trial)
        tried = section.model_copy(update={"provider": choice})
        model = self._model("intent", configuration.model_copy(update={"intent": tried}), trial)
        retrieved = retrieve(
            ChatRequest(message=trial.message, topic=trial.topic, selected_collections=trial.selected_collections),
            is_first_turn=trial.topic is None,
            catalog=catalog,
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

    def _model(self, phase: Phase, configuration: Configuration, trial: PhaseTrial) -> PhaseModel:
        """The model to try. Raises RequestError for an llm that the caller names and that does not exist."""
        if trial.llm is not None:
            try:
                phase_model(configuration, phase)
            except ValueError as exc:
                raise RequestError(str(exc)) from exc
        return model_of(phase, configuration, self._candidate)


def _choice(configured: ModelChoice, trial: PhaseTrial) -> ModelChoice:
    """The model and prompt to try: an llm of the trial takes the configured model with it."""
    prompt = trial.prompt or configured.prompt
    if trial.llm is not None:
        return ModelChoice(llm=trial.llm, model=trial.model, prompt=prompt)
    return ModelChoice(llm=configured.llm, model=trial.model or configured.model, prompt=prompt)


def _not_configured(section: Phase, example: str) -> RequestError:
    message = f"the configuration has no section {section!r}; add {example} (docs/configuration.md)"
    return RequestError(message, status=HTTPStatus.CONFLICT, code="not_configured")
