"""Documents loaded from Word documents, presentations, workbooks, CSV files and e-books."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.retrieval.ingest.documents import Document, Failure, SourceFile
from functions.retrieval.ingest.load import load
from tests.unit.ingest.loaded import begins, document, failure
from tests.unit.ingest.office_files import docx, docx_of, epub, packed, pptx, row, shape, xlsx


def test_a_word_document_has_its_headings_as_sections() -> None:
    content = docx(
        ("Heading1", "Pipes"), "Three bars.", ("Heading2", "Joints"), "<w:t>opti</w:t><w:softHyphen/><w:t>onal</w:t>"
    )
    loaded = document("d/guide.docx", content)
    assert loaded.title == "Pipes"
    assert begins(loaded) == [
        ("Pipes", "d/guide.docx#pipes", "Pipes"),
        ("Pipes > Joints", "d/guide.docx#joints", "Joints"),
    ]
    assert loaded.text.split() == ["Pipes", "Three", "bars.", "Joints", "optional"]


def test_a_word_document_is_titled_by_its_properties() -> None:
    assert document("a.docx", docx("text", title="The  rules")).title == "The rules"
    assert document("a.docx", docx("text")).title == "a"


def test_the_words_of_tables_changes_and_controls_of_a_word_document_are_read() -> None:
    run = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
    body = (
        f"<w:tbl><w:tr><w:tc>{run.format('left')}</w:tc><w:tc>{run.format('right')}</w:tc></w:tr></w:tbl>"
        f"<w:sdt><w:sdtContent>{run.format('control')}</w:sdtContent></w:sdt>"
        "<w:p><w:ins><w:r><w:t>inserted</w:t></w:r></w:ins><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>"
    )
    assert document("a.docx", docx_of(body)).text.split() == ["left", "right", "control", "inserted"]


def test_slides_are_read_in_order_with_titles_tables_and_notes() -> None:
    table = (
        "<p:graphicFrame><a:tbl><a:tr><a:tc><a:p><a:r><a:t>Cable</a:t></a:r></a:p></a:tc>"
        "<a:tc><a:p><a:r><a:t>42</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:graphicFrame>"
    )
    content = pptx(
        shape("Plan", kind="ctrTitle") + shape("Bridges first", "Tides sec\xadond") + shape("7", kind="sldNum"),
        shape("Costs", kind="title") + table,
        notes={2: shape("Mention the bees", kind="body") + shape("2", kind="sldNum")},
        title="Year 2025",
    )
    loaded = document("deck.pptx", content)
    assert loaded.title == "Year 2025"
    assert begins(loaded) == [
        ("Year 2025 > Plan", "deck.pptx#slide=1", "Plan"),
        ("Year 2025 > Costs", "deck.pptx#slide=2", "Costs"),
    ]
    assert loaded.text == "Plan\nBridges first\nTides second\n\nCosts\nCable | 42\n\nNotes:\nMention the bees\n\n"


def test_hidden_slides_and_slides_of_images_are_named() -> None:
    loaded = document("a.pptx", pptx(shape("one"), shape("two"), "<p:pic/>", shape("four"), hidden=2))
    assert [section.source for section in loaded.sections] == ["a.pptx#slide=1", "a.pptx#slide=4"]
    assert loaded.warnings == ("hidden slides were left out: 2", "slides that have only images, no text: 3")


def test_rows_of_a_sheet_name_their_columns_and_are_cited_by_their_cells() -> None:
    rows = row(2, "Price list 2025", first="B") + row(4, "Item", "Price", first="B")
    rows += row(5, "Cable", 42, first="B") + row(7, "Rope", 3.5, first="B")
    loaded = document("prices.xlsx", xlsx({"Prices": rows, "Notes": row(1, "None")}))
    assert loaded.text == (
        "Price list 2025\nItem | Price\nItem: Cable | Price: 42\nItem: Rope | Price: 3.5\n\nNone\n\n"
    )
    assert [(section.title, section.source) for section in loaded.sections] == [
        ("prices > Prices", "prices.xlsx#Prices!B2:C7"),
        ("prices > Notes", "prices.xlsx#Notes!A1:A1"),
    ]


def test_rows_are_cited_in_groups_that_fit_into_a_passage() -> None:
    rows = "".join(row(number, number, "x" * 180) for number in range(1, 13))
    loaded = document("a.xlsx", xlsx({"S": rows}))
    assert [section.source for section in loaded.sections] == ["a.xlsx#S!A1:B5", "a.xlsx#S!A6:B10", "a.xlsx#S!A11:B12"]
    assert loaded.text[loaded.sections[1].offset :].startswith("6 | ")


def test_hidden_sheets_are_left_out_and_named() -> None:
    loaded = document("a.xlsx", xlsx({"Open": row(1, "seen"), "Secret": row(1, "unseen")}, hidden="Secret"))
    assert (loaded.text, loaded.warnings) == ("seen\n\n", ("hidden sheets were left out: 'Secret'",))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_rows_of_csv_are_cited_by_their_numbers(delimiter: str) -> None:
    lines = ["Name;City;Since", '"Hopper; G.";"New\nYork";1906', "Ada;London;1815"]
    loaded = document("people.csv", "\n".join(lines).replace(";", delimiter).replace(f"Hopper{delimiter}", "Hopper;"))
    assert loaded.text == (
        "Name | City | Since\n"
        "Name: Hopper; G. | City: New York | Since: 1906\n"
        "Name: Ada | City: London | Since: 1815\n\n"
    )
    assert [(section.title, section.source) for section in loaded.sections] == [("people", "people.csv#row=1-3")]


def test_a_table_without_names_of_columns_is_read_as_it_is() -> None:
    assert document("a.tsv", "1815\tAda\n1906\tGrace\n").text == "1815 | Ada\n1906 | Grace\n\n"


def test_chapters_of_a_book_are_read_in_order_and_cited_by_their_number() -> None:
    content = epub(
        "<h1>Dawn</h1><p>It was co&shy;ld.</p>",
        "<p> </p>",
        "<h1>Dusk</h1><p>Warm.</p><h2>Night</h2><p>Dark.</p>",
        title="Days",
    )
    loaded = document("days.epub", content)
    assert loaded.title == "Days"
    assert begins(loaded) == [
        ("Days > Dawn", "days.epub#chapter=1", "Dawn"),
        ("Days > Dusk", "days.epub#chapter=3", "Dusk"),
        ("Days > Dusk > Night", "days.epub#chapter=3", "Night"),
    ]
    assert "It was cold." in loaded.text


def test_soft_hyphens_of_a_page_do_not_divide_words() -> None:
    assert (
        document("a.html", "<p>opti\xadonal hy&shy;phen, co&#173;ld wa&#xAD;rm</p>").text
        == "optional hyphen, cold warm"
    )


ENCRYPTED = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)


@pytest.mark.parametrize("name", ["a.docx", "a.pptx", "a.xlsx", "a.epub"])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is broken (File is not a zip file)"),
        (b"PK\x03\x04 and no more", "the file is broken"),
        (ENCRYPTED, "the file is encrypted, or in a format before 2007"),
        (packed({"a.txt": "text"}), "broken"),
        (packed({f"{at}": "" for at in range(20_001)}), "has 20001 parts, at most 20000 are accepted"),
    ],
    ids=["empty", "cut", "encrypted", "another", "parts"],
)
def test_an_unreadable_file_is_an_error_with_the_remedy(name: str, content: bytes, reason: str) -> None:
    assert reason in failure(name, content)


def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is_read() -> None:
    content = packed({"word/document.xml": bytes(257 * 1024 * 1024)})
    assert "unpacks to 269484032 bytes, at most 268435456 are accepted" in failure("a.docx", content)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.docx", docx("")),
        ("a.pptx", pptx(shape(""))),
        ("a.xlsx", xlsx({"S": ""})),
        ("a.epub", epub("<p> </p>")),
        ("a.csv", b",,\n"),
    ],
)
def test_a_file_without_text_is_an_error(name: str, content: bytes) -> None:
    assert failure(name, content) == "it contains no text"


def test_a_copy_protected_book_is_an_error_with_the_reason() -> None:
    content = epub("<p> </p>", **{"META-INF/encryption.xml": "<encryption/>"})
    assert failure("a.epub", content) == "the book is encrypted; only books without copy protection can be read"


@pytest.mark.parametrize(
    ("content", "reason"),
    [("a,b\n" * 200_001, "more than 200000 rows; split it"), ('a,"' + "b" * 140_000, "row 1 is not CSV: field larger")],
)
def test_a_csv_file_above_a_limit_is_an_error(content: str, reason: str) -> None:
    assert reason in failure("a.csv", content.encode())


EXAMPLES = {
    "a.docx": docx(("Heading1", "Pipes"), "Three bars."),
    "a.pptx": pptx(shape("Plan", kind="title"), shape("two"), notes={1: shape("notes")}),
    "a.xlsx": xlsx({"S": row(1, "Item", "Price") + row(2, "Cable", 42)}),
    "a.epub": epub("<h1>Dawn</h1>", title="Days"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
@given(data=st.data())
def test_a_file_with_any_changed_byte_gives_a_document_or_an_error(name: str, data: st.DataObject) -> None:
    content = bytearray(EXAMPLES[name])
    for position in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=8)):
        content[position] = data.draw(st.integers(0, 255))
    (loaded,) = load(SourceFile(name, bytes(content)))
    assert isinstance(loaded, Document | Failure)
