"""Results of http tools from the responses of an API."""

import gzip
from collections.abc import Iterator

import httpx2
import pytest

from flexchat.redaction import redact_in_logs
from flexchat.tool_progress import Images, collecting
from flexchat.tools import ToolImage
from tests.pictures import base64, png
from tests.unit.foreign_text.hostile_documents import formatted
from tests.unit.http_tool.scripted_api import Api, Stream, answer


def test_response_path_selects_the_result() -> None:
    api = Api(answer({"data": {"items": [{"id": 1}, {"id": 2}]}}))

    assert api.call(response_path="$.data") == {"items": [{"id": 1}, {"id": 2}]}
    assert api.call(response_path="$.data.items[*].id") == [1, 2]
    assert api.call(response_path="$.absent") is None


def test_an_empty_response_is_null() -> None:
    assert Api(httpx2.Response(204)).call() is None


def test_a_text_is_returned_in_its_charset() -> None:
    api = Api(
        httpx2.Response(200, content="Größe".encode("latin-1"), headers={"content-type": "text/plain; charset=latin-1"})
    )

    assert api.call() == "Größe"


def test_a_page_becomes_its_visible_text() -> None:
    page = (
        "<html><head><title>t</title></head><body><h1>News</h1><script>x()</script><p>First&nbsp;line</p></body></html>"
    )
    api = Api(httpx2.Response(200, html=page))

    assert api.call() == "News\n\nFirst line"


def test_a_hostile_page_is_an_error_that_names_the_limit_and_the_next_page_is_read() -> None:
    api = Api(httpx2.Response(200, html=formatted(500, 10_000)), httpx2.Response(200, html="<p>news"))

    error = api.error()

    reason = "reading it takes more than 130 MB of memory, or crashes its parser; simplify or split it"
    assert error.type == "execution_failed"
    assert error.message == f"The API answered with a page that cannot be read: {reason}"
    assert api.call() == "news"


def test_a_binary_response_is_an_error_that_names_its_media_type() -> None:
    api = Api(httpx2.Response(200, content=b"PK\x03", headers={"content-type": "application/zip"}))

    assert api.error().message == "The API answered with application/zip, which is no text"


def test_a_picture_is_returned_beside_its_label() -> None:
    api = Api(httpx2.Response(200, content=png(), headers={"content-type": "image/png; charset=binary"}))

    with collecting(images := Images()):
        result = api.call()

    assert result == "[image/png, 70 bytes]"
    assert images.of_call() == (ToolImage(media_type="image/png", data=base64(png())),)


@pytest.mark.parametrize(
    ("content", "media_type"),
    [(b"<svg/>", "image/svg+xml"), (b"text", "image/png"), (png(padding=3_800_000), "image/png")],
)
def test_a_picture_that_no_model_reads_is_an_error(content: bytes, media_type: str) -> None:
    api = Api(httpx2.Response(200, content=content, headers={"content-type": media_type}))

    with collecting(Images()):
        error = api.error(max_response_bytes=5_000_000)

    assert error.message == (
        f"The API answered with {media_type}, which is no picture that can be returned: a PNG, JPEG, WebP or GIF of at "
        "most 3.8 MB"
    )


def test_a_media_type_that_is_not_expected_is_an_error() -> None:
    api = Api(httpx2.Response(200, html="<p>Please sign in</p>"))

    error = api.error(expect={"content_types": ["application/json"]})

    assert error.message == "The API answered with text/html instead of application/json"


def test_invalid_json_is_an_error_without_the_text() -> None:
    api = Api(httpx2.Response(200, content=b'{"a": tru', headers={"content-type": "application/json"}))

    assert api.error().message == (
        "The API answered with invalid JSON: not valid JSON: a value is missing at line 1 column 7"
    )


def test_a_gzip_response_is_read_and_a_bomb_cut_off() -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    small = httpx2.Response(200, headers=headers, stream=Stream(gzip.compress(b'{"a":1}')))
    bomb = httpx2.Response(200, headers=headers, stream=Stream(gzip.compress(b"0" * 10_000_000)))

    assert Api(small).call() == {"a": 1}
    error = Api(bomb).error(max_response_bytes=100_000)
    assert (error.type, error.message) == ("result_too_large", "The response of the API has more than 100000 bytes")


def test_the_text_of_a_client_error_reaches_the_model_and_a_page_does_not() -> None:
    assert Api(answer({"message": "city not found"}, 404)).error().message == (
        'The API answered with HTTP 404 Not Found: {"message":"city not found"}'
    )
    assert Api(httpx2.Response(404, html="<p>x</p>")).error().message == "The API answered with HTTP 404 Not Found"


@pytest.mark.parametrize(
    ("body", "media_type"), [("<p>Sign in</p>", "text/html"), ("busy", "text/plain"), ("a: 1", "application/yaml")]
)
def test_a_selection_from_an_answer_that_is_no_json_is_a_failure(body: str, media_type: str) -> None:
    error = Api(httpx2.Response(200, text=body, headers={"content-type": media_type})).error(response_path="$.items")

    assert error.message == f"The API answered with {media_type}, which has no values that response_path could select"


