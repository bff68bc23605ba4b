"""Events for the texts of files: one response per event, with the text or the reason."""

from typing import Any

import pytest

from flexchat.errors import RetrievalError
from functions.retrieval.file_text import file_text, file_text_handler
from tests.contract.tool_lambdas import context
from tests.pictures import base64


def read(name: str, content: bytes = b"", *, stored: bytes = b"", remaining_ms: int = 60_000, **fields: Any) -> Any:
    """Response to an event; `stored` is the content of every object."""

    def object_content(key: str) -> bytes:
        if not stored:
            raise RetrievalError(f"object {key!r} not found", code="not_found")
        return stored

    event = {
        "version": 1,
        "operation": "read",
        "name": name,
        "content": base64(content),
        "request_id": "r1",
        "timeout_ms": 20_000,
        **fields,
    }
    return file_text_handler(lambda request: file_text(request, object_content))(event, context(remaining_ms))


def test_a_file_is_read_by_the_extension_of_its_name() -> None:
    assert read("a.csv", b"name,age\nAda,36\n")["text"] == "name | age\nname: Ada | age: 36\n\n"
    assert "Hello" in read("a.html", b"<p>Hello</p><script>no()</script>")["text"]


def test_a_long_text_is_cut_to_the_wanted_characters() -> None:
    assert read("a.txt", b"x" * 100, max_characters=10) == {"version": 1, "text": "x" * 10, "characters": 100}


def test_a_large_file_is_read_from_the_bucket() -> None:
    assert read("a.txt", stored=b"stored", key="files/short/o/chats/r/abc")["text"] == "stored"


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"key": "collections/docs.sqlite"}, "the key must begin with 'files/'"),
        ({"key": "files/short/o/gone"}, "object 'files/short/o/gone' not found"),
        ({"timeout_ms": "soon"}, "Not a reading of the file request: timeout_ms invalid"),
    ],
)
def test_an_event_that_cannot_be_answered_has_the_reason(fields: Any, error: str) -> None:
    assert read("a.txt", b"x", **fields)["error"] == error


def test_a_file_without_text_has_the_reason() -> None:
    assert read("a.txt", b"  ")["error"] == "it contains no text"
    assert "error" in read("a.pdf", b"%PDF-1.7 broken")
