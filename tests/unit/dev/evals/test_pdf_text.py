"""Comparison of the words of PDF files with a reference."""

from dev.evals.pdf_text import recall, runs, words


def test_words_are_compared_in_normal_form_and_characters_without_spaces_one_by_one() -> None:
    assert words("The of\ufb01ce, état 日本語 ﻻ 3.13") == ["the", "office", "état", "日", "本", "語", "لا", "3", "13"]


def test_recall_counts_each_word_as_often_as_it_occurs() -> None:
    assert recall(["a", "a", "b", "c"], ["a", "b", "x"]) == 0.5
    assert recall([], ["a"]) == 1.0


def test_runs_of_five_words_show_another_order() -> None:
    left = ["a", "b", "c", "d", "e", "f"]
    assert recall(runs(left), runs(["x", *left])) == 1.0
    assert recall(runs(left), runs(["f", "e", "d", "c", "b", "a"])) == 0.0
    assert runs(["a", "b"]) == []
