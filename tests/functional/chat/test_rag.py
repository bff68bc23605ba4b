"""Search of selected collections: classes of results, thresholds and queries."""

import json
import re

import pytest

from functions.chat.tools.marking import NOTICE
from tests.functional.chat.rag_chat import found, hit, service, shown, steps


def test_match_is_used_and_named_with_its_collection() -> None:
    kb = service({"kb/faq": found(hit(0.1), hit(0.4, title="Returns")), "kb/news": found(hit(0.01, title="News"))})

    answer = kb.send_chat()

    assert answer.status == 200
    assert answer.body["rag"] == {
        "result": "match",
        "service": "kb",
        "collection": "faq",
        "documents": [shown(0.1, "faq"), shown(0.4, "faq", title="Returns")],
        "skipped": [],
    }
    start, passages, end = re.split(r"<untrusted id=[0-9a-f]{8} source=documents>\n|\n</untrusted id=.{8}>", kb.prompt)
    assert (start, passages, end) == (
        "match|kb|faq|",
        "[1] Refunds (refunds.md)\nRefunds take 14 days.\n\n[2] Returns (refunds.md)\nRefunds take 14 days.",
        f"\n\n{NOTICE}",
    )
    assert steps(answer) == [("search", "kb/faq", 0, True)]


def test_match_after_a_partial_result_is_used_alone() -> None:
    kb = service({"kb/faq": found(hit(0.4)), "kb/news": found(hit(0.1, title="News"))})

    answer = kb.send_chat()

    assert answer.body["rag"] == {
        "result": "match",
        "service": "kb",
        "collection": "news",
        "documents": [shown(0.1, "news", title="News")],
        "skipped": [],
    }
    assert steps(answer) == [("search", "kb/faq", 0, True), ("search", "kb/news", 0, True)]


def test_partial_results_accumulate_in_selection_order() -> None:
    kb = service(
        {
            "kb/faq": found(hit(0.45, title="B")),
            "kb/far": found(hit(0.9, title="Never")),
            "kb/news": found(hit(0.3, title="A")),
        }
    )

    answer = kb.send_chat(selected_collections=["kb/faq", "kb/far", "kb/news"])

    assert answer.body["rag"] == {
        "result": "partial",
        "documents": [shown(0.45, "faq", title="B"), shown(0.3, "news", title="A")],
        "skipped": [],
    }
    assert kb.prompt.startswith("partial|||<untrusted id=")
    assert ">\n[1] B (refunds.md)\n" in kb.prompt


def test_distant_passages_are_no_result() -> None:
    kb = service({"kb/faq": found(hit(0.5)), "kb/news": found()})

    assert kb.send_chat().body["rag"] == {"result": "none", "documents": [], "skipped": []}
    assert kb.prompt == "none|||"


@pytest.mark.parametrize(
    ("distance", "result"), [(0.2499, "match"), (0.25, "partial"), (0.4999, "partial"), (0.5, "none")]
)
def test_distance_equal_to_a_threshold_is_outside_it(distance: float, result: str) -> None:
    kb = service({"kb/faq": found(hit(distance))})

    assert kb.send_chat(selected_collections=["kb/faq"]).body["rag"]["result"] == result


def test_nearest_passage_sets_the_class_at_any_rank() -> None:
    kb = service({"kb/faq": found(hit(0.6, title="Ranked first"), hit(0.1))})

    rag = kb.send_chat(selected_collections=["kb/faq"]).body["rag"]

    assert (rag["result"], [document["title"] for document in rag["documents"]]) == (
        "match",
        ["Ranked first", "Refunds"],
    )


def test_collection_thresholds_override_service_thresholds() -> None:
    services = {"kb": {"match_threshold": 0.1, "partial_threshold": 0.2}}
    kb = service(
        {
            "kb/faq": found(hit(0.8), match_threshold=0.85, partial_threshold=0.9, display_name="FAQ"),
            "kb/news": found(hit(0.15), match_threshold=None, partial_threshold=0.12),
        },
        services=services,
        answers=2,
    )

    assert kb.send_chat(selected_collections=["kb/faq"]).body["rag"]["result"] == "match"
    assert kb.send_chat(selected_collections=["kb/news"]).body["rag"]["result"] == "none"


def test_threshold_of_zero_is_applied() -> None:
    kb = service({"kb/faq": found(hit(0.0), match_threshold=0, partial_threshold=0)})

    assert kb.send_chat(selected_collections=["kb/faq"]).body["rag"]["result"] == "none"


def test_max_distance_of_the_service_drops_passages() -> None:
    kb = service({"kb/faq": found(hit(0.1), hit(0.7))}, services={"kb": {"max_distance": 0.6}})

    rag = kb.send_chat(selected_collections=["kb/faq"]).body["rag"]

    assert [document["distance"] for document in rag["documents"]] == [0.1]


def test_retrieval_function_receives_the_search_contract() -> None:
    settings = {"top_k": 3, "timeout_ms": 1_500, "match_threshold": 0.2, "headers": {"X-Key": "k"}}
    kb = service({"kb/faq": found()}, services={"kb": settings})

    kb.send_chat("Where is it?", selected_collections=["kb/faq"])

    (event,) = kb.collections.events
    searched = event["scope"].pop("service")
    assert isinstance(event.pop("request_id"), str)
    assert event == {
        "version": 1,
        "operation": "search",
        "query": "Where is it?",
        "collection": "faq",
        "top_k": 3,
        "filters": {},
        "scope": {"services": None, "collections": None},
        "max_bytes": 24_000,
        "timeout_ms": 1_500,
    }
    assert searched.items() >= {"name": "kb", "type": "internal", **settings}.items()


def test_first_turn_is_searched_by_message_and_later_turns_by_topic() -> None:
    kb = service({"kb/faq": found()}, answers=3)
    history = [{"role": "user", "content": "Hello"}]

    kb.send_chat("And how long?", topic="refunds", selected_collections=["kb/faq"])
    kb.send_chat("And how long?", topic="refunds", history=history, selected_collections=["kb/faq"])
    kb.send_chat("And how long?", history=history, selected_collections=["kb/faq"])

    assert kb.collections.queries == ["And how long?", "refunds", "And how long?"]


@pytest.mark.parametrize("text", ['" OR', "col:x", "-b", "NEAR(a b)", "\x00", "🦜" * 25_000, "'; DROP TABLE x; --"])
def test_message_is_searched_unchanged(text: str) -> None:
    kb = service({"kb/faq": found(hit(0.1))})
    body = json.dumps({"message": text, "selected_collections": ["kb/faq"]}, ensure_ascii=False)

    assert kb.chat.post(body).body["rag"]["result"] == "match"
    assert kb.collections.queries == [text]
