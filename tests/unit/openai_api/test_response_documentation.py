"""The reference of responses has every parameter."""

from pathlib import Path

from functions.chat.openai_api.parts import RESPONSE_PARTS
from functions.chat.openai_api.response_request import HONOURED, IGNORED, REFUSED, ResponsesRequest

REFERENCE = (Path(__file__).parents[3] / "docs" / "openai-responses.md").read_text("utf-8")


def test_the_tables_of_the_reference_are_those_of_the_code() -> None:
    rows = [f"| `{name}` | {meaning} |" for name, meaning in HONOURED.items()]
    rows += [f"| `{name}` | {refusal.message} |" for name, refusal in REFUSED.items()]
    rows += [f"| `{name}` | {meaning} |" for name, meaning in RESPONSE_PARTS.items()]

    assert [row for row in rows if row not in REFERENCE] == []
    assert ", ".join(f"`{name}`" for name in IGNORED) in REFERENCE.replace("\n", " ")


def test_honoured_parameters_are_those_of_the_request() -> None:
    assert set(HONOURED) == set(ResponsesRequest.model_fields)
    names = [*HONOURED, *REFUSED, *IGNORED]
    assert len(names) == len(set(names))
