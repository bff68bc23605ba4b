"""Failures, timeouts and limits of searches; the chat continues."""

import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.functional.chat.rag_chat import found, hit, service, shown, steps
from tests.functional.retrieval.memory_services import MemoryCollection

pytestmark = pytest.mark.slow


def failed(message: str) -> dict[str, Any]:
    return {"version": 1, "error": {"code": "unavailable", "message": message}}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (failed("the index of 'faq' is damaged"), "the index of 'faq' is damaged"),
        ({"neither": "nor"}, "The search returned a response that cannot be parsed"),
        ({"version": 1, "hits": "many"}, "The search returned a response that cannot be parsed"),
    ],
)
def test_failed_collection_is_skipped_and_the_next_one_answers(reply: dict[str, Any], reason: str) -> None:
    kb = service({"kb/faq": reply, "kb/news": found(hit(0.1))})

    answer = kb.send_chat()

    assert (answer.status, answer.body["content"], answer.body["status"]) == (200, "Done.", "complete")
    assert answer.body["rag"] == {
        "result": "match",
        "service": "kb",
        "collection": "news",
        "documents": [shown(0.1, "news")],
        "skipped": [{"collection": "kb/faq", "reason": reason}],
    }
    assert steps(answer) == [("search", "kb/faq", 0, False), ("search", "kb/news", 0, True)]


def test_crashed_retrieval_function_does_not_fail_the_chat() -> None:
    def crash() -> Mapping[str, Any]:
        raise ZeroDivisionError

    kb = service({"kb/faq": crash, "kb/news": crash})

    answer = kb.send_chat()

    assert answer.status == 200
    assert [entry["reason"] for entry in answer.body["rag"]["skipped"]] == ["The search failed unexpectedly"] * 2


@pytest.fixture
def never() -> Iterator[threading.Event]:
    """Event that is set only after the test."""
    event = threading.Event()
    yield event
    event.set()


def test_unexpected_search_error_leaves_the_results_of_other_collections(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def breaks() -> Mapping[str, Any]:
        raise RuntimeError("password=hunter2")

    kb = service({"kb/faq": found(hit(0.4)), "kb/news": breaks})

    answer = kb.send_chat()

    assert answer.status == 200
    assert answer.body["rag"]["documents"] == [shown(0.4, "faq")]
    skipped = {"collection": "kb/news", "reason": "the search failed unexpectedly"}
    assert answer.body["rag"]["skipped"] == [skipped]
    output = capsys.readouterr().out
    [line] = [json.loads(line) for line in output.splitlines() if "search crashed" in line]
    assert (line["level"], line["collection"], line["error"]) == ("ERROR", "kb/news", "RuntimeError")
    assert "hunter2" not in output


def test_first_match_in_selection_order_ends_the_search(never: threading.Event) -> None:
    def hangs() -> MemoryCollection:
        never.wait()
        return found(hit(0.01))

    kb = service({"kb/faq": found(hit(0.2)), "kb/a": hangs, "kb/b": hangs, "kb/c": hangs}, max_parallel=1)

    answer = kb.send_chat(selected_collections=["kb/faq", "kb/a", "kb/b", "kb/c"])

    assert (answer.body["rag"]["result"], answer.body["rag"]["collection"]) == ("match", "faq")
    assert steps(answer) == [("search", "kb/faq", 0, True)]
    never.set()
    for thread in threading.enumerate():
        if thread.name.startswith("search"):
            thread.join()
    assert len(kb.collections.events) <= 2


def test_first_selected_match_is_used_before_a_nearer_one() -> None:
    kb = service({"kb/faq": found(hit(0.2)), "kb/news": found(hit(0.01))}, answers=2)

    assert kb.send_chat().body["rag"]["collection"] == "faq"
    assert kb.send_chat(selected_collections=["kb/news", "kb/faq"]).body["rag"]["collection"] == "news"


def test_hanging_search_ends_at_the_timeout_of_its_service(never: threading.Event) -> None:
    def hangs() -> MemoryCollection:
        never.wait()
        return found(hit(0.1))

    kb = service({"kb/faq": hangs, "kb/news": found(hit(0.4))}, services={"kb": {"timeout_ms": 60}})

    answer = kb.send_chat(deadline_ms=3_000)

    assert answer.status == 200
    assert answer.body["rag"]["skipped"] == [{"collection": "kb/faq", "reason": "no answer within 60 ms"}]
    assert answer.body["rag"]["result"] == "partial"


def test_search_gets_a_share_of_the_remaining_time() -> None:
    kb = service({"kb/faq": found()}, services={"kb": {"timeout_ms": 60_000}})

    kb.send_chat(deadline_ms=6_000, selected_collections=["kb/faq"])

    (event,) = kb.collections.events
    assert 1_000 < event["timeout_ms"] <= 6_000 / 3


def test_search_is_skipped_without_remaining_time() -> None:
    kb = service({})

    answer = kb.chat.direct(
        {"message": "Quick!", "selected_collections": ["kb/faq"], "deadline_ms": 60_000}, remaining_ms=1_900
    )

    assert (answer["content"], answer["status"]) == ("Done.", "complete")
    assert answer["rag"]["skipped"] == [{"collection": "kb/faq", "reason": "no time was left to search it"}]
    assert kb.collections.events == []


def test_parallel_searches_are_limited() -> None:
    together = threading.Barrier(2)
    lock = threading.Lock()
    running: list[int] = []
    most = 0

    def count_parallel() -> MemoryCollection:
        nonlocal most
        with lock:
            running.append(1)
            most = max(most, len(running))
        together.wait()
        with lock:
            running.pop()
        return found()

    names = [f"kb/c{number}" for number in range(4)]
    kb = service(dict.fromkeys(names, count_parallel), max_parallel=2)

    assert kb.send_chat(selected_collections=names).body["rag"]["result"] == "none"
    assert (most, len(kb.collections.events)) == (2, 4)
