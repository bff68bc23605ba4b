"""The `choices` section: its names exist."""

from flexchat.config.document import parse
from flexchat.config.models.choices import ChoicesConfig
from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import problem_lines, source


def problems(**section: Json) -> list[str]:
    return problem_lines(check_source(source(choices=section), TOOL_TYPES)[1], "error")


def test_nothing_can_be_chosen_by_default() -> None:
    assert parse(source()).configuration.choices == ChoicesConfig(roles=("user", "operator"), rules=(), models=())


def test_known_rules_and_models_are_accepted() -> None:
    assert problems(rules=["weather"], models=["main:gpt-4o"], roles=["operator"]) == []


def test_unknown_rules_and_llms_are_reported_at_their_paths() -> None:
    assert problems(rules=["wether"], models=["locl:x", "main:gpt-4o", "gpt-4o"]) == [
        "choices.rules[0]: no rule named 'wether'; did you mean 'weather'?",
        "choices.models[0]: no llm named 'locl' among 'main', 'local'; did you mean 'local'?",
        "choices.models[2]: 'gpt-4o' is already choices.models[1]",
    ]


def test_an_unknown_role_is_reported_with_a_similar_one() -> None:
    [problem] = problems(roles=["operators"])

    assert problem == "choices.roles[0]: no role named 'operators'; did you mean 'operator'?"


def test_a_provider_that_only_this_section_names_has_its_default_entry() -> None:
    assert "anthropic" in parse(source(choices={"models": ["anthropic:claude-sonnet-4-5"]})).configuration.llms
