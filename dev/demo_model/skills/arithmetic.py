"""Arithmetic: `calculate` for every expression in a message, or the result directly when no tool is offered."""

import ast
import math
import re
from collections.abc import Sequence

from dev.demo_model.conversation import OfferedTool
from dev.demo_model.skills.tool_request import ToolRequest, as_text, core, offered

_ASKED = re.compile(r"\b(what|calculate|compute|how much|work out|evaluate|solve|result|square root|tell me)\b|=", re.I)
_DATE_OR_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:T[\d:.Z+-]+)?|\b\d{1,2}:\d{2}\b")
_WORDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=[\d)(\s])[$€£](?=\d)"), ""),
    (re.compile(r"(?<=\d%)\s+(?:tip|discount|tax|vat)\s+(?:on|of|for)\s+(?:a\s+)?(?=\d)", re.I), " of "),
    (re.compile(r"(?<=[\d)%])\s+times\s+(?=[\d(])", re.I), " * "),
    (re.compile(r"(?<=[\d)%])\s+multiplied by\s+(?=[\d(])", re.I), " * "),
    (re.compile(r"(?<=[\d)%])\s+divided by\s+(?=[\d(])", re.I), " / "),
    (re.compile(r"(?<=[\d)%])\s+plus\s+(?=[\d(])", re.I), " + "),
    (re.compile(r"(?<=[\d)%])\s+minus\s+(?=[\d(])", re.I), " - "),
    (re.compile(r"(?<=[\d)])\s+(?:to the power of|raised to)\s+(?=[\d(])", re.I), " ^ "),
    (re.compile(r"(?:the )?square root of\s+(\d+(?:\.\d+)?)", re.I), r"sqrt(\1)"),
    (re.compile(r"(?<=\d)\s*[\u00d7x]\s*(?=[\d(])"), " * "),
    (re.compile(r"\s*\u00f7\s*"), " / "),
)
_RUN = re.compile(r"(?:sqrt\(|\d(?:[\d,]*\d)?(?:\.\d+)?%?|of\b|\*\*|[-+*/^()]|\s+)+", re.I)
_PERCENT_OF = re.compile(r"(\d+(?:\.\d+)?)%\s*of\s*", re.I)
_MAX_CHARACTERS = 200
_MAX_POWER = 1024


def arithmetic(message: str, tools: Sequence[OfferedTool]) -> list[ToolRequest]:
    tool = offered(tools, "calc", "math")
    name = tool.parameter("expression", "expr", "formula", "input") if tool else None
    return [
        ToolRequest(
            subject=expression,
            phrase_result=lambda result, expression=expression: f"{expression} is {as_text(core(result))}.",
            tool=tool if name else None,
            arguments={name: expression} if name else None,
            unaided=_unaided(expression),
        )
        for expression in expressions(message)
    ]


def expressions(message: str) -> list[str]:
    """Return the expressions in `message`, each once, in the syntax of a calculator."""
    text = _DATE_OR_TIME.sub(" ; ", message)
    for pattern, sign in _WORDS:
        text = pattern.sub(sign, text)
    found: list[str] = []
    for match in _RUN.finditer(text):
        expression = match.group().strip().removesuffix("of").rstrip("+-*/^( ").lstrip("*/^) ")
        if len(expression) <= _MAX_CHARACTERS and _is_expression(expression) and expression not in found:
            found.append(expression)
    bare = bool(found) and len(found[0]) * 2 > len(message.strip())
    return found if bare or _ASKED.search(message) else []


def _is_expression(text: str) -> bool:
    if re.fullmatch(r"[-+]?[\d,.]*%?", text):
        return False
    try:
        return not isinstance(_tree(text), ast.Constant)
    except SyntaxError:
        return False


def _tree(expression: str) -> ast.expr:
    text = _PERCENT_OF.sub(r"\1/100*", expression).replace("^", "**").replace(",", "")
    return ast.parse(re.sub(r"(\d)%", r"\1/100", text).strip(), mode="eval").body


def _unaided(expression: str) -> str:
    try:
        value = _value(_tree(expression))
    except (ArithmeticError, ValueError):
        return f"I cannot work out {expression}."
    return f"{expression} is {as_text(round(value, 10))}."


def _value(node: ast.expr) -> float:
    """Evaluate an expression. Raises ArithmeticError or ValueError without a result, or with one that is too large."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.BinOp(left=left, op=sign, right=right):
            return _combined(_value(left), sign, _value(right))
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument], keywords=[]):
            return math.sqrt(_value(argument))
        case _:
            raise ValueError("no arithmetic")


def _combined(first: float, sign: ast.operator, second: float) -> float:
    match sign:
        case ast.Add():
            return first + second
        case ast.Sub():
            return first - second
        case ast.Mult():
            return first * second
        case ast.Div():
            return first / second
        case ast.Pow() if 0 <= first <= _MAX_POWER and abs(second) <= _MAX_POWER:
            return math.pow(first, second)
        case _:
            raise ValueError("no arithmetic, or too large a power")
