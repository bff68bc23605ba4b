"""Result or error of `math_eval` for one expression."""

from typing import Any

from functions.tools.builtin.math_eval import math_eval


def value_of(expression: str) -> Any:
    result: Any = math_eval({"expression": expression})
    assert list(result) == ["result"]
    return result["result"]
