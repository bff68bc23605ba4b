"""Compile a finished SAM build: `python3.13 scripts/compile.py .aws-sam/build`.

Each `.py` file of the layer and the functions gets a `.pyc`. Without them Lambda would compile every import of every
cold start, as a package lies in a folder that cannot be written. SAM's packages have no timestamps, so the files are of
the kind "unchecked hash", which none invalidates (https://docs.python.org/3.13/reference/import.html#pyc-invalidation).
The same source has the same bytecode: unchanged code keeps its package, and so its version and its snapshot.
"""

import shutil
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from py_compile import PycInvalidationMode, PyCompileError
from py_compile import compile as compile_file

RUNTIME = (3, 13)
"""The `Runtime` of template.yaml: bytecode is for one minor version of Python."""

TASK, LAYER = Path("/var/task"), Path("/opt")
"""The folders into which Lambda unpacks a function and a layer."""

HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little")
"""The beginning of such a file: Python's magic number and the flags. The hash of its source follows."""


def main(build: Path) -> int:
    if sys.version_info[:2] != RUNTIME:
        print(f"run this with Python {RUNTIME[0]}.{RUNTIME[1]}, the functions' runtime, not {sys.version.split()[0]}")
        return 1
    if not (build / "template.yaml").is_file():
        print(f"there is no build in {str(build)!r}; run `sam build` first")
        return 1
    problems = [problem for path in sorted(build.iterdir()) if path.is_dir() for problem in compile_package(path)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


def compile_package(package: Path) -> list[str]:
    """Bring the bytecode of one folder of the build up to date; returns what cannot be compiled."""
    unpacked = LAYER if (package / "python").is_dir() else TASK
    problems: list[str] = []
    compiled: set[Path] = set()
    for source in package.rglob("*.py"):
        target = Path(cache_from_source(source))
        compiled.add(target)
        if is_current(target, source):
            continue
        try:
            compile_file(
                str(source),
                cfile=str(target),
                dfile=str(unpacked / source.relative_to(package)),
                doraise=True,
                invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
            )
        except PyCompileError as error:
            problems.append(error.msg.strip())
    for cache in package.rglob("__pycache__"):
        remove_others(cache, compiled)
    return problems


def is_current(target: Path, source: Path) -> bool:
    """True for bytecode of this very source, which no loader compares with it."""
    if not target.is_file():
        return False
    return target.read_bytes()[:16] == HEADER + source_hash(source.read_bytes())


def remove_others(cache: Path, compiled: set[Path]) -> None:
    """Remove the bytecode of a source that is gone, or of another version of Python."""
    for path in cache.iterdir():
        if path not in compiled:
            path.unlink()
    if not any(cache.iterdir()):
        shutil.rmtree(cache)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
