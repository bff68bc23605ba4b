"""The `validation` section and the prices of models."""

from collections.abc import Mapping
from typing import Literal

import pytest

from flexchat.config.document import parse
from flexchat.config.models.validation import ValidationBudget, ValidationConfig
from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import problem_lines, source


def problems(document: Mapping[str, Json], severity: Literal["error", "warning"] = "error") -> list[str]:
    return problem_lines(check_source(document, TOOL_TYPES)[1], severity)


def test_no_model_is_scheduled_without_the_section() -> None:
    assert parse(source()).configuration.validation == ValidationConfig(
        models=(),
        suite="default",
        repeats=1,
        stop_early=True,
        budget=ValidationBudget(calls=None, tokens=None, usd=None),
    )


def test_a_scheduled_model_is_reported_at_its_path() -> None:
    document = source(validation={"models": ["main:gpt-4o", "locl:qwen3", "main:gpt-4", "main:gpt-4o"]})

    assert problems(document) == [
        "validation.models[1]: no llm named 'locl' among 'main', 'local'; did you mean 'local'?",
        "validation.models[3]: 'main:gpt-4o' is already validation.models[0]",
    ]
    assert "validation.models[2]: llms.main.models does not list 'gpt-4'; did you mean 'gpt-4o'?" in problems(
        document, "warning"
    )


def test_a_scheduled_model_can_be_of_a_provider_without_an_entry() -> None:
    document = source(validation={"models": ["gemini:gemini-2.5-flash"]})

    assert problems(document) == []
    assert parse(document).configuration.llms["gemini"].type == "gemini"


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ({"repeats": 0}, "validation.repeats: must be greater than or equal to 1"),
        ({"suite": "My Suite"}, "validation.suite: 'My Suite' does not match ^[a-z0-9][a-z0-9_.-]{0,63}$"),
        ({"budget": {"usd": 0}}, "validation.budget.usd: must be greater than 0"),
        ({"budget": {"euro": 1}}, "validation.budget.euro: unknown key 'euro'"),
        ({"models": "main:gpt-4o"}, "validation.models: must be a list"),
    ],
)
def test_invalid_run_parameters_are_rejected_and_the_others_are_used(section: dict[str, Json], problem: str) -> None:
    parsed = parse(source(validation=section))

    assert [str(found) for found in parsed.problems] == [problem]
    assert parsed.configuration.validation == ValidationConfig()
    assert len(parsed.configuration.responses) == 2


@pytest.mark.parametrize("price", [-0.1, "1", float("nan"), float("inf")])
def test_a_price_is_a_finite_decimal_number(price: object) -> None:
    document = source(llms={"main": {"type": "openai", "profiles": {"*": {"input_price": price}}}})  # pyright: ignore[reportArgumentType]

    assert [entry.name for entry in parse(document).broken] == ["main"]
