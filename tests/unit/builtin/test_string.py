"""`string`: operations on a text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.errors import ToolError, ToolInputError
from functions.tools.builtin.string import graphemes, string

FAMILY = "👨\u200d👩\u200d👧"


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ({"operation": "length", "text": "hello"}, 5),
        ({"operation": "length", "text": ""}, 0),
        ({"operation": "length", "text": f"{FAMILY}e\u0301🇫🇷🇩🇪👍🏽☀\ufe0f"}, 6),
        ({"operation": "length", "text": "a\r\nb"}, 3),
        ({"operation": "upper", "text": "straße é"}, "STRASSE É"),
        ({"operation": "lower", "text": "ÀB"}, "àb"),
        ({"operation": "title", "text": "they're o\u2019neil's ÉCOLE 2nd"}, "They're O\u2019neil's École 2nd"),
        ({"operation": "capitalize", "text": "hELLO World"}, "Hello world"),
        ({"operation": "reverse", "text": f"ab{FAMILY}e\u0301🇫🇷"}, f"🇫🇷\u00e9{FAMILY}ba"),
        ({"operation": "replace", "text": "a.b.c", "search": ".", "replacement": "-"}, "a-b-c"),
        ({"operation": "replace", "text": "a.b", "search": "."}, "ab"),
        ({"operation": "replace", "text": "abc", "search": "(.)\\1", "replacement": "x"}, "abc"),
        ({"operation": "count", "text": "banana", "search": "ana"}, 1),
        ({"operation": "count", "text": "Banana", "search": "b"}, 0),
        ({"operation": "split", "text": "a, b,c", "separator": ","}, ["a", " b", "c"]),
        ({"operation": "split", "text": "  a \n b "}, ["a", "b"]),
        ({"operation": "split", "text": "a b", "separator": ""}, ["a", "b"]),
        ({"operation": "slug", "text": "  Crème Brûlée & Straße! "}, "creme-brulee-strasse"),
        ({"operation": "slug", "text": "Привет, мой_мир"}, "привет-мой-мир"),
        ({"operation": "slug", "text": "!!!"}, ""),
    ],
)
def test_each_operation_returns_its_result(arguments: dict[str, Any], result: Any):
    assert string(arguments) == {"result": result}


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"text": "a"}, "Missing required parameter: operation"),
        ({"operation": "upper"}, "Missing required parameter: text"),
        ({"operation": "upper", "text": 5}, "text must be a string"),
        (
            {"operation": "shout", "text": "a"},
            "operation must be one of: length, upper, lower, title, capitalize, reverse, replace, count, split, slug",
        ),
        ({"operation": ["upper"], "text": "a"}, None),
        ({"operation": "count", "text": "a"}, "Missing required parameter: search"),
        ({"operation": "count", "text": "a", "search": ""}, "search must have at least 1 character"),
        ({"operation": "replace", "text": "a", "search": "a", "replacement": 1}, "replacement must be a string"),
        ({"operation": "split", "text": "a", "separator": 1}, "separator must be a string"),
        ({"operation": "upper", "text": "x" * 100_001}, "text must have at most 100000 characters"),
    ],
)
def test_invalid_arguments_are_an_error_with_the_correct_form(arguments: dict[str, Any], error: str | None):
    with pytest.raises(ToolInputError) as raised:
        string(arguments)

    (problem,) = raised.value.errors
    assert problem == error if error else problem.startswith("operation must be one of: ")


def test_a_replacement_with_a_too_long_result_is_rejected_before_it_runs():
    with pytest.raises(ToolError) as error:
        string({"operation": "replace", "text": "a" * 100_000, "search": "a", "replacement": "b" * 100_000})

    assert error.value.message == "The result has more than 1000000 characters"


def test_a_text_of_too_many_parts_is_rejected():
    with pytest.raises(ToolError) as error:
        string({"operation": "split", "text": "a " * 10_001})

    assert error.value.message == "The result has 10001 parts, at most 10000 are returned"


@given(st.text())
def test_graphemes_joined_again_equal_the_text(text: str):
    clusters = graphemes(text)

    assert all(clusters)
    assert graphemes("".join(clusters)) == clusters