def test_cookies_of_one_response_are_not_sent_with_the_next_request() -> None:
    api = Api(answer({}, 200, **{"Set-Cookie": "session=canary; Path=/; Domain=example.com"}))

    api.call()
    api.call()

    assert [sent.headers.get("cookie") for sent in api.requests] == [None, None]


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain; charset=punycode",
        "text/plain; charset=idna",
        "text/plain; charset=undefined",
        "text/plain; charset=unicode_escape",
        "text/plain; charset=rot13",
        "text/plain; charset=iso-8859-99",
        "text/plain; charset=",
        "text/plain;" + ";" * 50_000,
    ],
)
def test_a_charset_that_is_not_one_of_texts_is_read_as_utf_8(media_type: str) -> None:
    api = Api(httpx2.Response(200, content="é \\x41".encode(), headers={"content-type": media_type}))

    assert api.call() == "é \\x41"


@pytest.mark.parametrize(
    ("media_type", "codec", "content", "result"),
    [
        ("text/html", "cp932", "<meta charset=shift_jis><p>日本語", "日本語"),
        ("text/html", "gb18030", "<meta http-equiv=content-type content='text/html; charset=gb2312'><p>中文", "中文"),
        ("text/html; charset=big5", "big5hkscs", "<meta charset=utf-8><p>中文", "中文"),
        ("text/html; charset=unknown", "koi8_r", "<meta charset=koi8-r><p>Привет", "Привет"),
        ("text/html; charset=iso-8859-1", "cp1252", "<p>5 €", "5 €"),
        ("text/html", "cp1252", "<p>naïve", "naïve"),
        ("text/xml", "cp949", '<?xml version="1.0" encoding="euc-kr"?><a>한국어</a>', None),
        ("text/plain", "cp1252", "café", "café"),
        ("text/csv; charset=utf-16", "utf-16-le", "a,漢", "a,漢"),
        ("application/json; charset=shift_jis", "cp932", '"日本語"', "日本語"),
        ("application/json", "utf-16", '"é"', "é"),
    ],
)
def test_a_response_is_read_in_the_charset_that_it_declares(
    media_type: str, codec: str, content: str, result: str | None
) -> None:
    api = Api(httpx2.Response(200, content=content.encode(codec), headers={"content-type": media_type}))

    assert api.call() == (content if result is None else result)


def test_an_error_is_read_in_its_charset() -> None:
    response = httpx2.Response(
        404, content="Ошибка: 7".encode("koi8_r"), headers={"content-type": "text/plain; charset=koi8-r"}
    )

    assert Api(response).error().message == "The API answered with HTTP 404 Not Found: Ошибка: 7"


def test_json_is_read_after_a_byte_order_mark_and_in_another_charset() -> None:
    marked = httpx2.Response(200, content=b"\xef\xbb\xbf" + b'{"a":1}', headers={"content-type": "application/json"})
    latin = httpx2.Response(
        200, content='{"a":"é"}'.encode("latin-1"), headers={"content-type": "application/json; charset=iso-8859-1"}
    )

    assert (Api(marked).call(), Api(latin).call()) == ({"a": 1}, {"a": "é"})


def test_the_result_of_a_head_request_is_its_status_and_headers_without_cookies() -> None:
    headers = {"content-type": "image/png", "content-length": "99", "set-cookie": "a=b", "content-encoding": "gzip"}
    api = Api(httpx2.Response(200, headers=headers, stream=Stream()))

    assert api.call(method="HEAD") == {
        "status": 200,
        "headers": {"content-type": "image/png", "content-length": "99"},
    }


def test_a_media_type_that_is_none_is_not_quoted() -> None:
    api = Api(httpx2.Response(200, content=b"x", headers={"content-type": "canary <script>"}))

    assert api.error().message == "The API answered with unknown/unknown, which is no text"


def test_a_compressed_body_that_expands_to_nothing_is_cut_off() -> None:
    empty_blocks = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + b"\x00\x00\x00\xff\xff" * 1_000
    received: list[int] = []

    def parts() -> Iterator[bytes]:
        yield empty_blocks
        while True:
            received.append(1)
            yield b"\x00\x00\x00\xff\xff" * 1_000

    class Endless(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            return parts()

    api = Api(httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=Endless()))

    assert api.error(max_response_bytes=100_000).type == "result_too_large"
    assert len(received) == 19


def test_bytes_after_the_end_of_a_compressed_body_are_not_read() -> None:
    body = Stream(gzip.compress(b'{"a":1}'), b"garbage", b"more")

    assert Api(httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=body)).call() == {"a": 1}


def test_an_error_text_is_redacted_before_it_is_cut_off() -> None:
    secret = "sk-" + "x" * 48
    redact_in_logs([secret])

    message = Api(httpx2.Response(404, text="a" * 480 + secret)).error().message

    assert "sk-x" not in message
