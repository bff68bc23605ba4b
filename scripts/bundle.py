"""Write the served files of the page, `functions/page/static`, from `functions/page/src`; `--check` compares them.

The sources run in a browser unbundled (`make page`), but each of their modules would be a request to the function. The
result is one script, one stylesheet, and the modules that the page loads on demand; the names of these modules have
hashes of their contents. All are committed: a deployment needs no Node. Runs after `npm ci`, with the
standard library alone; package-lock.json pins esbuild.
"""

import re
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
MODULES = "modules"
OPTIONS = (
    "--bundle",
    "--splitting",
    f"--chunk-names={MODULES}/[name]-[hash]",
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
    merge_first_load(target)
    for pattern in AS_THEY_ARE:
        for path in sorted(SOURCES.glob(pattern)):
            copy = target / path.relative_to(SOURCES)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def merge_first_load(target: Path) -> None:
    """Replace `app.js`, which only imports the chunk that it shares with a module on demand, by this chunk.

    A first visit is thus one request for scripts, and a module on demand is one more: it imports `app.js`.
    """
    script, modules = target / "app.js", sorted((target / MODULES).iterdir())
    chunks = [path for path in modules if path.name.startswith("chunk-")]
    if len(chunks) != 1 or not re.fullmatch(r'import"[^"]+";\s*', script.read_text("utf-8")):
        names = ", ".join(path.name for path in chunks)
        raise BundleError(f"app.js must be one import of one chunk, and the chunks are: {names or 'none'}")
    (chunk,) = chunks
    text = chunk.read_text("utf-8")
    chunk.unlink()
    for path in modules:
        if path != chunk:
            text = text.replace(f'"./{path.name}"', f'"./{MODULES}/{path.name}"')
            path.write_text(path.read_text("utf-8").replace(f'"./{chunk.name}"', '"../app.js"'), "utf-8")
    script.write_text(text, "utf-8")


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
