"""Selected collections: rules that require a result, unknown names and missing functions."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.functional.chat.harness import configuration, deploy
from tests.functional.chat.rag_chat import found, hit, service, shown
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.retrieval.memory_services import MemoryCollection


def test_rule_can_require_any_result() -> None:
    rule = {"match": {"rag_results": "any"}, "llm": "openai", "model": "gpt-4o", "prompt": "By the book: {{documents}}"}
    kb = service({"kb/faq": found(hit(0.4)), "kb/news": found()}, rules=[rule], answers=2, mark_untrusted=False)

    kb.send_chat()
    with_documents = kb.prompt
    kb.send_chat(selected_collections=["kb/news"])

    prefix, _, documents = with_documents.partition(": ")
    assert prefix == "By the book"
    assert json.loads(documents) == [{**shown(0.4, "faq"), "text": "Refunds take 14 days."}]
    assert kb.prompt == "none|||"


def test_rule_can_require_the_matched_service() -> None:
    rule = {"match": {"service": "kb", "collection": "faq"}, "llm": "openai", "model": "gpt-4o", "prompt": "FAQ"}
    kb = service({"kb/faq": found(hit(0.1))}, rules=[rule])

    kb.send_chat(profile={"service": "billing", "collection": "x", "rag_results": "none", "rag_context": "made up"})

    assert kb.prompt == "FAQ"


@pytest.mark.parametrize(("opened", "name"), [(["service"], "billing"), ([], "")])
def test_requested_service_is_used_without_a_match_if_callers_may_set_it(opened: list[str], name: str) -> None:
    kb = service({"kb/faq": found(hit(0.4)), "kb/news": found()}, caller_fields=opened, mark_untrusted=False)

    kb.send_chat(profile={"service": "billing", "rag_results": "match", "rag_context": "made up"})

    assert kb.prompt == f"partial|{name}||[1] Refunds (refunds.md)\nRefunds take 14 days."


def test_variables_in_a_passage_are_not_expanded() -> None:
    kb = service({"kb/faq": found(hit(0.1, text="{{user_message}}"))}, mark_untrusted=False)

    kb.send_chat("secret", selected_collections=["kb/faq"])

    assert kb.prompt.endswith("\n{{user_message}}")


@pytest.mark.parametrize(
    ("services", "name", "reason"),
    [
        ({"kb": {}}, "kbs/faq", "no service named 'kbs'; the services are: 'kb'"),
        (
            {"kb": {"collections": ["news", "faq"]}},
            "kb/faqs",
            "the service 'kb' has no collection 'faqs'; it has: 'faq', 'news'",
        ),
        (
            {"kb": {"collections": ["faq", "news"]}},
            "new",
            "no service has a collection 'new'; the configured collections are: 'kb/news', 'kb/faq'",
        ),
        ({"kb": {}, "wiki": {}}, "faq", "several services may have it; write one of kb/faq, wiki/faq"),
        ({}, "kb/faq", "no service named 'kb'; the services are: none"),
        ({}, "faq", "no service has a collection 'faq'; the configured collections are: none"),
    ],
)
def test_unknown_collection_name_is_reported_and_skipped(services: Mapping[str, Any], name: str, reason: str) -> None:
    kb = service({}, services=services)

    answer = kb.send_chat(selected_collections=[name])

    assert answer.status == 200
    assert answer.body["rag"] == {
        "result": "none",
        "documents": [],
        "skipped": [{"collection": name, "reason": reason}],
    }
    assert kb.collections.events == []


def test_collection_name_without_a_service_is_accepted_if_unique() -> None:
    services = {"kb": {"collections": ["faq"]}, "wiki": {"collections": ["pages"]}}
    kb = service({"wiki/pages": found(hit(0.1))}, services=services)

    assert kb.send_chat(selected_collections=["pages", "wiki/pages", "pages"]).body["rag"]["service"] == "wiki"
    assert len(kb.collections.events) == 1


def test_chat_without_selected_collections_is_not_searched() -> None:
    kb = service({})

    answer = kb.send_chat(selected_collections=[])

    assert "rag" not in answer.body
    assert kb.collections.events == []
    assert kb.prompt == "none|||"


def test_deployment_without_the_retrieval_function_reports_it() -> None:
    config = configuration()
    config["rag_services"] = {"kb": {}}
    chat = deploy([text_completion("Done.")], config)

    answer = chat.post({"message": "Hello", "selected_collections": ["kb/faq"]})

    assert (answer.status, answer.body["rag"]["skipped"]) == (
        200,
        [{"collection": "kb/faq", "reason": "no function of this deployment searches collections"}],
    )


def test_openapi_document_describes_the_search_results() -> None:
    document = service({}).chat.get("/api/openapi.json").body

    assert set(document["components"]["schemas"]["RagView"]["properties"]) == {
        "result",
        "service",
        "collection",
        "documents",
        "skipped",
    }


def test_throttled_search_is_retried() -> None:
    throttled = [ClientError({"Error": {"Code": "TooManyRequestsException"}}, "Invoke")]

    def throttle_first_call() -> MemoryCollection:
        if throttled:
            raise throttled.pop()
        return found(hit(0.1))

    kb = service({"kb/faq": throttle_first_call, "kb/news": found()})

    assert kb.send_chat().body["rag"]["result"] == "match"
    assert [event["collection"] for event in kb.collections.events].count("faq") == 2
