"""Printed lists of models."""

import sys
from typing import Any

import httpx2
import pytest

from cli.client import Client
from cli.console import Console
from cli.main import main
from cli.render.models import show_models, show_profile
from cli.target import Target
from flexchat.api.listings import ModelView


def model(id: str, *capabilities: str, tested: bool = False, validated: bool = False) -> dict[str, Any]:
    llm, _, name = id.partition(":")
    return {
        "id": id,
        "name": name,
        "llm": llm,
        "provider": "ollama" if llm == "local" else "openai",
        "type": "chat",
        "capabilities": ["chat", *capabilities],
        "configured": True,
        "validation": {"model_id": id, "tested": tested, "validated": validated},
        "key_of_a_newer_service": 1,
    }


PROFILE: list[dict[str, Any]] = [
    {"name": "context_window", "value": 128_000, "origin": "built_in"},
    {"name": "tools", "value": True, "origin": "provider"},
    {"name": "unsupported", "value": ["stop", "top_p"], "origin": "configured"},
    {"name": "input_price", "value": 2.5, "origin": "refreshed"},
    {"name": "output_price", "value": 10.0, "origin": "refreshed"},
]


def shown(body: dict[str, Any]) -> str:
    console = Console(width=100)
    with console.capture() as capture:
        show_models(console, body)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def test_each_model_has_a_row_and_each_error_a_line_below() -> None:
    body = {
        "models": [
            {
                **model("openai:gpt-4o", "function-calling", tested=True, validated=True),
                "context_window": 128_000,
                "profile": PROFILE,
            },
            model("openai:gpt-4o-mini", "function-calling", tested=True),
            model("local:gemma3:4b"),
        ],
        "errors": [{"llm": "claude", "error": "authentication: [invalid] key"}],
    }

    assert shown(body) == (
        "MODEL               PROVIDER  TOOLS  CONTEXT  PRICE       VALIDATION\n"
        "openai:gpt-4o       openai    yes    128,000  $2.5 / $10  validated\n"
        "openai:gpt-4o-mini  openai    yes                         not validated\n"
        "local:gemma3:4b     ollama    no                          untested\n"
        "\n"
        "✗ claude: authentication: [invalid] key"
    )


def test_a_service_without_models_is_reported() -> None:
    assert shown({"models": []}) == "no models"


def test_the_client_requests_the_list() -> None:
    requests: list[tuple[str, str]] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        requests.append((request.method, request.url.path))
        return httpx2.Response(200, json={"models": []})

    client = Client(Target("https://chat.example", "tok"), transport=httpx2.MockTransport(handler))

    assert client.models() == {"models": []}
    assert requests == [("GET", "/api/models/list")]


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_unreachable_service_is_an_error_of_the_command(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["flexchat", "models", "--url", "http://127.0.0.1:1", "--token", "t", *options])

    with pytest.raises(SystemExit) as raised:
        main()

    assert raised.value.code == 1
    assert "http://127.0.0.1:1 cannot be reached" in capsys.readouterr().err


def test_the_demo_model_is_labelled_and_neither_passes_nor_fails() -> None:
    tested = {**model("openai:gpt-4o", "function-calling", tested=True, validated=True), "demo": True}
    untested = {**model("openai:gpt-4o-mini"), "demo": True}

    assert shown({"models": [tested, untested]}) == (
        "MODEL                    PROVIDER  TOOLS  CONTEXT  PRICE  VALIDATION\n"
        "openai:gpt-4o demo       openai    yes                    demo model\n"
        "openai:gpt-4o-mini demo  openai    no                     untested"
    )


def test_the_profile_of_a_model_has_the_source_of_each_value() -> None:
    view = ModelView.model_validate({**known("openai:gpt-4o"), "profile": PROFILE})
    console = Console(width=100)
    with console.capture() as capture:
        show_profile(console, view)

    assert [line.rstrip() for line in capture.get().splitlines()] == [
        "openai:gpt-4o",
        "VALUE                        SOURCE",
        "context_window  128,000      built-in",
        "tools           yes          provider's list",
        "unsupported     stop, top_p  configured",
        "input_price     2.5          refreshed",
        "output_price    10.0         refreshed",
    ]


def known(id: str) -> dict[str, Any]:
    """Return a model with the keys of this version alone."""
    return {name: value for name, value in model(id).items() if name != "key_of_a_newer_service"}
