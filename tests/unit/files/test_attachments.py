"""Pictures and files by their content and their forms."""

from base64 import b64encode

import pytest

from flexchat.attachments import MAX_FILE_BYTES, AttachmentError, attachment_of, attachment_of_url, decoded, uploaded
from flexchat.messages import Document, Image, Message, Text, ToolOutput
from flexchat.sessions import IMAGE_TOKENS, LOW_DETAIL_TOKENS, message_tokens
from functions.chat.sessions.history import latest_turns
from functions.chat.transcript import message_from_json, message_to_json
from tests.pictures import GIF, JPEG, PDF, WEBP, base64, image, pdf, png


@pytest.mark.parametrize(
    ("content", "media_type"),
    [(png(), "image/png"), (JPEG, "image/jpeg"), (GIF, "image/gif"), (WEBP, "image/webp")],
)
def test_the_type_of_a_picture_is_that_of_its_bytes(content: bytes, media_type: str) -> None:
    found = attachment_of(content, name="a/b.bin", detail="high", declared="image/tiff")

    assert found == Image(media_type, base64(content), len(content), "high", "b.bin")


@pytest.mark.parametrize(
    ("name", "content", "media_type"),
    [
        ("a.pdf", PDF, "application/pdf"),
        ("a.docx", b"PK\x03\x04", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("a.md", b"# A", "text/markdown"),
        ("a.csv", b"a,b", "text/csv"),
        ("", "Größe".encode(), "text/plain"),
        ("a.txt", "Größe".encode("utf-16"), "text/plain"),
        ("a.txt", b"\xef\xbb\xbfa", "text/plain"),
    ],
)
def test_files_are_known_by_their_bytes_and_their_names(name: str, content: bytes, media_type: str) -> None:
    found = attachment_of(content, name=name)

    assert isinstance(found, Document)
    assert (found.media_type, found.name, found.data) == (media_type, name, base64(content))


def test_the_text_of_a_text_file_is_decoded() -> None:
    texts = [attachment_of("Größe".encode(encoding), name="a.txt") for encoding in ("utf-8", "utf-8-sig", "utf-16")]

    assert [found.text for found in texts if isinstance(found, Document)] == ["Größe"] * 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"x" * (MAX_FILE_BYTES + 1), "has 20.0 MB; at most 20.0 MB are accepted"),
        (b"\x00\x01", "is of an unknown type"),
        (b"PK\x03\x04", "is of an unknown type"),
        ("Größe".encode("latin-1"), "is a text that is not UTF-8 at byte 2"),
        (b"  <svg xmlns=''/>", "is an SVG drawing"),
    ],
)
def test_other_contents_are_refused_with_what_would_be_right(content: bytes, message: str) -> None:
    with pytest.raises(AttachmentError) as caught:
        attachment_of(content, name="file.bin")

    assert caught.value.message.startswith(message)


def test_the_pages_of_a_pdf_estimate_its_tokens() -> None:
    pages = PDF.replace(b"/Type/Page/", b"/Type /Page\n/Type/Page/") + b"/Type/Pages"

    found = [attachment_of(each, name="a.pdf") for each in (PDF, pages, b"%PDF-1.7" + b"x" * 300_000)]

    assert [each.tokens for each in found if isinstance(each, Document)] == [2_000, 4_000, 6_000]


@pytest.mark.parametrize("text", ["AAAA", "AA==", "AA", "A A\nA=", "AAA"])
def test_base64_has_line_breaks_and_no_padding_too(text: str) -> None:
    assert set(decoded(text)) == {0}


@pytest.mark.parametrize("text", ["%", "A", "AA-_", "data:"])
def test_other_texts_are_no_base64(text: str) -> None:
    with pytest.raises(AttachmentError, match="is not valid base64"):
        decoded(text)


def test_data_urls_may_have_parameters_and_percent_escapes() -> None:
    urls = (
        f"data:image/png;charset=binary;base64,{base64(png())}",
        f"DATA:image/PNG ; BASE64,{base64(png())}",
    )

    assert [attachment_of_url(url) for url in urls] == [image(), image()]
    text = attachment_of_url("data:text/plain,a%20b")
    assert isinstance(text, Document)
    assert text.text == "a b"


def test_addresses_and_uploads_are_references() -> None:
    assert attachment_of_url("https://a.example/b.png", detail="low").reference == "https://a.example/b.png"
    assert uploaded(f"file-{'0' * 32}").reference == f"file-{'0' * 32}"
    for file_id in ("file-../../x", "long/sessions/s1/abc", f"file-{'0' * 33}"):
        with pytest.raises(AttachmentError):
            uploaded(file_id)


def test_nothing_shows_the_content_of_a_picture() -> None:
    parts = (image(), pdf(), ToolOutput("c", "t", "", images=(image(),)))

    shown = repr(Message("user", parts))

    assert base64(png()) not in shown
    assert base64(PDF) not in shown
    assert [part.label for part in parts[:2] if isinstance(part, Image | Document)] == [
        "[image/png, 70 bytes]",
        f"[report.pdf, application/pdf, {len(PDF)} bytes]",
    ]


def test_a_stored_message_has_references_without_contents() -> None:
    stored = Image("image/png", base64(png()), 70, "low", "red.png", "long/sessions/s1/abc")
    output = ToolOutput("c", "t", "x", images=(stored,))
    message = Message("user", (stored, pdf(), Text("?"), output))

    written = message_to_json(message)

    assert base64(png()) not in str(written)
    bare = Image("image/png", "", 70, "low", "red.png", "long/sessions/s1/abc")
    file = Document("application/pdf", "report.pdf", "", len(PDF), tokens=2_000)
    read = ToolOutput("c", "t", "x", images=(bare,))
    assert message_from_json(written) == Message("user", (bare, file, Text("?"), read))


def test_pictures_count_by_an_estimate_and_not_by_their_base64() -> None:
    large = Image("image/png", b64encode(png(padding=2_000_000)).decode(), 2_000_070)

    assert message_tokens(Message("user", (large,))) - message_tokens(Message("user", ())) == IMAGE_TOKENS
    low = Message("user", (image(detail="low"), pdf()))
    assert message_tokens(low) - message_tokens(Message("user", ())) == LOW_DETAIL_TOKENS + 2_000
    turns = [message for _ in range(3) for message in (Message("user", (large,)), Message("assistant", (Text("ok"),)))]
    assert len(latest_turns(turns, max_tokens=2 * IMAGE_TOKENS + 100)) == 4
