"""Secrets of a chat are in no log line, metric or error.

Each canary has the format of a real key or of personal data. It is sent in every field of foreign text, at log level
DEBUG; then all output is searched for its distinctive part.
"""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NoReturn
from urllib.parse import quote

import httpx2
import pytest

from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.errors import ToolError
from flexchat.observability import logger
from flexchat.tokens import issue
from flexchat.tool_runtime import tool_handler
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.retry import RetryPolicy
from functions.tools.mock.app import lambda_handler as mock_handler
from functions.tools.mock.implementation import Implementation
from tests.functional.chat.harness import Answer, Chat, InProcessLambdas, configuration, deploy
from tests.functional.chat.harness import serve as serve_function
from tests.functional.chat.scripted_provider import call_completion, text_completion

OWN_TOKEN: Final = issue(
    name="ada", roles=("user",), lifetime=timedelta(days=1), now=datetime(2026, 1, 1, tzinfo=UTC)
).token.reveal()
MARK: Final = "CanaryCanaryCanary0123456789"

CANARIES: Final[Mapping[str, tuple[str, str]]] = {
    "own token": (OWN_TOKEN, OWN_TOKEN.split("_", 2)[2]),
    "OpenAI": (f"sk-proj-{MARK}", MARK),
    "Anthropic": (f"sk-ant-api03-{MARK}", MARK),
    "Google": (f"AIza{MARK}", MARK),
    "Groq": (f"gsk_{MARK}", MARK),
    "Hugging Face": (f"hf_{MARK}", MARK),
    "xAI": (f"xai-{MARK}", MARK),
    "GitLab": (f"glpat-{MARK}", MARK),
    "GitHub": (f"ghp_{MARK}", MARK),
    "npm": (f"npm_{MARK}", MARK),
    "PyPI": (f"pypi-AgEIcHlwaS5vcmc{MARK}", MARK),
    "Slack": (f"xoxb-1234567890-{MARK}", MARK),
    "SendGrid": (f"SG.{MARK}.{MARK}", MARK),
    "Stripe": (f"sk_live_{MARK}", MARK),
    "AWS key id": ("ASIACANARYCANARY2345", "CANARYCANARY"),
    "AWS session token": (f"IQoJb3JpZ2luX2VjEJr{MARK}", MARK),
    "AWS secret key": (f"aws_secret_access_key={MARK}", MARK),
    "JSON Web Token": (f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{MARK}", MARK),
    "private key": (f"-----BEGIN PRIVATE KEY-----\n{MARK}\n-----END PRIVATE KEY-----", MARK),
    "Authorization header": (f"Authorization: Bearer {MARK}", MARK),
    "key in an address": (f"https://api.example/v1?key={MARK}", MARK),
    "password in an address": (f"https://ada:{MARK}@api.example/", MARK),
    "password": (f'{{"password": "{MARK}"}}', MARK),
    "e-mail address": ("canary.canary@example.com", "canary.canary"),
    "card number": ("4111 1111 1111 1111", "1111 1111"),
}
"""Secrets of each format, with the distinctive part of each."""

SECRET_NAMES: Final = ("auth", "key", "auth_header", "token_id", "api_key", "password", "access_token", "Authorization")
"""Field names whose values are always secret."""

TOOL: Final[dict[str, Any]] = {
    "name": "lookup",
    "description": "Look something up",
    "parameters": {"type": "object"},
    "implementation": {"type": "mock", "mock_response": {}},
}


@pytest.fixture(autouse=True)
def debug_level() -> Iterator[None]:
    level = logger.log_level
    logger.setLevel("DEBUG")
    yield
    logger.setLevel(level)


def written(capfd: pytest.CaptureFixture[str]) -> str:
    """Return the logs and metrics on both streams; there must be some."""
    out, err = capfd.readouterr()
    assert '"level":"' in out
    return out + err


def failing_tool(error: Exception) -> Any:
    def run(_call: object, _part: object) -> NoReturn:
        raise error

    return tool_handler(Implementation, run)


def returning_tool(result: object) -> Any:
    return tool_handler(Implementation, lambda _call, _part: result)


@pytest.mark.parametrize("form", CANARIES)
def test_secret_in_messages_arguments_and_results_is_not_in_logs_or_metrics(
    form: str, capfd: pytest.CaptureFixture[str]
) -> None:
    secret, searched = CANARIES[form]
    named = dict.fromkeys(SECRET_NAMES, f"plain-{searched}")
    arguments: dict[str, Any] = {"query": f"find {secret} now", "deep": [{"note": secret}], secret: 1, **named}
    result = {
        "text": f"found {secret}",
        "list": [secret],
        "json": json.dumps({"inner": secret}),
        secret: secret,
        **named,
    }
    script = [
        call_completion(("lookup", arguments), (f"no_such_{secret}", {}), ("lookup", f'{{"broken": "{secret}'), turn=1),
        text_completion(f"Here it is: {secret}", "length"),
    ]
    chat = deploy(script, configuration(tools=[TOOL]), handlers={"mock": returning_tool(result)})

    answer = chat.post(
        {
            "message": f"My secret is {secret}",
            "history": [{"role": "user", "content": secret}, {"role": "assistant", "content": secret}],
            "profile": {"note": secret, secret[:40]: "x"},
        },
        headers={"Authorization": f"Bearer {OWN_TOKEN}", "Cookie": secret, "X-Api-Key": secret, "User-Agent": secret},
    )

    assert answer.status == 200, answer.body
    log = written(capfd)
    assert searched not in log
    assert OWN_TOKEN not in log


@pytest.mark.parametrize("form", CANARIES)
def test_secret_in_a_tool_exception_is_not_in_logs_or_the_answer(form: str, capfd: pytest.CaptureFixture[str]) -> None:
    secret, searched = CANARIES[form]
    chat = deploy(
        [call_completion(("lookup", {})), text_completion("done")],
        configuration(tools=[TOOL]),
        handlers={"mock": failing_tool(RuntimeError(f"refused {secret}"))},
    )

    answer = chat.post({"message": "Hello"})

    assert answer.body["tool_calls"][0]["result"]["success"] is False
    assert searched not in json.dumps(answer.body)
    assert searched not in str(chat.model.seen)
    assert searched not in written(capfd)


@pytest.mark.parametrize("form", CANARIES)
def test_secret_in_a_tool_error_message_is_not_logged(form: str, capfd: pytest.CaptureFixture[str]) -> None:
    secret, searched = CANARIES[form]
    chat = deploy(
        [call_completion(("lookup", {})), text_completion("done")],
        configuration(tools=[TOOL]),
        handlers={"mock": failing_tool(ToolError(f"The service said: {secret}"))},
    )

    assert chat.post({"message": "Hello"}).status == 200
    assert searched not in written(capfd)


@pytest.mark.parametrize("form", CANARIES)
def test_secret_in_an_unexpected_error_is_not_in_logs_or_the_answer(
    form: str, capfd: pytest.CaptureFixture[str]
) -> None:
    secret, searched = CANARIES[form]

    def crash(*_: object) -> NoReturn:
        raise RuntimeError(secret) from ValueError(secret)

    answer = deploy([crash], configuration()).post({"message": "Hello"})

    assert answer.status == 500
    assert searched not in json.dumps(answer.body)
    assert searched not in written(capfd)


@pytest.mark.parametrize("form", CANARIES)
def test_secret_in_a_rejected_request_is_not_logged(form: str, capfd: pytest.CaptureFixture[str]) -> None:
    secret, searched = CANARIES[form]
    chat = deploy([], configuration())

    for body in ({"message": secret, secret: 1}, secret, {"message": [secret]}, {"message": "a", "history": secret}):
        assert chat.post(body, headers={"Idempotency-Key": f"{secret}\n"}).status == 400
    chat.get(f"/api/{searched}", query={"token": secret})

    assert searched not in "".join(capfd.readouterr())


KEY: Final = 'Canary/Key+"0123456789"'
HEADER: Final = "Canary-Header-0123456789"

QUOTED: Final[Mapping[str, str]] = {
    "as it is": KEY,
    "escaped for JSON": json.dumps(KEY)[1:-1],
    "percent-encoded": quote(KEY, safe=""),
    "base64": b64encode(KEY.encode()).decode(),
    "in Basic credentials": b64encode(f"user:{KEY}".encode()).decode(),
    "cut off": KEY[:15],
    "a configured header": HEADER,
}


def answer_of_provider(status: int, body: object, capfd: pytest.CaptureFixture[str]) -> tuple[Answer, str]:
    """Return the answer to a chat whose provider responds with `status` and `body`, and all output."""
    transport = httpx2.MockTransport(lambda _request: httpx2.Response(status, json=body))
    config = configuration()
    config["llms"]["openai"]["api_key"] = KEY
    config["llms"]["openai"]["headers"] = {"X-Team": HEADER}
    catalog = Catalog(configuration=Configuration.model_validate(config), disabled=(), version="1")

    def provider(name: str, llm: LlmConfig) -> OpenAIProvider:
        return OpenAIProvider(name, llm, retry=RetryPolicy(max_retries=1, sleep=lambda _: None), transport=transport)

    lambdas = InProcessLambdas({"mock": mock_handler})
    function = serve_function(lambdas, catalog=lambda: catalog, provider=provider)
    chat = Chat(function, model=deploy([], configuration()).model, lambdas=lambdas)
    return chat.post({"message": "Hello"}), written(capfd)


@pytest.mark.parametrize("status", [200, 400, 401, 429, 500])
@pytest.mark.parametrize("form", QUOTED)
def test_configured_secret_quoted_by_a_provider_is_not_in_logs_or_the_answer(
    form: str, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    quoted = QUOTED[form]

    answer, log = answer_of_provider(status, {"error": {"message": f"wrong key, got {quoted}"}}, capfd)

    assert "wrong key" not in answer.body["message"]
    assert "wrong key, got " in log
    assert "[redacted]" in log
    for part in (quoted[8:-4], json.dumps(quoted)[9:-5], HEADER):
        assert part not in json.dumps(answer.body)
        assert part not in log


@pytest.mark.slow
@pytest.mark.parametrize("status", [200, 401, 500])
@pytest.mark.parametrize("form", CANARIES)
def test_secret_in_a_provider_error_is_not_in_logs_or_the_answer(
    form: str, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    secret, searched = CANARIES[form]

    answer, log = answer_of_provider(status, {"error": {"message": f"Wrong: {secret}", "type": secret}}, capfd)

    assert answer.status >= 500
    assert searched not in json.dumps(answer.body)
    assert searched not in log
