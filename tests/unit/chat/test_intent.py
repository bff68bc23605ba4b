"""Phase 3: the collection that matches, else what the model picks, however it words that."""

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Usage
from functions.chat.generation.events import Event, PhaseFinished
from functions.chat.phases.collections import FoundDocument, Retrieved
from functions.chat.phases.intent import IntentDecision, detect_intent, read_choice
from functions.chat.phases.llm_call import PhaseModel
from tests.unit.chat.phase_model import AskedModel

INTENTS = {"weather_forecast": "Asks about the weather", "order status": "Wants to know\nwhere an order is"}


def document(collection: str, distance: float, title: str = "Refunds") -> FoundDocument:
    return FoundDocument(title, "refunds.md", "14 days.", distance=distance, service="kb", collection=collection)


PARTIAL = Retrieved(
    "partial",
    documents=(document("faq", 0.4), document("faq", 0.41, "Returns"), document("news", 0.35, "Visits")),
)


def detected(
    model: AskedModel,
    *,
    retrieved: Retrieved | None = None,
    intents: dict[str, str] | None = None,
    prompt: str | None = None,
    message: str = "Will it rain?",
    topic: str | None = "the weather",
    events: list[Event] | None = None,
) -> IntentDecision:
    return detect_intent(
        message,
        topic=topic,
        retrieved=retrieved,
        intents=INTENTS if intents is None else intents,
        model=model.as_phase_model,
        prompt=prompt,
        deadline=model.deadline(),
        emit=(events if events is not None else []).append,
    )


def test_a_collection_that_matches_is_the_intent_and_no_model_is_called() -> None:
    model = AskedModel("weather_forecast")
    events: list[Event] = []

    decision = detected(
        model, retrieved=Retrieved("match", "kb", "faq", documents=(document("faq", 0.1),)), events=events
    )

    assert decision == IntentDecision("kb/faq", "kb", "faq", "rag_match")
    assert (model.questions, events) == ([], [])


def test_the_model_picks_an_intent() -> None:
    model = AskedModel("weather_forecast")
    events: list[Event] = []

    decision = detected(model, events=events)

    assert decision == IntentDecision(
        "weather_forecast",
        source="model",
        candidates=("weather_forecast", "order status", "other"),
        model="openai:small",
        answer="weather_forecast",
        duration_ms=500,
    )
    assert events == [PhaseFinished("intent", "openai:small", 100.0, 500, Usage(20, 4))]


def test_the_default_prompt_lists_intents_and_partial_collections() -> None:
    model = AskedModel("other")

    detected(model, retrieved=PARTIAL)

    (question,) = model.questions
    assert (
        "Answer with exactly one name from this list, and nothing else:\n"
        "- weather_forecast: Asks about the weather\n"
        "- order status: Wants to know where an order is\n"
        "- kb/faq: documents: Refunds; Returns\n"
        "- kb/news: documents: Visits\n"
        "- other: none of the above\n"
    ) in question
    assert "Topic of the conversation: the weather\n" in question
    assert "<message>\nWill it rain?\n</message>" in question
    assert "{{" not in question


def test_a_prompt_of_the_configuration_uses_the_same_variables_and_user_text_is_not_expanded() -> None:
    model = AskedModel("other")

    detected(
        model, prompt="{{topic}}|{{userMessage}}|{{intents}}", intents={"a": ""}, message="{{intents}}", topic=None
    )

    assert model.questions == ["(none)|{{intents}}|- a\n- other: none of the above"]


def test_an_intent_called_other_is_described_by_the_configuration() -> None:
    model = AskedModel("other")

    decision = detected(model, prompt="{{intents}}", intents={"other": "Small talk", "a": "b"})

    assert model.questions == ["- other: Small talk\n- a: b"]
    assert (decision.intent, decision.source) == ("other", "model")


def test_the_model_may_pick_a_collection_that_matches_in_part() -> None:
    decision = detected(AskedModel("KB/FAQ"), retrieved=PARTIAL)

    assert (decision.intent, decision.service, decision.collection, decision.source) == ("kb/faq", "kb", "faq", "model")


def test_collections_are_chosen_from_where_no_intent_is_configured() -> None:
    decision = detected(AskedModel("kb/faq"), retrieved=PARTIAL, intents={})

    assert (decision.intent, decision.candidates) == ("kb/faq", ("kb/faq", "kb/news", "other"))


