"""Problems of entries of the active configuration."""

import json
from typing import Any

import pytest

from flexchat.config.catalog import DisabledEntry
from flexchat.config.models.llms import LlmConfig
from tests.functional.chat.configuration_api import CANARY, FALLBACK, SOURCE, WEATHER, catalog_of, shown, source


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
                "the tool 'calculate' is not offered: disabled in the configuration",
                "the tool 'gone' is not offered: no tool of this name is configured",
            ],
        ),
        ({"llm": "local", "model": "tiny"}, ["it has tools, but its model does not support tools"]),
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
