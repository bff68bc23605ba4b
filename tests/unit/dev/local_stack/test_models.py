"""Choice of the models for a local stack."""

import httpx2
import pytest

from dev.local_stack.models import LlmChoice, choose_models, localised, needs_demo
from dev.local_stack.ollama import is_ollama, ollama_address
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.messages import Json

OPENAI = LlmConfig(type="openai", api_key="${OPENAI_API_KEY}")
DEMO: dict[str, Json] = {"base_url": "http://127.0.0.1:7/v1", "api_key": "demo", "headers": {}, "demo": True}
HERE = "http://127.0.0.1:11434"


def choose(
    llms: dict[str, LlmConfig], environ: dict[str, str] | None = None, *, ollama_at: str | None = None
) -> tuple[LlmChoice, ...]:
    return choose_models(llms, environ or {}, answers=lambda address: address == ollama_at)


@pytest.mark.parametrize(("type", "provider"), [("openai", "OpenAI"), ("gemini", "Gemini"), ("anthropic", "Anthropic")])
def test_the_real_model_is_used_when_its_key_is_in_the_environment(type: ProviderType, provider: str) -> None:
    choices = choose({"main": LlmConfig(type=type, api_key="${KEY}")}, {"KEY": "sk-1"})

    assert choices == (LlmChoice("main", type, "real", f"the real model of {provider}", {}),)
    assert localised({"llms": {"main": {"api_key": "${KEY}"}}}, choices, None) == {
        "llms": {"main": {"api_key": "${KEY}"}}
    }


@pytest.mark.parametrize("type", ["openai", "gemini", "anthropic"])
@pytest.mark.parametrize("environ", [{}, {"KEY": ""}])
def test_the_demo_model_is_used_without_a_key_or_with_an_empty_one(type: ProviderType, environ: dict[str, str]) -> None:
    choices = choose({"main": LlmConfig(type=type, api_key="${KEY}")}, environ)

    assert choices == (LlmChoice("main", type, "demo", "the demo model, because KEY is not set", {}),)
    assert needs_demo(choices)


def test_the_demo_model_is_used_without_a_configured_key() -> None:
    choices = choose({"main": LlmConfig(type="openai")})

    assert choices == (LlmChoice("main", "openai", "demo", "the demo model, because no api_key is configured", {}),)


def test_a_header_with_a_missing_secret_selects_the_demo_model_too() -> None:
    llm = LlmConfig(type="openai", api_key="${KEY}", headers={"OpenAI-Project": "${PROJECT}"})

    choices = choose({"openai": llm}, {"KEY": "sk-1"})

    assert choices == (LlmChoice("openai", "openai", "demo", "the demo model, because PROJECT is not set", {}),)


def test_a_literal_key_in_the_configuration_is_used() -> None:
    choices = choose({"openai": LlmConfig(type="openai", api_key="sk-written-out")})

    assert choices == (LlmChoice("openai", "openai", "real", "the real model of OpenAI", {}),)


def test_bedrock_is_the_demo_model_unless_it_has_a_url() -> None:
    choices = choose({"bedrock": LlmConfig(type="bedrock")}, {"AWS_ACCESS_KEY_ID": "the operator's"})

    assert choices == (
        LlmChoice("bedrock", "bedrock", "demo", "the demo model, because the local stack has no AWS account", {}),
    )


@pytest.mark.parametrize(
    ("environ", "address"),
    [({}, HERE), ({"OLLAMA_HOST": "0.0.0.0:99"}, "http://127.0.0.1:99")],
)
def test_a_running_ollama_is_used(environ: dict[str, str], address: str) -> None:
    choices = choose({"ollama": LlmConfig(type="ollama")}, environ, ollama_at=address)

    assert choices == (LlmChoice("ollama", "ollama", "real", f"the Ollama at {address}", {"base_url": address}),)
    assert localised({}, choices, None) == {"llms": {"ollama": {"type": "ollama", "base_url": address}}}


def test_ollama_needs_no_key() -> None:
    choices = choose({"ollama": LlmConfig(type="ollama", api_key="${KEY}")}, ollama_at=HERE)

    assert [choice.changes for choice in choices] == [{"base_url": HERE, "api_key": "unused"}]


def test_the_demo_model_is_used_without_ollama() -> None:
    choices = choose({"ollama": LlmConfig(type="ollama")})

    assert choices == (
        LlmChoice("ollama", "ollama", "demo", f"the demo model, because no Ollama answers at {HERE}", {}),
    )


@pytest.mark.parametrize(
    ("key", "environ", "changes"),
    [
        ("${OPENAI_API_KEY}", {"OPENAI_API_KEY": "sk-1"}, {"base_url": "http://gpu:8000/v1"}),
        ("${OPENAI_API_KEY}", {}, {"base_url": "http://gpu:8000/v1", "api_key": "unused"}),
        (None, {}, {"base_url": "http://gpu:8000/v1", "api_key": "unused"}),
    ],
)
def test_the_server_named_by_openai_base_url_is_used_with_or_without_a_key(
    key: str | None, environ: dict[str, str], changes: dict[str, Json]
) -> None:
    llm = LlmConfig(type="openai", api_key=key)

    choices = choose({"openai": llm}, {**environ, "OPENAI_BASE_URL": "http://gpu:8000/v1"})

    assert choices == (LlmChoice("openai", "openai", "real", "the model at http://gpu:8000/v1", changes),)
    assert localised({"llms": {"openai": {"type": "openai"}}}, choices, None) == {
        "llms": {"openai": {"type": "openai", **changes}}
    }


