"""Copy the page's libraries from `node_modules` to `functions/page/src/vendor`; with `--check` compare them.

Runs with the standard library alone, after `npm ci`. The copies are the published ES modules with relative instead of
bare specifiers, which a browser resolves without an import map, and without links to source maps, which are not
shipped. Beside each module are its types, one line with the package's own, and its licence.
"""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "node_modules"
TARGET = ROOT / "functions" / "page" / "src" / "vendor"
SPECIFIER = re.compile(r"""(\b(?:from|import)\s*)(["'])([a-z@][^"']*)\2""")
SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*\n?", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    """ES module of a package: its specifier, its path in the package, and its name here."""

    specifier: str
    package: str
    path: str
    name: str
    types: str


MODULES = (
    Module("preact", "preact", "dist/preact.mjs", "preact", 'export * from "preact";\n'),
    Module("preact/hooks", "preact", "hooks/dist/hooks.mjs", "hooks", 'export * from "preact/hooks";\n'),
    Module("htm", "htm", "dist/htm.module.js", "htm", 'export { default } from "htm";\n'),
)
LOCAL = {module.specifier: f"./{module.name}.js" for module in MODULES}


class VendorError(Exception):
    """The installed packages differ from the lock file; the message names the remedy."""


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: vendor.py [--check]", file=sys.stderr)
        return 2
    try:
        wanted = files(locked_versions())
    except VendorError as error:
        print(f"vendor: {error}", file=sys.stderr)
        return 1
    if arguments:
        return check(wanted)
    TARGET.mkdir(parents=True, exist_ok=True)
    for path in TARGET.iterdir():
        path.unlink()
    for name, text in wanted.items():
        (TARGET / name).write_text(text, encoding="utf-8")
    return 0


def locked_versions() -> dict[str, str]:
    """Return the locked version of each package. Raises VendorError where another one is installed."""
    locked = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    versions = {module.package: locked[f"node_modules/{module.package}"]["version"] for module in MODULES}
    for package, version in versions.items():
        installed = manifest(package).get("version")
        if installed != version:
            raise VendorError(f"{package} {version} is locked and {installed} is installed: run `make vendor`")
    return versions


def files(versions: dict[str, str]) -> dict[str, str]:
    """Return every file of the vendor folder by name."""
    wanted: dict[str, str] = {}
    for module in MODULES:
        folder = PACKAGES / module.package
        licence = f"LICENSE.{module.package}.txt"
        wanted[licence] = (folder / "LICENSE").read_text(encoding="utf-8")
        terms = manifest(module.package)["license"]
        banner = f"/*! {module.specifier} {versions[module.package]}, {terms}: see {licence} */\n"
        wanted[f"{module.name}.js"] = banner + local((folder / module.path).read_text(encoding="utf-8"))
        wanted[f"{module.name}.d.ts"] = module.types
    return wanted


def manifest(package: str) -> dict[str, str]:
    path = PACKAGES / package / "package.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def local(source: str) -> str:
    """Return the module with relative specifiers and no source map. Raises VendorError where one is not vendored."""

    def replaced(match: re.Match[str]) -> str:
        before, quote, specifier = match.groups()
        if specifier not in LOCAL:
            raise VendorError(f"a vendored module imports {specifier!r}, which is not vendored: add it to MODULES")
        return f"{before}{quote}{LOCAL[specifier]}{quote}"

    return SPECIFIER.sub(replaced, SOURCE_MAP.sub("", source)).rstrip() + "\n"


def check(wanted: dict[str, str]) -> int:
    found = {path.name: path.read_text(encoding="utf-8") for path in TARGET.iterdir()} if TARGET.is_dir() else {}
    wrong = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if wrong:
        print(f"vendor: not what package-lock.json names: {', '.join(wrong)}; run `make vendor`", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
