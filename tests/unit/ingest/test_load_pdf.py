"""Documents loaded from PDF files."""

import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from functions.retrieval.ingest.chunker import Chunking, chunks
from functions.retrieval.ingest.documents import Document, Failure, SourceFile
from functions.retrieval.ingest.load import load
from tests.unit.ingest.loaded import FILES, begins, document, failure
from tests.unit.ingest.pdf_files import IMAGE, laid_out, lines


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


def test_a_pdf_whose_title_is_no_text_is_named_by_its_file() -> None:
    content = (FILES / "deliveries.pdf").read_bytes()
    assert b"/Title (Delivery rules)" in content
    loaded = document("a.pdf", content.replace(b"/Title (Delivery rules)", b"/Title <FEFFD800D800>  "))
    assert (loaded.title, "Returned goods" in loaded.text) == ("a", True)


def test_a_pdf_with_a_password_is_an_error_with_the_remedy() -> None:
    content = rewritten(lambda writer: writer.encrypt("secret", algorithm="RC4-128"))
    assert failure("a.pdf", content) == "the PDF is encrypted; save it without a password"


def test_a_pdf_without_text_is_an_error_with_the_remedy() -> None:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    out = io.BytesIO()
    writer.write(out)
    assert "recognize the text (OCR) first" in failure("a.pdf", out.getvalue())


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


def test_a_word_that_is_hyphenated_at_a_line_end_is_one_word() -> None:
    loaded = document("a.pdf", laid_out(lines("the best inter-", "preter of a well-", "known kind, well-known")))
    assert loaded.text.split() == ["the", "best", "interpreter", "of", "a", "well-known", "kind,", "well-known"]


def test_columns_are_read_one_after_the_other() -> None:
    columns = lines("first column", "goes on") + lines("second column", "ends", left=320)
    assert document("a.pdf", laid_out(columns)).text.split("\n") == ["first column", "goes on", "second column", "ends"]


def test_pages_that_have_only_images_are_named_and_the_others_loaded() -> None:
    content = laid_out(lines("text"), IMAGE, IMAGE, b"", lines("more text"), IMAGE)
    loaded = document("a.pdf", content)
    assert loaded.text == "text\n\n\n\nmore text\n"
    assert loaded.warnings == (
        "3 of 6 pages have only images, no text: 2-3, 6; recognize the text (OCR) to have it found",
    )
    assert loaded.sections[4].source == "a.pdf#page=5"


def test_a_pdf_with_text_on_every_page_has_no_warning() -> None:
    assert document("a.pdf", laid_out(lines("text") + IMAGE, b"")).warnings == ()
