"""Documents loaded from files: titles, sections, records and pages; and errors of unreadable files."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from functions.retrieval.ingest.chunker import Chunking, chunks
from functions.retrieval.ingest.documents import MAX_FILE_BYTES, Document, Failure, Format, Section, SourceFile
from functions.retrieval.ingest.load import FORMATS, load
from functions.retrieval.ingest.records import MAX_RECORD_BYTES, FieldSchema

FILES = Path(__file__).parents[2] / "data" / "documents"


def document(name: str, content: str | bytes, format: Format | None = None) -> Document:
    raw = content if isinstance(content, bytes) else content.encode()
    (loaded,) = load(SourceFile(name, raw, format))
    assert isinstance(loaded, Document), loaded
    return loaded


def failure(name: str, content: bytes, format: Format | None = None) -> str:
    (loaded,) = load(SourceFile(name, content, format))
    assert isinstance(loaded, Failure), loaded
    assert loaded.source == name
    return loaded.reason


def records(content: Any, **schema: Any) -> list[Document | Failure]:
    return list(load(SourceFile("r.json", json.dumps(content).encode()), FieldSchema(**schema)))


def begins(loaded: Document) -> list[tuple[str, str, str]]:
    """Title and source of every section, with its first line."""
    return [
        (section.title, section.source, loaded.text[section.offset :].lstrip().partition("\n")[0])
        for section in loaded.sections
    ]


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


@pytest.mark.parametrize("name", ["a.docx", "a", "a.tar.gz", ".md"])
def test_an_unknown_format_is_an_error_with_the_supported_ones(name: str) -> None:
    assert all(ending in failure(name, b"text") for ending in FORMATS)


def test_the_file_extension_sets_the_format_in_any_case_unless_one_is_given() -> None:
    assert document("A.HTML", "<p>x</p>").text == "x"
    assert document("a.html", "<p>x</p>", "text").text == "<p>x</p>"


def test_a_file_over_the_size_limit_is_rejected() -> None:
    assert f"at most {MAX_FILE_BYTES}" in failure("a.txt", bytes(MAX_FILE_BYTES + 1))


def test_markdown_has_front_matter_and_sections() -> None:
    bees = document("bees.md", (FILES / "bees.md").read_bytes())

    assert (bees.title, bees.metadata) == ("Keeping bees", {"author": "A. Keeper", "year": 2021, "draft": False})
    assert bees.text.startswith("\n# Keeping bees\n")
    assert begins(bees) == [
        ("Keeping bees", "bees.md#keeping-bees", "# Keeping bees"),
        ("Keeping bees > Spring", "bees.md#spring", "## Spring"),
        ("Keeping bees > Winter", "bees.md#winter", "## Winter"),
        ("Keeping bees > Feeding", "bees.md#feeding", "Feeding"),
    ]


def test_the_title_of_markdown_without_front_matter_is_its_first_heading_else_its_file_name() -> None:
    assert document("a.md", "Text\n\n## First `code`\n\n# Second").title == "First code"
    assert document("deep/a.md", "Just text").title == "a"


@pytest.mark.parametrize(
    "text", ["---\nnot: closed\n\n# Title", "--- \ntext", "----\n# Title\n----\n", "text\n---\ntitle: no\n---\n"]
)
def test_text_similar_to_front_matter_stays_text(text: str) -> None:
    loaded = document("a.md", text)
    assert (loaded.text, loaded.metadata) == (text, {})


@pytest.mark.parametrize(
    ("setting", "metadata"),
    [
        ("year: 2021", {"year": 2021}),
        ("year: '2021'", {"year": "2021"}),
        ("big: 12345678901234567890", {"big": "12345678901234567890"}),
        ("on: true", {"on": True}),
        ("off: false", {"off": False}),
        ("words: a: b # c", {"words": "a: b # c"}),
        ("list: [a, b]", {}),
        ("block: |", {}),
        ("nothing:", {}),
        ("  nested: 1", {}),
        ("- item", {}),
        ("# comment: x", {}),
    ],
)
def test_front_matter_has_its_scalar_settings(setting: str, metadata: dict[str, Any]) -> None:
    assert document("a.md", f"---\n{setting}\n---\ntext").metadata == metadata


def test_headings_are_distinguished_from_similar_text() -> None:
    text = "\n".join(
        [
            "# One #",
            "```",
            "# in code",
            "````",
            "~~~",
            "```",
            "~~~",
            "#no space",
            "####### seven",
            "- item",
            "---",
            "| a |",
            "---",
            "    code",
            "---",
            "Two *lines*",
            "===",
            "### [Link](x.md) deep",
            "",
            "---",
            "~~~",
            "# in another",
            "~~~",
            "#",
            "## One",
        ]
    )
    found = [title for title, _, _ in begins(document("a.md", text))]
    assert found == ["One", "One > Two lines", "One > Two lines > Link deep", "One > Two lines > One"]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# Title #", "Title"),
        ("## Title ##   ", "Title"),
        ("# C#", "C#"),
        ("# C# #", "C#"),
        ("# a # b", "a # b"),
        ("#\tTitle\t##", "Title"),
        ("# [Link](a_(b)) and ![image](c.png)", "Link and image"),
        ("# [![badge](a.svg)](b)", "[badge](b)"),
        ("# [open", "[open"),
    ],
)
def test_the_text_of_a_heading_has_no_markup(line: str, heading: str) -> None:
    assert document("a.md", f"{line}\n\ntext\n").title == heading


def test_long_headings_are_truncated_in_the_section_path() -> None:
    text = f"# {'a' * 400}\n## {'b' * 400}\n"

    titles = [section.title for section in document("a.md", text).sections]

    assert titles == ["a" * 300, f"{'a' * 300} > {'b' * 300}"]


def test_a_long_html_heading_is_truncated() -> None:
    found = document("a.html", f"<h1>{'a' * 2_000}<b>x</b></h1>text").sections

    assert [section.title for section in found] == ["a" * 300]


def test_anchors_are_unique_and_equal_those_of_common_renderers() -> None:
    text = "# What's `x_y`?\n## Same thing\n## Same thing\n## 日本 語\n## …\n"
    assert [source for _, source, _ in begins(document("a.md", text))] == [
        "a.md#whats-x_y",
        "a.md#same-thing",
        "a.md#same-thing-1",
        "a.md#日本-語",
        "a.md",
    ]


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
        ("<p>&nbsp;a&shy;b&#128512;", "page", "a\xadb😀"),
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


def test_records_become_documents_by_their_schema() -> None:
    found = records(
        [{"id": 7, "head": "H", "body": ["one", "two"], "info": {"url": "https://x", "n": 1}, "ok": True, "no": None}],
        text_fields=["head", "body", "absent"],
        text_separator=" | ",
        metadata_fields=["ok", "info.n", "no", "absent"],
        id_field="id",
        title_field="head",
        source_field="info.url",
    )
    assert found == [
        Document(id="7", title="H", source="https://x", text="H | one\n\ntwo", metadata={"ok": True, "info.n": 1})
    ]


def test_the_title_of_a_record_without_names_is_its_position() -> None:
    assert records({"text": 5}) == [Document(id="r.json#1", title="r", source="r.json#1", text="5")]


def test_a_field_name_can_contain_dots() -> None:
    (found,) = records([{"a.b": "x", "a": {"b": "y"}}], text_fields=["a.b"])
    assert isinstance(found, Document)
    assert found.text == "x"


@pytest.mark.parametrize(
    ("record", "schema", "error_text"),
    [
        ({"Text": "a"}, {}, "no text in 'text'; it has 'Text'; did you mean 'Text'?"),
        ({}, {"text_fields": ["a", "b"]}, "no text in 'a' or 'b'; it has nothing"),
        ({"text": {"a": 1}}, {}, "the field 'text' is not text"),
        ({"text": True}, {}, "the field 'text' is not text"),
        ({"text": ["a", 1]}, {}, "the field 'text' is not text"),
        ({"text": " "}, {}, "it contains no text"),
        ({"text": "a"}, {"id_field": "id"}, "no id in 'id'"),
        ({"text": "a", "id": 1.5}, {"id_field": "id"}, "no id in 'id'"),
        ({"text": "a", "id": True}, {"id_field": "id"}, "no id in 'id'"),
        ({"text": "a", "id": ""}, {"id_field": "id"}, "no id in 'id'"),
        ({"text": "a", "id": "x" * 1025}, {"id_field": "id"}, "more than 1024 characters"),
        ({"text": "a", "tags": ["x"]}, {"metadata_fields": ["tags"]}, "'tags' is not text, a number, true or false"),
        ("a", {}, "a record must be an object"),
        ({"text": "a" * MAX_RECORD_BYTES}, {}, f"at most {MAX_RECORD_BYTES}"),
    ],
)
def test_an_unreadable_record_is_reported_by_position_and_the_others_are_loaded(
    record: Any, schema: dict[str, Any], error_text: str
) -> None:
    good = {"text": "good", "a": "good", "id": "good"}
    first, second, third = records([good, record, good], **schema)
    assert isinstance(first, Document)
    assert isinstance(third, Document)
    assert isinstance(second, Failure)
    assert second.source == "r.json#2"
    assert error_text in second.reason


def test_invalid_jsonl_lines_are_reported_one_by_one_with_line_numbers() -> None:
    content = '\ufeff{"text": "one"}\r\n\n{"text": "two"\n{"text": "a", "text": "b"}\n  \n{"text": "last\u2028one"}\n'

    found = list(load(SourceFile("l.jsonl", content.encode())))

    assert [(type(each).__name__, each.source) for each in found] == [
        ("Document", "l.jsonl#1"),
        ("Failure", "l.jsonl#3"),
        ("Failure", "l.jsonl#4"),
        ("Document", "l.jsonl#6"),
    ]
    reasons = [each.reason for each in found if isinstance(each, Failure)]
    assert "not valid JSON" in reasons[0]
    assert "same name twice" in reasons[1]


@pytest.mark.parametrize(
    ("name", "content", "error_text"),
    [
        ("a.json", b"[1, 2", "not valid JSON"),
        ("a.json", b"\xff", "not UTF-8"),
        ("a.json", b"[" * 100, "nested deeper"),
        ("a.jsonl", b"\xff", "not UTF-8"),
        ("a.json", b"[" + b"1," * 200_000 + b"1]", "has 200001 records, at most 200000"),
    ],
)
def test_an_unreadable_file_of_records_is_one_error(name: str, content: bytes, error_text: str) -> None:
    assert error_text in failure(name, content)


def test_a_pdf_is_loaded_page_by_page() -> None:
    loaded = document("d/deliveries.pdf", (FILES / "deliveries.pdf").read_bytes())

    assert loaded.title == "Delivery rules"
    assert [(section.title, section.source) for section in loaded.sections] == [
        ("Delivery rules", f"d/deliveries.pdf#page={page}") for page in (1, 2, 3)
    ]
    assert begins(loaded)[2][2].startswith("Returned goods")
    passages = list(chunks(loaded.text, Chunking(), breaks=[section.offset for section in loaded.sections]))
    assert [passage.text.split()[0] for passage in passages] == ["Delivery", "The", "Returned"]


def rewritten(change: Callable[[PdfWriter], object]) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(FILES / "deliveries.pdf"))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_an_encrypted_pdf_without_a_password_is_loaded() -> None:
    content = rewritten(lambda writer: writer.encrypt("", "owner", algorithm="RC4-128"))
    assert "Returned goods" in document("a.pdf", content).text


def test_a_pdf_with_a_password_is_an_error_with_the_remedy() -> None:
    content = rewritten(lambda writer: writer.encrypt("secret", algorithm="RC4-128"))
    assert failure("a.pdf", content) == "the PDF is encrypted; save it without a password"


def test_a_pdf_without_text_is_an_error_with_the_remedy() -> None:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    out = io.BytesIO()
    writer.write(out)
    assert "recognise the text (OCR) first" in failure("a.pdf", out.getvalue())


@pytest.mark.slow
def test_a_pdf_with_too_many_pages_is_an_error_with_the_remedy() -> None:
    writer = PdfWriter()
    for _ in range(5_001):
        writer.add_blank_page(100, 100)
    out = io.BytesIO()
    writer.write(out)
    assert "has 5001 pages, at most 5000" in failure("a.pdf", out.getvalue())


@pytest.mark.parametrize("content", [b"", b"no pdf", b"%PDF-1.4\n", (FILES / "deliveries.pdf").read_bytes()[:700]])
def test_a_broken_pdf_is_an_error(content: bytes) -> None:
    assert "the PDF is broken" in failure("a.pdf", content)


@pytest.mark.slow
@given(st.data())
def test_a_pdf_with_any_changed_byte_gives_a_document_or_an_error(data: st.DataObject) -> None:
    content = bytearray((FILES / "deliveries.pdf").read_bytes())
    for position in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=8)):
        content[position] = data.draw(st.integers(0, 255))
    (loaded,) = load(SourceFile("a.pdf", bytes(content)))
    assert isinstance(loaded, Document | Failure)


def test_a_renamed_document_has_its_sections_renamed() -> None:
    before = Document("a", "T", "a.md", "text", sections=(Section(0, "T", "a.md"), Section(2, "T > S", "a.md#s")))
    assert before.called(title="New", source="https://x") == Document(
        "a", "New", "https://x", "text", sections=(Section(0, "New", "https://x"), Section(2, "New > S", "https://x#s"))
    )
    assert before.called() == before
