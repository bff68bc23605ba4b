"""Tokenization and stemming of text."""

import pytest

from functions.retrieval.index.analysis import STOP_WORDS, Analyzer, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wings, and MORE wings!", ["wings", "and", "more", "wings"]),
        ("max_iterations=5", ["max", "iterations", "5"]),
        ('" OR col:x -b NEAR(a) *', ["or", "col", "x", "b", "near", "a"]),
        ("Straße ﬁle ①", ["strasse", "file", "1"]),
        ("東京都 tower東京", ["東京", "京都", "tower", "東京"]),
        ("猫", ["猫"]),
        ("🙂 \x00 \ud800 — ", []),
        ("a\x00b", ["a", "b"]),
        ("", []),
    ],
)
def test_words_are_casefolded_letters_and_digits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the running of tests", ["run", "test"]),
        ("Café CAFÉ cafe cafe\u0301", ["cafe", "cafe", "cafe", "cafe"]),
        ("what is it", []),
        ("tools tool", ["tool", "tool"]),
        ("x" * 100, ["x" * 64, "x" * 36]),
    ],
)
def test_terms_equal_those_of_the_full_text_tokenizer_without_stop_words(text: str, expected: list[str]) -> None:
    assert Analyzer().terms(text) == expected


def test_a_word_always_has_the_same_term() -> None:
    analyzer = Analyzer()

    first = analyzer.terms("wings of planes")

    assert analyzer.terms("planes") + analyzer.terms("wings") == first[::-1]


def test_stop_words_have_the_form_of_tokens() -> None:
    assert {word for stop in STOP_WORDS for word in words(stop)} == STOP_WORDS


def test_the_word_cache_is_limited() -> None:
    analyzer = Analyzer(max_words=3)

    terms = [analyzer.terms(text) for text in ("wing tail", "gear flap", "wing rudder")]

    assert terms == [["wing", "tail"], ["gear", "flap"], ["wing", "rudder"]]
