"""The built and deployed packages have the locked versions."""

from importlib.metadata import distributions
from pathlib import Path

import pytest

from cli.local.layout import Layout
from tests.template.locked import GROUPS, Lock
from tests.template.transformed import authored


def built(folder: Path) -> dict[str, str]:
    """The versions of the packages in a folder that was built."""
    return {found.name.lower().replace("_", "-"): found.version for found in distributions(path=[str(folder)])}


def for_lambda(packages: dict[str, str]) -> dict[str, str]:
    """Without what is for another platform, which the markers of the requirements leave out."""
    return {name: version for name, version in packages.items() if name != "httpx2-jsfetch"}


def test_the_built_layer_has_the_locked_versions(layout: Layout) -> None:
    found = built(layout.sam / "build" / "CommonLayer" / "python")

    assert found == for_lambda(Lock.read().layer())


@pytest.mark.parametrize("folder", GROUPS)
def test_a_built_function_has_the_locked_versions(layout: Layout, folder: str) -> None:
    (name,) = (
        name
        for name, resource in authored()["Resources"].items()
        if resource["Type"] == "AWS::Serverless::Function" and resource["Properties"]["CodeUri"] == f"{folder}/"
    )

    assert built(layout.sam / "build" / name) == for_lambda(Lock.read().function(folder))
