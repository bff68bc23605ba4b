"""Compile a finished SAM build: `python3.13 scripts/compile.py .aws-sam/build`.

First, each function loses the packages that the layer has with the same files: SAM's builder installs them in both.
Then botocore loses its models of the AWS services that no source of the project names.

Each `.py` file of the layer and the functions gets a `.pyc`. Without them Lambda would compile every import of every
cold start, because the folder of a package is read-only. SAM's packages have no timestamps, so the files are of the
kind "unchecked hash", which is never invalidated (https://docs.python.org/3.13/reference/import.html#pyc-invalidation).
The same source has the same bytecode: unchanged code has the same package, version and snapshot.

Last, the layer gets the bytecode of the text that the standard library generates in the imports of the functions
(`flexchat.generated_code`). The texts are those of imports on this machine, from the sources and the packages of the
Python that runs this script: packages for another processor cannot be imported here.
"""

import csv
import json
import marshal
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from py_compile import PycInvalidationMode, PyCompileError
from py_compile import compile as compile_file

ROOT = Path(__file__).parent.parent

RUNTIME = (3, 13)
"""The `Runtime` of template.yaml: bytecode is for one minor version of Python."""

TASK, LAYER = Path("/var/task"), Path("/opt")
"""Folders into which Lambda unpacks a function and a layer."""

HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little")
"""First bytes of such a file: Python's magic number and the flags. The hash of its source follows."""

STRING = re.compile(r"""["']([a-z0-9-]+)["']""")
"""A string that may be the name of an AWS service."""

RECORD = """
import sys
sys.path[:0] = sys.argv[1].split(":")
from importlib import import_module
from flexchat import generated_code
asked = set()
for handler in sys.argv[2:]:
    generated_code.install(lambda mode, text: asked.add((mode, text)))
    import_module(handler)
import json
texts = sorted((mode, text) for mode, text in asked if isinstance(text, str))
print(json.dumps({"file": generated_code.FILE.name, "texts": texts}))
"""
"""Prints the texts that handlers' imports compile, and the name of the file for their code.

A handler uninstalls the recording at its end.
"""


def main(build: Path) -> int:
    if sys.version_info[:2] != RUNTIME:
        print(f"run this with Python {RUNTIME[0]}.{RUNTIME[1]}, the functions' runtime, not {sys.version.split()[0]}")
        return 1
    if not (build / "template.yaml").is_file():
        print(f"there is no build in {str(build)!r}; run `sam build` first")
        return 1
    remove_packages_of_layers(build)
    remove_unused_services(build)
    problems = [problem for path in sorted(build.iterdir()) if path.is_dir() for problem in compile_package(path)]
    for module in build.glob("*/python/flexchat/generated_code.py"):
        problems += compile_texts(build, module.parent)
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


def compile_texts(build: Path, folder: Path) -> list[str]:
    """Write the bytecode of generated text into `folder`; return the reason if the handlers cannot be imported."""
    files = [path.relative_to(build).with_suffix("") for path in build.glob("*/functions/**/app.py")]
    handlers = sorted(".".join(file.parts[1:]) for file in files)
    path = ":".join(map(str, (ROOT, ROOT / "layers/common/src", sysconfig.get_path("purelib"))))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", RECORD, path, *handlers],
        env={**os.environ, "FLEXCHAT_STAGE": "build", "PYDANTIC_DISABLE_PLUGINS": "__all__"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2]
        return [f"a handler cannot be imported with {sys.executable}, which needs the project's packages: {reason}"]
    recorded = json.loads(done.stdout)
    codes = {
        (mode, text): marshal.dumps(compile(text, "<string>", mode, dont_inherit=True))
        for mode, text in recorded["texts"]
    }
    (folder / recorded["file"]).write_bytes(marshal.dumps(codes))
    return []


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
