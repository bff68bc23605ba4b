"""The `openai_api` section: its names exist."""

from flexchat.config.document import parse
from flexchat.config.models.openai_api import OpenAiApiConfig
from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import problem_lines, source


def problems(**section: Json) -> list[str]:
    return problem_lines(check_source(source(openai_api=section), TOOL_TYPES)[1], "error")


def test_the_section_is_empty_by_default() -> None:
    assert parse(source()).configuration.openai_api == OpenAiApiConfig(rules=(), models=(), embedding_model=None)


def test_known_rules_and_models_are_accepted() -> None:
    assert problems(rules=["weather"], models=["main:gpt-4o"], embedding_model="local:nomic-embed-text") == []


def test_unknown_rules_and_llms_are_reported_at_their_paths() -> None:
    assert problems(rules=["wether"], models=["locl:x", "main:gpt-4o", "gpt-4o"], embedding_model="zzz:x") == [
        "openai_api.rules[0]: no rule named 'wether'; did you mean 'weather'?",
        "openai_api.models[0]: no llm named 'locl' among 'main', 'local'; did you mean 'local'?",
        "openai_api.models[2]: 'gpt-4o' is already openai_api.models[1]",
        "openai_api.embedding_model: no llm named 'zzz' among 'main', 'local'",
    ]


def test_a_rule_that_is_broken_is_not_reported_a_second_time() -> None:
    document = source(openai_api={"rules": ["broken"]}, responses=[{"name": "broken", "llm": "main"}])

    assert [line for line in problem_lines(check_source(document, TOOL_TYPES)[1]) if "openai_api" in line] == []


def test_a_provider_that_only_this_section_names_has_its_default_entry() -> None:
    document = source(openai_api={"models": ["anthropic:claude-sonnet-4-5"], "embedding_model": "gemini:embed"})

    assert {"anthropic", "gemini"} <= set(parse(document).configuration.llms)
