"""Unicode normal forms in bounded time."""

import re
import sys
import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.text import normalized

type Form = Literal["NFC", "NFKC", "NFKD"]


@given(st.text(max_size=60), st.sampled_from(["NFC", "NFKC", "NFKD"]))
def test_ordinary_text_is_normalized_by_the_rules_of_unicode(text: str, form: Form):
    if not re.search(r"[^\w\s\x00-\x7f]{30}", text):
        assert normalized(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFKD"])
def test_a_letter_with_a_hundred_thousand_marks_is_unchanged(form: Form):
    marks = "\u0301\u0316" * 50_000

    assert sorted(unicodedata.normalize("NFD", normalized(form, "e" + marks)[:100])[:3]) == ["e", "\u0316", "\u0316"]
    assert len(normalized(form, "x" + marks)) == 100_001


def test_every_combining_mark_is_matched():
    marks = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.combining(chr(code))]

    assert [mark for mark in marks if re.match(r"[\w\s]", mark)] == []
