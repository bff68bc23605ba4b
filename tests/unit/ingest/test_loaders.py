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


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.jsonl"])
@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_utf_16_is_read_by_its_byte_order_mark(name: str, mark: bytes) -> None:
    content = '{"text": "Göttingen 漢字"}' if name.endswith("l") else "Göttingen 漢字"
    encoded = mark + content.encode("utf-16-le" if mark[0] == 0xFF else "utf-16-be")

    assert document(name, encoded).text == "Göttingen 漢字"


@pytest.mark.parametrize(
    ("head", "codec", "text"),
    [
        ('<meta charset="shift_jis">', "cp932", "日本語"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=gb2312">', "gb18030", "中文"),
        ("<meta charset=big5>", "big5hkscs", "中文"),
        ("<meta charset=euc-kr>", "cp949", "한국어"),
        ("<meta charset=koi8-r>", "koi8_r", "Привет"),
        ("<meta charset=iso-8859-1>", "cp1252", "“5 €”"),
        ('<?xml version="1.0" encoding="windows-1251"?>', "cp1251", "Привет"),
        ("", "utf-8", "Göttingen"),
    ],
)
def test_a_page_is_read_in_the_charset_that_it_declares(head: str, codec: str, text: str) -> None:
    assert document("a.html", f"{head}<p>{text}</p>".encode(codec)).text.strip() == text


def test_a_page_with_bytes_that_its_charset_lacks_is_an_error() -> None:
    assert failure("a.html", b"<meta charset=euc-kr><p>\xff\xff", "html") == (
        "the file declares euc-kr, but byte 24 is no text in it; save it as UTF-8"
    )


def test_control_characters_become_spaces_and_offsets_stay() -> None:
    assert document("a.txt", "a" * 5000 + "\x07b\x00c\x85d\te\n").text[5000:] == " b c d\te\n"


@pytest.mark.parametrize(
    ("content", "error_text"),
    [
        ("Göttingen".encode("latin-1"), "not UTF-8 (byte 1); convert it"),
        (b"\xff\xfet", "the file declares utf-16le, but byte 2 is no text in it; save it as UTF-8"),
        ("text".encode("utf-16-le"), "the file is binary"),
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
