"""Reads an arithmetic expression as people and models write it, into a tree that holds nothing but arithmetic.

    expression = term (("+" | "-") term)*
    term       = unary (("*" | "/" | "//" | "%" | "mod" | "of" | "off") unary)*
    unary      = ("+" | "-") unary | power
    power      = postfix (("^" | "**") unary)?
    postfix    = primary ("!" | percent)*
    primary    = number | constant | function "(" arguments ")" | "(" expression ")"

`%` is a percentage where no operand follows (`15%`, `15% of 200`, `20% off 80`), else the remainder (`17 % 5`).
A comma separates thousands (`3,000`), between a function's parentheses arguments (`max(1, 500)`). An expression with
two readings is refused with an error that names both: `max(1,500)` could be `max(1, 500)` or `max(1500)`.
"""

import ast
import re
from collections.abc import Collection, Generator, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from fractions import Fraction
from typing import Final, NoReturn

from msgspec import Struct

from flexchat.errors import FlexchatError

MAX_LENGTH: Final = 500
MAX_NODES: Final = 200
MAX_NESTING: Final = 20
MAX_NUMBER_LENGTH: Final = 40
MAX_EXPONENT: Final = 300

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE](?P<exponent>[+-]?\d+))?"
_TOKEN = re.compile(rf"(?P<number>{_NUMBER})|(?P<name>[A-Za-z_]\w*)|(?P<symbol>\*\*|//|[-+*/%^(),!])", re.ASCII)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?!\d)(?:\.\d+)?", re.ASCII)
_SUPERSCRIPT = re.compile("[²³]+")
_SPACE = re.compile(r"\s*")

_AS_TYPED: Final = str.maketrans(
    {
        "×": "*",  # noqa: RUF001 # look-alikes are the point here
        "·": "*",
        "⋅": "*",
        "∙": "*",
        "÷": "/",
        "−": "-",  # noqa: RUF001 # as above
        "–": "-",  # noqa: RUF001 # as above
        "²": "2",
        "³": "3",
        "π": "pi",
    }
)
_SUMS: Final[dict[str, type[ast.operator]]] = {"+": ast.Add, "-": ast.Sub}
_PRODUCTS: Final[dict[str, type[ast.operator]]] = {
    "*": ast.Mult,
    "/": ast.Div,
    "//": ast.FloorDiv,
    "%": ast.Mod,
    "mod": ast.Mod,
    "of": ast.Mult,
}
_WORDS: Final = frozenset({"mod", "of", "off"})
_END: Final = ""
_AFTER_PERCENTAGE: Final = frozenset({_END, "+", "-", "*", "/", "//", "^", "**", ")", ",", "!", "%"}) | _WORDS


class MathError(FlexchatError):
    """An expression cannot be parsed or has no value; the message has the reason."""


class _Token(Struct, frozen=True):
    """Token: `text` as written, in lower case for names and empty at the end; `at` counts characters from 1."""

    text: str
    at: int
    number: Fraction | None = None

    @property
    def is_name(self) -> bool:
        return self.text[:1].isalpha() or self.text[:1] == "_"

    def __str__(self) -> str:
        return f"'{self.text[:20]}' at position {self.at}" if self.text else "the end"


def parse(expression: str, *, functions: Collection[str], constants: Collection[str]) -> ast.expr:
    """Return the tree of `expression`: numbers (as `Fraction`), known names and calls, arithmetic operators.

    Raises `MathError`. The work is bounded by the length of the expression, the tree by 200 nodes and 20 levels.
    """
    if len(expression) > MAX_LENGTH:
        raise MathError(f"the expression has {len(expression)} characters, at most {MAX_LENGTH} are accepted")
    typed = _SUPERSCRIPT.sub(lambda digits: f"^{digits.group()}", expression).translate(_AS_TYPED)
    tokens = list(_tokens(typed))
    if len(tokens) == 1:
        raise MathError("the expression is empty")
    return _Parser(tokens, functions, constants).parse()


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    before = _END
    calls: list[bool] = []  # for every open parenthesis, whether it is a function's
    while (position := _end_of(_SPACE, text, position)) < len(text):
        grouped = _GROUPED.match(text, position)
        if grouped and calls and calls[-1]:
            _refuse_grouped_argument(grouped)
        match = grouped or _TOKEN.match(text, position)
        if match is None:
            raise MathError(f"'{text[position]}' at position {position + 1} is not arithmetic")
        written = match.group().lower()
        number = _number(written, None if grouped else match["exponent"]) if written[0] in "0123456789." else None
        yield _Token(written, position + 1, number)
        if written == "(":
            calls.append(before[:1].isalpha() and before not in _WORDS)
        elif written == ")" and calls:
            calls.pop()
        before, position = written, match.end()
    yield _Token(_END, len(text) + 1)


def _refuse_grouped_argument(grouped: re.Match[str]) -> NoReturn:
    """Raise `MathError` for `1,500` among arguments: 1500 or the two arguments 1 and 500."""
    written, at = grouped.group(), grouped.start() + 1
    whole, arguments = written.replace(",", ""), written.replace(",", ", ")
    if ",0" in written:
        raise MathError(f"the comma in {written} at position {at} separates arguments; write {whole}")
    raise MathError(f"{written} at position {at} is ambiguous; write {whole} or {arguments}")


def _end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _number(written: str, exponent: str | None) -> Fraction:
    if len(written) > MAX_NUMBER_LENGTH or (exponent and abs(int(exponent)) > MAX_EXPONENT):
        raise MathError(
            f"the number {written[:20]}… is too long; write at most {MAX_NUMBER_LENGTH} characters and e{MAX_EXPONENT}"
        )
    return Fraction(written.replace(",", ""))


