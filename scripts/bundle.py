"""Write the served files of the page, `functions/page/static`, from `functions/page/src`; `--check` compares them.

The sources run in a browser unbundled (`make page`), but each of their modules would be a request to the function. The
result is one script and one stylesheet, which are committed: a deployment needs no Node. Runs after `npm ci`, with the
standard library alone; package-lock.json pins esbuild.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "functions" / "page" / "src"
TARGET = ROOT / "functions" / "page" / "static"
ESBUILD = ROOT / "node_modules" / "esbuild" / "bin" / "esbuild"
NODE = ROOT / ".venv" / "bin" / "node"
ENTRIES = ("app.js", "style.css")
AS_THEY_ARE = ("index.html", "icon.svg", "vendor/*.txt")
OPTIONS = (
    "--bundle",
    "--format=esm",
    "--target=es2024",
    "--minify",
    "--charset=utf8",
    "--legal-comments=inline",
    "--log-level=warning",
)


class BundleError(Exception):
    """The bundle could not be written; the message is the reason."""


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: bundle.py [--check]", file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "static"
            make(made)
            if arguments:
                return check(made)
            shutil.rmtree(TARGET, ignore_errors=True)
            shutil.copytree(made, TARGET)
    except BundleError as error:
        print(f"bundle: {error}", file=sys.stderr)
        return 1
    return 0


def make(target: Path) -> None:
    """Write all served files to `target`."""
    # app.js stays as deep as its source: modules derive the API's address from `import.meta.url`.
    command = [NODE, ESBUILD, *ENTRIES, *OPTIONS, f"--outdir={target}"]
    # Names that esbuild derives begin at its working directory.
    ran = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise BundleError(ran.stderr)
    for pattern in AS_THEY_ARE:
        for path in sorted(SOURCES.glob(pattern)):
            copy = target / path.relative_to(SOURCES)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def check(made: Path) -> int:
    wanted, found = contents(made), contents(TARGET)
    wrong = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if wrong:
        print(f"bundle: not what the sources say: {', '.join(wrong)}; run `make bundle`", file=sys.stderr)
    return 1 if wrong else 0


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
