"""Words of PDF pages: hyphens at line ends, ligatures, accents, right-to-left text and CJK."""

import pytest

from functions.retrieval.ingest.pdf_lines import Glyph, needs_places, placed, written


def one(text: str) -> str:
    (page,) = written([text])
    return page


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("an inter\x02preter runs", "an interpreter runs"),
        ("an inter-\npreter runs", "an interpreter runs"),
        ("an inter\u2010 \n  preter runs", "an interpreter runs"),
        ("an inter\ufffepreter runs", "an interpreter runs"),
        ("an inter\xadpreter and inter\xad\npreter", "an interpreter and interpreter"),
        ("a state-of-the\x02art tool", "a state-of-the-art tool"),
        ("Access-Control\x02Allow-Origin", "Access-Control-Allow-Origin"),
        ("Trace\x02Monkey, the TraceMonkey", "TraceMonkey, the TraceMonkey"),
        ("a well\x02known one, well-known", "a well-known one, well-known"),
        (
            "a well\x02known one, well-known and wellknown, wellknown",
            "a wellknown one, well-known and wellknown, wellknown",
        ),
        ("in 2023-\n06 and 2024\x0207", "in 2023-06 and 2024-07"),
        ("consis\x021", "consis-\n1"),
        ("a list -\nof words - and one", "a list -\nof words - and one"),
        ("the symbol (\x02 is one)", "the symbol (\x02 is one)"),
        ("of\ufb01cers, \ufb03", "officers, ffi"),
    ],
)
def test_a_hyphen_at_a_line_end_is_left_out_unless_it_belongs_to_the_word(text: str, expected: str) -> None:
    assert one(text) == expected


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        (["it is per\x02", "sistent here"], ["it is persistent", "here"]),
        (["it is per-\n17", "sistent here"], ["it is persistent\n17", "here"]),
        (["it is per-", "Chapter 2\nsistent"], ["it is per-", "Chapter 2\nsistent"]),
        (["it ends.", "a new page"], ["it ends.", "a new page"]),
    ],
)
def test_a_word_is_completed_on_the_page_that_it_begins_on(pages: list[str], expected: list[str]) -> None:
    assert written(pages) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("管理者のパスワ\nードが必要です。\n次の文", "管理者のパスワードが必要です。\n次の文"),
        ("見出し\n日本語は、日本国内で使用されている\n言語。", "見出し\n日本語は、日本国内で使用されている言語。"),
        ("歩\n行\n者\nは、\nす\nみ", "歩行者は、すみ"),
        ("한국어는 공용어이다\n서버 설정", "한국어는 공용어이다\n서버 설정"),
        ("plain words\nof two lines", "plain words\nof two lines"),
    ],
)
def test_a_full_line_of_a_script_without_spaces_continues_on_the_next(text: str, expected: str) -> None:
    assert one(text) == expected


def glyphs(text: str, *, step: float, start: float = 300) -> list[Glyph]:
    """Characters of one line, each `step` points from the one before."""
    return [Glyph(each, start + at * step, start + at * step, start + at * step + 5) for at, each in enumerate(text)]


def test_right_to_left_words_in_visual_order_are_reversed_and_others_kept() -> None:
    reversed_word = glyphs("\u05dd\u05d5\u05dc\u05e9", step=6, start=200)
    space = glyphs(" ", step=6, start=194)
    right_word = glyphs("\u05e2\u05d5\u05dc\u05dd.", step=-6, start=188)
    assert placed([*reversed_word, *space, *right_word]) == "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd."


def test_latin_words_in_right_to_left_text_are_read_from_left_to_right() -> None:
    hebrew = glyphs("\u05e9\u05dc\u05d5\u05dd" * 2, step=-6, start=200)
    version, name = glyphs("3.13", step=6, start=150), glyphs("Python", step=6, start=100)
    space = glyphs(" ", step=6)
    assert (
        placed([*hebrew, *space, *version, *space, *name])
        == "\u05e9\u05dc\u05d5\u05dd\u05e9\u05dc\u05d5\u05dd Python 3.13"
    )


def test_the_letters_of_lam_and_alef_in_one_glyph_are_in_their_order() -> None:
    alef, hamza, lam = "\u0627", "\u0623", "\u0644"
    word = [
        Glyph(alef, 60, 60, 64),
        Glyph(hamza, 50, 55, 59),
        Glyph(lam, 50, 50, 54),
        *glyphs("\u062e", step=6, start=40),
    ]
    assert placed(word) == f"{alef}{lam}{hamza}\u062e"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([("n", 0), ("a", 6), ("\u00a8", 13), ("\u0131", 12), ("v", 18)], "na\u00efv"),
        ([("e", 0), ("\u02c6", 1), ("n", 6)], "\u00ean"),
        ([("a", 0), (" ", 6), ("\u00a8", 12), (" ", 18), ("h", 24)], "a \u00a8 h"),
    ],
)
def test_an_accent_of_its_own_joins_the_letter_that_it_stands_above(
    parts: list[tuple[str, float]], expected: str
) -> None:
    assert placed(Glyph(text, left, left, left + 5) for text, left in parts) == expected


def test_only_pages_with_accents_or_right_to_left_letters_need_places() -> None:
    assert [needs_places(text) for text in ("plain na\u00efve 日本", "na\u00a8\u0131ve", "\u05e9")] == [
        False,
        True,
        True,
    ]
