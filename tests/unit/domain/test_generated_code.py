"""Code that the standard library generates: taken from a finished build, and compiled without one."""

import ast
import collections
import dataclasses
import marshal
import typing
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple, TypedDict

import pytest

from flexchat import generated_code
from flexchat.generated_code import Mode, install, stored_code, uninstall


@pytest.fixture(autouse=True)
def uninstalled() -> Iterator[None]:
    yield
    uninstall()


@pytest.fixture
def asked() -> list[tuple[Mode, Any]]:
    """The texts that the standard library compiles during the test, none of which is found."""
    texts: list[tuple[Mode, Any]] = []
    install(lambda mode, text: texts.append((mode, text)))
    return texts


def test_named_tuples_references_and_data_classes_ask_for_code_and_work_without_it(
    asked: list[tuple[Mode, Any]],
) -> None:
    class Point(NamedTuple):
        x: "int"
        y: "int"

    reference = typing.ForwardRef("list[int]")
    data = dataclasses.make_dataclass("data", ["a", "b"])

    assert [mode for mode, _ in asked] == ["eval"] * 4 + ["exec"]
    assert [text for _, text in asked[:2]] == ["int", "int"]
    assert "(x, y)" in asked[2][1]
    assert asked[3] == ("eval", "list[int]")
    assert "def __init__(self,a:" in asked[4][1]
    assert Point(1, y=2) == (1, 2)
    assert reference.__forward_code__.co_filename == "<string>"
    assert data(1, b=2) == data(1, 2) != data(1, 3)


def test_code_that_is_found_is_used() -> None:
    found = {"int": compile("str", "<string>", "eval")}
    install(lambda _mode, text: found.get(text))

    class Row(TypedDict):
        a: "int"
        b: "float"

    assert typing.get_type_hints(Row) == {"a": str, "b": float}


def test_options_and_names_are_passed_as_to_the_builtin_functions() -> None:
    install(lambda mode, _text: compile("a + b" if mode == "eval" else "c = a + b", "<string>", mode))
    names = {"a": 1, "b": 2}

    assert collections.__dict__["eval"]("asked", globals=names) == 3
    dataclasses.__dict__["exec"]("asked", globals=names, locals=names)
    assert names["c"] == 3
    tree = typing.__dict__["compile"]("other", "<file>", "eval", flags=ast.PyCF_ONLY_AST)
    assert ast.unparse(tree) == "other"


def test_text_that_cannot_be_compiled_is_an_error_as_without_hooks(asked: list[tuple[Mode, Any]]) -> None:
    with pytest.raises(SyntaxError, match="must be an expression"):
        typing.ForwardRef("not a type")
    assert asked == [("eval", "not a type")]


def test_nothing_is_asked_after_the_hooks_are_removed(asked: list[tuple[Mode, Any]]) -> None:
    uninstall()
    uninstall()

    class Pair(NamedTuple):
        a: "int"

    assert Pair(1) == (1,)
    assert asked == []


def test_without_a_finished_build_there_is_no_code() -> None:
    assert not generated_code.FILE.exists()
    assert stored_code() is None


def test_the_file_has_the_code_of_texts_by_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes: dict[tuple[Mode, str], CodeType] = {
        ("eval", "1 + 1"): compile("1 + 1", "<string>", "eval"),
        ("exec", "a = 3"): compile("a = 3", "<string>", "exec"),
    }
    monkeypatch.setattr(generated_code, "FILE", tmp_path / "code.bin")
    generated_code.FILE.write_bytes(marshal.dumps({key: marshal.dumps(code) for key, code in codes.items()}))

    find = stored_code()

    assert find is not None
    assert {key: find(*key) for key in codes} == codes
    assert find("eval", "1 + 1") is find("eval", "1 + 1")
    assert find("exec", "1 + 1") is None
    assert find("exec", codes["eval", "1 + 1"]) is None
