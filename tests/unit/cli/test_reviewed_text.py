"""Texts of definitions as an operator reads them."""

import json
import unicodedata
from pathlib import Path

import pytest

from cli.reviewed_text import reviewed_text

EXAMPLES = json.loads((Path(__file__).parents[2] / "data" / "reviewed-texts.json").read_text())


@pytest.mark.parametrize(("text", "reviewed"), EXAMPLES)
def test_characters_that_hide_or_imitate_have_their_number(text: str, reviewed: str) -> None:
    assert reviewed_text(text) == reviewed


def test_no_character_is_left_that_has_no_width_or_is_a_space() -> None:
    left = [
        f"{code:04X}"
        for code in range(0x110000)
        if unicodedata.category(chr(code))[0] in "CZ" and chr(code) not in " \t\n"
        if reviewed_text(chr(code)) == chr(code)
    ]

    assert left == []


def test_lone_surrogates_have_their_number() -> None:
    assert reviewed_text("a\ud800b") == "a⟨U+D800⟩b"
