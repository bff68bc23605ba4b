"""BFCL's published data and its own checker, out of its wheel, which is fetched once and kept out of the repository."""

import importlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from flexchat.messages import Json

VERSION = "2026.3.23"
LOCAL = Path(__file__).parents[2] / ".local"
CACHE = LOCAL / "cache" / "bfcl"

_CHECKER = (
    "bfcl_eval/__init__.py",
    "bfcl_eval/constants/__init__.py",
    "bfcl_eval/constants/enums.py",
    "bfcl_eval/constants/type_mappings.py",
    "bfcl_eval/eval_checker/",
)

_MODEL_CONFIG = "class _Model:\n    underscore_to_dot = False\n\n\nMODEL_CONFIG_MAPPING = {'any': _Model}\n"
"""Instead of BFCL's own, which needs the clients of all providers; it says only how a model writes names."""

type Calls = Sequence[tuple[str, Mapping[str, Json]]]
type Checker = Callable[[list[Any], Calls, list[Any], str], bool]


def wheel() -> Path:
    """The wheel, fetched where it is not there yet; skips the test where it cannot be had."""
    found = sorted(CACHE.glob(f"bfcl_eval-{VERSION}-*.whl"))
    if found:
        return found[0]
    pip = _pip()
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        command = [*pip, "download", "--quiet", "--no-deps", "--dest", folder, f"bfcl-eval=={VERSION}"]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 # a command of ours
        if done.returncode:
            pytest.skip(f"BFCL's data cannot be fetched: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}")
        fetched = next(Path(folder).glob("*.whl"))
        return fetched.replace(CACHE / fetched.name)


def _pip() -> list[str]:
    """The command pip, as uv runs it: the bootstrap left one on the machine, which need not have a pip of its own."""
    uv = shutil.which("uv") or shutil.which(LOCAL / "uv" / "bin" / "uv")
    if uv is not None:
        return [uv, "tool", "run", "--quiet", "pip"]
    pip = shutil.which("pip")
    if pip is None:
        pytest.skip("BFCL's data cannot be fetched: there is neither uv nor pip")
    return [pip]


def data(target: Path) -> Path:
    """The folder of BFCL's files, unpacked into `target`."""
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
    """BFCL's own AST checker: whether calls are right, by its functions, its answers and its category."""
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