class _Parser:
    """Recursive descent over the grammar above, one method per rule."""

    def __init__(self, tokens: list[_Token], functions: Collection[str], constants: Collection[str]) -> None:
        self._tokens = tokens
        self._functions = functions
        self._constants = constants
        self._position = 0
        self._nesting = 0
        self._nodes = 0
        self._percentages: set[int] = set()

    def parse(self) -> ast.expr:
        tree = self._expression()
        token = self._next
        if token.text == ",":
            raise MathError(f"the comma at position {token.at} does not separate thousands; write 3.5 or 3,500")
        if token.text == ")":
            raise MathError(f"the parenthesis at position {token.at} has no opening parenthesis")
        if token.text:
            raise MathError(f"{token} follows a number without an operator; write * to multiply")
        return tree

    def _expression(self) -> ast.expr:
        left = self._term()
        while self._next.text in _SUMS:
            operator = self._take()
            right = self._term()
            if id(right) in self._percentages and id(left) not in self._percentages:
                sign = operator.text
                raise MathError(f"a percentage after {sign} is ambiguous; write 9 {sign} 10% of 9 or 9 {sign} 0.1")
            left = self._binary(left, _SUMS[operator.text], right)
        return left

    def _term(self) -> ast.expr:
        left = self._unary()
        while self._next.text in _PRODUCTS or self._next.text == "off":
            operator = self._take()
            if operator.text == "off":
                if id(left) not in self._percentages:
                    raise MathError(f"{operator} needs a percentage before it, such as 20% off 80")
                left = self._binary(self._constant(Fraction(1)), ast.Sub, left)
            left = self._binary(left, _PRODUCTS.get(operator.text, ast.Mult), self._unary())
        return left

    def _unary(self) -> ast.expr:
        with self._nested():
            if self._next.text not in _SUMS:
                return self._power()
            sign = self._take()
            operand = self._unary()
            return operand if sign.text == "+" else self._counted(ast.UnaryOp(op=ast.USub(), operand=operand))

    def _power(self) -> ast.expr:
        base = self._postfix()
        if self._next.text not in ("^", "**"):
            return base
        self._take()
        return self._binary(base, ast.Pow, self._unary())

    def _postfix(self) -> ast.expr:
        operand = self._primary()
        while self._next.text == "!" or self._at_percentage():
            if self._take().text == "!":
                if self._next.text == "!":
                    raise MathError(f"!! at position {self._next.at - 1} is ambiguous; write (5!)! or 5*3*1")
                operand = self._call("factorial", [operand])
            else:
                operand = self._binary(operand, ast.Div, self._constant(Fraction(100)))
                self._percentages.add(id(operand))
        return operand

    def _at_percentage(self) -> bool:
        if self._next.text != "%":
            return False
        after = self._tokens[self._position + 1]
        if after.text == "-":
            raise MathError(f"{self._next} before a minus is ambiguous; write (10%) - 5 or 10 mod (-5)")
        return after.text in _AFTER_PERCENTAGE

    def _primary(self) -> ast.expr:
        token = self._take()
        if token.number is not None:
            return self._constant(token.number)
        if token.text == "(":
            inner = self._expression()
            self._close(token)
            return inner
        if not token.is_name:
            raise MathError(f"a number was expected instead of {token}")
        if token.text in self._functions and self._next.text == "(":
            return self._call(token.text, self._arguments())
        if token.text in self._constants:
            return self._counted(ast.Name(id=token.text, ctx=ast.Load()))
        raise MathError(self._unknown(token))

    def _arguments(self) -> list[ast.expr]:
        opening = self._take()
        arguments = [self._expression()]
        while self._next.text == ",":
            self._take()
            arguments.append(self._expression())
        self._close(opening)
        return arguments

    def _close(self, opening: _Token) -> None:
        if self._next.text == ",":
            raise MathError(f"the comma at position {self._next.at} does not separate thousands; write 3.5 or 3,500")
        if self._next.text != ")":
            raise MathError(f"the parenthesis at position {opening.at} is not closed before {self._next}")
        self._take()

    def _unknown(self, token: _Token) -> str:
        if token.text in self._functions:
            return f"{token} is a function; write {token.text}(…)"
        near = get_close_matches(token.text, [*self._functions, *self._constants], n=1)
        hint = f"did you mean {near[0]}?" if near else f"the functions are {', '.join(sorted(self._functions))}"
        return f"{token} is unknown; {hint}"

    @property
    def _next(self) -> _Token:
        return self._tokens[self._position]

    def _take(self) -> _Token:
        token = self._next
        if token.text:
            self._position += 1
        return token

    @contextmanager
    def _nested(self) -> Generator[None]:
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise MathError(f"the expression is nested deeper than {MAX_NESTING} levels")
        yield
        self._nesting -= 1

    def _constant(self, value: Fraction) -> ast.expr:
        node = ast.Constant(value=0)
        node.value = value  # pyright: ignore[reportAttributeAccessIssue] # the evaluator accepts any number, and the tree is never compiled by Python
        return self._counted(node)

    def _call(self, name: str, arguments: list[ast.expr]) -> ast.expr:
        return self._counted(ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=arguments, keywords=[]))

    def _binary(self, left: ast.expr, operator: type[ast.operator], right: ast.expr) -> ast.expr:
        return self._counted(ast.BinOp(left=left, op=operator(), right=right))

    def _counted[N: ast.expr](self, node: N) -> N:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise MathError(f"the expression has more than {MAX_NODES} parts; split it")
        return node
