"""`math_eval`: rejected expressions and error messages."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.errors import ToolError, ToolInputError
from functions.tools.builtin.math_eval import math_eval
from tests.unit.builtin.math_results import value_of


def problem_of(expression: str) -> str:
    with pytest.raises(ToolError) as error:
        math_eval({"expression": expression})
    prefix = "Math evaluation failed: "
    assert error.value.message.startswith(prefix)
    assert error.value.type == "execution_failed"
    return error.value.message.removeprefix(prefix)


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("", "the expression is empty"),
        ("   ", "the expression is empty"),
        ("1+", "a number was expected instead of the end"),
        ("*2", "a number was expected instead of '*' at position 1"),
        ("max()", "a number was expected instead of ')' at position 5"),
        ("(1 + 2", "the parenthesis at position 1 is not closed before the end"),
        ("max(1, 2", "the parenthesis at position 4 is not closed before the end"),
        ("1 + 2)", "the parenthesis at position 6 has no opening parenthesis"),
        ("2(3)", "'(' at position 2 follows a number without an operator; write * to multiply"),
        ("2pi", "'pi' at position 2 follows a number without an operator; write * to multiply"),
        ("3 4", "'4' at position 3 follows a number without an operator; write * to multiply"),
        ("3,5", "the comma at position 2 does not separate thousands; write 3.5 or 3,500"),
        ("(3,5)", "the comma at position 3 does not separate thousands; write 3.5 or 3,500"),
        ("1234,567", "the comma at position 5 does not separate thousands; write 3.5 or 3,500"),
        ("0,500", "the comma at position 2 does not separate thousands; write 3.5 or 3,500"),
        ("sum(1,500, 2,750)", "1,500 at position 5 is ambiguous; write 1500 or 1, 500"),
        ("max(1,500, 1,200)", "1,500 at position 5 is ambiguous; write 1500 or 1, 500"),
        ("max(2, 12,345.5)", "12,345.5 at position 8 is ambiguous; write 12345.5 or 12, 345.5"),
        ("max(100,200,300)", "100,200,300 at position 5 is ambiguous; write 100200300 or 100, 200, 300"),
        ("sqrt(1,500)", "1,500 at position 6 is ambiguous; write 1500 or 1, 500"),
        ("round(-1,234.5)", "1,234.5 at position 8 is ambiguous; write 1234.5 or 1, 234.5"),
        ("sum(2,000, 3)", "the comma in 2,000 at position 5 separates arguments; write 2000"),
        ("sum(1,234,000)", "the comma in 1,234,000 at position 5 separates arguments; write 1234000"),
        ("5!!", "!! at position 2 is ambiguous; write (5!)! or 5*3*1"),
        ("sin(1e15)", "an angle must be below 1e15"),
        ("tan(1e300)", "an angle must be below 1e15"),
        ("sqr(4)", "'sqr' at position 1 is unknown; did you mean sqrt?"),
        ("sqrt 4", "'sqrt' at position 1 is a function; write sqrt(…)"),
        ("x + 1", None),
        ("100 + 10%", "a percentage after + is ambiguous; write 9 + 10% of 9 or 9 + 0.1"),
        ("100 - 10%", "a percentage after - is ambiguous; write 9 - 10% of 9 or 9 - 0.1"),
        ("17 % -5", "'%' at position 4 before a minus is ambiguous; write (10%) - 5 or 10 mod (-5)"),
        ("20 off 80", "'off' at position 4 needs a percentage before it, such as 20% off 80"),
        ("1 < 2", "'<' at position 3 is not arithmetic"),
        ("$5 + 1", "'$' at position 1 is not arithmetic"),
        ("½", "'½' at position 1 is not arithmetic"),
        ("１+1", "'１' at position 1 is not arithmetic"),  # noqa: RUF001 # a full-width digit
        ("1/0", "division by zero"),
        ("1 % 0", "division by zero"),
        ("1 // 0", "division by zero"),
        ("0^-1", "division by zero"),
        ("sqrt(-1)", "the square root of a negative number is not real"),
        ("(-8)^(1/3)", "the result is not a real number"),
        ("log(0)", "a logarithm needs a number above 0, and a base above 0 other than 1"),
        ("log(2, 1)", "a logarithm needs a number above 0, and a base above 0 other than 1"),
        ("acos(2)", "a function is not defined for its argument"),
        ("tan(pi/2)", "the tangent is not defined there"),
        ("sqrt(1, 2)", "a function has the wrong number of arguments"),
        ("gcd(1.5, 2)", "gcd needs whole numbers"),
        ("round(1, 0.5)", "round needs whole numbers"),
        ("round(1, 16)", "round accepts at most 15 places"),
        ("(-1)!", "factorial needs a whole number from 0 to 170"),
        ("171!", "factorial needs a whole number from 0 to 170"),
        ("exp(1000)", "the result is too large"),
        ("1e300 * sqrt(2e300)", "the result is too large or undefined"),
        ("1e300 * 1e300", "the result is too large; it has more than 308 digits"),
    ],
)
def test_invalid_expressions_are_an_error_with_the_remedy(expression: str, problem: str | None):
    if problem is None:
        assert problem_of(expression).startswith("'x' at position 1 is unknown; the functions are abs, acos, ")
    else:
        assert problem_of(expression) == problem


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("9**9**9", "the result is too large; it has more than 308 digits"),
        ("*".join(["9999**9999"] * 40), "the result is too large; it has more than 308 digits"),
        ("(-1e300)^(1e300)", "the result is too large; it has more than 308 digits"),
        ("1.0000001^(1e300)", "the result is too large or undefined"),
        ("(" * 21 + "1" + ")" * 21, "the expression is nested deeper than 20 levels"),
        ("-" * 30 + "1", "the expression is nested deeper than 20 levels"),
        ("2^" * 30 + "1", "the expression is nested deeper than 20 levels"),
        ("abs(" * 25 + "1" + ")" * 25, "the expression is nested deeper than 20 levels"),
        ("+".join(["1"] * 101), "the expression has more than 200 parts; split it"),
        ("1" * 41, f"the number {'1' * 20}… is too long; write at most 40 characters and e300"),
        ("1e301", "the number 1e301… is too long; write at most 40 characters and e300"),
        ("1e-999999999", "the number 1e-999999999… is too long; write at most 40 characters and e300"),
    ],
)
def test_too_expensive_expressions_are_rejected_before_evaluation(expression: str, problem: str):
    assert problem_of(expression) == problem


@pytest.mark.parametrize(
    "expression",
    [
        "'%1000000000d' % 1",
        "__import__('os').system('true')",
        "().__class__.__bases__",
        "abs.__self__",
        "[i for i in (1,2)]",
        "lambda: 1",
        "f'{1}'",
        "x := 1",
        "1 if 1 else 2",
        "1 and 2",
        "not 1",
        "~1",
        "1 << 2",
        "1 | 2",
        "0x10",
        "1_000",
        "1j",
        "True",
        "None",
        "open(1)",
        "eval(1)",
        "print(1)",
        "max(*1)",
        "round(number=1)",
        '"a" * 10',
        "1; 2",
        "1 # 2",
        "a.b",
        "a[0]",
    ],
)
def test_python_names_and_attributes_are_rejected(expression: str):
    problem_of(expression)


@pytest.mark.parametrize("expression", [5, True, ["1"], {}])
def test_an_expression_that_is_no_text_is_rejected(expression: Any):
    with pytest.raises(ToolInputError) as error:
        math_eval({"expression": expression})

    assert error.value.errors == ("expression must be a string",)


def test_a_missing_expression_is_an_error():
    with pytest.raises(ToolInputError) as error:
        math_eval({})

    assert error.value.errors == ("Missing required parameter: expression",)


def test_an_expression_that_is_too_long_is_rejected_before_parsing():
    with pytest.raises(ToolInputError) as error:
        math_eval({"expression": "1" * 501})

    assert error.value.errors == ("expression must have at most 500 characters",)


@given(st.text(alphabet="0123456789.,+-*/%^()! eEpimaxofsqrt", max_size=60))
def test_any_expression_has_a_finite_value_or_an_error(expression: str):
    try:
        value = value_of(expression)
    except ToolError as error:
        assert error.message.startswith("Math evaluation failed: ")  # noqa: PT017 # either outcome is right
    else:
        assert isinstance(value, int | float)
        assert abs(value) < 10**309
