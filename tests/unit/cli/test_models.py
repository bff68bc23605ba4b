"""Which model answers locally."""

import pytest

from cli.local.models import LlmChoice, choose_models, localised, needs_demo
from flexchat.config.models import LlmConfig
from flexchat.messages import Json

OPENAI = LlmConfig(type="openai", api_key="${OPENAI_API_KEY}")
DEMO: dict[str, Json] = {"base_url": "http://127.0.0.1:7/v1", "api_key": "demo", "headers": {}}


def test_the_real_model_is_used_when_its_key_is_in_the_environment() -> None:
    choices = choose_models({"openai": OPENAI}, {"OPENAI_API_KEY": "sk-1"})

    assert choices == (LlmChoice("openai", "real", "the real model of OpenAI", {}),)
    assert localised({"llms": {"openai": {"api_key": "${OPENAI_API_KEY}"}}}, choices, None) == {
        "llms": {"openai": {"api_key": "${OPENAI_API_KEY}"}}
    }


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": ""}])
def test_the_demo_model_answers_when_the_key_is_missing_or_empty(environ: dict[str, str]) -> None:
    choices = choose_models({"openai": OPENAI}, environ)

    assert choices == (LlmChoice("openai", "demo", "the demo model, because OPENAI_API_KEY is not set", {}),)
    assert needs_demo(choices)


def test_the_demo_model_answers_when_no_key_is_configured() -> None:
    choices = choose_models({"main": LlmConfig(type="openai")}, {})

    assert choices == (LlmChoice("main", "demo", "the demo model, because no api_key is configured", {}),)


def test_a_header_that_names_a_missing_secret_calls_for_the_demo_model_too() -> None:
    llm = LlmConfig(type="openai", api_key="${KEY}", headers={"OpenAI-Project": "${PROJECT}"})

    choices = choose_models({"openai": llm}, {"KEY": "sk-1"})

    assert choices == (LlmChoice("openai", "demo", "the demo model, because PROJECT is not set", {}),)


def test_a_key_written_out_in_the_configuration_is_used() -> None:
    choices = choose_models({"openai": LlmConfig(type="openai", api_key="sk-written-out")}, {})

    assert choices == (LlmChoice("openai", "real", "the real model of OpenAI", {}),)


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

    choices = choose_models({"openai": llm}, {**environ, "OPENAI_BASE_URL": "http://gpu:8000/v1"})

    assert choices == (LlmChoice("openai", "real", "the model at http://gpu:8000/v1", changes),)
    assert localised({"llms": {"openai": {"type": "openai"}}}, choices, None) == {
        "llms": {"openai": {"type": "openai", **changes}}
    }


@pytest.mark.parametrize(
    "llm", [LlmConfig(type="openai", base_url="http://gpu:8000/v1", api_key="none"), LlmConfig(type="ollama")]
)
def test_an_address_of_its_own_and_other_types_are_left_alone(llm: LlmConfig) -> None:
    choices = choose_models({"main": llm}, {"OPENAI_BASE_URL": "http://elsewhere/v1"})

    assert choices == (LlmChoice("main", "as configured", "as configured", {}),)
    assert localised({"llms": {"main": {"comment": "ours"}}}, choices, "http://127.0.0.1:7") == {
        "llms": {"main": {"comment": "ours"}}
    }


def test_the_demo_model_takes_the_place_of_address_key_and_headers_and_of_nothing_else() -> None:
    source: dict[str, Json] = {
        "llms": {
            "openai": {"api_key": "${OPENAI_API_KEY}", "temperature": 0.2},
            "other": {"type": "ollama"},
        },
        "responses": [],
    }
    choices = choose_models({"openai": OPENAI, "other": LlmConfig(type="ollama")}, {})

    assert localised(source, choices, "http://127.0.0.1:7") == {
        "llms": {"openai": {"type": "openai", "temperature": 0.2, **DEMO}, "other": {"type": "ollama"}},
        "responses": [],
    }
    assert source["llms"] == {
        "openai": {"api_key": "${OPENAI_API_KEY}", "temperature": 0.2},
        "other": {"type": "ollama"},
    }


def test_an_llm_that_rules_use_without_an_entry_gets_one() -> None:
    choices = choose_models({"openai": OPENAI}, {})

    assert localised({"responses": []}, choices, "http://127.0.0.1:7") == {
        "responses": [],
        "llms": {"openai": {"type": "openai", **DEMO}},
    }
