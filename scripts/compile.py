"""Compile a finished SAM build: `python3.13 scripts/compile.py .aws-sam/build`.

First, each function loses the packages that the layer has with the same files: SAM's builder installs them in both.
Then botocore loses its models of the AWS services that no source of the project names, and Powertools the files of a
web page that no function serves.

Each `.py` file of the layer and the functions gets a `.pyc`. Without them Lambda would compile every import of every
cold start, because the folder of a package is read-only. SAM's packages have no timestamps, so the files are of the
kind "unchecked hash", which is never invalidated (https://docs.python.org/3.13/reference/import.html#pyc-invalidation).
The same source has the same bytecode: unchanged code has the same package, version and snapshot.
"""

import csv
import re
import shutil
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from py_compile import PycInvalidationMode, PyCompileError
from py_compile import compile as compile_file

RUNTIME = (3, 13)
"""The `Runtime` of template.yaml: bytecode is for one minor version of Python."""

TASK, LAYER = Path("/var/task"), Path("/opt")
"""Folders into which Lambda unpacks a function and a layer."""

HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little")
"""First bytes of such a file: Python's magic number and the flags. The hash of its source follows."""

STRING = re.compile(r"""["']([a-z0-9-]+)["']""")
"""A string that may be the name of an AWS service."""


def main(build: Path) -> int:
    if sys.version_info[:2] != RUNTIME:
        print(f"run this with Python {RUNTIME[0]}.{RUNTIME[1]}, the functions' runtime, not {sys.version.split()[0]}")
        return 1
    if not (build / "template.yaml").is_file():
        print(f"there is no build in {str(build)!r}; run `sam build` first")
        return 1
    remove_packages_of_layers(build)
    remove_unused_services(build)
    remove_swagger_page(build)
    problems = [problem for path in sorted(build.iterdir()) if path.is_dir() for problem in compile_package(path)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


def remove_packages_of_layers(build: Path) -> None:
    """Remove the packages of each function that a layer of the build has as well, from the same wheel."""
    installed = {info.name: (info / "RECORD").read_bytes() for info in build.glob("*/python/*.dist-info")}
    for info in build.glob("*/*.dist-info"):
        record = (info / "RECORD").read_bytes()
        if installed.get(info.name) == record:
            remove_files(info.parent, [row[0] for row in csv.reader(record.decode().splitlines())])


def remove_unused_services(build: Path) -> None:
    """Remove botocore's models of the AWS services that no string of the project's sources names.

    They are 20 of the layer's 50 MB. A source names the service of its client: `create_client("sqs")`.
    """
    sources = [*build.glob("*/functions/**/*.py"), *build.glob("*/python/flexchat/**/*.py")]
    named = {name for source in sources for name in STRING.findall(source.read_text("utf-8"))}
    for service in [*build.glob("*/botocore/data/*/"), *build.glob("*/python/botocore/data/*/")]:
        if service.name not in named:
            shutil.rmtree(service)


def remove_swagger_page(build: Path) -> None:
    """Remove the script and the stylesheet of Powertools' Swagger page, 1.7 MB that only `enable_swagger` reads."""
    for folder in build.glob("*/python/aws_lambda_powertools/event_handler/openapi/swagger_ui/"):
        for file in [*folder.glob("*.js"), *folder.glob("*.css")]:
            file.unlink()


def remove_files(package: Path, names: list[str]) -> None:
    """Remove files, their bytecode, and the folders that are empty then."""
    files = [package / name for name in names if ".." not in Path(name).parts]
    for file in files:
        file.unlink(missing_ok=True)
        if file.suffix == ".py":
            Path(cache_from_source(file)).unlink(missing_ok=True)
    folders = {folder for file in files for folder in (file.parent, file.parent / "__pycache__", *file.parents)}
    for folder in sorted(folders, key=lambda path: len(path.parts), reverse=True):
        if folder.is_dir() and folder.is_relative_to(package) and not any(folder.iterdir()):
            folder.rmdir()


def compile_package(package: Path) -> list[str]:
    """Update the bytecode of one folder of the build; return the files that cannot be compiled."""
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
    """Return true for bytecode of this source, without a check by the loader."""
    if not target.is_file():
        return False
    return target.read_bytes()[:16] == HEADER + source_hash(source.read_bytes())


def remove_others(cache: Path, compiled: set[Path]) -> None:
    """Remove bytecode of deleted sources and of other versions of Python."""
    for path in cache.iterdir():
        if path not in compiled:
            path.unlink()
    if not any(cache.iterdir()):
        shutil.rmtree(cache)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
