"""`math_eval`: the value of an arithmetic expression."""

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final, cast

import simpleeval

from flexchat.errors import ToolError
from flexchat.messages import Json
from functions.tools.builtin.arithmetic import CONSTANTS, FUNCTIONS, Number, checked, floor, power
from functions.tools.builtin.math_parser import MAX_LENGTH, MathError, parse
from functions.tools.builtin.params import Params

_SIGNIFICANT_DIGITS: Final = 15
"""Significant digits of a double; beyond them, a sum of decimals shows rounding errors."""

_EXACT_BELOW: Final = 10**15


def math_eval(arguments: Mapping[str, Json]) -> Json:
    """Params: `expression`, at most 500 characters. Result: `{"result": number}`.

    Whole numbers are exact, others have 15 significant digits. Raises `ToolError` "Math evaluation failed: …" with the
    requirement.
    """
    expression = Params(arguments).text("expression", max_length=MAX_LENGTH)
    try:
        tree = parse(expression, functions=FUNCTIONS, constants=CONSTANTS)
        return {"result": _written(_evaluate(tree))}
    except MathError as exc:
        raise ToolError(f"Math evaluation failed: {exc}") from exc


def _evaluate(tree: ast.expr) -> Number:
    """Return the value of a parsed expression, evaluated by simpleeval with arithmetic alone."""
    evaluator: Any = cast("Any", simpleeval).SimpleEval(operators=_OPERATORS, functions=_FUNCTIONS, names=CONSTANTS)
    try:
        return checked(evaluator.eval("", previously_parsed=tree))
    except ZeroDivisionError as exc:
        raise MathError("division by zero") from exc
    except OverflowError as exc:
        raise MathError("the result is too large") from exc
    except ValueError as exc:
        raise MathError("a function is not defined for its argument") from exc
    except TypeError as exc:
        raise MathError("a function has the wrong number of arguments") from exc


def _written(value: Number) -> int | float:
    """Return an int for a whole value, else a float without rounding errors in its last digits."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    rounded = float(f"{float(value):.{_SIGNIFICANT_DIGITS}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < _EXACT_BELOW else rounded


def _bounded(function: Callable[..., Any]) -> Callable[..., Number]:
    """Return `function` with a check of each result, so that no step starts from a huge value."""
    return lambda *values: checked(function(*values))


def _floor_divided(left: Number, right: Number) -> Number:
    return floor(left // right)


_operator: Any = operator  # its types have no fractions
_OPERATORS: Final[dict[type[ast.AST], Callable[..., Number]]] = {
    ast.Add: _bounded(_operator.add),
    ast.Sub: _bounded(_operator.sub),
    ast.Mult: _bounded(_operator.mul),
    ast.Div: _bounded(_operator.truediv),
    ast.FloorDiv: _bounded(_floor_divided),
    ast.Mod: _bounded(_operator.mod),
    ast.Pow: power,
    ast.USub: _operator.neg,
}
_FUNCTIONS: Final = {name: _bounded(function) for name, function in FUNCTIONS.items()}
