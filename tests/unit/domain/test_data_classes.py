"""Data classes of the deployed code: structs, whose methods no import has to write."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = (ROOT / "functions", ROOT / "layers/common/src")
NOT_IN_STRUCTS = ("init=False", "eq=False", "cached_property")


def needless_dataclasses(source: str) -> list[str]:
    """Return the names of the dataclasses that have nothing that a struct lacks."""
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    return [
        node.name
        for node in classes
        if any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)
        and not any(feature in ast.unparse(node) for feature in NOT_IN_STRUCTS)
    ]


def test_a_class_of_deployed_code_is_a_dataclass_only_for_what_structs_lack() -> None:
    paths = [path for folder in SOURCES for path in folder.rglob("*.py")]

    found = {path.name: names for path in paths if (names := needless_dataclasses(path.read_text("utf-8")))}

    assert len(paths) > 300
    assert found == {}


@pytest.mark.parametrize(
    ("field", "names"),
    [("a: int", ["A"]), ("a: int = field(default=1)", ["A"]), ("a: int = field(init=False)", [])],
)
def test_a_needless_dataclass_is_found(field: str, names: list[str]) -> None:
    assert needless_dataclasses(f"@dataclass(frozen=True)\nclass A:\n    {field}\n") == names
