"""Agreement of the built packages with `uv.lock`, checked without uv and without a network."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from cli.deployment.sam import package_locks
from tests.template.lock import GROUPS, LAYER, ROOT, Lock, Requirement, committed


@pytest.fixture(scope="module")
def lock() -> Lock:
    return Lock.read()


def test_the_layer_contains_the_packages_flexchat_imports(lock: Lock) -> None:
    assert versions(committed(LAYER)) == lock.layer()


@pytest.mark.parametrize("function", GROUPS)
def test_a_function_package_contains_its_dependency_group_with_all_dependencies(lock: Lock, function: str) -> None:
    assert versions(committed(Path(function))) == lock.function(function)


@pytest.mark.parametrize("folder", [LAYER, *map(Path, GROUPS)], ids=str)
def test_every_package_has_the_file_hashes_of_the_lock(lock: Lock, folder: Path) -> None:
    found = {requirement.name: requirement.hashes for requirement in committed(folder)}

    assert found == {name: lock.hashes(name) for name in found}
    assert all(found.values())


@pytest.mark.parametrize("function", GROUPS)
def test_packages_shared_with_the_layer_have_the_same_version(function: str) -> None:
    layer, own = versions(committed(LAYER)), versions(committed(Path(function)))

    assert {name: own[name] for name in own.keys() & layer.keys()} == {
        name: layer[name] for name in own.keys() & layer.keys()
    }


def test_the_layer_contains_the_boto_version_of_the_tests() -> None:
    """The runtime includes an older version, which AWS may change without a deployment."""
    layer = versions(committed(LAYER))
    project = (ROOT / "layers/common/pyproject.toml").read_text("utf-8")
    floors = dict(re.findall(r'"(boto3|botocore)>=([\d.]+)"', project))

    assert floors == {name: version(name) for name in ("boto3", "botocore")}
    assert floors == {name: layer[name] for name in ("boto3", "botocore")}


def test_every_requirements_file_is_checked() -> None:
    found = {str(path.parent.relative_to(ROOT)) for path in (ROOT / "functions").rglob("requirements.txt")}

    assert found == GROUPS.keys()


def test_wheels_of_another_processor_are_checked_against_the_locks_too() -> None:
    expected = {f"{folder}/requirements.txt" for folder in (LAYER, *GROUPS)}

    assert set(package_locks(ROOT).split()) == expected


def versions(requirements: tuple[Requirement, ...]) -> dict[str, str]:
    return {requirement.name: requirement.version for requirement in requirements}
