"""Profile of a chat: fields of the caller, of the session and of the phases."""

from collections.abc import Sequence

import pytest

from flexchat.api import ChatRequest
from functions.chat.phases.collections import RetrievalResult
from functions.chat.phases.intent import IntentDecision
from functions.chat.phases.profile import build_profile
from functions.chat.phases.runner import PhaseResults
from tests.unit.chat.phase_fakes import DETECTED, PARTIAL, PASSAGE

CALLER_FIELDS = ("intent", "service", "collection")

REQUEST = ChatRequest.model_validate(
    {
        "message": "Hello",
        "profile": {
            "intent": "mine",
            "service": "s",
            "collection": "c",
            "topic": "no",
            "level": 3,
            "rag_results": "no",
            "user_message_regexp": "/.*/",
            "intent_contains": "m",
        },
    }
)


@pytest.mark.parametrize("caller_fields", [(), ("level", "plan")])
def test_service_fields_cannot_be_set_by_callers_unless_allowed(
    caller_fields: Sequence[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert build_profile(REQUEST, PhaseResults(), caller_fields=caller_fields) == {
        "intent": None,
        "service": None,
        "collection": None,
        "level": 3,
        "role": [],
        "topic": "Hello",
        "user_message": "Hello",
        "rag_results": "none",
        "documents": [],
        "rag_context": "",
    }
    (ignored,) = [record for record in caplog.records if record.getMessage() == "profile fields ignored"]
    assert ignored.__dict__["fields"] == [
        "collection",
        "intent",
        "intent_contains",
        "rag_results",
        "service",
        "topic",
        "user_message_regexp",
    ]


def test_the_profile_without_phases_has_the_fields_of_the_caller_and_the_message() -> None:
    assert build_profile(REQUEST, PhaseResults(), caller_fields=CALLER_FIELDS) == {
        "intent": "mine",
        "service": "s",
        "collection": "c",
        "level": 3,
        "role": [],
        "topic": "Hello",
        "user_message": "Hello",
        "rag_results": "none",
        "documents": [],
        "rag_context": "",
    }


def test_phases_override_profile_fields_of_the_caller() -> None:
    profile = build_profile(
        REQUEST,
        PhaseResults(DETECTED, PARTIAL, IntentDecision("kb/faq", "kb", "faq", "nearest_partial"), "refunds"),
        caller_fields=CALLER_FIELDS,
    )

    assert profile == {
        "intent": "kb/faq",
        "service": "kb",
        "collection": "faq",
        "level": 3,
        "role": [],
        "topic": "gift cards",
        "user_message": "Hello",
        "rag_results": "partial",
        "documents": [PASSAGE.as_json()],
        "rag_context": "[1] Refunds (r.md)\n14 days.",
    }


def test_an_empty_intent_overrides_that_of_the_caller() -> None:
    profile = build_profile(REQUEST, PhaseResults(intent=IntentDecision(None)), caller_fields=CALLER_FIELDS)

    assert (profile["intent"], profile["service"], profile["collection"]) == (None, "s", "c")


def test_a_matching_collection_is_in_the_profile_without_an_intent_phase() -> None:
    match = RetrievalResult("match", "kb", "faq", (PASSAGE,))

    profile = build_profile(REQUEST, PhaseResults(retrieved=match), caller_fields=CALLER_FIELDS)

    assert (profile["intent"], profile["service"], profile["collection"]) == ("mine", "kb", "faq")


def test_the_topic_of_the_profile_is_from_the_request_then_from_the_session() -> None:
    named = REQUEST.model_copy(update={"topic": "of request"})

    assert (
        build_profile(named, PhaseResults(current_topic="of request"), caller_fields=CALLER_FIELDS)["topic"]
        == "of request"
    )
    assert (
        build_profile(REQUEST, PhaseResults(current_topic="of session"), caller_fields=CALLER_FIELDS)["topic"]
        == "of session"
    )
