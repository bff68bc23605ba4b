"""Documents loaded from HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.retrieval.ingest.documents import Document, Failure, Format, SourceFile
from functions.retrieval.ingest.load import load
from tests.unit.ingest.loaded import FILES, begins, document, failure


def test_a_long_html_heading_is_truncated() -> None:
    found = document("a.html", f"<h1>{'a' * 2_000}<b>x</b></h1>text").sections

    assert [section.title for section in found] == ["a" * 300]


def test_html_is_loaded_as_visible_text() -> None:
    tides = document("tides.html", (FILES / "tides.html").read_bytes())

    assert tides.title == "Tides & moons"
    assert tides.text == (
        "Tides\n\n"
        "The sea rises and falls twice a day.\n\n"
        "Spring tides\n\n"
        "At new and full moon the sun helps:\nspring tides are the highest.\n\n"
        "- new moon\n- full moon\n\n"
        "Moon Tide\nhalf neap\n\n"
        "high  06:10\nlow   12:25"
    )
    assert begins(tides) == [
        ("Tides & moons > Tides", "tides.html#top", "Tides"),
        ("Tides & moons > Tides > Spring tides", "tides.html#spring", "Spring tides"),
    ]


@pytest.mark.parametrize(
    ("markup", "title", "text"),
    [
        ("<h2>Only &lt;heading&gt;</h2>x", "Only <heading>", "Only <heading>\n\nx"),
        ("just text", "page", "just text"),
        ("<svg><title>no</title></svg><p>a<!-- b -->c", "page", "ac"),
        ("<p>a<p aria-hidden=true>b<p style='VISIBILITY : hidden'>c<p style='color:red'>d", "page", "a\n\nd"),
        ("<b>a</b> <i>b</i>\n c<br><br>d", "page", "a b c\nd"),
        ("<p>unclosed <b>tags <i>everywhere", "page", "unclosed tags everywhere"),
        ("<h1></h1><p>a", "page", "a"),
        ("<p>&nbsp;a&shy;b&#128512;", "page", "ab😀"),
    ],
)
def test_html_of_any_nesting_is_loaded(markup: str, title: str, text: str) -> None:
    loaded = document("page.html", markup)
    assert (loaded.title, loaded.text) == (title, text)


def test_html_without_visible_text_is_an_error() -> None:
    assert failure("a.html", b"<script>alert(1)</script><p hidden>x") == "it contains no text"


@pytest.mark.parametrize(
    "markup", [b"<div>" * 200_000, b"<a " * 200_000, b"<b><i>" * 100_000, b"<![CDATA[" * 9_000 + b"<!--" * 9_000]
)
def test_hostile_html_is_rejected_or_loaded_in_linear_time(markup: bytes) -> None:
    (loaded,) = load(SourceFile("a.html", markup))
    assert isinstance(loaded, Failure)


def test_many_unclosed_paragraphs_are_not_nested() -> None:
    assert document("a.html", "<p>x<br><li>y" * 6_000).text.count("x") == 6_000


@given(st.text(max_size=200))
def test_any_html_or_markdown_gives_a_document_or_an_error(text: str) -> None:
    raw = text.encode("utf-8", "replace")
    formats: list[Format] = ["html", "markdown", "text", "json", "jsonl"]
    for each in formats:
        for loaded in load(SourceFile("any", raw, each)):
            if isinstance(loaded, Document):
                assert all(0 <= section.offset <= len(loaded.text) for section in loaded.sections)
            else:
                assert loaded.reason
