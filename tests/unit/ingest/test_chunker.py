"""Splitting of texts into passages at boundaries, without losses."""

from itertools import pairwise

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from functions.retrieval.ingest.chunker import Chunk, Chunking, chunks

PIECES = st.sampled_from(
    [
        *("word", "a", " ", "\n", "\n\n", ". ", "! ", "漢字かな", "。", "、", "한국어", "\r", "नमस्ते", "\u0600"),
        *("e\u0301", "👩\u200d👩\u200d👧", "🇩🇪", "\u0301", "\u200d"),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=8), max_size=120).map("".join)
CHUNKINGS = st.integers(60, 200).flatmap(
    lambda size: st.integers(0, size // 3).map(lambda overlap: Chunking(size=size, overlap=overlap))
)
BREAKS = st.lists(st.integers(0, 500), max_size=8).map(sorted)


@given(TEXTS, CHUNKINGS, BREAKS)
def test_every_passage_is_at_its_offset_in_the_text(text: str, chunking: Chunking, breaks: list[int]) -> None:
    for chunk in chunks(text, chunking, breaks=breaks):
        assert text[chunk.offset : chunk.offset + len(chunk.text)] == chunk.text
        assert 0 < len(chunk.text) <= chunking.size


@given(TEXTS, CHUNKINGS, BREAKS)
def test_only_white_space_is_dropped(text: str, chunking: Chunking, breaks: list[int]) -> None:
    covered = {
        position
        for chunk in chunks(text, chunking, breaks=breaks)
        for position in range(chunk.offset, chunk.offset + len(chunk.text))
    }
    assert {position for position, character in enumerate(text) if not character.isspace()} <= covered


@given(TEXTS, CHUNKINGS, BREAKS)
@example("\n \u0301accent on a space", Chunking(size=60, overlap=0), [])
@example("sign before a space \u0600 ", Chunking(size=60, overlap=0), [])
def test_no_passage_ends_inside_a_grapheme(text: str, chunking: Chunking, breaks: list[int]) -> None:
    graphemes = [match.span() for match in regex.finditer(r"\X", text)]
    edges = {edge for span in graphemes for edge in span}
    longest = max((end - start for start, end in graphemes), default=0)
    if longest > chunking.size:
        return
    for chunk in chunks(text, chunking, breaks=breaks):
        assert {chunk.offset, chunk.offset + len(chunk.text)} <= edges


@given(TEXTS, CHUNKINGS, BREAKS)
def test_passages_advance_and_chunking_is_deterministic(text: str, chunking: Chunking, breaks: list[int]) -> None:
    found = list(chunks(text, chunking, breaks=breaks))
    ends = [chunk.offset + len(chunk.text) for chunk in found]
    assert ends == sorted(set(ends))
    assert [chunk.offset for chunk in found] == sorted({chunk.offset for chunk in found})
    assert found == list(chunks(text, chunking, breaks=breaks))


@given(TEXTS, CHUNKINGS)
@settings(max_examples=50)
def test_the_overlap_of_neighbours_is_limited(text: str, chunking: Chunking) -> None:
    found = list(chunks(text, chunking))
    for before, after in pairwise(found):
        assert before.offset + len(before.text) - after.offset <= chunking.overlap


def test_short_text_is_one_passage_without_surrounding_white_space() -> None:
    assert list(chunks("\n\n  One sentence.\n", Chunking())) == [Chunk("One sentence.", 4)]


@pytest.mark.parametrize("text", ["", " ", "\n\t\n"])
def test_blank_text_has_no_passage(text: str) -> None:
    assert list(chunks(text, Chunking())) == []


def words(count: int, length: int = 4) -> str:
    return " ".join(["w" * length] * count)


@pytest.mark.parametrize(
    ("before", "boundary", "after"),
    [
        (words(12) + ". " + words(3), "\n\n", words(20)),
        (words(10) + "\n" + words(4), ". ", words(20)),
        (words(12) + " " + words(2), "\n", words(20)),
        ("w" * 80, " ", "v" * 60),
        ("漢字かな" * 20, "。", "交じり文" * 20),
        ("漢字かな" * 20, "、", "交じり文" * 20),
    ],
    ids=["paragraph", "sentence", "line", "word", "CJK sentence", "CJK clause"],
)
def test_passage_ends_at_the_best_boundary_of_its_second_half(before: str, boundary: str, after: str) -> None:
    first, second, *_ = chunks(before + boundary + after, Chunking(size=100, overlap=0))
    assert first.text == (before + boundary).strip()
    assert after.startswith(second.text[:10])


def test_the_next_passage_begins_at_a_sentence_of_the_previous_else_at_a_word() -> None:
    text = "One two three four. Five six seven eight. Nine ten eleven twelve. Thirteen fourteen fifteen."
    assert [chunk.text for chunk in chunks(text, Chunking(size=72, overlap=24))] == [
        "One two three four. Five six seven eight. Nine ten eleven twelve.",
        "Nine ten eleven twelve. Thirteen fourteen fifteen.",
    ]
    assert [chunk.text for chunk in chunks(text, Chunking(size=72, overlap=8))] == [
        "One two three four. Five six seven eight. Nine ten eleven twelve.",
        "twelve. Thirteen fourteen fifteen.",
    ]


def test_a_section_ends_the_previous_passage_without_overlap() -> None:
    text = words(8) + "\n\n# Heading\n\n" + words(8)
    begins = text.index("#")
    assert list(chunks(text, Chunking(size=120, overlap=20), breaks=[0, begins])) == [
        Chunk(words(8), 0),
        Chunk("# Heading\n\n" + words(8), begins),
    ]


def test_small_sections_share_a_passage() -> None:
    text = "# A\n\na\n\n# B\n\nb"
    assert [chunk.text for chunk in chunks(text, Chunking(), breaks=[0, 8])] == [text]


def test_text_without_any_boundary_is_split_at_the_size() -> None:
    found = list(chunks("漢" * 250, Chunking(size=100, overlap=10)))
    assert [(chunk.offset, len(chunk.text)) for chunk in found] == [(0, 100), (90, 100), (180, 70)]


def test_flags_and_family_emojis_are_not_split() -> None:
    text = "🇩🇪🇫🇷👩‍👩‍👧" * 60
    for chunk in chunks(text, Chunking(size=61, overlap=7)):
        assert chunk.text[0] in "🇩🇫👩"
        assert chunk.text[-1] in "🇪🇷👧"


def test_a_grapheme_longer_than_a_passage_is_split() -> None:
    text = "e" + "\u0301" * 500
    found = list(chunks(text, Chunking(size=100, overlap=0)))
    assert "".join(chunk.text for chunk in found) == text


@pytest.mark.parametrize(
    ("size", "overlap", "error_text"),
    [(59, 0, "at least 60"), (90, 31, "must be 0 to 30"), (90, -1, "must be 0 to 30")],
)
def test_impossible_sizes_are_rejected(size: int, overlap: int, error_text: str) -> None:
    with pytest.raises(ValueError, match=error_text):
        Chunking(size=size, overlap=overlap)
