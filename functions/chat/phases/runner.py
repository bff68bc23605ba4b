"""Phases 1 to 3: what a message is about, what the collections have about it, and what its user wants."""

import contextvars
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from flexchat.api import ChatRequest
from flexchat.config.catalog import Catalog
from flexchat.config.models.phases import IntentConfig, TopicConfig
from flexchat.config.placeholders import placeholders
from flexchat.deadline import Deadline
from flexchat.messages import Message
from functions.chat.generation.events import Emit
from functions.chat.phases.collections import Retrieved, retrieve
from functions.chat.phases.intent import PROMPT as INTENT_PROMPT
from functions.chat.phases.intent import IntentDecision, detect_intent
from functions.chat.phases.llm_call import CandidateOf, PhaseModel, model_of
from functions.chat.phases.topic import TopicDecision, detect_topic
from functions.chat.tools.invoker import SearchInvoker


@dataclass(frozen=True, slots=True)
class PhaseResults:
    """What the phases found; None is a phase that is not configured, or has nothing to search.

    `current_topic` is what the conversation was about before, as the request or its session says.
    """

    topic: TopicDecision | None = None
    retrieved: Retrieved | None = None
    intent: IntentDecision | None = None
    current_topic: str | None = None


def run_phases(
    request: ChatRequest,
    *,
    history: Sequence[Message],
    current_topic: str | None,
    catalog: Catalog,
    invoker: SearchInvoker,
    candidate: CandidateOf,
    deadline: Deadline,
    request_id: str,
    emit: Emit,
) -> PhaseResults:
    """Everything that is found out about a request before it is answered.

    `history` is the earlier conversation, empty on the first turn; `current_topic` is the session's, under that of the
    request. The topic is detected while collections are searched and the intent is found, unless these wait for it:
    after the first turn they go by the topic. A phase that fails says so in its result; nothing is raised.
    """
    phases = PhaseRunner(
        request=request,
        history=history,
        current_topic=request.topic or current_topic,
        catalog=catalog,
        invoker=invoker,
        candidate=candidate,
        deadline=deadline,
        request_id=request_id,
        emit=emit,
    )
    return phases.run()


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRunner:
    request: ChatRequest
    history: Sequence[Message]
    current_topic: str | None
    catalog: Catalog
    invoker: SearchInvoker
    candidate: CandidateOf
    deadline: Deadline
    request_id: str
    emit: Emit

    def run(self) -> PhaseResults:
        topic, intent = self._topic_section, self._intent_section
        if topic is None:
            return self._rest(None)
        model = model_of("topic", self.catalog.configuration, self.candidate)
        rest_is_idle = intent is None and not self.request.selected_collections
        if rest_is_idle or (self.history and self._topic_is_awaited(intent)):
            return self._rest(self._topic(topic, model))
        if intent is not None:
            # Made before two threads are at work: the openai package fails on an httpx that another thread is loading.
            self._intent_model()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="topic") as pool:
            detection = pool.submit(contextvars.copy_context().run, self._topic, topic, model)
            rest = self._rest(None)
        return PhaseResults(detection.result(), rest.retrieved, rest.intent, self.current_topic)

    @property
    def _topic_section(self) -> TopicConfig | None:
        section = self.catalog.configuration.topic
        return section if section is not None and section.enabled else None

    @property
    def _intent_section(self) -> IntentConfig | None:
        section = self.catalog.configuration.intent
        return section if section is not None and section.enabled else None

    def _topic_is_awaited(self, intent: IntentConfig | None) -> bool:
        """Whether another phase goes by the topic once there is a conversation."""
        if self.request.selected_collections:
            return True
        return intent is not None and "topic" in placeholders(intent.provider.prompt or INTENT_PROMPT)

    def _topic(self, section: TopicConfig, model: PhaseModel) -> TopicDecision:
        return detect_topic(
            self.request.message,
            history=self.history,
            current_topic=self.current_topic,
            model=model,
            prompt=section.provider.prompt,
            deadline=self.deadline,
            emit=self.emit,
        )

    def _rest(self, topic: TopicDecision | None) -> PhaseResults:
        """Phases 2 and 3, by `topic` where it is known before."""
        known_topic = topic.topic if topic is not None else self.current_topic
        retrieved = retrieve(
            self.request,
            topic=known_topic,
            is_first_turn=not self.history,
            catalog=self.catalog,
            invoker=self.invoker,
            deadline=self.deadline,
            request_id=self.request_id,
            emit=self.emit,
        )
        intent = self._intent(known_topic, retrieved)
        return PhaseResults(topic, retrieved, intent, self.current_topic)

    def _intent_model(self) -> PhaseModel:
        return model_of("intent", self.catalog.configuration, self.candidate)

    def _intent(self, topic: str | None, retrieved: Retrieved | None) -> IntentDecision | None:
        section = self._intent_section
        if section is None:
            return None
        return detect_intent(
            self.request.message,
            topic=topic,
            retrieved=retrieved,
            intents=section.detection.intents,
            model=self._intent_model,
            prompt=section.provider.prompt,
            deadline=self.deadline,
            emit=self.emit,
        )
