"""`math_eval`: the value of an arithmetic expression."""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from functools import reduce
from typing import Any, Final, cast

import simpleeval

from flexchat.errors import ToolError
from flexchat.messages import Json
from functions.tools.builtin.math_parser import MAX_LENGTH, MathError, parse
from functions.tools.builtin.params import Params

type Number = Fraction | float

MAX_DIGITS: Final = 308
MAX_FACTORIAL: Final = 170
_LIMIT: Final = 10**MAX_DIGITS
_FLOAT_NOISE: Final = 1e-15
_EXACT_FLOAT: Final = 1e15
"""Limit below which the whole part of a float is exact."""

_PRECISE: Final = Context(prec=40, traps=[])


def checked(value: Number | complex) -> Number:
    """Return `value` if it is a finite number below the limit. Raises `MathError`."""
    if isinstance(value, complex):
        raise MathError("the result is not a real number")
    if isinstance(value, Fraction):
        if abs(value) >= _LIMIT:
            raise MathError(f"the result is too large; it has more than {MAX_DIGITS} digits")
        return value if value.denominator < _LIMIT else float(value)
    if math.isnan(value) or math.isinf(value):
        raise MathError("the result is too large or undefined")
    return value


def power(base: Number, exponent: Number) -> Number:
    """Return a power, exact for whole exponents within the limit of digits, which is estimated before the
    computation."""
    if base == 0 and exponent < 0:
        raise ZeroDivisionError
    if isinstance(base, Fraction) and _is_whole(exponent):
        digits = abs(int(exponent)) * max(_digits(base.numerator), _digits(base.denominator))
        if digits <= MAX_DIGITS:
            return checked(base ** int(exponent))
        if base.denominator == 1 and exponent > 0:
            raise MathError(f"the result is too large; it has more than {MAX_DIGITS} digits")
    if base < 0 and not _is_whole(exponent):
        raise MathError("the result is not a real number")
    return checked(float(_PRECISE.power(_decimal(base), _decimal(exponent))))


def _decimal(value: Number) -> Decimal:
    if isinstance(value, Fraction):
        return _PRECISE.divide(Decimal(value.numerator), Decimal(value.denominator))
    return Decimal(value)


def _digits(value: int) -> float:
    return math.log10(abs(value)) if value else 0.0


def _is_whole(value: Number) -> bool:
    return value == int(value)


def _whole(value: Number, function: str) -> int:
    if not _is_whole(value):
        raise MathError(f"{function} needs whole numbers")
    return int(value)


def _sqrt(value: Number) -> Number:
    if value < 0:
        raise MathError("the square root of a negative number is not real")
    if isinstance(value, Fraction):
        root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        if root * root == value:
            return root
    return float(_PRECISE.sqrt(_decimal(value)))


def _round(value: Number, digits: Number = Fraction(0)) -> Number:
    """Round halves away from zero."""
    places = _whole(digits, "round")
    if abs(places) > 15:
        raise MathError("round accepts at most 15 places")
    if _is_inexact(value):
        return value
    exact = value if isinstance(value, Fraction) else Fraction(Decimal(repr(value)))
    scaled = exact * Fraction(10) ** places
    return Fraction(int(abs(scaled) + Fraction(1, 2)) * (1 if scaled >= 0 else -1)) / Fraction(10) ** places


def _factorial(value: Number) -> Number:
    number = _whole(value, "factorial")
    if not 0 <= number <= MAX_FACTORIAL:
        raise MathError(f"factorial needs a whole number from 0 to {MAX_FACTORIAL}")
    return Fraction(math.factorial(number))


def _log(value: Number, base: Number | None = None) -> Number:
    """Return the natural logarithm, or the one to `base`."""
    if value <= 0 or (base is not None and (base <= 0 or base == 1)):
        raise MathError("a logarithm needs a number above 0, and a base above 0 other than 1")
    logarithm = _PRECISE.ln(_decimal(value))
    if base is not None:
        logarithm = _PRECISE.divide(logarithm, _PRECISE.ln(_decimal(base)))
    return float(logarithm)


def _ln(value: Number) -> Number:
    return _log(value)


def _log10(value: Number) -> Number:
    return _log(value, Fraction(10))


def _log2(value: Number) -> Number:
    return _log(value, Fraction(2))


def _ceil(value: Number) -> Number:
    return value if _is_inexact(value) else Fraction(math.ceil(value))


def floor(value: Number) -> Number:
    """Return the next lower whole number; a float without an exact one is unchanged."""
    return value if _is_inexact(value) else Fraction(math.floor(value))


def _is_inexact(value: Number) -> bool:
    return isinstance(value, float) and abs(value) >= _EXACT_FLOAT


def _max(*values: Number) -> Number:
    return max(values)


def _min(*values: Number) -> Number:
    return min(values)


def _periodic(function: Callable[[float], float]) -> Callable[[Number], Number]:
    """Return `function` without the error of a rounded pi where the true value is 0."""

    def evaluated(angle: Number) -> Number:
        if abs(angle) >= _EXACT_FLOAT:
            raise MathError("an angle must be below 1e15")
        value = function(float(angle))
        return 0.0 if abs(value) < _FLOAT_NOISE * abs(angle) and abs(angle) > 1 else value

    return evaluated


def _tan(angle: Number) -> Number:
    if abs(angle) < _EXACT_FLOAT and abs(math.cos(float(angle))) < _FLOAT_NOISE * max(1.0, abs(angle)):
        raise MathError("the tangent is not defined there")
    return _periodic(math.tan)(angle)


def _of_floats(function: Callable[[float], float]) -> Callable[[Number], Number]:
    return lambda value: function(float(value))


def _of_whole(function: Callable[..., int], name: str) -> Callable[..., Number]:
    return lambda *values: Fraction(function(*(_whole(value, name) for value in values)))


def _sum(*values: Number) -> Number:
    return reduce(lambda left, right: checked(left + right), values)


def _mean(*values: Number) -> Number:
    return _sum(*values) / len(values)


CONSTANTS: Final[Mapping[str, Number]] = {"pi": math.pi, "e": math.e, "tau": math.tau}

FUNCTIONS: Final[Mapping[str, Callable[..., Number]]] = {
    "abs": abs,
    "acos": _of_floats(math.acos),
    "asin": _of_floats(math.asin),
    "atan": _of_floats(math.atan),
    "ceil": _ceil,
    "cos": _periodic(math.cos),
    "degrees": _of_floats(math.degrees),
    "exp": _of_floats(math.exp),
    "factorial": _factorial,
    "floor": floor,
    "gcd": _of_whole(math.gcd, "gcd"),
    "lcm": _of_whole(math.lcm, "lcm"),
    "ln": _ln,
    "log": _log,
    "log10": _log10,
    "log2": _log2,
    "max": _max,
    "mean": _mean,
    "min": _min,
    "pow": power,
    "radians": _of_floats(math.radians),
    "round": _round,
    "sin": _periodic(math.sin),
    "sqrt": _sqrt,
    "sum": _sum,
    "tan": _tan,
}


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
