"""The packages that `uv.lock` names for the layer and for each function, and those of their requirements.txt."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flexchat.tool_types import TOOL_TYPES
from tests.template.transform import ROOT

LAYER = Path("layers/common/src")

GROUPS: dict[str, str | None] = {
    "functions": "configuration",
    "functions/authorizer": "authorizer",
    "functions/chat": "chat",
    "functions/page": None,
    "functions/traces": "traces",
    "functions/validation": None,
    **{row.folder: row.requirements for row in TOOL_TYPES.values()},
}
"""The functions by their folder, each with the dependency group that it carries."""

_HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One package of a requirements.txt, without its marker."""

    name: str
    version: str
    hashes: frozenset[str]


def committed(folder: Path) -> tuple[Requirement, ...]:
    """The requirements.txt of a folder."""
    text = (ROOT / folder / "requirements.txt").read_text(encoding="utf-8")
    entries = [" ".join(entry.split()) for entry in text.replace("\\\n", " ").splitlines() if entry.strip()]
    return tuple(_requirement(entry) for entry in entries)


def _requirement(entry: str) -> Requirement:
    pinned = re.match(r"([a-z0-9.-]+)==([^ ;]+)", entry)
    assert pinned is not None, f"not pinned: {entry}"
    return Requirement(pinned[1], pinned[2], frozenset(_HASH.findall(entry)))


@dataclass(frozen=True, slots=True)
class Lock:
    """The packages of `uv.lock` by name."""

    packages: dict[str, dict[str, Any]]

    @classmethod
    def read(cls) -> "Lock":
        lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
        return cls({package["name"]: package for package in lock["package"]})

    def layer(self) -> dict[str, str]:
        """Versions of the packages in the layer."""
        return self._closure(self.packages["flexchat"]["dependencies"])

    def function(self, folder: str) -> dict[str, str]:
        """Versions of the packages in a function."""
        group = GROUPS[folder]
        return self._closure(self.packages["flexchat-service"]["dev-dependencies"][group]) if group else {}

    def hashes(self, name: str) -> frozenset[str]:
        """The hashes of a package's files: its wheels and its source."""
        package = self.packages[name]
        files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        return frozenset(file["hash"] for file in files)

    def _closure(self, direct: list[dict[str, Any]]) -> dict[str, str]:
        """Return `direct` and its transitive dependencies."""
        wanted: dict[str, set[str]] = {}
        queue = [(entry["name"], tuple(entry.get("extra", ()))) for entry in direct]
        while queue:
            name, extras = queue.pop()
            if name in wanted and wanted[name] >= set(extras):
                continue
            wanted.setdefault(name, set()).update(extras)
            package = self.packages[name]
            needed = [*package.get("dependencies", [])]
            for extra in extras:
                needed += package["optional-dependencies"][extra]
            queue += [(entry["name"], tuple(entry.get("extra", ()))) for entry in needed]
        return {name: self.packages[name]["version"] for name in wanted}
