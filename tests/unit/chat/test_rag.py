"""Phase 2: the text of documents in a prompt, and the service of a selected collection."""

from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.configuration import Configuration
from functions.chat.phases.collections import (
    MAX_CONTEXT_CHARACTERS,
    FoundDocument,
    SelectedCollection,
    UnsearchedCollection,
    context_text,
    select,
)


def document(title: str = "Refunds", source: str = "refunds.md", text: str = "14 days.") -> FoundDocument:
    return FoundDocument(title, source, text, distance=0.1, service="kb", collection="faq")


def test_documents_are_numbered_with_title_and_source() -> None:
    assert context_text((document(), document("Returns", "https://example.com/r", "Free."))) == (
        "[1] Refunds (refunds.md)\n14 days.\n\n[2] Returns (https://example.com/r)\nFree."
    )


def test_a_source_is_not_repeated_and_missing_fields_have_no_placeholder() -> None:
    context = context_text((document(title=""), document("refunds.md"), document(source=""), document("", "")))

    assert context == ("[1] refunds.md\n14 days.\n\n[2] refunds.md\n14 days.\n\n[3] Refunds\n14 days.\n\n[4]\n14 days.")


def test_no_document_gives_no_context() -> None:
    assert context_text(()) == ""


def test_the_context_is_truncated_at_its_limit() -> None:
    passage = "x" * (MAX_CONTEXT_CHARACTERS // 2)
    whole = context_text((document(text=passage),))
    context = context_text((document(text=passage), document("Later", text=passage), document("Never")))

    assert len(context) == MAX_CONTEXT_CHARACTERS
    assert context.startswith(f"{whole}\n\n[2] Later (refunds.md)\nxxx")
    assert context.endswith("x…")


def catalog(disabled: tuple[DisabledEntry, ...] = (), **services: dict[str, object]) -> Catalog:
    return Catalog(Configuration.model_validate({"rag_services": services}), disabled, "1")


def test_a_collection_with_two_names_is_searched_once() -> None:
    configured = catalog(kb={"collections": ["faq", "news"]})
    config = configured.configuration.rag_services["kb"]

    assert list(select(("news", "kb/faq", "kb/news", "faq"), configured)) == [
        SelectedCollection("kb", "news", config),
        SelectedCollection("kb", "faq", config),
    ]


def test_a_disabled_service_has_a_reason() -> None:
    configured = catalog((DisabledEntry("service", "wiki", ("secret 'WIKI_KEY' is not stored",)),), kb={})

    assert list(select(("wiki/pages",), configured)) == [
        UnsearchedCollection("wiki/pages", "no service named 'wiki': secret 'WIKI_KEY' is not stored")
    ]


def test_a_name_without_its_service_selects_no_collection() -> None:
    assert list(select(("/faq",), catalog(kb={}))) == [
        UnsearchedCollection("/faq", "no service named ''; the services are: 'kb'")
    ]
