"""Routes of the live configuration, and the dry run of rules."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.stored import LastChange
from tests.functional.chat.harness import (
    CALCULATE,
    Answer,
    Chat,
    InProcessLambdas,
    builtin_handler,
    configuration,
    deploy,
    mock_handler,
    mock_tool,
    serve,
)
from tests.functional.chat.scripted_provider import ScriptedProvider, text_turn

OPERATOR = "user,operator"

CANARY = "c4n4ry"

PROMPT = "You know {{topic}}."

WEATHER: dict[str, Any] = {
    "name": "weather",
    "match": {"intent": "weather", "tags_contains": "x"},
    "llm": "main",
    "model": "gpt-4o",
    "prompt": PROMPT,
    "tools": {"enabled": True, "allowed_tools": ["get_weather"], "max_iterations": 3, "max_tool_calls": 7},
}
FALLBACK: dict[str, Any] = {"llm": "local", "model": "qwen3:8b", "prompt": PROMPT, "tools": {"enabled": True}}

SOURCE: dict[str, Any] = {
    "llms": {
        "main": {
            "type": "openai",
            "base_url": f"https://user:{CANARY}@Models.example.com:8443/v1/{CANARY}?key={CANARY}",
            "api_key": CANARY,
            "headers": {"X-Key": CANARY},
            "models": ["gpt-4o"],
            "fallbacks": ["local:qwen3:8b"],
        },
        "local": {"type": "ollama", "profiles": {"tiny*": {"tools": False}}},
    },
    "rag_services": {
        "docs": {
            "type": "http",
            "url": f"https://{CANARY}:{CANARY}@docs.example.com/{CANARY}",
            "headers": {"Authorization": f"Bearer {CANARY}"},
            "max_distance": 0.9,
        },
        "kb": {"collections": ["handbook"], "top_k": 3},
    },
    "topic": {"provider": {"prompt": f"{CANARY} {{{{userMessage}}}}"}},
    "intent": {
        "enabled": False,
        "provider": {"llm": "main"},
        "detection": {"intents": {"weather": f"About the weather {CANARY}"}},
    },
    "profile": {"caller_fields": ["intent", "tags"]},
    "responses": [WEATHER, FALLBACK],
    "tools": {
        "enabled": True,
        "registry": [
            mock_tool(headers={"X-Key": CANARY}, timeout_ms=900),
            CALCULATE | {"idempotent": True, "repeatable": True, "sequential": True, "enabled": False},
        ],
    },
    "sessions": {"ttl_days": 7},
    "validation": {"models": ["main:gpt-4o"], "repeats": 2, "budget": {"usd": 0.5}},
}


def catalog_of(source: Mapping[str, Any], *, disabled: Sequence[DisabledEntry] = (), **known: Any) -> Catalog:
    return Catalog(Configuration.model_validate(source), tuple(disabled), "0123456789abcdef", **known)


def deployed(catalog: Catalog, *script: Any) -> Chat:
    models = {name: ScriptedProvider(list(script), name, llm.type) for name, llm in catalog.configuration.llms.items()}
    lambdas = InProcessLambdas({"mock": mock_handler, "builtin": builtin_handler})
    function = serve(lambdas, catalog=lambda: catalog, provider=lambda name, _config: models[name])
    return Chat(function, ScriptedProvider([]), lambdas)


def shown(catalog: Catalog) -> dict[str, Any]:
    answer = deployed(catalog).request("GET", "/api/config", roles=OPERATOR)
    assert answer.status == 200, answer.body
    return answer.body


def matched(catalog: Catalog, **profile: Any) -> dict[str, Any]:
    answer = tried(catalog, {"profile": profile})
    assert answer.status == 200, answer.body
    return answer.body


def tried(catalog: Catalog, body: Any) -> Answer:
    return deployed(catalog).post(body, path="/api/config/match", roles=OPERATOR)


def source(**changes: Any) -> dict[str, Any]:
    return {**SOURCE, **changes}


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
                "problems": ["switched off in the configuration"],
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
        "limits": {"caller": {}, "roles": {}, "principals": {}, "session": {}, "reserved_tokens": 2000},
        "validation": {
            "models": ["main:gpt-4o"],
            "suite": "default",
            "repeats": 2,
            "stop_early": True,
            "budget": {"usd": 0.5},
            "problems": [],
        },
        "disabled": [{"kind": "tool", "name": "calculate", "problems": ["switched off in the configuration"]}],
    }


def test_unknown_and_unconfigured_values_are_omitted() -> None:
    body = shown(catalog_of({"responses": [{**FALLBACK, "tools": {}}], "llms": SOURCE["llms"]}))

    assert body.keys() & {"revision", "changed_at", "read_at"} == set()
    assert body["phases"] == {}
    assert (body["rules"][0]["allowed_tools"], "max_iterations" in body["rules"][0]) == ([], False)


def test_disabled_entry_is_listed_with_its_reasons() -> None:
    missing = ("secret 'K' is not stored",)
    disabled = (
        DisabledEntry("tool", "search", ("description: is required",)),
        DisabledEntry("rule", "responses[0]", ("llm: is required",)),
        DisabledEntry("llm", "claude", missing),
        DisabledEntry("llm", "odd", ("type: is required",)),
        DisabledEntry("service", "papers", missing),
    )
    claude = LlmConfig(type="anthropic", api_key=f"${{K}} {CANARY}", models=("sonnet",))

    body = shown(catalog_of(SOURCE, disabled=disabled, unusable_llms={"claude": claude}, rule_positions=(1, 2)))

    assert body["tools"][-1] == {"name": "search", "problems": ["description: is required"]}
    assert [rule["name"] for rule in body["rules"]] == ["weather", "responses[2]", "responses[0]"]
    assert body["rules"][-1]["problems"] == ["llm: is required"]
    assert body["llms"][-2:] == [
        {
            "name": "claude",
            "type": "anthropic",
            "has_key": True,
            "models": ["sonnet"],
            "fallbacks": [],
            "problems": [*missing],
        },
        {"name": "odd", "models": [], "fallbacks": [], "problems": ["type: is required"]},
    ]
    assert body["services"][-1] == {"name": "papers", "collections": [], "problems": [*missing]}
    assert [(entry["kind"], entry["name"]) for entry in body["disabled"]] == [
        ("tool", "calculate"),
        *((entry.kind, entry.name) for entry in disabled),
    ]
    assert CANARY not in json.dumps(body)


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


@pytest.mark.parametrize(
    ("rule", "problems"),
    [
        ({"llm": "claude", "model": "sonnet"}, ["'claude:sonnet' cannot be called: secret 'K' is not stored"]),
        (
            {"llm": "gone", "model": "m"},
            ["'gone:m' cannot be called: no llm named 'gone' among 'main', 'local'"],
        ),
        ({"fallbacks": ["local:x", "claude:sonnet"]}, ["'claude:sonnet' cannot be called: secret 'K' is not stored"]),
        (
            {"tools": {"enabled": True, "allowed_tools": ["get_weather", "calculate", "gone"]}},
            [
                "the tool 'calculate' is not offered: switched off in the configuration",
                "the tool 'gone' is not offered: no tool of this name is configured",
            ],
        ),
        ({"llm": "local", "model": "tiny"}, ["it has tools, but its model takes none"]),
        ({"llm": "local", "model": "tiny", "tools": {}}, []),
    ],
)
def test_unusable_parts_of_a_rule_are_reported(rule: dict[str, Any], problems: list[str]) -> None:
    disabled = (DisabledEntry("llm", "claude", ("secret 'K' is not stored",)),)

    body = shown(catalog_of(source(responses=[{**WEATHER, **rule}, FALLBACK]), disabled=disabled))

    assert [rule["problems"] for rule in body["rules"]] == [problems, []]


def test_second_fallback_rule_and_disabled_tools_are_reported() -> None:
    body = shown(catalog_of(source(responses=[FALLBACK, WEATHER, FALLBACK], tools={"enabled": False})))

    no_tools = "it has tools, but none is offered while tools.enabled is false"
    assert [rule["problems"] for rule in body["rules"]] == [
        [no_tools],
        [no_tools],
        ["never used: only the first rule without match is", no_tools],
    ]


def test_references_to_missing_entries_are_reported() -> None:
    body = shown(
        catalog_of(
            source(
                llms={**SOURCE["llms"], "local": {"type": "ollama", "fallbacks": ["gone:m"]}},
                topic={"provider": {"llm": "gone", "model": "m"}},
                rag_services={"v": {"type": "s3vectors", "bucket": "vectors", "embedding_model": "gone:m"}},
                validation={"models": ["gone:m"]},
            )
        )
    )

    problem = "'gone:m' cannot be called: no llm named 'gone' among 'main', 'local'"
    assert body["phases"]["topic"] == {
        "enabled": True,
        "model": "gone:m",
        "intents": [],
        "problems": ["llms.gone: Provider gone not found"],
    }
    assert [body["services"][0]["problems"], body["llms"][1]["problems"], body["validation"]["problems"]] == [
        [problem]
    ] * 3


def test_matched_rule_is_reported_with_its_model_and_tools() -> None:
    assert matched(catalog_of(SOURCE), intent="weather", tags=["x"]) == {
        "rule": "weather",
        "llm": "main",
        "model": "gpt-4o",
        "rules": [
            {
                "rule": "weather",
                "matched": True,
                "fallback": False,
                "conditions": [
                    {"condition": "intent", "expected": "weather", "actual": "weather", "holds": True},
                    {"condition": "tags_contains", "expected": "x", "actual": ["x"], "holds": True},
                ],
            }
        ],
        "tools": [
            {"tool": "get_weather", "offered": True, "reason": "allowed by the rule"},
            {"tool": "calculate", "offered": False, "reason": "switched off in the configuration"},
        ],
    }


def test_profile_field_not_settable_by_callers_matches_no_rule() -> None:
    closed = catalog_of({**SOURCE, "profile": {"caller_fields": ["plan"]}})
    request = {"message": "rain?", "profile": {"intent": "weather", "tags": ["x"], "tags_contains": "x"}}

    body = matched(closed, intent="weather", tags=["x"], tags_contains="x")
    answered = deployed(closed, text_turn("Rain.")).post({**request, "explain": True}, roles=OPERATOR).body

    assert body["rules"][0]["conditions"][1] == {
        "condition": "tags_contains",
        "expected": "x",
        "actual": None,
        "holds": False,
    }
    assert body["rule"] == "responses[1]"
    explained = answered["explain"]
    assert [(rule["rule"], rule["matched"]) for rule in explained["rules"]] == [
        ("weather", False),
        ("responses[1]", True),
    ]
    assert explained["profile"]["intent"] is None


def test_fallback_rule_matches_without_a_condition_and_is_named_by_its_index() -> None:
    body = matched(catalog_of(SOURCE, rule_positions=(3, 7)))

    assert (body["rule"], body["llm"], body["model"]) == ("responses[7]", "local", "qwen3:8b")
    assert [(rule["rule"], rule["matched"]) for rule in body["rules"]] == [("weather", False), ("responses[7]", True)]


def test_omitted_profile_fields_match_as_in_a_chat_without_results() -> None:
    rules: list[dict[str, Any]] = [
        {**WEATHER, "match": {"rag_results": "none", "topic": "hello", "documents": []}},
        FALLBACK,
    ]

    assert matched(catalog_of(source(responses=rules)), user_message="hello")["rule"] == "weather"
    assert matched(catalog_of(source(responses=rules)), user_message="hello", rag_results="match")["rule"] != "weather"


def test_error_of_a_chat_without_a_rule_is_reported_with_the_tried_rules() -> None:
    catalog = catalog_of(source(responses=[WEATHER], topic=None, intent=None))

    body = matched(catalog, intent="weather")

    chat = deployed(catalog).post({"message": "hello"})
    assert body["problem"] == "responses: no rule matches and there is no fallback; add a rule without 'match'"
    assert body.keys() == {"problem", "rules", "tools"}
    assert [condition["holds"] for condition in body["rules"][0]["conditions"]] == [True, False]
    assert (chat.status, body["problem"] in chat.body["message"]) == (500, True)


def test_error_of_a_chat_without_a_model_is_reported_with_the_rule() -> None:
    disabled = (DisabledEntry("llm", "claude", ("secret 'K' is not stored",)),)
    rule = {**FALLBACK, "llm": "claude", "model": "sonnet"}

    body = matched(catalog_of(source(responses=[rule]), disabled=disabled))

    assert body["problem"] == "llms.claude: Provider claude not found: secret 'K' is not stored"
    assert (body["rule"], body["llm"], body["model"]) == ("responses[0]", "claude", "sonnet")
    assert [tool["tool"] for tool in body["tools"]] == ["get_weather", "calculate"]


def test_model_without_tool_support_is_offered_none() -> None:
    body = matched(catalog_of(source(responses=[{**FALLBACK, "model": "tiny"}])))

    assert body["tools"][0] == {"tool": "get_weather", "offered": False, "reason": "the model takes no tools"}


def test_profile_is_matched_as_in_a_chat() -> None:
    catalog = catalog_of(source(topic=None, intent=None))
    request = {"message": "rain?", "profile": {"intent": "weather", "tags": ["y"]}, "explain": True}

    account = deployed(catalog, text_turn("No.")).post(request, roles=OPERATOR).body["explain"]
    body = matched(catalog, **account["profile"])

    assert (body["rules"], body["tools"]) == (account["rules"], account["tools"])


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "profile"),
        ({"profile": ["intent"]}, "profile"),
        ({"profile": {}, "rule": "weather"}, "rule"),
    ],
)
def test_invalid_match_request_names_the_field(body: Any, path: str) -> None:
    answer = tried(catalog_of(SOURCE), body)

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert [detail["path"] for detail in answer.body["details"]] == [path]


def test_profile_larger_than_a_chat_request_is_rejected() -> None:
    answer = tried(catalog_of(SOURCE), {"profile": {"user_message": "a" * 256 * 1024}})

    assert (answer.status, answer.body["error"]) == (413, "payload_too_large")


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
        "session": {"requests_per_minute": 6},
        "reserved_tokens": 500,
    }
    chat = deploy([], {**configuration(), "limits": limits})
    assert chat.request("GET", "/api/config", roles="operator").body["limits"] == limits
