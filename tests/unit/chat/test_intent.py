"""Phase 3, intent: a matching collection, or the choice of the model in any wording."""

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Usage
from functions.chat.generation.events import Event, PhaseFinished
from functions.chat.phases.collections import FoundDocument, RetrievalResult
from functions.chat.phases.intent import IntentDecision, detect_intent, read_choice
from functions.chat.phases.llm_call import PhaseModel
from tests.unit.chat.phase_model import ScriptedModel, ended

INTENTS = {"weather_forecast": "Asks about the weather", "order status": "Wants to know\nwhere an order is"}


def document(collection: str, distance: float, title: str = "Refunds") -> FoundDocument:
    return FoundDocument(title, "refunds.md", "14 days.", distance=distance, service="kb", collection=collection)


PARTIAL = RetrievalResult(
    "partial",
    documents=(document("faq", 0.4), document("faq", 0.41, "Returns"), document("news", 0.35, "Visits")),
)


def detected(
    model: ScriptedModel,
    *,
    retrieved: RetrievalResult | None = None,
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


def test_a_matching_collection_is_the_intent_and_no_model_is_called() -> None:
    model = ScriptedModel("weather_forecast")
    events: list[Event] = []

    decision = detected(
        model, retrieved=RetrievalResult("match", "kb", "faq", documents=(document("faq", 0.1),)), events=events
    )

    assert decision == IntentDecision("kb/faq", "kb", "faq", "rag_match")
    assert (model.questions, events) == ([], [])


def test_the_model_chooses_an_intent() -> None:
    model = ScriptedModel("weather_forecast")
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
    assert ended(events) == [PhaseFinished("intent", "openai:small", 100.0, 500, Usage(20, 4))]


def test_the_default_prompt_lists_intents_and_partial_collections() -> None:
    model = ScriptedModel("other")

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


def test_a_configured_prompt_has_the_same_variables_and_user_text_is_not_expanded() -> None:
    model = ScriptedModel("other")

    detected(
        model, prompt="{{topic}}|{{userMessage}}|{{intents}}", intents={"a": ""}, message="{{intents}}", topic=None
    )

    assert model.questions == ["(none)|{{intents}}|- a\n- other: none of the above"]


def test_an_intent_named_other_has_its_configured_description() -> None:
    model = ScriptedModel("other")

    decision = detected(model, prompt="{{intents}}", intents={"other": "Small talk", "a": "b"})

    assert model.questions == ["- other: Small talk\n- a: b"]
    assert (decision.intent, decision.source) == ("other", "model")


def test_the_model_can_choose_a_partially_matching_collection() -> None:
    decision = detected(ScriptedModel("KB/FAQ"), retrieved=PARTIAL)

    assert (decision.intent, decision.service, decision.collection, decision.source) == ("kb/faq", "kb", "faq", "model")


def test_collections_are_the_choices_without_configured_intents() -> None:
    decision = detected(ScriptedModel("kb/faq"), retrieved=PARTIAL, intents={})

    assert (decision.intent, decision.candidates) == ("kb/faq", ("kb/faq", "kb/news", "other"))


@pytest.mark.parametrize("answer", ["other", "I do not know.", "kb/faq or kb/news"])
def test_no_choice_selects_the_nearest_partial_collection(answer: str) -> None:
    decision = detected(ScriptedModel(answer), retrieved=PARTIAL)

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
    decision = detected(ScriptedModel(answer), retrieved=RetrievalResult("none"))

    assert (decision.intent, decision.service, decision.source) == ("other", None, source)


def test_no_model_is_called_without_choices() -> None:
    model = ScriptedModel("other")

    assert detected(model, intents={}) == IntentDecision(None)
    assert detected(model, intents={}, retrieved=RetrievalResult("none")) == IntentDecision(None)
    assert model.questions == []


def test_a_failing_model_leaves_the_intent_empty() -> None:
    events: list[Event] = []

    decision = detected(ScriptedModel(ModelError("down", type="server_error", provider="openai")), events=events)

    assert decision == IntentDecision(
        None,
        candidates=("weather_forecast", "order status", "other"),
        model="openai:small",
        error="down (server_error)",
        duration_ms=500,
    )
    assert ended(events) == [
        PhaseFinished("intent", "openai:small", 100.0, 500, Usage(), "server_error", message="down")
    ]


def test_a_failing_model_selects_the_nearest_partial_collection() -> None:
    decision = detected(ScriptedModel(ModelError("down", type="server_error", provider="openai")), retrieved=PARTIAL)

    assert (decision.intent, decision.source, decision.error) == ("kb/news", "nearest_partial", "down (server_error)")


def test_no_model_leaves_the_intent_empty_with_a_reason() -> None:
    decision = detect_intent(
        "Hello",
        topic=None,
        retrieved=None,
        intents={"a": "b"},
        model=lambda: PhaseModel(None, problem="no model is configured"),
        prompt=None,
        deadline=ScriptedModel().deadline(),
        emit=list[Event]().append,
    )

    assert decision == IntentDecision(None, candidates=("a", "other"), error="no model is configured")


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
def test_a_choice_is_parsed_from_any_answer_text(answer: str, choice: str | None) -> None:
    assert read_choice(answer, CANDIDATES) == choice


def test_the_first_of_equally_written_names_is_chosen() -> None:
    assert read_choice("a b", ("a_b", "a-b", "", "_")) == "a_b"
    assert read_choice("a-b, I think", ("a_b", "a-b", "", "_")) == "a_b"
