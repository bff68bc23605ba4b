"""Requests of the openai package: addresses of OpenAI and Azure, headers, and what the environment does not change."""

import json
import subprocess
import sys
from typing import Any

import httpx2
import pytest

from flexchat import __version__
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.messages import user
from functions.chat.providers.base import ChatOptions, Delta
from functions.chat.providers.openai.adapter import OpenAIProvider

VARIABLES = {
    "AZURE_OPENAI_AD_TOKEN": "token-of-the-environment",
    "AZURE_OPENAI_API_KEY": "key-of-the-environment",
    "AZURE_OPENAI_ENDPOINT": "https://environment.test",
    "OPENAI_ADMIN_KEY": "admin-key-of-the-environment",
    "OPENAI_API_KEY": "key-of-the-environment",
    "OPENAI_API_TYPE": "azure",
    "OPENAI_API_VERSION": "2020-01-01",
    "OPENAI_BASE_URL": "https://environment.test/v1",
    "OPENAI_CUSTOM_HEADERS": "x-environment: yes\nauthorization: Bearer environment\nuser-agent: environment",
    "OPENAI_ORG_ID": "org-of-the-environment",
    "OPENAI_PROJECT_ID": "project-of-the-environment",
    "OPENAI_WEBHOOK_SECRET": "secret-of-the-environment",
}


def ignore_delta(_delta: Delta) -> None:
    return None


def sent(*, models: bool = False, streamed: bool = False, **config: Any) -> httpx2.Request:
    """Return the request of one chat, plain or streamed, or of the list of models."""
    received: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        received.append(request)
        body: Any = {"data": []} if models else {"choices": [{"message": {"content": "Hello."}}]}
        return httpx2.Response(200, json=body, headers={"set-cookie": "user=1"})

    llm = LlmConfig.model_validate({"type": "openai", "max_retries": 0, **config})
    provider = OpenAIProvider("main", llm, transport=httpx2.MockTransport(answer))
    for _ in range(2):
        if models:
            provider.list_models(Deadline.after(30))
        else:
            on_delta = ignore_delta if streamed else None
            provider.generate_chat([user("Hello")], "gpt-4o", ChatOptions(Deadline.after(30)), on_delta)
    first, second = received
    assert (str(first.url), first.headers, first.content) == (str(second.url), second.headers, second.content)
    return first


def test_a_request_has_no_headers_of_the_package() -> None:
    request = sent(api_key="key-of-the-llm", headers={"X-Team": "blue"})

    assert dict(request.headers) == {
        "accept": "application/json",
        "accept-encoding": "gzip, deflate",
        "authorization": "Bearer key-of-the-llm",
        "connection": "keep-alive",
        "content-length": str(len(request.content)),
        "content-type": "application/json",
        "host": "api.openai.com",
        "user-agent": f"flexchat/{__version__}",
        "x-team": "blue",
    }


@pytest.mark.parametrize("models", [False, True])
@pytest.mark.parametrize(
    "config",
    [
        {},
        {"api_key": "key-of-the-llm"},
        {"base_url": "https://host.test/v1?team=blue", "headers": {"Authorization": "Basic eA=="}},
        {"base_url": "https://name.openai.azure.com?api-version=2024-10-21"},
        {"base_url": "https://name.openai.azure.com?api-version=2024-10-21", "api_key": "key-of-the-llm"},
    ],
)
def test_variables_of_the_environment_change_no_request(
    monkeypatch: pytest.MonkeyPatch, config: dict[str, Any], *, models: bool
) -> None:
    expected = sent(models=models, **config)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)

    request = sent(models=models, **config)

    assert (str(request.url), request.headers) == (str(expected.url), expected.headers)
    assert "environment" not in repr(request.headers.raw)


KINDS: tuple[dict[str, bool], ...] = ({}, {"streamed": True}, {"models": True})
"""Arguments of `sent` for a chat, a streamed chat and the list of models."""

AZURE = "https://name.openai.azure.com"
VERSION = "api-version=2024-10-21"


