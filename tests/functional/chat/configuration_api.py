"""Requests to the routes of the active configuration."""

from collections.abc import Mapping, Sequence
from typing import Any

from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.configuration import Configuration
from tests.functional.chat.harness import (
    CALCULATE,
    Chat,
    InProcessLambdas,
    builtin_handler,
    mock_handler,
    mock_tool,
    serve,
)
from tests.functional.chat.scripted_provider import ScriptedProvider

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


def source(**changes: Any) -> dict[str, Any]:
    return {**SOURCE, **changes}
