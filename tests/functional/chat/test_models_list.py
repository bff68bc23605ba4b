"""GET /api/models: configured models, lists of providers and their errors."""

from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.llms import LlmConfig
from functions.chat.providers.base import ListedModel
from tests.functional.chat.models_service import RULE, Service, down, seen


def test_model_is_listed_with_its_capabilities_and_limits() -> None:
    service = Service({"llms": {"openai": {}}}, {"openai": [ListedModel("gpt-4o", context_window=128_000)]})

    assert service.list() == {
        "models": [
            {
                "id": "openai:gpt-4o",
                "name": "gpt-4o",
                "llm": "openai",
                "provider": "openai",
                "type": "chat",
                "capabilities": ["chat", "function-calling", "vision"],
                "configured": True,
                "context_window": 128_000,
                "profile": [
                    {"name": "context_window", "value": 128_000, "origin": "provider"},
                    {"name": "vision", "value": True, "origin": "built_in"},
                    {"name": "pdf", "value": True, "origin": "built_in"},
                    {"name": "input_price", "value": 2.5, "origin": "built_in"},
                    {"name": "output_price", "value": 10, "origin": "built_in"},
                    {"name": "cached_input_price", "value": 1.25, "origin": "built_in"},
                    {"name": "cache_write_price", "value": 2.5, "origin": "built_in"},
                ],
                "validation": {
                    "model_id": "openai:gpt-4o",
                    "tested": False,
                    "validated": False,
                    "state": "untested",
                    "badge": {"symbol": "🔧⚠️", "text": "not tested", "tooltip": "no tests yet"},
                },
            }
        ],
        "errors": [],
    }


def test_configured_models_are_listed_before_provider_models() -> None:
    llms = {"openai": {"models": ["gpt-4.1"]}, "local": {"type": "ollama", "models": ["qwen3"]}}
    listed = {
        "openai": [ListedModel("o3"), ListedModel("gpt-4.1"), ListedModel("gpt-4o-mini")],
        "local": [ListedModel("qwen3:latest", tools=True), ListedModel("llama3.2:3b", tools=True)],
    }

    body = Service({"llms": llms}, listed).list()

    assert [(model["id"], model["configured"]) for model in body["models"]] == [
        ("openai:gpt-4.1", True),
        ("openai:gpt-4o", True),
        ("openai:gpt-4o-mini", False),
        ("openai:o3", False),
        ("local:qwen3", True),
        ("local:llama3.2:3b", False),
    ]


def test_every_configured_model_is_listed() -> None:
    config = {
        "llms": {"openai": {"fallbacks": ["gemini:gemini-2.5-flash", "missing:x"]}, "gemini": {}},
        "topic": {"provider": {"llm": "openai", "model": "gpt-4o-mini"}},
        "intent": {"provider": {"llm": "gemini"}},
        "responses": [{**RULE, "fallbacks": ["anthropic:claude-sonnet-4-5"]}],
    }

    body = Service(config, {"openai": [], "gemini": [], "anthropic": []}).list()

    assert [model["id"] for model in body["models"]] == [
        "openai:gpt-4o-mini",
        "openai:gpt-4o",
        "gemini:gemini-2.5-flash",
        "anthropic:claude-sonnet-4-5",
    ]


def test_configuration_overrides_provider_data_and_provider_data_overrides_names() -> None:
    llms = {"local": {"type": "ollama", "models": ["named"], "profiles": {"overruled*": {"tools": True}}}}
    listed = [
        ListedModel("gemma3:4b", tools=True, vision=True),
        ListedModel("gemma3:1b"),
        ListedModel("overruled:1b", tools=False, reasoning=True),
        ListedModel("said:1b", tools=False),
    ]

    body = Service({"llms": llms, "responses": []}, {"local": listed}).list()

    assert seen(body) == {
        "local:named": ["chat", "function-calling"],
        "local:gemma3:4b": ["chat", "function-calling", "vision"],
        "local:gemma3:1b": ["chat"],
        "local:overruled:1b": ["chat", "function-calling", "reasoning"],
        "local:said:1b": ["chat"],
    }


def test_unavailable_provider_is_listed_with_its_error_and_configured_models() -> None:
    config = {"llms": {"openai": {"models": ["gpt-4.1"]}, "claude": {"type": "anthropic"}, "odd": {"type": "gemini"}}}

    body = Service(config, {"openai": down(), "claude": [ListedModel("claude-sonnet-4-5")]}).list()

    assert list(seen(body)) == ["openai:gpt-4.1", "openai:gpt-4o", "claude:claude-sonnet-4-5"]
    assert body["errors"] == [
        {"llm": "openai", "error": "network: no connection could be made to the provider"},
        {"llm": "odd", "error": "configuration: llms.odd.base_url: must be an address"},
    ]


def test_llm_without_its_key_is_listed_with_its_error_and_configured_models() -> None:
    problem = "secret 'K' is not stored; run `flexchat secrets set K --stage dev`"
    entry = LlmConfig(type="openai", api_key="${K}", models=("gpt-4.1",))
    service = Service(
        {"llms": {"openai": {"api_key": "${K}"}}},
        {},
        disabled=(DisabledEntry("llm", "openai", (problem,)), DisabledEntry("llm", "broken", ("odd", "very"))),
        unusable={"openai": entry},
    )

    body = service.list()

    assert list(seen(body)) == ["openai:gpt-4.1", "openai:gpt-4o"]
    assert body["errors"] == [{"llm": "openai", "error": problem}, {"llm": "broken", "error": "odd; very"}]


def test_provider_list_is_cached_for_five_minutes_or_until_its_entry_changes() -> None:
    service = Service({"llms": {"openai": {}}}, {"openai": [ListedModel("gpt-4o")]})
    provider = service.providers["openai"]

    service.list()
    service.now = 299
    service.list()
    assert provider.times_listed == 1

    service.now = 301
    service.list()
    assert provider.times_listed == 2

    llms = {"openai": LlmConfig(type="openai", api_key="another")}
    service.catalog = Catalog(service.catalog.configuration.model_copy(update={"llms": llms}), (), "2")
    service.list()
    assert provider.times_listed == 3


def test_failed_listing_is_retried_after_thirty_seconds() -> None:
    service = Service({"llms": {"openai": {}}}, {"openai": down()})
    provider = service.providers["openai"]

    service.list()
    service.now = 29
    assert service.list()["errors"] != []
    assert provider.times_listed == 1

    service.now = 31
    provider.listed = [ListedModel("gpt-4o")]
    assert service.list()["errors"] == []


def test_deprecated_route_returns_the_same_list() -> None:
    service = Service({"llms": {"openai": {}}}, {"openai": [ListedModel("gpt-4o")]})

    answer = service.chat.post({}, path="/api/connections/llm/discovery/models")

    assert (answer.status, answer.body) == (200, service.list())


def test_list_is_empty_without_llms() -> None:
    assert Service({"responses": []}, {}).list() == {"models": [], "errors": []}
