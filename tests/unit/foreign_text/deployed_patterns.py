"""The regular expressions of the deployed code, found in its syntax trees."""

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeIs

ROOT = Path(__file__).parents[3]
SOURCES = (ROOT / "functions", ROOT / "layers/common/src")
MODULES = frozenset({"re", "regex"})


@cache
def deployed_patterns() -> dict[str, ast.Call]:
    """The calls of `re` and `regex`, by `module.NAME` of the constant they define, else by `module: pattern`."""
    return {name: call for root in SOURCES for path in _importers(root) for name, call in _patterns(root, path)}


def imports_of_names() -> list[str]:
    """Modules with name imports from `re` or `regex`, which `deployed_patterns` cannot detect."""
    return [
        str(path)
        for root in SOURCES
        for path in _importers(root)
        for node in ast.walk(_tree(path))
        if (isinstance(node, ast.ImportFrom) and node.module in MODULES)
        or (isinstance(node, ast.Import) and any(alias.name in MODULES and alias.asname for alias in node.names))
    ]


def compiled(name: str) -> re.Pattern[str]:
    """The pattern of a constant `module.NAME`."""
    module, _, constant = name.rpartition(".")
    found: Any = getattr(importlib.import_module(module), constant)
    return found


def _importers(root: Path) -> Iterator[Path]:
    """The modules that may import `re` or `regex`; only these are worth parsing."""
    for path in root.rglob("*.py"):
        source = path.read_text()
        if "import re" in source or "from re" in source:
            yield path


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def _patterns(root: Path, path: Path) -> Iterator[tuple[str, ast.Call]]:
    tree = _tree(path)
    base = ROOT if root.name == "functions" else root
    module = ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")
    constants = {id(value): name for name, value in _constants(tree)}
    for node in ast.walk(tree):
        if _is_pattern(node):
            name = constants.get(id(node))
            yield (f"{module}.{name}" if name else f"{module}: {ast.unparse(node.args[0])}"), node


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case _:
                pass


def _is_pattern(node: ast.AST) -> TypeIs[ast.Call]:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=function)):
            return module in MODULES and function != "escape"
        case _:
            return False
