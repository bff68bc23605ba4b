"""The tests that the table of threats names."""

import ast
from functools import cache

import pytest

from tests.documents import ROOT, code_spans

DOCUMENT = ROOT / "docs" / "threats.md"
ROWS = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
NAMED = [span for span in code_spans(DOCUMENT) if "::" in span]


@cache
def names_in(path: str) -> frozenset[str]:
    """Return the names of the tests of a module that are not skipped without a condition."""
    module = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = (node for node in module.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(
        function.name
        for function in functions
        if not any(ast.unparse(mark).startswith("pytest.mark.skip(") for mark in function.decorator_list)
    )


@pytest.mark.parametrize("named", NAMED)
def test_every_named_test_exists(named: str) -> None:
    path, _, name = named.partition("::")

    assert name in names_in(path)


def test_every_threat_has_a_test_and_none_is_named_twice() -> None:
    assert [row for row in ROWS if "::" not in row] == []
    assert len(NAMED) == len(set(NAMED)) > len(ROWS)
