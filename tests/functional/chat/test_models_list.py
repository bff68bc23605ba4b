"""GET /api/models: configured models, the providers' lists and their errors."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from botocore.exceptions import ClientError

from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.document import parse
from flexchat.config.models.llms import LlmConfig
from flexchat.errors import ConfigError, ModelError, Problem
from flexchat.validation.records import ItemKey, ValidationRecord
from flexchat.validation.verdicts import Result
from functions.chat.providers.model_listing import ListedModel
from tests.functional.chat.harness import Chat, InProcessLambdas, Unreachable, serve
from tests.functional.chat.scripted_provider import ScriptedProvider
from tests.unit.sessions.clients import Refusing
from tests.unit.validation.world import TABLE, Tracking, empty_table

RULE = {"llm": "openai", "model": "gpt-4o", "prompt": ""}


class Service:
    """Deploy a service with a provider for each name in `listed`; creating any other llm fails."""

    def __init__(
        self,
        config: Mapping[str, Any],
        listed: Mapping[str, Sequence[ListedModel] | ModelError],
        *,
        disabled: tuple[DisabledEntry, ...] = (),
        unusable: Mapping[str, LlmConfig] | None = None,
        dynamodb: Any = None,
    ) -> None:
        source: dict[str, Any] = {"responses": [RULE], **config}
        configuration = parse(source).configuration
        usable = {name: llm for name, llm in configuration.llms.items() if name not in (unusable or {})}
        configuration = configuration.model_copy(update={"llms": usable})
        self.catalog = Catalog(configuration, disabled, "1", unusable_llms=unusable or {})
        self.providers = {name: ScriptedProvider([], name, listed=answer) for name, answer in listed.items()}
        self.now = 0.0
        lambdas = InProcessLambdas({})
        function = serve(
            lambdas,
            catalog=lambda: self.catalog,
            provider=self._provider,
            dynamodb=dynamodb,
            validation_table=TABLE if dynamodb else "",
            clock=lambda: self.now,
        )
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
                "capabilities": ["chat", "function-calling"],
                "configured": True,
                "context_window": 128_000,
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


@pytest.fixture
def tracking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tracking]:
    with empty_table(monkeypatch) as client:
        yield Tracking(client)


def try_out(tracking: Tracking, model: str, *results: Result) -> None:
    for position, result in enumerate(results):
        key = ItemKey(f"{model}-{tracking.now}", model, f"case-{position}")
        tracking.record(ValidationRecord(key, "default", "single", result, (), at=tracking.now, latency_ms=10))


def throttled(tracking: Tracking, **when: int) -> Refusing:
    error = ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "Query")
    return Refusing(tracking.client, "query", error, **when)


def which_are_tested(body: Mapping[str, Any]) -> dict[str, bool]:
    return {model["id"]: model["validation"]["tested"] for model in body["models"]}


UNREAD = {
    "llm": "validation",
    "error": "the validation statuses cannot be read now; every model is shown as untested",
}


def test_model_has_the_validation_status_of_its_tests(tracking: Tracking) -> None:
    models = ["good", "bad", "gemma3:4b"]
    for model in models:
        five: list[Result] = ["failed" if model == "bad" else "passed"] * 5
        try_out(tracking, f"local:{model}", *five)
    service = Service(
        {"llms": {"local": {"type": "ollama", "models": models}}, "responses": []},
        {"local": []},
        dynamodb=tracking.client,
    )

    body = service.list()

    views = {model["name"]: model["validation"] for model in body["models"]}
    assert views["good"] == {
        "model_id": "local:good",
        "tested": True,
        "validated": True,
        "state": "undecided",
        "rate": {"tests": 5, "successes": 5, "rate": 1.0, "low": views["good"]["rate"]["low"], "high": 1.0},
        "last_tested": "2027-01-15T08:00:00Z",
        "badge": {
            "symbol": "🔧✓",
            "text": "validated",
            "tooltip": views["good"]["badge"]["tooltip"],
        },
    }
    assert views["good"]["badge"]["tooltip"].startswith("passed 5 of 5 tests: 100%")
    assert (views["bad"]["validated"], views["bad"]["state"], views["bad"]["badge"]["text"]) == (
        False,
        "failing",
        "not validated",
    )
    assert views["gemma3:4b"]["tested"] is True
    assert "badge" not in views["gemma3:4b"], "a model that calls no tools has no mark"
    assert body["errors"] == []


def test_scheduled_model_is_listed_before_its_first_validation() -> None:
    config: dict[str, Any] = {
        "llms": {"local": {"type": "ollama"}},
        "responses": [],
        "validation": {"models": ["local:qwen3"]},
    }

    assert list(seen(Service(config, {"local": []}).list())) == ["local:qwen3"]


def test_listed_scores_are_at_most_one_second_old(tracking: Tracking) -> None:
    counting = throttled(tracking, times=0)
    service = Service({}, {"openai": []}, dynamodb=counting)
    assert which_are_tested(service.list()) == {"openai:gpt-4o": False}
    try_out(tracking, "openai:gpt-4o", "passed")

    service.now = 0.9
    assert which_are_tested(service.list()) == {"openai:gpt-4o": False}
    service.now = 1
    assert which_are_tested(service.list()) == {"openai:gpt-4o": True}


def test_demo_model_is_marked_and_never_validated(tracking: Tracking) -> None:
    for _ in range(16):
        try_out(tracking, "openai:gpt-4o", "passed")
        try_out(tracking, "real:gpt-4o", "passed")
    llms = {"openai": {"demo": True, "models": ["gpt-4o"]}, "real": {"type": "openai", "models": ["gpt-4o"]}}
    models = Service({"llms": llms}, {"openai": [], "real": []}, dynamodb=throttled(tracking, times=0)).list()["models"]

    assert [(model["id"], model.get("demo"), model["validation"]["badge"]["text"]) for model in models] == [
        ("openai:gpt-4o", True, "demo model"),
        ("real:gpt-4o", None, "validated"),
    ]
    assert "nothing about a real model" in models[0]["validation"]["badge"]["tooltip"]


def test_models_not_available_to_users_are_marked_operator_only() -> None:
    config = {"llms": {"openai": {"models": ["o3"], "fallbacks": ["openai:gpt-4.1"]}}}
    models = Service(config, {"openai": [ListedModel("gpt-4o-mini")]}).list()["models"]

    assert {model["id"]: model.get("operator_only") for model in models} == {
        "openai:gpt-4o": None,
        "openai:gpt-4.1": None,
        "openai:o3": True,
        "openai:gpt-4o-mini": True,
    }


def test_models_are_untested_with_a_warning_while_the_table_fails(
    tracking: Tracking, caplog: pytest.LogCaptureFixture
) -> None:
    try_out(tracking, "openai:gpt-4o", "passed")
    refusing = throttled(tracking, times=1)
    service = Service({}, {"openai": down()}, dynamodb=refusing)

    body = service.list()

    assert which_are_tested(body) == {"openai:gpt-4o": False}
    assert [error["llm"] for error in body["errors"]] == ["openai", "validation"]
    assert body["errors"][1] == UNREAD
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings.count("validation statuses not read") == 1
    assert which_are_tested(service.list()) == {"openai:gpt-4o": True}, "the next list tries again"


def test_validation_status_is_cached_for_fifteen_minutes(tracking: Tracking) -> None:
    try_out(tracking, "openai:gpt-4o", "passed")
    refusing = throttled(tracking, after=1)
    service = Service({}, {"openai": []}, dynamodb=refusing)
    service.list()

    for now in (60, 100, 120, 899):
        service.now = now
        assert which_are_tested(service.list()) == {"openai:gpt-4o": True}
    assert refusing.refused == 3, "it is not asked more than once a minute"

    service.now = 900
    body = service.list()
    assert (which_are_tested(body), body["errors"]) == ({"openai:gpt-4o": False}, [UNREAD])


def test_models_are_listed_without_the_table() -> None:
    body = Service({}, {"openai": []}, dynamodb=Unreachable()).list()

    assert (which_are_tested(body), body["errors"]) == ({"openai:gpt-4o": False}, [UNREAD])
