"""The list of models: what the configuration names, what the providers say, and what went wrong on the way."""

from collections.abc import Mapping, Sequence
from typing import Any

from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.document import parse
from flexchat.config.models import LlmConfig
from flexchat.errors import ConfigError, ModelError, Problem
from functions.chat.providers.listing import ListedModel
from tests.functional.chat.harness import Chat, InProcessLambdas, ScriptedProvider, serve

RULE = {"llm": "openai", "model": "gpt-4o", "prompt": ""}


class Service:
    """A deployed service with a provider for each of `listed`; any other llm cannot be made."""

    def __init__(
        self,
        config: Mapping[str, Any],
        listed: Mapping[str, Sequence[ListedModel] | ModelError],
        *,
        disabled: tuple[DisabledEntry, ...] = (),
        unusable: Mapping[str, LlmConfig] | None = None,
    ) -> None:
        source: dict[str, Any] = {"responses": [RULE], **config}
        configuration = parse(source).configuration
        usable = {name: llm for name, llm in configuration.llms.items() if name not in (unusable or {})}
        configuration = configuration.model_copy(update={"llms": usable})
        self.catalog = Catalog(configuration, disabled, "1", unusable_llms=unusable or {})
        self.providers = {name: ScriptedProvider([], name, listed=answer) for name, answer in listed.items()}
        self.now = 0.0
        lambdas = InProcessLambdas({})
        function = serve(lambdas, catalog=lambda: self.catalog, provider=self._provider, clock=lambda: self.now)
        self.chat = Chat(function, ScriptedProvider([]), lambdas)

    def _provider(self, name: str, config: LlmConfig) -> ScriptedProvider:
        if name not in self.providers:
            raise ConfigError((Problem(f"llms.{name}.base_url", "must be an address"),))
        return self.providers[name]

    def list(self) -> dict[str, Any]:
        answer = self.chat.get("/api/models/list")
        assert answer.status == 200
        return answer.body


def seen(body: Mapping[str, Any]) -> dict[str, list[str]]:
    return {model["id"]: model["capabilities"] for model in body["models"]}


def down(name: str = "openai") -> ModelError:
    return ModelError("no connection could be made to the provider", type="network", provider=name)


def test_a_model_is_listed_with_what_is_known_of_it() -> None:
    service = Service({"llms": {"openai": {}}}, {"openai": [ListedModel("gpt-4o", context_window=128_000)]})

    assert service.list() == {
        "models": [
            {
                "id": "openai:gpt-4o",
                "name": "gpt-4o",
                "llm": "openai",
                "provider": "openai",
                "type": "chat",
                "capabilities": ["chat", "function-calling"],
                "configured": True,
                "context_window": 128_000,
                "validation": {"model_id": "openai:gpt-4o", "tested": False, "validated": False},
            }
        ],
        "errors": [],
    }


def test_configured_models_come_first_then_what_the_provider_lists_besides() -> None:
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


def test_every_model_that_the_configuration_names_anywhere_is_listed() -> None:
    config = {
        "llms": {"openai": {"fallbacks": ["gemini:gemini-2.5-flash", "nobody:x"]}, "gemini": {}},
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


def test_the_configuration_knows_better_than_the_provider_and_the_provider_better_than_the_name() -> None:
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


def test_a_provider_that_is_down_is_an_entry_and_its_configured_models_are_listed() -> None:
    config = {"llms": {"openai": {"models": ["gpt-4.1"]}, "claude": {"type": "anthropic"}, "odd": {"type": "gemini"}}}

    body = Service(config, {"openai": down(), "claude": [ListedModel("claude-sonnet-4-5")]}).list()

    assert list(seen(body)) == ["openai:gpt-4.1", "openai:gpt-4o", "claude:claude-sonnet-4-5"]
    assert body["errors"] == [
        {"llm": "openai", "error": "network: no connection could be made to the provider"},
        {"llm": "odd", "error": "configuration: llms.odd.base_url: must be an address"},
    ]


def test_an_llm_without_its_key_is_an_entry_and_its_configured_models_are_listed() -> None:
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


def test_a_provider_is_asked_once_in_five_minutes_and_again_when_its_entry_changes() -> None:
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


def test_a_failure_is_tried_again_after_half_a_minute() -> None:
    service = Service({"llms": {"openai": {}}}, {"openai": down()})
    provider = service.providers["openai"]

    service.list()
    service.now = 29
    assert service.list()["errors"] != []
    assert provider.times_listed == 1

    service.now = 31
    provider.listed = [ListedModel("gpt-4o")]
    assert service.list()["errors"] == []


def test_the_older_name_gives_the_same_answer() -> None:
    service = Service({"llms": {"openai": {}}}, {"openai": [ListedModel("gpt-4o")]})

    answer = service.chat.post({}, path="/api/connections/llm/discovery/models")

    assert (answer.status, answer.body) == (200, service.list())


def test_without_any_llm_the_list_is_empty() -> None:
    assert Service({"responses": []}, {}).list() == {"models": [], "errors": []}
