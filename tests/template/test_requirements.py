"""Agreement of the built packages with `uv.lock`, checked without uv and without a network."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from cli.deployment.sam import package_locks
from tests.template.locked import GROUPS, LAYER, ROOT, Lock, Requirement, committed


@pytest.fixture(scope="module")
def lock() -> Lock:
    return Lock.read()


def test_the_layer_carries_what_flexchat_needs(lock: Lock) -> None:
    assert versions(committed(LAYER)) == lock.layer()


@pytest.mark.parametrize("function", GROUPS)
def test_a_function_carries_its_group_and_all_that_it_needs(lock: Lock, function: str) -> None:
    assert versions(committed(Path(function))) == lock.function(function)


@pytest.mark.parametrize("folder", [LAYER, *map(Path, GROUPS)], ids=str)
def test_every_package_has_the_hashes_of_its_files_in_the_lock(lock: Lock, folder: Path) -> None:
    found = {requirement.name: requirement.hashes for requirement in committed(folder)}

    assert found == {name: lock.hashes(name) for name in found}
    assert all(found.values())


@pytest.mark.parametrize("function", GROUPS)
def test_a_function_has_the_version_of_what_the_layer_has_too(function: str) -> None:
    layer, own = versions(committed(LAYER)), versions(committed(Path(function)))

    assert {name: own[name] for name in own.keys() & layer.keys()} == {
        name: layer[name] for name in own.keys() & layer.keys()
    }


def test_the_layer_carries_the_boto_that_the_tests_use() -> None:
    """The runtime includes an older version, which AWS may change without a deployment."""
    layer = versions(committed(LAYER))
    project = (ROOT / "layers/common/pyproject.toml").read_text("utf-8")
    floors = dict(re.findall(r'"(boto3|botocore)>=([\d.]+)"', project))

    assert floors == {name: version(name) for name in ("boto3", "botocore")}
    assert floors == {name: layer[name] for name in ("boto3", "botocore")}


def test_every_requirements_file_is_looked_at() -> None:
    found = {str(path.parent.relative_to(ROOT)) for path in (ROOT / "functions").rglob("requirements.txt")}

    assert found == GROUPS.keys()


def test_the_build_compares_wheels_of_another_processor_with_the_locks_too() -> None:
    expected = {f"{folder}/requirements.txt" for folder in (LAYER, *GROUPS)}

    assert set(package_locks(ROOT).split()) == expected


def versions(requirements: tuple[Requirement, ...]) -> dict[str, str]:
    return {requirement.name: requirement.version for requirement in requirements}
