"""Phases 1 to 4 together: phases that use the topic wait for it, the others run at the same time."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flexchat.api import ChatRequest
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.errors import ModelError, ToolError
from flexchat.messages import Json, Message, assistant, user
from flexchat.retrieval import classify
from flexchat.search import SearchHit, SearchRequest, SearchResponse
from functions.chat.generation.events import Event, PhaseFinished, SearchFinished
from functions.chat.phases.intent import IntentDecision
from functions.chat.phases.runner import PhaseResults, PhaseRunner
from functions.chat.phases.topic import TopicDecision
from functions.chat.providers.fallback import Candidate
from tests.unit.chat.phase_fakes import DETECTED, PARTIAL
from tests.unit.chat.phase_model import Reply, ScriptedModel

HISTORY = (user("How long does a refund take?"), assistant("14 days."))

RULE = {"llm": "openai", "model": "small", "prompt": "p"}


@dataclass
class Collections:
    """Fake retrieval function: one passage at `distance`, or an error."""

    distance: float = 0.4
    error: ToolError | None = None
    before: Callable[[], object] = lambda: None
    queries: list[Json] = field(default_factory=list[Json])

    can_search: bool = True

    def search(self, request: SearchRequest) -> SearchResponse:
        self.queries.append(request.query)
        self.before()
        if self.error is not None:
            raise self.error
        relevance = classify(self.distance, match_threshold=0.25, partial_threshold=0.5)
        hit = SearchHit(
            title="Refunds",
            source="r.md",
            text="14 days.",
            distance=self.distance,
            collection="faq",
            relevance=relevance,
        )
        return SearchResponse(hits=(hit,))


@dataclass
class Phases:
    """Phases with two models by name, `topical` for the topic and `small` for the intent."""

    topic: ScriptedModel = field(default_factory=lambda: ScriptedModel("gift cards", seconds=0))
    intent: ScriptedModel = field(default_factory=lambda: ScriptedModel("greeting", seconds=0))
    collections: Collections = field(default_factory=Collections)
    events: list[Event] = field(default_factory=list[Event])
    threads: set[str] = field(default_factory=set[str])

    def candidate(self, llm: str, model: str) -> Candidate:
        return (self.topic if model == "topical" else self.intent).candidate(llm, model)

    def emit(self, event: Event) -> None:
        self.threads.add(threading.current_thread().name)
        self.events.append(event)

    def run(
        self,
        config: Mapping[str, Any],
        *,
        history: Sequence[Message] = (),
        current_topic: str | None = None,
        **request: Any,
    ) -> PhaseResults:
        configuration = Configuration.model_validate({"responses": [RULE], "rag_services": {"kb": {}}, **config})
        with PhaseRunner(
            request=ChatRequest.model_validate({"message": "And to a gift card?", **request}),
            history=history,
            session_topic=current_topic,
            catalog=Catalog(configuration, (), "1"),
            invoker=self.collections,
            candidate=self.candidate,
            deadline=self.topic.deadline(),
            request_id="r",
            emit=self.emit,
        ) as phases:
            topic = phases.detect_topic()
            retrieved = phases.search_collections(topic)
            intent = phases.detect_intent(topic, retrieved)
            return PhaseResults(topic.result(), retrieved, intent, phases.current_topic)


TOPIC: dict[str, Any] = {"topic": {"provider": {"model": "topical"}}}
INTENT: dict[str, Any] = {"intent": {"detection": {"intents": {"greeting": "Says hello"}}}}


def greeting(*candidates: str) -> IntentDecision:
    return IntentDecision(
        "greeting",
        source="model",
        candidates=("greeting", *candidates, "other"),
        model="openai:small",
        answer="greeting",
    )


def after_barrier(barrier: threading.Barrier, text: str) -> Reply:
    """A model that answers only when everyone is there."""

    def reply(_question: str) -> str:
        barrier.wait()
        return text

    return reply


def test_unconfigured_phases_make_no_calls() -> None:
    chat = Phases()
    threads = threading.active_count()

    assert chat.run({}) == PhaseResults()
    assert chat.run({}, history=HISTORY, current_topic="refunds") == PhaseResults(current_topic="refunds")
    assert (chat.topic.questions, chat.intent.questions, chat.events) == ([], [], [])
    assert threading.active_count() == threads


def test_disabled_phases_make_no_calls() -> None:
    chat = Phases()
    off = {"topic": {"enabled": False}, "intent": {**INTENT["intent"], "enabled": False}}

    assert chat.run(off) == PhaseResults()
    assert (chat.topic.questions, chat.intent.questions) == ([], [])


def test_a_single_topic_phase_needs_no_thread() -> None:
    chat = Phases()

    assert chat.run(TOPIC) == PhaseResults(DETECTED)
    assert chat.threads == {threading.current_thread().name}


def test_the_first_turn_searches_and_finds_the_intent_in_parallel_with_the_topic() -> None:
    """Each side waits for the start of the other; sequential execution would never end."""
    both_started = threading.Barrier(2, timeout=30)
    chat = Phases()
    chat.topic.reply = after_barrier(both_started, "gift cards")
    chat.collections.before = both_started.wait

    found = chat.run(TOPIC | INTENT, selected_collections=["kb/faq"])

    assert found == PhaseResults(DETECTED, PARTIAL, greeting("kb/faq"))
    assert chat.collections.queries == ["And to a gift card?"]
    assert "Topic of the conversation: (none)\n" in chat.intent.questions[0]
    assert {type(event) for event in chat.events} == {PhaseFinished, SearchFinished}
    assert len(chat.events) == 3
    assert len(chat.threads) == 2


def test_later_turns_search_and_choose_the_intent_by_topic() -> None:
    chat = Phases()

    found = chat.run(TOPIC | INTENT, history=HISTORY, current_topic="refunds", selected_collections=["kb/faq"])

    assert found == PhaseResults(DETECTED, PARTIAL, greeting("kb/faq"), "refunds")
    assert chat.collections.queries == ["gift cards"]
    assert "Current topic: refunds\n" in chat.topic.questions[0]
    assert "Topic of the conversation: gift cards\n" in chat.intent.questions[0]
    assert chat.threads == {threading.current_thread().name}


def test_an_intent_prompt_without_the_topic_does_not_wait_for_it() -> None:
    both_started = threading.Barrier(2, timeout=30)
    chat = Phases()
    chat.topic.reply = after_barrier(both_started, "gift cards")
    chat.intent.reply = after_barrier(both_started, "greeting")
    intent = {"intent": {**INTENT["intent"], "provider": {"prompt": "{{userMessage}} {{intents}}"}}}

    found = chat.run(TOPIC | intent, history=HISTORY)

    assert found == PhaseResults(DETECTED, None, greeting())


def test_the_topic_without_a_topic_phase_is_that_of_the_session_or_request() -> None:
    chat = Phases()

    chat.run(INTENT, history=HISTORY, current_topic="of session", selected_collections=["kb/faq"])
    chat.run(INTENT, history=HISTORY, current_topic="of session", topic="of request", selected_collections=["kb/faq"])
    chat.run(INTENT, history=HISTORY, selected_collections=["kb/faq"])

    assert chat.collections.queries == ["of session", "of request", "And to a gift card?"]
    assert ["Topic of the conversation: of session\n" in question for question in chat.intent.questions] == [
        True,
        False,
        False,
    ]


def test_a_matching_collection_needs_no_model_for_the_intent() -> None:
    chat = Phases(collections=Collections(distance=0.1))

    def no_candidate(llm: str, model: str) -> Candidate:
        raise AssertionError(f"{llm}:{model} is not needed")

    chat.candidate = no_candidate
    found = chat.run(INTENT, selected_collections=["kb/faq"])

    assert found.intent == IntentDecision("kb/faq", "kb", "faq", "rag_match")


def test_a_failing_phase_does_not_affect_the_others() -> None:
    down = ModelError("down", type="server_error", provider="openai")
    chat = Phases(
        topic=ScriptedModel(down), intent=ScriptedModel(down), collections=Collections(error=ToolError("unreachable"))
    )

    for history in ((), HISTORY):
        found = chat.run(TOPIC | INTENT, history=history, selected_collections=["kb/faq"])

        assert found.topic is not None
        assert (found.topic.topic, found.topic.error) == ("And to a gift card?", "down (server_error)")
        assert found.retrieved is not None
        assert (found.retrieved.result, len(found.retrieved.skipped)) == ("none", 1)
        assert found.intent is not None
        assert (found.intent.intent, found.intent.error) == (None, "down (server_error)")


def test_an_unusable_llm_is_an_error_of_the_phase() -> None:
    found = Phases().run({"topic": {"provider": {"llm": "mine", "model": "m"}}})

    assert found.topic == TopicDecision(
        "new_topic", "And to a gift card?", "mine:m", None, "llms.mine: Provider mine not found", 0
    )


def test_a_phase_without_a_model_and_a_fallback_rule_has_a_reason() -> None:
    found = Phases().run({"responses": [], "topic": {}})

    assert found.topic == TopicDecision(
        "new_topic",
        "And to a gift card?",
        None,
        None,
        "no model is configured: set llm and model, or add a rule without 'match'",
        0,
    )


def test_both_models_are_created_before_either_is_called() -> None:
    made: list[str] = []
    chat = Phases()

    def candidate(llm: str, model: str) -> Candidate:
        made.append(model)
        return Phases.candidate(chat, llm, model)

    def reply(_question: str) -> str:
        assert set(made) == {"topical", "small"}
        return "gift cards"

    chat.topic = ScriptedModel(reply, seconds=0)
    chat.candidate = candidate

    assert chat.run({**TOPIC, **INTENT}).topic == DETECTED