@pytest.mark.parametrize("answer", ["other", "I do not know.", "kb/faq or kb/news"])
def test_no_choice_takes_the_nearest_partial_collection(answer: str) -> None:
    decision = detected(AskedModel(answer), retrieved=PARTIAL)

    assert (decision.intent, decision.service, decision.collection, decision.source, decision.error) == (
        "kb/news",
        "kb",
        "news",
        "nearest_partial",
        None,
    )


@pytest.mark.parametrize(
    ("answer", "source"), [("Other.", "model"), ("I do not know.", "none"), ("weather_forecast, order status", "none")]
)
def test_no_choice_without_partial_collections_is_other(answer: str, source: str) -> None:
    decision = detected(AskedModel(answer), retrieved=Retrieved("none"))

    assert (decision.intent, decision.service, decision.source) == ("other", None, source)


def test_with_nothing_to_choose_from_no_model_is_called() -> None:
    model = AskedModel("other")

    assert detected(model, intents={}) == IntentDecision(None)
    assert detected(model, intents={}, retrieved=Retrieved("none")) == IntentDecision(None)
    assert model.questions == []


def test_a_failing_model_leaves_the_intent_open() -> None:
    events: list[Event] = []

    decision = detected(AskedModel(ModelError("down", type="server_error", provider="openai")), events=events)

    assert decision == IntentDecision(
        None,
        candidates=("weather_forecast", "order status", "other"),
        model="openai:small",
        error="down (server_error)",
        duration_ms=500,
    )
    assert events == [PhaseFinished("intent", "openai:small", 100.0, 500, Usage(), "server_error")]


def test_a_failing_model_leaves_the_nearest_partial_collection() -> None:
    decision = detected(AskedModel(ModelError("down", type="server_error", provider="openai")), retrieved=PARTIAL)

    assert (decision.intent, decision.source, decision.error) == ("kb/news", "nearest_partial", "down (server_error)")


def test_without_a_model_the_intent_is_open_and_reports_the_reason() -> None:
    decision = detect_intent(
        "Hello",
        topic=None,
        retrieved=None,
        intents={"a": "b"},
        model=lambda: PhaseModel(None, problem="there is no model to ask"),
        prompt=None,
        deadline=AskedModel().deadline(),
        emit=list[Event]().append,
    )

    assert decision == IntentDecision(None, candidates=("a", "other"), error="there is no model to ask")


CANDIDATES = ("weather", "weather_forecast", "order status", "kb/faq", "kb/faq-old", "c++ help", "intent", "other")


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ("weather", "weather"),
        ("  Weather_Forecast.\n", "weather_forecast"),
        ("**weather-forecast**", "weather_forecast"),
        ("`Order Status`", "order status"),
        ("ORDER_STATUS", "order status"),
        ('"kb/faq"', "kb/faq"),
        ("kb/faq-old", "kb/faq-old"),
        ("[other]", "other"),
        ("The user asks about the weather, so weather.", "weather"),
        ("The user wants the weather forecast.", "weather_forecast"),
        ("- kb/faq-old: documents", "kb/faq-old"),
        ("It is c++ help!", "c++ help"),
        ('{"intent": "weather"}', "weather"),
        ('{"intent": "weather", "reason": "not about an order status"}', "weather"),
        ('{"reason": "the order status, I think", "confidence": 0.9}', "order status"),
        ('["order status"]', "order status"),
        ('```json\n{"intent": "kb/faq"}', None),
        ('{"name": "kb/faq"', "kb/faq"),
        ("weather or order status", None),
        ("weatherman", None),
        ("non-weather", None),
        ("faq", None),
        ("service/kb/faq", None),
        ("{}", None),
        ("42", None),
        ("...", None),
        ("", None),
    ],
)
def test_a_choice_is_read_from_any_text_of_the_model(answer: str, choice: str | None) -> None:
    assert read_choice(answer, CANDIDATES) == choice


def test_names_that_are_written_alike_are_the_first_of_them() -> None:
    assert read_choice("a b", ("a_b", "a-b", "", "_")) == "a_b"
    assert read_choice("a-b, I think", ("a_b", "a-b", "", "_")) == "a_b"