@pytest.mark.parametrize(
    ("base_url", "chat", "models"),
    [
        (f"{AZURE}/openai/v1", f"{AZURE}/openai/v1/chat/completions", f"{AZURE}/openai/v1/models"),
        (
            f"{AZURE}/openai/v1/?api-version=preview",
            f"{AZURE}/openai/v1/chat/completions?api-version=preview",
            f"{AZURE}/openai/v1/models?api-version=preview",
        ),
        (
            "https://host.test/v1?team=blue&route=",
            "https://host.test/v1/chat/completions?team=blue&route=",
            "https://host.test/v1/models?team=blue&route=",
        ),
        ("https://host.test/v1/#top", "https://host.test/v1/chat/completions", "https://host.test/v1/models"),
    ],
)
def test_an_address_with_a_query_sends_it_with_each_request(base_url: str, chat: str, models: str) -> None:
    found = [sent(**kind, base_url=base_url, api_key="key-of-the-llm") for kind in KINDS]

    assert [str(request.url) for request in found] == [chat, chat, models]
    assert [request.headers["authorization"] for request in found] == ["Bearer key-of-the-llm"] * 3


@pytest.mark.parametrize(
    ("base_url", "deployment"),
    [
        (f"{AZURE}?{VERSION}", "gpt-4o"),
        (f"{AZURE}/?{VERSION}", "gpt-4o"),
        (f"{AZURE}/openai?{VERSION}", "gpt-4o"),
        (f"{AZURE}/openai/deployments/mine?{VERSION}", "mine"),
        (f"{AZURE}/openai/deployments/mine/?{VERSION}", "mine"),
    ],
)
def test_an_address_of_azure_has_the_deployment_in_the_path_and_the_key_in_its_header(
    base_url: str, deployment: str
) -> None:
    chat, streamed, models = (
        sent(**kind, base_url=base_url, api_key="key-of-the-llm") for kind in ({}, {"streamed": True}, {"models": True})
    )

    assert str(streamed.url) == str(chat.url)
    assert str(chat.url) == f"{AZURE}/openai/deployments/{deployment}/chat/completions?{VERSION}"
    assert str(models.url) == f"{AZURE}/openai/models?{VERSION}"
    assert [request.headers["api-key"] for request in (chat, streamed, models)] == ["key-of-the-llm"] * 3
    assert "authorization" not in chat.headers
    assert json.loads(chat.content) == {
        "model": "gpt-4o",
        "messages": [{"role": "user", "content": "Hello"}],
    }


@pytest.mark.parametrize(
    ("config", "headers"),
    [
        ({"headers": {"Api-Key": "key-of-a-gateway"}}, {"api-key": "key-of-a-gateway"}),
        ({"headers": {"authorization": "Bearer token"}}, {"authorization": "Bearer token"}),
        ({}, {}),
    ],
)
def test_an_address_of_azure_without_a_key_sends_the_configured_headers(
    config: dict[str, Any], headers: dict[str, str]
) -> None:
    request = sent(base_url=f"{AZURE}/openai/deployments/mine?{VERSION}", **config)

    assert {name: value for name, value in request.headers.items() if name in ("api-key", "authorization")} == headers


CANARIES = ("prompt-canary", "key-canary", "header-canary", "query-canary", "answer-canary")

CHAT = """
import json, logging, threading
from http.server import BaseHTTPRequestHandler, HTTPServer

logging.basicConfig(format="%(message)s")

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.messages import user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.factory import create_provider

class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        assert b"prompt-canary" in self.rfile.read(int(self.headers["content-length"]))
        self.send_response(int(self.path.partition("status=")[2]))
        self.end_headers()
        self.wfile.write(b'{"choices": [{"message": {"content": "answer-canary"}}]}')

    def log_message(self, *_):
        pass

server = HTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
for status in (200, 503):
    config = LlmConfig(
        type="openai", api_key="key-canary", headers={"x-other": "header-canary"}, max_retries=0,
        base_url=f"http://127.0.0.1:{server.server_port}/v1?key=query-canary&status={status}",
    )
    provider = create_provider("main", config, egress=EgressPolicy(local=True))
    logging.getLogger().setLevel(logging.DEBUG)
    try:
        provider.generate_chat([user("prompt-canary")], "m", ChatOptions(Deadline.after(30)))
        logging.getLogger("program").debug("chat ended")
    except Exception as exc:
        logging.getLogger("program").debug("chat failed: %s", exc)
"""


@pytest.mark.parametrize("level", ["debug", "info"])
def test_no_log_line_has_a_key_a_prompt_or_an_answer(level: str) -> None:
    environment = {"OPENAI_LOG": level, "FLEXCHAT_STAGE": "test"}

    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", CHAT], capture_output=True, text=True, check=True, env=environment
    )

    assert done.stderr.splitlines() == ["chat ended", "chat failed: the provider answered with status 503"]
    assert [canary for canary in CANARIES if canary in done.stdout] == []
