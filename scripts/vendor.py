"""Copy the page's libraries from `node_modules` to `functions/page/src/vendor`; with `--check` compare them.

Runs with the standard library alone, after `npm ci`. The copies are the published ES modules with relative instead of
bare specifiers, which a browser resolves without an import map, and without links to source maps, which are not
shipped. A library of several modules, or of CommonJS, is bundled into one ES module. Beside each module are its types,
one line with the package's own, and the licences of its packages.
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "node_modules"
ESBUILD = PACKAGES / "esbuild" / "bin" / "esbuild"
NODE = ROOT / ".venv" / "bin" / "node"
BUNDLING = ("--bundle", "--format=esm", "--target=es2024", "--minify", "--charset=utf8", "--legal-comments=none")
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


@dataclass(frozen=True)
class Bundle:
    """One ES module of several packages: the text of its entry module, and its name here."""

    packages: tuple[str, ...]
    entry: str
    name: str
    types: str


MODES = (
    ("clike", "c, clike, cpp, csharp, dart, java, kotlin, objectiveC, scala"),
    ("clojure", "clojure"),
    ("css", "css, less, sCSS"),
    ("diff", "diff"),
    ("dockerfile", "dockerFile"),
    ("go", "go"),
    ("groovy", "groovy"),
    ("haskell", "haskell"),
    ("http", "http"),
    ("javascript", "javascript, json, typescript"),
    ("julia", "julia"),
    ("lua", "lua"),
    ("nginx", "nginx"),
    ("perl", "perl"),
    ("powershell", "powerShell"),
    ("properties", "properties"),
    ("protobuf", "protobuf"),
    ("python", "python"),
    ("r", "r"),
    ("ruby", "ruby"),
    ("rust", "rust"),
    ("shell", "shell"),
    ("sql", "standardSQL"),
    ("stex", "stex"),
    ("swift", "swift"),
    ("toml", "toml"),
    ("xml", "html, xml"),
    ("yaml", "yaml"),
)
"""Modes of CodeMirror with their exports: they yield the tokens of a text line by line."""

SYNTAX = "\n".join(
    (
        'export { StringStream } from "@codemirror/streamparser";',
        *(f'export {{ {names} }} from "@codemirror/legacy-modes/mode/{mode}";' for mode, names in MODES),
    )
)

OAUTH = """export {
  None,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  revocationRequest,
  validateAuthResponse,
} from "oauth4webapi";"""
"""Parts of oauth4webapi for a public client."""

BUNDLES = (
    Bundle(
        ("@codemirror/legacy-modes", "@codemirror/streamparser"),
        SYNTAX,
        "syntax",
        SYNTAX + "\n",
    ),
    Bundle(
        ("temml",),
        'export { default } from "temml";',
        "temml",
        "declare const temml: { render(tex: string, node: HTMLElement, options: object): void };\n"
        "export default temml;\n",
    ),
    Bundle(("oauth4webapi",), OAUTH, "oauth4webapi", OAUTH + "\n"),
)
"""Libraries that the page loads when it needs them."""

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
    packages = [module.package for module in MODULES] + [package for bundle in BUNDLES for package in bundle.packages]
    versions = {package: locked[f"node_modules/{package}"]["version"] for package in packages}
    for package, version in versions.items():
        installed = manifest(package).get("version")
        if installed != version:
            raise VendorError(f"{package} {version} is locked and {installed} is installed: run `make vendor`")
    return versions


def files(versions: dict[str, str]) -> dict[str, str]:
    """Return every file of the vendor folder by name."""
    wanted: dict[str, str] = {}
    for module in MODULES:
        wanted |= licence(module.package)
        source = (PACKAGES / module.package / module.path).read_text(encoding="utf-8")
        wanted[f"{module.name}.js"] = notice(module.package, module.specifier, versions) + local(source)
        wanted[f"{module.name}.d.ts"] = module.types
    for bundle in BUNDLES:
        notices = ""
        for package in bundle.packages:
            wanted |= licence(package)
            notices += notice(package, package, versions)
        wanted[f"{bundle.name}.js"] = notices + bundled(bundle)
        wanted[f"{bundle.name}.d.ts"] = bundle.types
    return wanted


def licence(package: str) -> dict[str, str]:
    folder = PACKAGES / package
    names = ("LICENSE", "license", "LICENSE.md")
    path = next(path for name in names if (path := folder / name).is_file())
    return {licence_name(package): path.read_text(encoding="utf-8")}


def licence_name(package: str) -> str:
    return f"LICENSE.{package.removeprefix('@').replace('/', '-')}.txt"


def notice(package: str, specifier: str, versions: dict[str, str]) -> str:
    """Return a comment that minifiers keep, with the version and the licence of a package."""
    return f"/*! {specifier} {versions[package]}, {manifest(package)['license']}: see {licence_name(package)} */\n"


def bundled(bundle: Bundle) -> str:
    """Return a bundle as one minified ES module. Raises VendorError where it cannot be made."""
    command = [NODE, ESBUILD, *BUNDLING]
    ran = subprocess.run(command, input=bundle.entry, cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise VendorError(ran.stderr)
    return ran.stdout.rstrip() + "\n"


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
