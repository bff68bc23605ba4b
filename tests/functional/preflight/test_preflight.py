"""The preflight handler on the events that API Gateway sends for a browser."""

from collections.abc import Iterator
from typing import Any

import pytest

from flexchat.errors import ConfigError
from functions.preflight import app

ORIGINS = "https://app.example.com,http://localhost:3000"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The environment that the template gives the function, read anew for each test."""
    monkeypatch.setenv("FLEXCHAT_ALLOWED_ORIGINS", ORIGINS)
    app.settings.cache_clear()
    yield
    app.settings.cache_clear()


def _preflight(headers: dict[str, str] | None) -> dict[str, Any]:
    return app.lambda_handler({"httpMethod": "OPTIONS", "path": "/api/chat", "headers": headers}, None)


@pytest.mark.parametrize("origin", ["https://app.example.com", "http://localhost:3000"])
@pytest.mark.parametrize("name", ["Origin", "origin"])
def test_a_listed_origin_may_call(name: str, origin: str) -> None:
    assert _preflight({name: origin, "Access-Control-Request-Method": "POST"}) == {
        "statusCode": 204,
        "headers": {
            "Vary": "Origin",
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": "GET,POST,PUT,PATCH,DELETE",
            "Access-Control-Allow-Headers": "Authorization,Content-Type,Idempotency-Key,Prefer",
            "Access-Control-Max-Age": "600",
        },
        "body": "",
        "isBase64Encoded": False,
    }


@pytest.mark.parametrize(
    "headers",
    [
        None,
        {},
        {"Origin": ""},
        {"Origin": "null"},
        {"Origin": "*"},
        {"Origin": "http://app.example.com"},
        {"Origin": "https://app.example.com.evil.example"},
        {"Origin": "https://app.example.com,http://localhost:3000"},
        {"Origin": "HTTPS://APP.EXAMPLE.COM"},
    ],
)
def test_any_other_origin_learns_nothing(headers: dict[str, str] | None) -> None:
    assert _preflight(headers) == {
        "statusCode": 204,
        "headers": {"Vary": "Origin"},
        "body": "",
        "isBase64Encoded": False,
    }


def test_a_function_without_origins_says_which_variable_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLEXCHAT_ALLOWED_ORIGINS")

    with pytest.raises(ConfigError, match="FLEXCHAT_ALLOWED_ORIGINS"):
        _preflight({"Origin": "https://app.example.com"})
