"""Fallback models: their names, and the check before a configuration is published."""

from collections.abc import Mapping
from typing import Literal

import pytest

from flexchat.config.document import parse
from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.llms import LlmConfig
from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import problem_lines, rule, source

LLMS = {
    "openai": LlmConfig(type="openai", models=("gpt-4o", "shared")),
    "ollama": LlmConfig(type="ollama", models=("llama3.2:3b", "shared")),
}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("openai:gpt-4o", ModelName("openai", "gpt-4o")),
        ("openai:not-listed", ModelName("openai", "not-listed")),
        ("ollama:llama3.2:3b", ModelName("ollama", "llama3.2:3b")),
        ("llama3.2:3b", ModelName("ollama", "llama3.2:3b")),
        ("gpt-4o", ModelName("openai", "gpt-4o")),
    ],
)
def test_a_model_name_includes_its_llm_unless_only_one_llm_lists_it(text: str, name: ModelName) -> None:
    assert model_name(text, LLMS) == name


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("openai:", "'openai:' is not a model name; write it as 'openai:MODEL'"),
        ("shared", "several llms list 'shared': write it as 'openai:shared' or 'ollama:shared'"),
        (
            "opnai:gpt-4o",
            "no llm named 'opnai' among 'openai', 'ollama'; did you mean 'openai'?",
        ),
        ("zzz", "no llm named 'zzz' among 'openai', 'ollama'"),
    ],
)
def test_an_invalid_model_name_is_reported_with_a_valid_one(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        model_name(text, LLMS)

    assert str(caught.value) == problem


def test_no_model_name_is_valid_without_an_llm() -> None:
    with pytest.raises(ValueError, match=r"^no llm named 'gpt-4o'$"):
        model_name("gpt-4o", {})


def problems(document: Mapping[str, Json], severity: Literal["error", "warning"] = "error") -> list[str]:
    return problem_lines(check_source(document, TOOL_TYPES)[1], severity)


def test_fallbacks_are_reported_at_their_paths() -> None:
    document = source(responses=[rule(fallbacks=["locl:qwen3", "local:qwen3", "main:gpt-4o", "local:qwen3"])])
    llms = document["llms"]
    assert isinstance(llms, dict)
    main = llms["main"]
    assert isinstance(main, dict)
    main["fallbacks"] = ["main:gpt-4", "zzz:x"]

    assert problems(document) == [
        "llms.main.fallbacks[1]: no llm named 'zzz' among 'main', 'local'",
        "responses[0].fallbacks[0]: no llm named 'locl' among 'main', 'local'; did you mean 'local'?",
        "responses[0].fallbacks[2]: 'main:gpt-4o' is the rule's own model: a fallback must be another model",
        "responses[0].fallbacks[3]: 'local:qwen3' is already responses[0].fallbacks[1]",
    ]
    assert "llms.main.fallbacks[0]: llms.main.models does not list 'gpt-4'; did you mean 'gpt-4o'?" in problems(
        document, "warning"
    )


def test_two_llms_can_replace_each_other() -> None:
    document = source(
        llms={
            "main": {"type": "openai", "api_key": "${MAIN_KEY}", "fallbacks": ["local:qwen3"]},
            "local": {"type": "ollama", "fallbacks": ["main:gpt-4o"]},
        }
    )

    assert problems(document) == []


def test_a_fallback_to_a_broken_llm_is_not_reported_a_second_time() -> None:
    document = source(
        llms={"main": {"type": "openai", "api_key": "${K}"}, "local": {"type": "olama"}},
        responses=[rule(fallbacks=["local:qwen3"])],
    )

    (problem,) = problems(document)
    assert problem.startswith("llms.local.type: must be ")


def test_a_provider_named_only_as_a_fallback_has_its_default_entry() -> None:
    document = source(responses=[rule(fallbacks=["anthropic:claude-sonnet-4-5"])])
    document["llms"] = {"main": {"type": "openai", "fallbacks": ["bedrock:amazon.nova-lite-v1:0"]}}
    document["topic"] = None

    assert set(parse(document).configuration.llms) == {"main", "anthropic", "bedrock"}
    assert problems(document) == []
