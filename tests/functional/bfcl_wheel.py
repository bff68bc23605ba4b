"""Published data and checker of BFCL, from the wheel that `make bfcl` fetches."""

import importlib
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from flexchat.messages import Json

CACHE = Path(__file__).parents[2] / ".local" / "cache" / "bfcl"

_CHECKER = (
    "bfcl_eval/__init__.py",
    "bfcl_eval/constants/__init__.py",
    "bfcl_eval/constants/enums.py",
    "bfcl_eval/constants/type_mappings.py",
    "bfcl_eval/eval_checker/",
)

_MODEL_CONFIG = "class _Model:\n    underscore_to_dot = False\n\n\nMODEL_CONFIG_MAPPING = {'any': _Model}\n"
"""Replacement for BFCL's module of model settings, which imports the clients of all providers; it defines the format of
names only."""

type Calls = Sequence[tuple[str, Mapping[str, Json]]]
type Checker = Callable[[list[Any], Calls, list[Any], str], bool]


def wheel() -> Path:
    """Return the path of the wheel."""
    found = sorted(CACHE.glob("bfcl_eval-*.whl"))
    assert found, "BFCL's data is not here; fetch it with `make bfcl`"
    return found[-1]


def data(target: Path) -> Path:
    """Unpack the data files into `target` and return their folder."""
    with zipfile.ZipFile(wheel()) as archive:
        archive.extractall(
            target,
            [
                name
                for name in archive.namelist()
                if name.startswith(("bfcl_eval/data/BFCL_v4_", "bfcl_eval/data/possible_answer/"))
            ],
        )
    return target / "bfcl_eval" / "data"


def checker(target: Path, monkeypatch: pytest.MonkeyPatch) -> Checker:
    """Return true for calls that BFCL's AST checker accepts, by functions, answers and category."""
    with zipfile.ZipFile(wheel()) as archive:
        archive.extractall(target, [name for name in archive.namelist() if name.startswith(_CHECKER)])
    (target / "bfcl_eval" / "constants" / "model_config.py").write_text(_MODEL_CONFIG)
    monkeypatch.setattr(sys, "path", [str(target), *sys.path])
    module = importlib.import_module("bfcl_eval.eval_checker.ast_eval.ast_checker")
    python = importlib.import_module("bfcl_eval.constants.enums").Language.PYTHON

    def is_right(functions: list[Any], calls: Calls, answers: list[Any], category: str) -> bool:
        made = [{name: dict(arguments)} for name, arguments in calls]
        return bool(module.ast_checker(functions, made, answers, python, category, "any")["valid"])

    return is_right
