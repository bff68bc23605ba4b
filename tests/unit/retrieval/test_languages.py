"""Function words, and the language of texts and queries."""

import pytest

from functions.retrieval.index.analysis import language_of, words
from functions.retrieval.index.languages import STOP_WORDS, compound_parts, query_language
from tests.unit.retrieval.small_collections import FILES


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language in STOP_WORDS for text in FILES[language].values()]
)
def test_a_few_sentences_have_a_language(language: str, text: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Ticket 4711 printer broken",
        "Skrivaren på andra våningen är trasig och måste lagas innan mötet börjar på torsdag i nästa vecka.",
        "Drukarka na drugim piętrze jest zepsuta, a bęben trzeba wymienić przed czwartkiem.",
        "0 1 2 3",
        "",
    ],
)
def test_text_without_enough_function_words_counts_as_english(text: str) -> None:
    assert language_of(text) == "en"


@pytest.mark.parametrize("language", STOP_WORDS)
def test_stop_words_have_the_form_of_words(language: str) -> None:
    assert {word for stop in STOP_WORDS[language] for word in words(stop)} == STOP_WORDS[language]


@pytest.mark.parametrize(
    ("text", "languages", "expected"),
    [
        ("where is the lift", ["de", "en"], "en"),
        ("wo ist der aufzug", ["de", "en"], "de"),
        ("wo ist der aufzug", ["en"], "de"),
        ("die cast", ["en"], None),
        ("aufzug lift", ["de", "en"], None),
        ("", ["en"], None),
        ("wo ist der aufzug", [], "de"),
    ],
)
def test_a_query_has_the_language_of_its_function_words(text: str, languages: list[str], expected: str | None) -> None:
    assert query_language(text.split(), languages) == expected


def test_a_compound_has_first_and_last_parts_of_four_letters_or_more() -> None:
    assert compound_parts("verlofd") == (["verlof", "verlo", "verl"], ["erlofd", "rlofd", "lofd"])
    assert compound_parts("tag") == ([], [])
