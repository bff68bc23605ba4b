"""Fallback models before and within a tool loop."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.errors import ConfigError, ModelError, ModelErrorType, Problem
from functions.tools.builtin.app import lambda_handler as builtin_handler
from tests.functional.chat.harness import (
    CALCULATE,
    Answer,
    Chat,
    InProcessLambdas,
    assert_every_call_answered_once,
    configuration,
    serve,
)
from tests.functional.chat.scripted_provider import ScriptedProvider, Step, call_completion, text_completion

SUM = ("calculate", {"expression": "2 + 3"})


class Service:
    """Deployed service with a script per llm; an llm without a script cannot be created."""

    def __init__(
        self,
        scripts: Mapping[str, Sequence[Step]],
        *,
        rule: Mapping[str, Any] | None = None,
        llms: Mapping[str, Any] | None = None,
    ) -> None:
        config = configuration(
            tools=[CALCULATE], rule={"fallbacks": ["local:qwen3:8b", "claude:sonnet"], **(rule or {})}
        )
        config["llms"] = {
            "openai": {"type": "openai"},
            "local": {"type": "ollama"},
            "claude": {"type": "anthropic"},
            **(llms or {}),
        }
        catalog = Catalog(Configuration.model_validate(config), (), "1")
        types: dict[str, ProviderType] = {name: llm.type for name, llm in catalog.configuration.llms.items()}
        self.models = {name: ScriptedProvider(list(script), name, types[name]) for name, script in scripts.items()}
        self.lambdas = InProcessLambdas({"builtin": builtin_handler})
        function = serve(self.lambdas, catalog=lambda: catalog, provider=self._provider)
        self.chat = Chat(function, ScriptedProvider([]), self.lambdas)

    def _provider(self, name: str, config: LlmConfig) -> ScriptedProvider:
        if name not in self.models:
            raise ConfigError((Problem(f"llms.{name}.type", f"no adapter for {config.type!r}"),))
        return self.models[name]

    def send_chat(self, **request: Any) -> Answer:
        return self.chat.post({"message": "What is 2 + 3?", **request})


def model_error(kind: ModelErrorType = "overloaded", message: str = "because") -> ModelError:
    return ModelError(message, type=kind, provider="openai")


def steps(answer: Answer) -> list[tuple[str, str, int, bool, str | None]]:
    return [
        (step["step"], step["name"], step["iteration"], step["ok"], step.get("error"))
        for step in answer.body["timings"]["steps"]
    ]


def test_next_model_answers_and_is_reported_in_the_answer() -> None:
    service = Service({"openai": [model_error("rate_limit")], "local": [text_completion("5")]})

    answer = service.send_chat()

    assert (answer.status, answer.body["content"]) == (200, "5")
    assert (answer.body["service"], answer.body["model"]) == ("local", "qwen3:8b")
    assert answer.body["fallback"] == {"instead_of": "openai:gpt-4o", "reason": "rate_limit"}
    assert steps(answer) == [
        ("model", "openai:gpt-4o", 1, False, "rate_limit"),
        ("model", "local:qwen3:8b", 1, True, None),
    ]


def test_answer_of_the_primary_model_has_no_fallback() -> None:
    answer = Service({"openai": [text_completion("5")]}).send_chat()

    assert "fallback" not in answer.body
    assert (answer.body["service"], answer.body["model"]) == ("openai", "gpt-4o")


def test_each_model_gets_the_tools_in_its_own_format() -> None:
    service = Service({"openai": [model_error()], "local": [model_error()], "claude": [text_completion("5")]})

    service.send_chat()

    keys = {name: sorted(model.options[0].tools[0]) for name, model in service.models.items()}
    assert keys == {
        "openai": ["function", "type"],
        "local": ["function", "type"],
        "claude": ["description", "input_schema", "name"],
    }


def test_fallback_in_a_tool_loop_continues_the_conversation() -> None:
    service = Service(
        {
            "openai": [call_completion(SUM), model_error("timeout")],
            "local": [call_completion(("calculate", {"expression": "5 * 2"}), turn=2), text_completion("10")],
        }
    )

    answer = service.send_chat()

    assert (answer.status, answer.body["status"], answer.body["content"]) == (200, "complete", "10")
    assert [(call["params"], call["iteration"]) for call in answer.body["tool_calls"]] == [
        ({"expression": "2 + 3"}, 1),
        ({"expression": "5 * 2"}, 2),
    ]
    assert answer.body["fallback"] == {"instead_of": "openai:gpt-4o", "reason": "timeout"}
    assert [step[:2] for step in steps(answer)] == [
        ("model", "openai:gpt-4o"),
        ("tool", "calculate"),
        ("model", "openai:gpt-4o"),
        ("model", "local:qwen3:8b"),
        ("tool", "calculate"),
        ("model", "local:qwen3:8b"),
    ]
    for seen in service.models["local"].seen:
        assert_every_call_answered_once(seen)
    assert service.models["local"].seen[0] == service.models["openai"].seen[1]
    assert len(service.models["openai"].seen) == 2


PRICED = {"*": {"input_price": 2, "output_price": 10}}
CHEAP = {"*": {"input_price": 0.1, "output_price": 0.4}}


@pytest.mark.parametrize(
    ("openai", "local", "cost"),
    [(PRICED, CHEAP, 0.000073), (PRICED, {}, None), ({}, CHEAP, None), ({}, {}, None)],
    ids=["both", "only the first", "only the second", "none"],
)
def test_cost_of_two_models_is_their_sum_or_omitted(openai: Any, local: Any, cost: float | None) -> None:
    server = "https://models.example.com/v1"  # without built-in prices
    llms = {
        "openai": {"type": "openai", "base_url": server, "profiles": openai},
        "local": {"type": "ollama", "profiles": local},
    }
    service = Service(
        {"openai": [call_completion(SUM), model_error("timeout")], "local": [text_completion("5")]}, llms=llms
    )

    usage = service.send_chat().body["usage"]

    assert (usage["input_tokens"], usage["output_tokens"], usage.get("cost_usd")) == (20, 10, cost)
    assert ("cost_usd" in usage) == (cost is not None)


def test_next_chat_starts_with_the_primary_model_again() -> None:
    service = Service({"openai": [model_error(), text_completion("back")], "local": [text_completion("5")]})

    assert [service.send_chat().body["service"], service.send_chat().body["service"]] == ["local", "openai"]


@pytest.mark.parametrize(
    ("kind", "status"), [("authentication", 502), ("invalid_request", 502), ("context_length", 400), ("not_found", 502)]
)
def test_error_independent_of_the_model_is_reported_without_a_fallback(kind: ModelErrorType, status: int) -> None:
    service = Service({"openai": [model_error(kind)], "local": [text_completion("not called")]})

    answer = service.send_chat()

    assert (answer.status, answer.body["error"]) == (status, f"model_{kind}")
    assert service.models["local"].seen == []


def test_last_failure_is_reported_when_every_model_fails() -> None:
    service = Service(
        {
            "openai": [model_error("rate_limit")],
            "local": [model_error("network")],
            "claude": [model_error("overloaded")],
        }
    )

    answer = service.send_chat()

    assert (answer.status, answer.body["error"]) == (503, "model_overloaded")


def test_tool_results_are_returned_when_every_model_fails() -> None:
    service = Service(
        {
            "openai": [call_completion(SUM), model_error("rate_limit")],
            "local": [model_error("network")],
            "claude": [model_error("server_error")],
        }
    )

    answer = service.send_chat()

    assert (answer.status, answer.body["status"], answer.body["service"]) == (200, "partial", "claude")
    assert answer.body["error"]["type"] == "server_error"
    assert answer.body["fallback"] == {"instead_of": "openai:gpt-4o", "reason": "rate_limit"}
    assert answer.body["tool_calls"][0]["result"]["result"] == {"result": 5}


def test_unusable_fallbacks_are_skipped() -> None:
    service = Service(
        {"openai": [model_error()], "claude": [text_completion("5")]},
        rule={"fallbacks": ["gone:x", "local:qwen3", "claude:sonnet"]},
    )

    assert service.send_chat().body["service"] == "claude"


def test_fallbacks_of_an_llm_apply_to_its_rules() -> None:
    llms = {"openai": {"type": "openai", "fallbacks": ["openai:gpt-4o-mini"]}}
    service = Service(
        {"openai": [model_error("rate_limit"), text_completion("5")]}, rule={"fallbacks": None}, llms=llms
    )

    answer = service.send_chat()

    assert (answer.body["service"], answer.body["model"]) == ("openai", "gpt-4o-mini")


def test_model_with_a_fallback_may_use_half_of_the_time() -> None:
    service = Service({"openai": [model_error()], "local": [model_error()], "claude": [text_completion("5")]})

    service.send_chat(deadline_ms=20_000)

    first, second, last = (model.options[0].deadline.at for model in service.models.values())
    assert abs(second - first) < 1
    assert 9 < last - first < 10


def test_model_without_tool_support_answers_without_tools(capsys: pytest.CaptureFixture[str]) -> None:
    llms = {"openai": {"type": "openai", "profiles": {"*": {"tools": False, "system_text": False}}}}
    service = Service({"openai": [text_completion("5")]}, llms=llms)

    answer = service.send_chat()

    assert (answer.status, answer.body["content"], answer.body["tool_calls"]) == (200, "5", [])
    assert service.models["openai"].options[0].tools == ()
    assert [message.role for message in service.models["openai"].seen[0]] == ["user"]
    assert '"message":"tools not supported"' in capsys.readouterr().out


def test_fallback_without_tool_support_answers_before_but_not_within_a_tool_loop() -> None:
    llms = {"local": {"type": "ollama", "profiles": {"qwen*": {"tools": False}}}}
    before = Service({"openai": [model_error()], "local": [text_completion("about 5")], "claude": []}, llms=llms)
    during = Service(
        {"openai": [call_completion(SUM), model_error()], "local": [], "claude": [text_completion("5")]}, llms=llms
    )

    assert before.send_chat().body["service"] == "local"
    assert before.models["local"].options[0].tools == ()
    assert during.send_chat().body["service"] == "claude"
    assert during.models["local"].seen == []


def test_openapi_document_describes_the_fallback() -> None:
    document = Service({}).chat.get("/api/openapi.json").body

    assert set(document["components"]["schemas"]["FallbackView"]["properties"]) == {"instead_of", "reason"}
