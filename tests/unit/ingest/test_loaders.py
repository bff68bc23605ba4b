"""Documents loaded from plain text, and errors of unreadable files."""

import pytest

from functions.retrieval.ingest.documents import MAX_FILE_BYTES, Document, Format, Section
from functions.retrieval.ingest.load import FORMATS
from tests.unit.ingest.loaded import document, failure


def test_the_title_of_plain_text_is_its_file_name() -> None:
    assert document("notes/clock.txt", "Tick.\r\nTock.\rTick.") == Document(
        id="notes/clock.txt", title="clock", source="notes/clock.txt", text="Tick.\nTock.\nTick."
    )


@pytest.mark.parametrize("text", ["\ufeffTick", "Tick"])
def test_a_byte_order_mark_is_removed(text: str) -> None:
    assert document("a.txt", text.encode()).text == "Tick"


def test_control_characters_become_spaces_and_offsets_stay() -> None:
    assert document("a.txt", "a" * 5000 + "\x07b\x00c\x85d\te\n").text[5000:] == " b c d\te\n"


@pytest.mark.parametrize(
    ("content", "error_text"),
    [
        ("Göttingen".encode("latin-1"), "not UTF-8 (byte 1); convert it"),
        ("text".encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
        ("text".encode("utf-32"), "the file is UTF-32; save it as UTF-8"),
        (b"\x7fELF\0\0", "the file is binary"),
        (b"", "it contains no text"),
        (b" \n\t", "it contains no text"),
        (b"a" * 8_000_001, "has 8000001 characters, at most 8000000"),
    ],
)
@pytest.mark.parametrize("format", ["text", "markdown"])
def test_unreadable_text_is_an_error_with_the_remedy(content: bytes, error_text: str, format: Format) -> None:
    assert error_text in failure("file", content, format)


@pytest.mark.parametrize("name", ["a.doc", "a", "a.tar.gz", ".md"])
def test_an_unknown_format_is_an_error_with_the_supported_ones(name: str) -> None:
    assert all(ending in failure(name, b"text") for ending in FORMATS)


def test_the_file_extension_sets_the_format_in_any_case_unless_one_is_given() -> None:
    assert document("A.HTML", "<p>x</p>").text == "x"
    assert document("a.html", "<p>x</p>", "text").text == "<p>x</p>"


def test_a_file_over_the_size_limit_is_rejected() -> None:
    assert f"at most {MAX_FILE_BYTES}" in failure("a.txt", bytes(MAX_FILE_BYTES + 1))


def test_a_renamed_document_has_its_sections_renamed() -> None:
    before = Document("a", "T", "a.md", "text", sections=(Section(0, "T", "a.md"), Section(2, "T > S", "a.md#s")))
    assert before.called(title="New", source="https://x") == Document(
        "a", "New", "https://x", "text", sections=(Section(0, "New", "https://x"), Section(2, "New > S", "https://x#s"))
    )
    assert before.called() == before
