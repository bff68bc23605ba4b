"""`flexchat models refresh`: values of a price list in the profiles of a configuration file."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from cli.model_refresh import RefreshReport, ValueChange, refresh_file
from cli.price_list import PriceList, parse_price_list, read_price_list
from flexchat.config.document import parse
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.errors import ConfigError
from flexchat.messages import Json
from flexchat.prices import Prices, prices_of
from functions.chat.providers.profiles import model_profile

ENTRY: dict[str, Json] = {
    "litellm_provider": "openai",
    "mode": "chat",
    "max_input_tokens": 128_000,
    "input_cost_per_token": 2e-06,
    "output_cost_per_token": 8e-06,
    "cache_read_input_token_cost": 5e-07,
    "supports_function_calling": True,
    "supports_parallel_function_calling": False,
}
VALUES: dict[str, Json] = {
    "tools": True,
    "parallel_tool_calls": False,
    "context_window": 128_000,
    "input_price": 2.0,
    "output_price": 8.0,
    "cached_input_price": 0.5,
}
LIST: dict[str, Json] = {
    "gpt-4o": ENTRY,
    "gpt-4o-mini": {**ENTRY, "input_cost_per_token": 1.5e-07},
    "text-embedding-3-small": {**ENTRY, "mode": "embedding"},
    "gemini/gemini-2.5-flash": {**ENTRY, "litellm_provider": "gemini"},
    "gemini-2.5-flash": {**ENTRY, "litellm_provider": "vertex_ai-language-models", "input_cost_per_token": 1},
    "anthropic.claude-haiku-4-5-20251001-v1:0": {**ENTRY, "litellm_provider": "bedrock_converse"},
    "ollama/qwen3": {**ENTRY, "litellm_provider": "ollama"},
    "mistral/mistral-large-2512": {**ENTRY, "litellm_provider": "mistral"},
    "hosted_vllm/mine": {**ENTRY, "litellm_provider": "hosted_vllm"},
}
DOCUMENT: dict[str, Any] = {
    "comment": "kept",
    "llms": {
        "openai": {"type": "openai", "api_key": "${OPENAI_API_KEY}", "fallbacks": ["google:gemini-2.5-flash"]},
        "google": {"type": "gemini", "api_key": "${GEMINI_API_KEY}"},
        "own": {"type": "openai", "base_url": "https://llm.example.com/v1"},
    },
    "topic": {"provider": {"llm": "openai", "model": "gpt-4o-mini"}},
    "responses": [{"llm": "openai", "model": "gpt-4o", "prompt": "Help."}],
    "validation": {"models": ["own:mine"]},
}
DATE = "2026-11-26"


def prices(**entries: Json) -> PriceList:
    return parse_price_list("list.json", json.dumps({**LIST, **entries}).encode())


def file_with(tmp_path: Path, document: Any) -> Path:
    path = tmp_path / "flexchat.json"
    path.write_text(json.dumps(document))
    return path


def refreshed(path: Path, listed: PriceList | None = None, *, writes: bool = True) -> RefreshReport:
    return refresh_file(path, listed or prices(), date=DATE, providers={}, writes=writes)


def profiles(path: Path, llm: str) -> dict[str, Any]:
    return json.loads(path.read_text())["llms"][llm].get("profiles", {})


def test_the_models_of_rules_phases_fallbacks_and_validation_get_the_values_of_the_list(tmp_path: Path) -> None:
    path = file_with(tmp_path, DOCUMENT)

    report = refreshed(path)

    about = {"source": "list.json", "date": DATE}
    assert profiles(path, "openai") == {
        "gpt-4o-mini": {"refreshed": {**about, **VALUES, "input_price": 0.15}},
        "gpt-4o": {"refreshed": {**about, **VALUES}},
    }
    assert profiles(path, "google") == {"gemini-2.5-flash": {"refreshed": {**about, **VALUES}}}
    assert (report.unknown, {change.model for change in report.changes}) == (
        ("own:mine",),
        {"openai:gpt-4o-mini", "openai:gpt-4o", "google:gemini-2.5-flash"},
    )
    written = json.loads(path.read_text())
    assert parse(written).problems == ()
    for llm in written["llms"].values():
        llm.pop("profiles", None)
    assert written == DOCUMENT


def test_a_second_renewal_shows_what_differs_and_writes_nothing_without_a_difference(tmp_path: Path) -> None:
    path = file_with(tmp_path, DOCUMENT)
    refreshed(path)
    before = path.read_bytes()

    same = refreshed(path)
    assert (same.changes, len(same.unchanged), path.read_bytes()) == ((), 3, before)

    cheaper = {**ENTRY, "input_cost_per_token": 1e-06}
    del cheaper["cache_read_input_token_cost"]
    changed = refreshed(path, prices(**{"gpt-4o": cheaper}))
    assert changed.changes == (
        ValueChange("openai:gpt-4o", "input_price", 2.0, 1.0),
        ValueChange("openai:gpt-4o", "cached_input_price", 0.5, None),
    )


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    path = file_with(tmp_path, DOCUMENT)
    before = path.read_bytes()

    assert len(refreshed(path, writes=False).changes) > 0
    assert path.read_bytes() == before


def test_values_of_the_operator_stay_and_stay_in_effect(tmp_path: Path) -> None:
    document = deepcopy(DOCUMENT)
    own = {"*": {"context_window": 16_384}, "gpt-4o": {"input_price": 7, "temperature": False}}
    document["llms"]["openai"]["profiles"] = own
    path = file_with(tmp_path, document)

    report = refreshed(path)

    found = profiles(path, "openai")
    about = {"source": "list.json", "date": DATE}
    assert (found["*"], found["gpt-4o"]) == (own["*"], {**own["gpt-4o"], "refreshed": {**about, **VALUES}})
    shadowed = {change.name: change.configured for change in report.changes if change.model == "openai:gpt-4o"}
    assert shadowed == {name: {"context_window": 16_384, "input_price": 7}.get(name) for name in VALUES}
    config = LlmConfig.model_validate({**document["llms"]["openai"], "profiles": found})
    profile = model_profile("openai", "gpt-4o", config)
    assert (profile.context_window, profile.parallel_tool_calls, profile.supports("temperature")) == (
        16_384,
        False,
        False,
    )
    assert prices_of(ModelName("m", "gpt-4o"), {"m": config}) == Prices(7, 8, 3.5, 7)


def test_refreshed_values_override_the_built_in_ones() -> None:
    values: dict[str, Any] = {"source": "l", "date": DATE, "context_window": 1, "input_price": 3, "output_price": 4}
    config = LlmConfig.model_validate({"type": "openai", "profiles": {"gpt-4o": {"refreshed": values}}})

    assert model_profile("openai", "gpt-4o", config).context_window == 1
    assert prices_of(ModelName("m", "gpt-4o"), {"m": config}) == Prices(3, 4, 1.5, 3)


@pytest.mark.parametrize(
    ("config", "model", "provider", "expected"),
    [
        ({"type": "openai"}, "gpt-4o", None, VALUES),
        ({"type": "openai"}, "text-embedding-3-small", None, None),
        ({"type": "openai", "base_url": "https://api.mistral.ai/v1"}, "mistral-large-2512", None, VALUES),
        ({"type": "openai", "base_url": "https://llm.example.com/v1"}, "gpt-4o", None, None),
        ({"type": "openai", "base_url": "https://llm.example.com/v1"}, "mine", "hosted_vllm", VALUES),
        ({"type": "bedrock"}, "eu.anthropic.claude-haiku-4-5-20251001-v1:0", None, VALUES),
        ({"type": "anthropic"}, "gpt-4o", None, None),
        (
            {"type": "ollama"},
            "qwen3",
            None,
            {name: value for name, value in VALUES.items() if name != "context_window"},
        ),
    ],
)
def test_a_model_is_found_by_its_name_and_the_server_of_its_llm(
    config: dict[str, Any], model: str, provider: str | None, expected: dict[str, Json] | None
) -> None:
    assert prices().values_of(model, LlmConfig.model_validate(config), provider) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]", "list.json: is not a price list"),
        (b'{"openapi": "3.1.0", "paths": {}}', "list.json: is not a price list"),
        (b"<html>", "list.json: not valid JSON"),
    ],
)
def test_another_document_is_an_error(content: bytes, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_price_list("list.json", content)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("input_cost_per_token", "2e-06", "must be US dollars for a token, from 0 to 1"),
        ("output_cost_per_token", -1, "must be US dollars for a token, from 0 to 1"),
        ("max_input_tokens", 1.5, "must be a whole number of 1 or more"),
        ("supports_reasoning", "yes", "must be true or false"),
    ],
)
def test_an_invalid_value_of_a_used_model_is_an_error_that_names_it(field: str, value: Json, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        prices(**{"gpt-4o": {**ENTRY, field: value}}).values_of("gpt-4o", LlmConfig(type="openai"))

    assert str(caught.value) == f"list.json: gpt-4o.{field}: {message}"


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no-list\.json"):
        read_price_list(str(tmp_path / "no-list.json"))


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["flexchat", "models", "refresh", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    return int(caught.value.code or 0)


def test_the_command_prints_the_changes_and_the_unknown_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_with(tmp_path, DOCUMENT)
    document = tmp_path / "list.json"
    document.write_text(json.dumps(LIST))

    code = run(monkeypatch, str(document), "-f", str(path), "--dry-run")

    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert "openai:gpt-4o context_window: 128,000" in lines
    assert "? own:mine is not in the price list" in lines
    assert lines[-1] == f"{path}: 3 models would change, 0 unchanged"


def test_the_command_fails_if_the_list_has_none_of_the_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_with(tmp_path, DOCUMENT)
    document = tmp_path / "list.json"
    document.write_text(json.dumps({"other": ENTRY}))

    assert run(monkeypatch, str(document), "-f", str(path)) == 1


def test_the_server_of_an_llm_is_named_by_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_with(tmp_path, DOCUMENT)
    document = tmp_path / "list.json"
    document.write_text(json.dumps(LIST))

    assert run(monkeypatch, str(document), "-f", str(path), "--provider", "own=hosted_vllm", "--json") == 0

    assert json.loads(capsys.readouterr().out)["unknown"] == []
    assert "mine" in profiles(path, "own")
