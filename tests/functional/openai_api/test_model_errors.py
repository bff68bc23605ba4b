"""Errors of providers on the OpenAI-compatible API: their status, and whether clients repeat the request."""

from typing import Any

import openai
import pytest

from flexchat.errors import ModelError, ModelErrorType
from tests.functional.chat.harness import configuration
from tests.functional.openai_api.openai_client import QUESTION, service


@pytest.mark.parametrize(
    ("kind", "status", "code", "repeats"),
    [
        ("invalid_request", 400, "model_invalid_request", False),
        ("context_length", 400, "context_length_exceeded", False),
        ("content_filter", 400, "content_filter", False),
        ("authentication", 502, "model_authentication", False),
        ("permission", 502, "model_permission", False),
        ("not_found", 502, "model_not_found", False),
        ("server_error", 502, "model_server_error", True),
        ("network", 502, "model_network", True),
        ("overloaded", 503, "model_overloaded", True),
        ("timeout", 504, "model_timeout", True),
    ],
)
def test_an_error_that_a_retry_cannot_help_is_not_repeated(
    kind: ModelErrorType, status: int, code: str, *, repeats: bool
) -> None:
    error = ModelError("down", type=kind, provider="openai", status=status)
    asked = service([error] * 9, configuration(rule={"name": "support"}))
    client = asked.client.with_options(max_retries=1)
    sent: list[Any] = []
    handle = asked.transport.handle_request

    def counted(request: Any) -> Any:
        sent.append(request)
        return handle(request)

    asked.transport.handle_request = counted  # pyright: ignore[reportAttributeAccessIssue]

    with pytest.raises(openai.APIStatusError) as caught:
        client.chat.completions.create(model="flexchat", messages=QUESTION)

    assert (caught.value.status_code, caught.value.code) == (status, code)
    assert caught.value.response.headers.get("x-should-retry") == (None if repeats else "false")
    assert len(sent) == (2 if repeats else 1)
