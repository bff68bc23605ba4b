"""Structs with fields that their `repr` leaves out."""

import ast
from pathlib import Path
from typing import ClassVar

from flexchat.redacted_struct import RedactedStruct

ROOT = Path(__file__).parents[3]
SOURCES = (ROOT / "functions", ROOT / "layers/common/src")


class Login(RedactedStruct, frozen=True):
    redacted: ClassVar = ("password",)

    user: str
    password: str
    attempts: int = 1


def test_the_repr_leaves_out_the_redacted_fields_and_shows_the_others() -> None:
    assert repr(Login("ada", "canary")) == "Login(user='ada', attempts=1)"


def test_redacted_fields_are_compared() -> None:
    assert Login("ada", "canary") == Login("ada", "canary")
    assert Login("ada", "canary") != Login("ada", "other")


def test_every_redacted_name_is_a_field_of_its_class() -> None:
    found: dict[str, set[str]] = {}
    for path in (path for folder in SOURCES for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and "RedactedStruct" in map(ast.unparse, node.bases):
                fields = {
                    part.target.id: part
                    for part in node.body
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
                }
                value = fields.pop("redacted").value
                assert value is not None
                found[node.name] = set(ast.literal_eval(value)) - fields.keys()

    assert len(found) > 10
    assert set().union(*found.values()) == set()
