import html
import json
import re
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape

import pytest

from flexchat.redaction import redact_error_message


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Model not found", "Model not found"),
        ("  two\n lines\t", "two lines"),
        ("Incorrect API key provided: my-secret-key.", "Incorrect API key provided: [redacted]."),
        ("Incorrect API key: sk-ab****yz here", "Incorrect API key: [redacted] here"),
        ("Incorrect API key: sk-proj-abcdefghijklmnop", "Incorrect API key: [redacted]"),
        ("header 'Authorization: Bearer abcdefgh12345'", "header 'Authorization: [redacted]'"),
    ],
)
def test_a_message_contains_no_key(message: str, shown: str) -> None:
    assert redact_error_message(message, secrets=("my-secret-key",)) == shown


def test_a_short_secret_does_not_replace_ordinary_words() -> None:
    assert (
        redact_error_message("the demo model is not found", secrets=("demo", "", "not"))
        == "the demo model is not found"
    )


def test_a_long_message_is_truncated() -> None:
    shown = redact_error_message("word " * 1000)

    assert len(shown) < 540
    assert shown.endswith("… [4999 characters]")


KEY = 'a/b+c"\\d é~key=?'
"""Characters that every way to quote a secret writes in another way."""


@pytest.mark.parametrize(
    "quoted",
    [
        KEY,
        json.dumps(KEY)[1:-1],
        json.dumps(KEY, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(KEY)[1:-1])[1:-1],
        quote(KEY),
        quote(KEY, safe=""),
        quote_plus(KEY),
        re.sub("%..", lambda escape: escape.group().lower(), quote(KEY, safe="")),
        KEY[:12],
    ],
)
def test_a_configured_secret_is_replaced_in_every_quoted_form(quoted: str) -> None:
    assert redact_error_message(f"bad key {quoted}", secrets=(KEY,)) == "bad key [redacted]"
    assert redact_error_message(f"bad key {quoted}", secrets=(f"Key {KEY}",)).startswith("bad key ")


MARKUP_KEY = "a&b<c>\"d'e/f=g+h`i"

ESCAPED = {
    "Python": html.escape(MARKUP_KEY),
    "Python, without quotes": html.escape(MARKUP_KEY, quote=False),
    "Python, twice": html.escape(html.escape(MARKUP_KEY)),
    "Python, without quotes, twice": html.escape(html.escape(MARKUP_KEY, quote=False), quote=False),
    "XML": escape(MARKUP_KEY, {'"': "&quot;", "'": "&apos;"}),
    "PHP": "a&amp;b&lt;c&gt;&quot;d&#039;e/f=g+h`i",
    "Jinja": "a&amp;b&lt;c&gt;&#34;d&#39;e/f=g+h`i",
    "Go": "a&amp;b&lt;c&gt;&#34;d&#39;e/f=g&#43;h`i",
    "Ruby": "a&amp;b&lt;c&gt;&quot;d&#39;e/f=g+h`i",
    "React": "a&amp;b&lt;c&gt;&quot;d&#x27;e/f=g+h`i",
    "OWASP": "a&amp;b&lt;c&gt;&quot;d&#x27;e&#x2F;f=g+h`i",
    "Mustache": "a&amp;b&lt;c&gt;&quot;d&#39;e&#x2F;f&#x3D;g+h&#x60;i",
    "JSON in HTML": html.escape(json.dumps(MARKUP_KEY)[1:-1]),
    "JSON of Go": "a\\u0026b\\u003cc\\u003e\\\"d'e/f=g+h`i",
    "JSON of Rails": 'a\\u0026b\\u003cc\\u003e\\"d\\u0027e/f=g+h`i',
    "JSON of PHP": "a&b<c>\\\"d'e\\/f=g+h`i",
    "JSON of PHP for HTML": 'a\\u0026b\\u003Cc\\u003E\\"d\\u0027e\\/f=g+h`i',
}


@pytest.mark.parametrize("escaper", ESCAPED)
def test_a_configured_secret_is_replaced_as_markup_writes_it(escaper: str) -> None:
    assert redact_error_message(f"<p>{ESCAPED[escaper]}</p>", secrets=(MARKUP_KEY,)) == "<p>[redacted]</p>"


@pytest.mark.parametrize("user", ["", "a", "ab", "abc:", "Bearer "])
@pytest.mark.parametrize("secret", ["my-secret-key-12", "my-secret-key-123", "my-secret-key-1234", "ÿÿÿ>>>???ÿÿÿ"])
def test_a_configured_secret_is_replaced_inside_base64(secret: str, user: str) -> None:
    for encode in (b64encode, urlsafe_b64encode):
        shown = redact_error_message(f"got <{encode((user + secret + 'x').encode()).decode()}>", secrets=(secret,))
        assert "[redacted]" in shown
        assert len(shown) < len("got <[redacted]>") + 2 * len(user) + 8


def test_the_key_in_a_configured_header_is_replaced_without_its_scheme() -> None:
    assert (
        redact_error_message("no such key: my-secret-key", secrets=("Token my-secret-key",))
        == "no such key: [redacted]"
    )


@pytest.mark.parametrize("length", [490, 500, 600, 70_000])
def test_no_part_of_a_configured_secret_remains_at_the_truncation_point(length: int) -> None:
    secret = "abcdefghij" * 300
    shown = redact_error_message("x" * (length - 8) + " " + secret * 20, secrets=(secret,))

    assert "abcdefgh" not in shown


def test_a_long_message_of_secrets_contains_none_of_them() -> None:
    secret = "abcdefghij" * 300

    assert "abcdefgh" not in redact_error_message(secret * 100, secrets=(secret,))


def test_a_masked_key_with_an_unknown_prefix_is_replaced() -> None:
    assert redact_error_message("Incorrect API key: 1a2b********9z8y.") == "Incorrect API key: [redacted]"