@pytest.mark.parametrize("type", ["openai", "ollama", "gemini", "anthropic", "bedrock"])
@pytest.mark.parametrize("key", [None, "none", "${MISSING}"])
def test_a_configured_url_is_unchanged(type: ProviderType, key: str | None) -> None:
    llm = LlmConfig(type=type, base_url="http://gpu:8000/v1", api_key=key)

    choices = choose({"main": llm}, {"OPENAI_BASE_URL": "http://elsewhere/v1"}, ollama_at=HERE)

    assert choices == (LlmChoice("main", type, "as configured", "as configured", {}),)
    assert localised({"llms": {"main": {"comment": "ours"}}}, choices, "http://127.0.0.1:7") == {
        "llms": {"main": {"comment": "ours"}}
    }


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "localhost", "vllm.localhost", "[::1]"])
def test_a_local_server_is_used_without_its_missing_key(host: str) -> None:
    address = f"http://{host}:8000/v1"
    headers = {"X-Team": "a", "X-Key": "Bearer ${OTHER}"}
    llm = LlmConfig(type="openai", base_url=address, api_key="${KEY}", headers=headers)

    choices = choose({"local": llm})

    reason = f"the server at {address}, without a key: KEY and OTHER are not set"
    changes: dict[str, Json] = {"api_key": "unused", "headers": {"X-Team": "a"}}
    assert choices == (LlmChoice("local", "openai", "real", reason, changes),)


def test_only_missing_secrets_of_a_local_server_are_removed() -> None:
    llm = LlmConfig(type="openai", base_url="http://localhost:1/v1", api_key="${KEY}", headers={"A": "${B}"})

    assert [choice.changes for choice in choose({"local": llm}, {"KEY": "k"})] == [{"headers": {}}]
    assert [choice.model for choice in choose({"local": llm}, {"KEY": "k", "B": "b"})] == ["as configured"]


def test_the_demo_model_replaces_url_key_and_headers_and_nothing_else() -> None:
    source: dict[str, Json] = {
        "llms": {
            "openai": {"api_key": "${OPENAI_API_KEY}", "temperature": 0.2},
            "other": {"type": "openai", "base_url": "http://gpu/v1"},
        },
        "responses": [],
    }
    choices = choose({"openai": OPENAI, "other": LlmConfig(type="openai", base_url="http://gpu/v1")})

    assert localised(source, choices, "http://127.0.0.1:7") == {
        "llms": {
            "openai": {"type": "openai", "temperature": 0.2, **DEMO},
            "other": {"type": "openai", "base_url": "http://gpu/v1"},
        },
        "responses": [],
    }
    assert source["llms"] == {
        "openai": {"api_key": "${OPENAI_API_KEY}", "temperature": 0.2},
        "other": {"type": "openai", "base_url": "http://gpu/v1"},
    }


@pytest.mark.parametrize(
    ("type", "base_url", "key"),
    [
        ("openai", "http://127.0.0.1:7/v1", "demo"),
        ("ollama", "http://127.0.0.1:7", "demo"),
        ("gemini", "http://127.0.0.1:7", "demo"),
        ("anthropic", "http://127.0.0.1:7", "demo"),
        ("bedrock", "http://127.0.0.1:7", None),
    ],
)
def test_an_llm_without_an_entry_gets_one_with_its_own_protocol(
    type: ProviderType, base_url: str, key: str | None
) -> None:
    choices = choose({type: LlmConfig(type=type)})

    assert localised({"responses": []}, choices, "http://127.0.0.1:7") == {
        "responses": [],
        "llms": {type: {"type": type, "base_url": base_url, "api_key": key, "headers": {}, "demo": True}},
    }


@pytest.mark.parametrize(
    ("named", "address"),
    [
        ("", HERE),
        ("gpu", "http://gpu:11434"),
        ("gpu:80", "http://gpu:80"),
        (":80", "http://127.0.0.1:80"),
        ("0.0.0.0", HERE),  # noqa: S104 - what a server listens on
        ("http://gpu:80/", "http://gpu:80"),
        ("https://gpu", "https://gpu"),
        ("[::1]", "http://[::1]:11434"),
        ("[::]:80", "http://127.0.0.1:80"),
    ],
)
def test_the_variable_of_ollama_sets_its_address(named: str, address: str) -> None:
    assert ollama_address({"OLLAMA_HOST": named}) == address


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (httpx2.Response(200, json={"version": "0.13.0"}), True),
        (httpx2.Response(200, json={"ok": True}), False),
        (httpx2.Response(200, text="hello"), False),
        (httpx2.Response(404, json={"version": "1"}), False),
        (None, False),
    ],
)
def test_another_server_is_not_mistaken_for_ollama(answer: httpx2.Response | None, found: bool) -> None:
    def handle(request: httpx2.Request) -> httpx2.Response:
        assert request.url.path == "/api/version"
        if answer is None:
            raise httpx2.ConnectError("refused")
        return answer

    assert is_ollama(HERE, transport=httpx2.MockTransport(handle)) is found


def test_an_invalid_address_has_no_ollama() -> None:
    assert not is_ollama("http://[oops")
