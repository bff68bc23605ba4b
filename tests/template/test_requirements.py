"""What the build installs agrees with `uv.lock`, read without uv and without a network."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.template.transformed import ROOT

LAYER = Path("layers/common/src/requirements.txt")
GROUPS: dict[str, str | None] = {
    "functions/authorizer": None,
    "functions/chat": "chat",
    "functions/page": None,
    "functions/preflight": None,
    "functions/tools/builtin": "builtin",
    "functions/tools/internal": "internal",
    "functions/tools/mock": None,
    "functions/validation": None,
}
SUPPLIED_BY_THE_RUNTIME = "boto3"


def _locked() -> dict[str, dict[str, Any]]:
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    return {package["name"]: package for package in lock["package"]}


def _closure(packages: dict[str, dict[str, Any]], direct: list[dict[str, Any]]) -> set[str]:
    """`name==version` of what `direct` needs, at any depth, without what the Lambda runtime supplies."""
    wanted: dict[str, set[str]] = {}
    queue = [(entry["name"], tuple(entry.get("extra", ()))) for entry in direct]
    while queue:
        name, extras = queue.pop()
        if name == SUPPLIED_BY_THE_RUNTIME or (name in wanted and wanted[name] >= set(extras)):
            continue
        wanted.setdefault(name, set()).update(extras)
        package = packages[name]
        needed = [*package.get("dependencies", [])]
        for extra in extras:
            needed += package["optional-dependencies"][extra]
        queue += [(entry["name"], tuple(entry.get("extra", ()))) for entry in needed]
    return {f"{name}=={packages[name]['version']}" for name in wanted}


def _committed(path: Path) -> set[str]:
    """The requirements of a file, without their markers."""
    return {line.partition(" ;")[0] for line in (ROOT / path).read_text(encoding="utf-8").splitlines()}


def test_the_layer_carries_what_flexchat_needs_beyond_the_runtime() -> None:
    packages = _locked()

    assert _committed(LAYER) == _closure(packages, packages["flexchat"]["dependencies"])


@pytest.mark.parametrize("function", GROUPS)
def test_a_function_carries_its_group_beyond_the_layer(function: str) -> None:
    packages = _locked()
    group = GROUPS[function]
    direct: list[dict[str, Any]] = packages["flexchat-service"]["dev-dependencies"][group] if group else []

    committed = _committed(Path(function) / "requirements.txt")

    assert committed == _closure(packages, direct) - _committed(LAYER)


def test_every_requirements_file_is_looked_at() -> None:
    found = {str(path.parent.relative_to(ROOT)) for path in (ROOT / "functions").rglob("requirements.txt")}

    assert found == GROUPS.keys()
