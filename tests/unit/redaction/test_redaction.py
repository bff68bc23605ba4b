"""Redaction of log lines."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.redaction import REDACTED, contains_key, is_secret_name, redact, redact_facts, redact_text
from flexchat.tokens import issue

OWN_TOKEN = issue(
    name="ada", roles=("user",), lifetime=timedelta(days=1), now=datetime(2026, 1, 1, tzinfo=UTC)
).token.reveal()
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
PRIVATE_KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    "secret",
    [
        "ada.lovelace+test@example.co.uk",
        JWT,
        "AKIAIOSFODNN7EXAMPLE",
        "ASIAIOSFODNN7EXAMPLE",
        "sk-proj-abcdefghijklmnop1234",
        "sk-ant-api03-abcdefghijklmnop",
        "sk_live_abcdefghijklmnop",
        pytest.param(OWN_TOKEN, id="own token"),
        pytest.param(OWN_TOKEN[:20], id="part of an own token"),
        "gsk_abcdefghijklmnopqrstuvwxyz0123456789",
        "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
        "xai-abcdefghijklmnopqrstuvwxyz0123456789",
        "glpat-abcdefghij_klmnopqrst",
        "npm_abcdefghijklmnopqrstuvwxyz0123456789",
        "pypi-AgEIcHlwaS5vcmcCJGFiY2RlZmdo",
        "SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789abcdefg",
        "hvs.abcdefghijklmnopqrstuvwx",
        "pplx-abcdefghijklmnopqrstuvwx",
        "nvapi-abcdefghijklmnopqrstuvwx-yz",
        "tvly-dev-abcdefghijklmnopqrstuvwx",
        "r8_abcdefghijklmnopqrstuvwx",
        "whsec_abcdefghijklmnopqrstuvwx",
        "ya29.abcdefghijklmnopqrstuvwx",
        "GOCSPX-abcdefghijklmnopqrstuvwx",
        "dapi0123456789abcdef0123456789abcdef",
        "ABSKQmVkcm9ja0FQSUtleS1hYmNkZWZnaA==",
        "IQoJb3JpZ2luX2VjEJr//////////wEaCXVzLWVhc3QtMSJHMEUCIQD+/a==",
        "FwoGZXIvYXdzEBYaDHqa0AP1RvnAKEYGdCLIAY",
        "hooks.slack.com/services/T00000000/B00000000/abcdefghijkl",
        "AIzaSyA-abcdefghijklmnopqrstuvwxyz12345",
        "ghp_abcdefghijklmnopqrstuvwx",
        "github_pat_abcdefghijklmnopqrstuvwx",
        "xoxb-1234567890-abcdef",
        "xapp-1-A0123456789-abcdef",
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111111111111111",
        "378282246310005",
        PRIVATE_KEY,
    ],
)
def test_a_text_similar_to_a_secret_is_redacted_at_any_position(secret: str):
    assert redact_text(secret) == REDACTED
    assert redact_text(f"before {secret} after") == f"before {REDACTED} after"
    assert redact({"q": [f"({secret})"]}) == {"q": [f"({REDACTED})"]}


@pytest.mark.parametrize("before", ["%20", "\\n", "\\u0022", "_", "key=", '"'])
@pytest.mark.parametrize(
    "secret", [pytest.param(OWN_TOKEN, id="own token"), "gsk_abcdefghijklmnopqrstuvwxyz", JWT, "AKIAIOSFODNN7EXAMPLE"]
)
def test_a_secret_after_an_escaped_character_is_redacted(before: str, secret: str):
    assert redact_text(f"a{before}{secret}") == f"a{before}{REDACTED}"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Authorization: Bearer abcdef123456", "Authorization: [redacted]"),
        ("basic dXNlcjpwYXNz", "[redacted]"),
        ("GET /v1?q=1&key=abc123&x=2", "GET /v1?q=1&key=[redacted]&x=2"),
        ("https://h/?api_key=abc", "https://h/?api_key=[redacted]"),
        ("https://h/?X-Amz-Signature=abc&b=1", "https://h/?X-Amz-Signature=[redacted]&b=1"),
        ("https://user:pass@host/path", "https://[redacted]@host/path"),
        ("password=hunter2, next", "password=[redacted], next"),
        ('{"api_key": "abc"}', '{"api_key": "[redacted]"}'),
        ('{\\"api_key\\": \\"abc\\"}', '{\\"api_key\\": \\"[redacted]\\"}'),
        ('{"password": "two words", "a": 1}', '{"password": "[redacted]", "a": 1}'),
        ("aws_session_token=abc", "aws_session_token=[redacted]"),
        ("client_secret: abc", "client_secret: [redacted]"),
        ("Authorization: abc", "Authorization: [redacted]"),
        ("Authorization%3A%20Bearer%20abcdef123456", "Authorization%3A%20[redacted]"),
        ("aws_secret_access_key = wJalrXUtnFEMI", "aws_secret_access_key = [redacted]"),
        ("an unfinished -----BEGIN PRIVATE KEY-----\nMII", "an unfinished [redacted]"),
        ("Authorization: Token abc123, sent", "Authorization: [redacted], sent"),
        ("authorization=ApiKey%20abc123&a=1", "authorization=[redacted]&a=1"),
        ("the api key = abc123 is wrong", "the api key = [redacted] is wrong"),
        (r"{\\\"password\\\":\\\"abc123\\\"}", r"{\\\"password\\\":\\\"[redacted]\\\"}"),
        ("%7B%22password%22%3A%20%22abc123%22%7D", "%7B%22password%22%3A%20%22[redacted]"),
    ],
)
def test_a_secret_after_its_name_is_redacted(text: str, left: str):
    assert redact_text(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "what is 15% of 45, and the weather in Paris?",
        "123e4567-e89b-12d3-a456-426614174000",
        "1-5759e988-bd862e3fe1be46a994272793",
        "4111111111111112",
        "2026-11-21T21:28:52.201+00:00",
        "the token was refused",
        "max_tokens=500",
        "user@localhost",
        "sk-short",
        "the risk-free-and-quite-ordinary-choice of a global-infrastructure-team",
        "npm_config_registry_location and hf_transformers_cache_directory",
        "fc_ is how tokens begin, fc_abc is none",
        "SG.1 and SK 5",
        "arn:aws:lambda:eu-west-1:123456789012:function:f",
    ],
)
def test_ordinary_text_is_unchanged(text: str):
    assert redact_text(text) == text


@pytest.mark.parametrize(
    "name",
    [
        "jwt",
        "bearer",
        "api_key",
        "apiKey",
        "X-Api-Key",
        "apikey",
        "Authorization",
        "password",
        "DB_PASSWORD",
        "clientSecret",
        "accessToken",
        "session_token",
        "token",
        "Set-Cookie",
        "aws_secret_access_key",
        "private_key",
        "credentials",
        "auth",
        "auth_header",
        "X-Auth",
        "key",
        "KEY",
        "X-Key",
        "token_id",
        "tokenId",
        "subscription-key",
    ],
)
def test_any_value_under_a_secret_key_is_redacted(name: str):
    assert is_secret_name(name)
    assert redact({name: "anything"}) == {name: REDACTED}
    assert redact({name: {"nested": 1}}) == {name: REDACTED}
    assert redact({name: None}) == {name: None}


@pytest.mark.parametrize(
    "name",
    [
        "max_tokens",
        "input_tokens",
        "tokens",
        "idempotency_key",
        "sort_key",
        "keys",
        "keyboard",
        "monkey",
        "secretary",
        "author",
        "",
        "_",
    ],
)
def test_a_value_under_a_similar_key_is_unchanged(name: str):
    assert not is_secret_name(name)
    assert redact({name: "anything"}) == {name: "anything"}


def test_a_secret_inside_a_key_is_redacted_too():
    assert redact({"ada@example.com": 1}) == {REDACTED: 1}


def test_values_keep_their_type():
    facts: dict[str, Any] = {"a": 1, "b": 2.5, "c": True, "d": None, "e": "text", "f": [1, "x"], "g": {"h": 1}}

    assert redact(facts) == facts
    assert redact_facts(facts) == facts


def test_values_without_a_json_form_become_text():
    assert redact([float("nan"), float("-inf"), (1, 2), ValueError("ada@example.com")]) == [
        "nan",
        "-inf",
        [1, 2],
        REDACTED,
    ]
    assert redact({3}) == [3]
    assert redact({5: "x"}) == {"5": "x"}


@pytest.mark.parametrize(
    ("number", "is_unchanged"), [(4111111111111111, False), (4111111111111112, True), (2**300, False)]
)
def test_a_card_number_or_a_huge_number_is_redacted_as_a_number(number: int, *, is_unchanged: bool):
    assert redact(number) == (number if is_unchanged else REDACTED)


def test_long_texts_are_truncated():
    assert redact_text("a" * 2_001) == "a" * 2_000 + "… [2001 characters]"
    assert redact_text("abcdef", max_text=3) == "abc… [6 characters]"


def test_a_secret_at_the_truncation_point_is_removed_completely():
    text = "a" * 1_995 + " sk-abcdefghijklmnopqrstuvwxyz0123456789"

    assert "sk-" not in redact_text(text)


def test_a_value_of_many_parts_is_truncated():
    deep: Any = "x"
    for _ in range(7):
        deep = [deep] * 50

    assert str(redact(deep)).count("x") < 2_000


def test_large_and_deep_containers_are_truncated():
    deep: Any = "end"
    for _ in range(20):
        deep = [deep]

    assert redact(list(range(60))) == [*range(50), "… [60 items]"]
    assert redact({str(number): number for number in range(51)}) == {
        **{str(number): number for number in range(50)},
        "…": "[51 items]",
    }
    assert redact(deep) == [[[[[[[["…"]]]]]]]]


@given(st.text(max_size=200))
def test_redaction_is_idempotent(text: str):
    assert redact_text(redact_text(text)) == redact_text(text)


@pytest.mark.parametrize(
    "text", ["a@" * 50_000, "://" * 50_000, "4 " * 50_000, "token=" * 30_000, "eyJ" * 50_000, "-----BEGIN " * 20_000]
)
def test_hostile_text_is_redacted_in_linear_time(text: str):
    assert len(redact_text(text)) < 3_000


@pytest.mark.parametrize(
    "text",
    [
        "sk-live-abcdefghijkl",
        "Use Bearer abc123def456 here",
        "AKIAIOSFODNN7EXAMPLE",
        "https://host/eyJhbGciOiJIUzI1NiJ9.e30.x",
        "-----BEGIN PRIVATE KEY-----\nMII",
    ],
)
def test_a_key_is_detected_by_its_format(text: str) -> None:
    assert contains_key(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "basic arithmetic",
        "basic+advanced",
        "basic%20arithmetic",
        "basic\narithmetic",
        "Bearer tokens are read",
        "ada@example.com",
        "max_tokens 12",
        "risk-management-plan",
        "the xapp-monitoring-service",
        "hf_transformers_cache_directory",
        "npm_config_registry_location",
    ],
)
def test_ordinary_words_contain_no_key(text: str) -> None:
    assert not contains_key(text)
