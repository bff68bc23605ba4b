"""Phases 1 to 3 of one chat: topic, collections and intent."""

import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Self

from msgspec import Struct, field

from flexchat.api import ChatRequest
from flexchat.config.access import ALL_RIGHTS, Rights
from flexchat.config.catalog import Catalog
from flexchat.config.models.phases import IntentConfig, TopicConfig, placeholders
from flexchat.deadline import Deadline
from flexchat.messages import Message
from flexchat.trace_context import TraceContext
from functions.chat.generation.events import Emit
from functions.chat.phases.collections import RetrievalResult, retrieve
from functions.chat.phases.intent import PROMPT as INTENT_PROMPT
from functions.chat.phases.intent import IntentDecision, detect_intent
from functions.chat.phases.llm_call import CandidateOf, PhaseModel, model_of
from functions.chat.phases.topic import TopicDecision, detect_topic
from functions.chat.tools.executor import SearchInvoker


class PhaseResults(Struct, frozen=True):
    """Results of phases 1 to 3; None for a phase that is not configured, or has nothing to search.

    `current_topic` is the topic of the conversation so far, from the request or its session.
    """

    topic: TopicDecision | None = None
    retrieved: RetrievalResult | None = None
    intent: IntentDecision | None = None
    current_topic: str | None = None


class TopicDetection(Struct, frozen=True):
    """Topic detection, finished or running in parallel to the other phases, which use `topic`.

    `result` waits for the decision; it returns None when the phase is not configured.
    """

    topic: str | None
    result: Callable[[], TopicDecision | None] = lambda: None


class PhaseRunner(Struct, kw_only=True):
    """Context manager that runs the phases of one request, in the order of its methods.

    `history` is the earlier conversation, empty on the first turn. Topic detection runs in parallel to the other two
    phases, unless these need its result: after the first turn they use the topic. A failed phase has its error in its
    result; nothing is raised. The block ends when no phase is running any more.
    """

    request: ChatRequest
    history: Sequence[Message]
    session_topic: str | None
    catalog: Catalog
    rights: Rights = ALL_RIGHTS
    invoker: SearchInvoker
    candidate: CandidateOf
    deadline: Deadline
    request_id: str
    emit: Emit
    trace: TraceContext | None = None
    _threads: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._threads.close()

    @property
    def current_topic(self) -> str | None:
        """Return the topic of the conversation so far: the request's, else the session's."""
        return self.request.topic or self.session_topic

    def detect_topic(self) -> TopicDetection:
        """Run phase 1; in a thread when no other phase needs the topic."""
        section, intent = self._topic_section, self._intent_section
        if section is None:
            return TopicDetection(self.current_topic)
        detect = partial(self._detect_topic, section, model_of("topic", self.catalog.configuration, self.candidate))
        is_only_phase = intent is None and not self.request.selected_collections
        if is_only_phase or (self.history and self._is_topic_needed(intent)):
            decision = detect()
            return TopicDetection(decision.topic, lambda: decision)
        if intent is not None:
            # Before two threads run: modules that threads import at the same time can see each other half initialized.
            self._intent_model()
        pool = self._threads.enter_context(ThreadPoolExecutor(max_workers=1, thread_name_prefix="topic"))
        return TopicDetection(self.current_topic, pool.submit(contextvars.copy_context().run, detect).result)

    def search_collections(self, topic: TopicDetection) -> RetrievalResult | None:
        """Run phase 2; return None for a request without collections."""
        if not self.request.selected_collections:
            return None
        return retrieve(
            self.request,
            topic=topic.topic,
            is_first_turn=not self.history,
            catalog=self.catalog,
            rights=self.rights,
            invoker=self.invoker,
            deadline=self.deadline,
            request_id=self.request_id,
            emit=self.emit,
        )

    def detect_intent(self, topic: TopicDetection, retrieved: RetrievalResult | None) -> IntentDecision | None:
        """Run phase 3; return None when it is not configured."""
        section = self._intent_section
        if section is None:
            return None
        return detect_intent(
            self.request.message,
            topic=topic.topic,
            retrieved=retrieved,
            intents=section.detection.intents,
            model=self._intent_model,
            prompt=section.provider.prompt,
            deadline=self.deadline,
            emit=self.emit,
            trace=self.trace,
        )

    @property
    def _topic_section(self) -> TopicConfig | None:
        section = self.catalog.configuration.topic
        return section if section is not None and section.enabled else None

    @property
    def _intent_section(self) -> IntentConfig | None:
        section = self.catalog.configuration.intent
        return section if section is not None and section.enabled else None

    def _is_topic_needed(self, intent: IntentConfig | None) -> bool:
        """Return True when another phase uses the topic after the first turn."""
        if self.request.selected_collections:
            return True
        return intent is not None and "topic" in placeholders(intent.provider.prompt or INTENT_PROMPT)

    def _detect_topic(self, section: TopicConfig, model: PhaseModel) -> TopicDecision:
        return detect_topic(
            self.request.message,
            history=self.history,
            current_topic=self.current_topic,
            model=model,
            prompt=section.provider.prompt,
            deadline=self.deadline,
            emit=self.emit,
            trace=self.trace,
        )

    def _intent_model(self) -> PhaseModel:
        return model_of("intent", self.catalog.configuration, self.candidate)
