"""Explanations of search results: a code, a sentence, similar words, and passages that were left out."""

from typing import Any

import pytest

from flexchat.retrieval import CollectionMetadata, SearchQuery
from functions.retrieval.collections import Collections
from functions.retrieval.ingest.documents import Document
from tests.functional.collections.documents import HANDBOOK, add, soon
from tests.functional.collections.harness import MODEL, Api, Embedders

LEAVE = {
    "id": "leave",
    "text": "Vacation days are granted by the manager of each department.",
    "metadata": {"product": "handbook", "year": 2025},
}
TRAVEL = {
    "id": "travel",
    "text": "Travel expenses are paid within thirty days.",
    "metadata": {"product": "finance", "year": 2026},
}


@pytest.fixture
def filled(api: Api) -> Api:
    api.create()
    api.add(LEAVE, TRAVEL)
    return api


def explanation(api: Api, query: str, **options: Any) -> dict[str, Any]:
    return api.query(query, **options)["explanation"]


def test_a_match_names_the_distance_and_the_threshold(filled: Api) -> None:
    found = explanation(filled, "vacation days granted by the manager")
    assert found["code"] == "match"
    assert found["sentence"].startswith("The nearest passage has the distance 0.")
    assert found["sentence"].endswith("; a match is below 0.650.")
    assert (found["unknown_words"], found["excluded"]) == ([], [])


def test_a_partial_match_names_both_thresholds(filled: Api) -> None:
    filled.send("PATCH", "/api/collections/handbook", {"metadata": {"match_threshold": 0, "partial_threshold": 1}})
    found = explanation(filled, "vacation")
    assert found["code"] == "partial"
    assert found["sentence"].endswith("; a partial match is below 1.000, and a match is below 0.000.")


def test_passages_above_the_threshold_are_explained_with_the_words_that_do_not_occur(filled: Api) -> None:
    filled.send("PATCH", "/api/collections/handbook", {"metadata": {"match_threshold": 0, "partial_threshold": 0}})
    answer = filled.query("travel expances")
    assert answer["result"] == "none"
    assert answer["explanation"]["code"] == "above_threshold"
    assert answer["explanation"]["sentence"].endswith(
        "; a partial match is below 0.000. 'expances' does not occur in it. Similar words that occur: 'expenses'."
    )
    assert answer["hits"][0]["id"] == "travel#0"


def test_misspelled_words_have_suggestions_of_whole_words(filled: Api) -> None:
    assert explanation(filled, "vacaton managr") == {
        "code": "no_word_occurs",
        "sentence": "None of the words of the query occurs in the collection. 'vacaton', 'managr' do not occur in it. "
        "Similar words that occur: 'vacation', 'manager'.",
        "unknown_words": [
            {"word": "vacaton", "similar": ["vacation"]},
            {"word": "managr", "similar": ["manager"]},
        ],
        "excluded": [],
    }


@pytest.mark.parametrize("query", ["", "  ", "the of and", "?!", "\u0000"])
def test_a_query_without_words_is_explained(filled: Api, query: str) -> None:
    assert explanation(filled, query)["code"] == "no_words"


def test_an_empty_collection_is_named(api: Api) -> None:
    api.create()
    assert explanation(api, "vacation") == {
        "code": "empty_collection",
        "sentence": "The collection 'handbook' has no documents; add some first.",
        "unknown_words": [],
        "excluded": [],
    }


@pytest.mark.parametrize(
    ("filters", "sentence"),
    [
        (
            {"product": "handbok"},
            'No document has product = "handbok"; values of \'product\' are "finance", "handbook".',
        ),
        ({"prodct": "handbook"}, "No document has the metadata 'prodct'; did you mean 'product'?"),
        ({"zzz": 1}, "No document has the metadata 'zzz'; there is 'product', 'year'."),
        (
            {"product": "handbook", "year": 2026},
            'No document has product = "handbook" and year = 2026, though 2 filters allow some documents each.',
        ),
        (
            {"product": "finance"},
            "The passages that the filters allow have none of the words of the query; other passages have some.",
        ),
    ],
)
def test_filters_that_exclude_everything_are_explained_with_the_excluded_passages(
    filled: Api, filters: dict[str, Any], sentence: str
) -> None:
    found = explanation(filled, "vacation manager", filters=filters)
    assert (found["code"], found["sentence"]) == ("filters_exclude_all", sentence)
    assert [hit["id"] for hit in found["excluded"]] == ["leave#0"]


def test_filters_of_documents_without_metadata_are_explained(api: Api) -> None:
    api.create()
    api.add({"text": "some words"})
    assert explanation(api, "words", filters={"year": 2025})["sentence"] == (
        "The filter year = 2025 excludes every document: the documents have no metadata."
    )


def test_a_maximum_distance_that_excludes_everything_is_explained(filled: Api) -> None:
    found = explanation(filled, "vacation", max_distance=0.01)
    assert found["code"] == "max_distance_excludes_all"
    assert found["sentence"].endswith("; max_distance is 0.010.")
    assert [hit["id"] for hit in found["excluded"]] == ["leave#0"]


def test_a_german_compound_whose_part_occurs_is_no_unknown_word(api: Api) -> None:
    api.create(match_threshold=0, partial_threshold=0)
    api.add({"text": "Der Urlaub muss mit der Leitung abgestimmt werden, und zwar vor dem Beginn."})
    assert explanation(api, "Urlaubstage")["unknown_words"] == []


def test_the_passages_left_out_of_a_collection_with_a_model_cost_no_second_embedding(
    collections: Collections, embedders: Embedders
) -> None:
    collections.create(HANDBOOK, CollectionMetadata(embedding_model=MODEL))
    add(collections, Document(id="a", title="a", source="a", text="some words"))
    embedders.model.texts.clear()
    answer = collections.query(HANDBOOK, SearchQuery("words", max_distance=0.0), deadline=soon())
    assert answer.explanation.code == "max_distance_excludes_all"
    assert len(answer.explanation.excluded) == 1
    assert embedders.model.texts == ["words"]
