"""Built packages: the newest build, and the sizes of its functions and its layer."""

import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dev.bench.services import ROOT

BUILDS = (ROOT / ".aws-sam" / "build", ROOT / ".local" / "sam" / "build")
"""Build folders of `make build` and `make up`."""

UNZIPPED_LIMIT_MB = 250
"""Limit of a function with its layers (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html)."""


def newest_build() -> Path | None:
    """Return the newest build folder, None without one."""
    builds = [build for build in BUILDS if (build / "template.yaml").is_file()]
    if not builds:
        print("\nNo build was found; run `make build` or `make up` first")
        return None
    return max(builds, key=lambda path: (path / "template.yaml").stat().st_mtime)


def report() -> dict[str, Any] | None:
    """Print the sizes of the newest build's packages and return them."""
    if (build := newest_build()) is None:
        return None
    print("\nSizes of the packages in MB, and of a function with its layer as a share of Lambda's limit")
    print(f"{'package':24}{'unzipped':>10}{'bytecode':>10}{'zip':>8}{'of limit':>10}")
    rows = sizes(build)
    for row in rows:
        share = f"{row.share:10.0%}" if row.share is not None else ""
        print(f"{row.name:24}{row.unzipped:10.1f}{row.bytecode:10.1f}{row.zipped:8.1f}{share}")
    return {row.name: row for row in rows}


@dataclass(frozen=True, slots=True)
class Size:
    """Return the size of a package in MB; `share` is its part of the combined limit, `None` for a layer."""

    name: str
    unzipped: float
    bytecode: float
    zipped: float
    share: float | None


def sizes(build: Path) -> list[Size]:
    """Return the sizes of a build's packages, the layer first."""
    folders = sorted((path for path in build.iterdir() if path.is_dir()), key=lambda path: (path / "python").is_dir())
    layer = sum(_unzipped(path) for path in folders if (path / "python").is_dir())
    return [
        Size(
            name=path.name,
            unzipped=_unzipped(path),
            bytecode=_unzipped(path, "*.pyc"),
            zipped=_zipped(path),
            share=None if (path / "python").is_dir() else (_unzipped(path) + layer) / UNZIPPED_LIMIT_MB,
        )
        for path in reversed(folders)
    ]


def _unzipped(folder: Path, pattern: str = "*") -> float:
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file()) / 1_048_576


def _zipped(folder: Path) -> float:
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                archive.write(path, path.relative_to(folder))
        return file.tell() / 1_048_576
