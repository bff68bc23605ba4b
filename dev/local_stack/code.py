"""Fingerprint of the code that the local stack runs."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

SOURCES = ("layers", "functions", "template.yaml", "samconfig.toml")
SKIPPED = ("__pycache__", ".pytest_cache", ".ruff_cache")
PAGE_SOURCES = Path("functions", "page", "src")
"""Sources of the page, which are deployed as a bundle only."""


def fingerprint(root: Path) -> str:
    """Return the hash of all inputs of a build of the checkout `root`."""
    digest = hashlib.sha256()
    for path in sorted(path for name in SOURCES for path in _files(root / name, root / PAGE_SOURCES)):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(top: Path, left_out: Path) -> Iterator[Path]:
    if top.is_file():
        yield top
    for folder, folders, names in top.walk():
        folders[:] = [name for name in folders if name not in SKIPPED and folder / name != left_out]
        yield from (folder / name for name in names if (folder / name).is_file())
