"""Route of the active configuration: entries, limits and hidden secrets."""

import json

import pytest

from flexchat.config.encoding import LastChange
from tests.functional.chat.configuration_api import (
    CANARY,
    FALLBACK,
    PROMPT,
    SOURCE,
    catalog_of,
    deployed,
    shown,
    source,
)
from tests.functional.chat.harness import (
    configuration,
    deploy,
)


def test_active_configuration_is_shown_completely() -> None:
    catalog = catalog_of(SOURCE, changed=LastChange(at=1_700_000_000.0, revision=4), read_at=1_700_000_030.5)

    assert shown(catalog) == {
        "stage": "test",
        "version": "0123456789ab",
        "revision": 4,
        "changed_at": "2023-11-14T22:13:20Z",
        "read_at": "2023-11-14T22:13:50.500000Z",
        "tool_settings": {
            "enabled": True,
            "max_iterations": 5,
            "max_calls_per_turn": 32,
            "max_tool_calls": 100,
            "default_timeout_ms": 30_000,
            "max_parallel": 8,
            "disabled_types": [],
        },
        "tools": [
            {
                "name": "get_weather",
                "type": "mock",
                "enabled": True,
                "timeout_ms": 900,
                "idempotent": False,
                "repeatable": False,
                "sequential": False,
                "per_principal": False,
                "problems": [],
            },
            {
                "name": "calculate",
                "type": "builtin",
                "enabled": False,
                "timeout_ms": 30_000,
                "idempotent": True,
                "repeatable": True,
                "sequential": True,
                "per_principal": False,
                "problems": ["disabled in the configuration"],
            },
        ],
        "rules": [
            {
                "name": "weather",
                "match": {"intent": "weather", "tags_contains": "x"},
                "fallback": False,
                "llm": "main",
                "model": "gpt-4o",
                "fallbacks": ["local:qwen3:8b"],
                "require_validated": False,
                "allowed_tools": ["get_weather"],
                "max_iterations": 3,
                "max_calls_per_turn": 32,
                "max_tool_calls": 7,
                "problems": [],
            },
            {
                "name": "responses[1]",
                "match": {},
                "fallback": True,
                "llm": "local",
                "model": "qwen3:8b",
                "fallbacks": [],
                "require_validated": False,
                "allowed_tools": None,
                "max_iterations": 5,
                "max_calls_per_turn": 32,
                "max_tool_calls": 100,
                "problems": [],
            },
        ],
        "llms": [
            {
                "name": "main",
                "type": "openai",
                "host": "models.example.com:8443",
                "has_key": True,
                "models": ["gpt-4o"],
                "fallbacks": ["local:qwen3:8b"],
                "problems": [],
            },
            {"name": "local", "type": "ollama", "has_key": False, "models": [], "fallbacks": [], "problems": []},
        ],
        "services": [
            {
                "name": "docs",
                "type": "http",
                "host": "docs.example.com",
                "collections": ["docs"],
                "match_threshold": 0.25,
                "partial_threshold": 0.5,
                "max_distance": 0.9,
                "top_k": 5,
                "problems": [],
            },
            {
                "name": "kb",
                "type": "internal",
                "collections": ["handbook"],
                "match_threshold": 0.25,
                "partial_threshold": 0.5,
                "top_k": 3,
                "problems": [],
            },
        ],
        "phases": {
            "topic": {"enabled": True, "model": "main:gpt-4o", "intents": [], "problems": []},
            "intent": {"enabled": False, "model": "main:gpt-4o", "intents": ["weather"], "problems": []},
        },
        "caller_fields": ["intent", "tags"],
        "sessions": {"ttl_days": 7, "max_history_tokens": 16_000},
        "limits": {
            "caller": {},
            "roles": {},
            "principals": {},
            "role_totals": {},
            "session": {},
            "reserved_tokens": 2000,
            "reserved_usd": 0.01,
        },
        "validation": {
            "models": ["main:gpt-4o"],
            "suite": "default",
            "repeats": 2,
            "stop_early": True,
            "budget": {"usd": 0.5},
            "problems": [],
        },
        "openai_api": {"rules": [], "models": []},
        "choices": {"roles": ["user", "operator"], "rules": [], "models": []},
        "disabled": [{"kind": "tool", "name": "calculate", "problems": ["disabled in the configuration"]}],
    }


def test_unknown_and_unconfigured_values_are_omitted() -> None:
    body = shown(catalog_of({"responses": [{**FALLBACK, "tools": {}}], "llms": SOURCE["llms"]}))

    assert body.keys() & {"revision", "changed_at", "read_at"} == set()
    assert body["phases"] == {}
    assert (body["rules"][0]["allowed_tools"], "max_iterations" in body["rules"][0]) == ([], False)


def test_models_of_the_openai_compatible_api_are_shown() -> None:
    section = {"rules": ["weather"], "models": ["main:gpt-4o"], "embedding_model": "main:embed"}

    assert shown(catalog_of({**SOURCE, "openai_api": section}))["openai_api"] == section


def test_no_key_header_prompt_or_credential_is_shown() -> None:
    assert json.dumps(SOURCE).count(CANARY) == 12

    text = json.dumps(shown(catalog_of(SOURCE)))

    assert CANARY not in text
    assert PROMPT not in text


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("http://127.0.0.1:11434", "127.0.0.1:11434"),
        ("https://[::1]:8443/v1", "[::1]:8443"),
        (f"https://{CANARY}@example.com", "example.com"),
        (f"http://[{CANARY}", None),
        (f"https://{CANARY}/{CANARY}@example.com/v1", None),
        (f"http://example.com:{CANARY}/", None),
        (CANARY, None),
        (None, None),
    ],
)
def test_only_the_host_of_a_url_is_shown(address: str | None, host: str | None) -> None:
    body = shown(catalog_of(source(llms={**SOURCE["llms"], "other": {"type": "openai", "base_url": address}})))

    assert body["llms"][-1].get("host") == host


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/config"), ("POST", "/api/config/match")])
def test_configuration_is_hidden_from_users(method: str, path: str) -> None:
    answer = deployed(catalog_of(SOURCE)).request(method, path, '{"profile": {}}', roles="user")

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert "--role operator" in answer.body["message"]


def test_operator_sees_the_limits() -> None:
    limits = {
        "caller": {"requests_per_minute": 60},
        "roles": {"operator": {"tokens_per_day": 1_000}},
        "principals": {"k3m9x2p7qd": {"tool_calls_per_minute": 5}},
        "role_totals": {"user": {"requests_per_day": 9}},
        "session": {"requests_per_minute": 6},
        "reserved_tokens": 500,
        "reserved_usd": 0.02,
    }
    chat = deploy([], {**configuration(), "limits": limits})
    assert chat.request("GET", "/api/config", roles="operator").body["limits"] == limits
