"""Selection of a phase's model when its section does not name one, and the check of it."""

from collections.abc import Mapping

import pytest

from flexchat.config.model_names import ModelName
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.limits import SessionsConfig
from flexchat.config.models.phases import placeholders
from flexchat.config.phase_models import phase_model
from flexchat.config_check.check import check_source
from flexchat.messages import Json
from tests.unit.config.sources import problem_lines, rule

LLMS: dict[str, Json] = {
    "main": {"type": "ollama"},
    "listing": {"type": "ollama", "models": ["first", "second"]},
    "bare": {"type": "ollama"},
}


def document(topic: Json = None, intent: Json = None, **changes: Json) -> dict[str, Json]:
    """Configuration with main:gpt-4o in its fallback rule, and the providers of the phases."""
    sections: dict[str, Json] = {"topic": topic, "intent": intent}
    given: dict[str, Json] = {
        name: {"provider": provider, "detection": {"intents": {"a": "b"}}}
        if name == "intent"
        else {"provider": provider}
        for name, provider in sections.items()
        if provider is not None
    }
    rules: list[Json] = [rule(match={"topic": "gold"}, model="no"), rule()]
    return {"llms": LLMS, "responses": rules, **given, **changes}


@pytest.mark.parametrize(
    ("topic", "intent", "topic_model", "intent_model"),
    [
        ({}, {}, "main:gpt-4o", "main:gpt-4o"),
        ({}, None, "main:gpt-4o", "main:gpt-4o"),
        ({"llm": "bare", "model": "m"}, {}, "bare:m", "main:gpt-4o"),
        ({}, {"llm": "bare", "model": "m"}, "bare:m", "bare:m"),
        ({"model": "mini"}, {"llm": "bare", "model": "m"}, "bare:mini", "bare:m"),
        ({"model": "mini"}, {"model": "maxi"}, "main:mini", "main:maxi"),
        ({}, {"model": "maxi"}, "main:maxi", "main:maxi"),
        ({"llm": "listing"}, {"llm": "main"}, "listing:first", "main:gpt-4o"),
        ({"prompt": "p"}, {"prompt": "p"}, "main:gpt-4o", "main:gpt-4o"),
    ],
)
def test_unset_options_of_a_section_are_from_the_next_section(
    topic: Json, intent: Json, topic_model: str, intent_model: str
) -> None:
    source = document(topic, intent)
    configuration = Configuration.model_validate(source)

    assert str(phase_model(configuration, "topic")) == topic_model
    assert str(phase_model(configuration, "intent")) == intent_model
    assert problem_lines(check_source(source, {})[1]) == []


def test_a_disabled_section_still_provides_a_model() -> None:
    configuration = Configuration.model_validate(
        {"llms": LLMS, "topic": {}, "intent": {"enabled": False, "provider": {"llm": "bare", "model": "m"}}}
    )

    assert phase_model(configuration, "topic") == ModelName("bare", "m")


NO_MODEL = "no model is configured: set llm and model, or add a rule without 'match'"


@pytest.mark.parametrize(
    ("source", "problems"),
    [
        (
            document({"llm": "bare"}),
            ["topic.provider: no model is configured: llms.bare lists no models; set 'model'"],
        ),
        (
            document({}, {"llm": "bare"}),
            [
                "topic.provider: no model is configured: llms.bare lists no models; set 'model'",
                "intent.provider: no model is configured: llms.bare lists no models; set 'model'",
            ],
        ),
        (document({}, responses=[]), [f"topic.provider: {NO_MODEL}"]),
        (document({"model": "m"}, responses=[]), [f"topic.provider: {NO_MODEL}"]),
        (document(None, {}, responses=[rule(match={"service": "s"})]), [f"intent.provider: {NO_MODEL}"]),
        (document({"llm": "bar"}), ["topic.provider.llm: no llm named 'bar'; did you mean 'bare'?"]),
        (document({}, {"llm": "bar"}), ["intent.provider.llm: no llm named 'bar'; did you mean 'bare'?"]),
    ],
)
def test_a_phase_without_a_model_is_reported(source: Mapping[str, Json], problems: list[str]) -> None:
    assert problem_lines(check_source(source, {})[1]) == problems


def test_a_disabled_phase_needs_no_model() -> None:
    source: dict[str, Json] = {"topic": {"enabled": False}, "intent": {"enabled": False}}

    assert problem_lines(check_source(source, {})[1]) == []


def test_problems_caused_by_a_broken_entry_are_not_reported_again() -> None:
    broken_rule: Json = {**rule(), "model": 1}
    broken_llm: Json = {**LLMS, "bare": {"type": "no"}}

    assert len(problem_lines(check_source(document({}, responses=[broken_rule]), {})[1])) == 1
    assert len(problem_lines(check_source(document({"llm": "bare"}, llms=broken_llm), {})[1])) == 1


def test_a_missing_llm_provides_no_model() -> None:
    configuration = Configuration.model_validate(document({"llm": "bar"}))

    with pytest.raises(ValueError, match="no llm named 'bar'; did you mean 'bare'"):
        phase_model(configuration, "topic")


def test_a_model_outside_of_the_llms_list_is_a_warning() -> None:
    source = document({"llm": "listing", "model": "frist"})

    assert problem_lines(check_source(source, {})[1], "warning") == [
        "topic.provider.model: llms.listing.models does not list 'frist'; did you mean 'first'?"
    ]


def test_an_intent_section_without_intents_is_a_warning() -> None:
    warning = "intent.detection.intents: lists no intent: the model can choose only collections that match in part"

    assert problem_lines(check_source({"intent": {}, "responses": [rule(llm="ollama")]}, {})[1], "warning") == [warning]
    assert (
        problem_lines(check_source({"intent": {"enabled": False}, "responses": [rule(llm="ollama")]}, {})[1], "warning")
        == []
    )


def test_a_variable_unknown_to_a_phase_is_a_warning() -> None:
    source = document(
        {"prompt": "{{curentTopic}} {{userMessage}}"}, {"prompt": "{{ intents }} {{rag_context}} {{user.x}}"}
    )

    of_topic = "{{currentTopic}}, {{conversationContext}}, {{userMessage}}"
    of_intent = "{{intents}}, {{userMessage}}, {{topic}}"
    assert problem_lines(check_source(source, {})[1], "warning") == [
        f"topic.provider.prompt: no variable 'curentTopic' among {of_topic}; did you mean 'currentTopic'?",
        f"intent.provider.prompt: no variable 'rag_context' among {of_intent}",
        f"intent.provider.prompt: no variable 'user.x' among {of_intent}",
    ]


def test_placeholders_are_reported_once_in_order() -> None:
    assert placeholders("{{b}} {{ a.c }} {{b}} {{}} {d}") == ("b", "a.c")


def test_sessions_have_settings_within_bounds() -> None:
    assert Configuration().sessions == SessionsConfig(ttl_days=30, max_history_tokens=16_000)
    problems = check_source({"sessions": {"ttl_days": 366, "max_history_tokens": 255}}, {})[1]
    assert problem_lines(problems) == [
        "sessions.ttl_days: must be less than or equal to 365",
        "sessions.max_history_tokens: must be greater than or equal to 256",
    ]
