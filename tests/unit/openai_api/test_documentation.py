"""The reference of the OpenAI-compatible API has every parameter."""

from pathlib import Path
from typing import get_args

from flexchat.messages import AnswerOutcome
from functions.chat.openai_api.completions import FINISH_REASONS
from functions.chat.openai_api.parameters import HONOURED, IGNORED, REFUSED
from functions.chat.openai_api.parts import COMPLETION_PARTS

REFERENCE = (Path(__file__).parents[3] / "docs" / "openai-api.md").read_text("utf-8")


def test_the_tables_of_the_reference_are_those_of_the_code() -> None:
    rows = [f"| `{name}` | {meaning} |" for name, meaning in HONOURED.items()]
    rows += [f"| `{name}` | {refusal.message} |" for name, refusal in REFUSED.items()]
    rows += [f"| `{name}` | {meaning} |" for name, meaning in COMPLETION_PARTS.items()]

    assert [row for row in rows if row not in REFERENCE] == []
    assert ", ".join(f"`{name}`" for name in IGNORED) in REFERENCE.replace("\n", " ")


def test_no_parameter_is_treated_in_two_ways() -> None:
    names = [*HONOURED, *REFUSED, *IGNORED]
    assert len(names) == len(set(names))


def test_every_outcome_has_a_finish_reason() -> None:
    assert set(FINISH_REASONS) == set(get_args(AnswerOutcome))
