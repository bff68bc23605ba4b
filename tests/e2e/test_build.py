"""Built packages: versions, bytecode, imports on Lambda, and size."""

import base64
import hashlib
import json
import subprocess
import sys
from importlib.metadata import distributions
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path

import pytest

from cli.layout import Layout
from dev.bench.cold_start import measured, runtime
from dev.bench.packages import UNZIPPED_LIMIT_MB
from tests.template.lock import GROUPS, Lock
from tests.template.transform import authored

SMALL_MB = 55
"""Size of the chat function and the layer, in units of 1,048,576 bytes: 17 of them are the openai package."""

UNCHECKED_HASH = MAGIC_NUMBER + (1).to_bytes(4, "little")

IMPORT = """
import importlib, json, os, sys
sys.path[:0] = json.loads(sys.argv[1])
importlib.import_module(sys.argv[2])
import botocore
print(json.dumps(sorted({module.__file__ for module in list(sys.modules.values()) if getattr(module, "__file__", "")})))
"""


def functions() -> dict[str, str]:
    """Return the functions with their code folders."""
    resources = authored()["Resources"].items()
    return {name: r["Properties"]["CodeUri"] for name, r in resources if r["Type"] == "AWS::Serverless::Function"}


def handler_module(name: str) -> str:
    """Return the module of a function's handler."""
    return authored()["Resources"][name]["Properties"]["Handler"].rpartition(".")[0]


def path_on_lambda(layout: Layout, name: str) -> list[str]:
    """Return the folders of a function and of the layer in the order of the runtime's search path."""
    layer = layout.sam / "build" / "CommonLayer" / "python"
    return [str(layout.sam / "build" / name), str(layer / "lib" / "python3.13" / "site-packages"), str(layer)]


def built(folder: Path) -> dict[str, str]:
    """Return the versions of the packages in a build folder."""
    return {found.name.lower().replace("_", "-"): found.version for found in distributions(path=[str(folder)])}


def for_lambda(packages: dict[str, str]) -> dict[str, str]:
    """Omit packages whose markers exclude the Lambda platform."""
    return {name: version for name, version in packages.items() if name not in ("httpx2-jsfetch", "pywin32")}


def test_built_layer_has_the_locked_versions(layout: Layout) -> None:
    found = built(layout.sam / "build" / "CommonLayer" / "python")

    assert found == for_lambda(Lock.read().layer())


@pytest.mark.parametrize("folder", GROUPS)
def test_built_function_has_the_locked_versions_that_the_layer_lacks(layout: Layout, folder: str) -> None:
    names = [name for name, uri in functions().items() if uri == f"{folder}/"]

    lock = Lock.read()
    expected = dict(for_lambda(lock.function(folder)).items() - lock.layer().items())
    assert [built(layout.sam / "build" / name) for name in names] == [expected] * max(1, len(names))


@pytest.mark.parametrize("name", ["CommonLayer/python", *functions()])
def test_built_package_files_match_the_hashes_of_their_wheels(layout: Layout, name: str) -> None:
    """Pip compares a wheel with the lock, and the RECORD of a wheel has the hash of each file.

    The build removes only models of AWS services.
    """
    folder = layout.sam / "build" / name
    recorded = {
        (Path(str(file.locate())), file.hash.value)
        for found in distributions(path=[str(folder)])
        for file in found.files or ()
        if file.hash is not None and ".." not in file.parts
    }

    missing = {path for path, _ in recorded if not path.is_file()}
    assert [path for path in missing if not path.is_relative_to(folder / "botocore" / "data")] == []
    assert [path for path, expected in recorded if path not in missing and digest(path) != expected] == []


def test_the_layer_has_the_models_of_the_services_that_the_functions_call(layout: Layout) -> None:
    services = {
        path.name for path in (layout.sam / "build/CommonLayer/python/botocore/data").iterdir() if path.is_dir()
    }

    assert {"bedrock-agent-runtime", "bedrock-runtime", "dynamodb", "events", "lambda", "s3", "s3vectors"} < services
    assert {"secretsmanager", "sqs", "ssm"} < services
    assert "ec2" not in services


def digest(path: Path) -> str:
    """Return the SHA-256 of a file in the format of RECORD files."""
    return base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()


def test_built_modules_have_bytecode_of_their_sources(layout: Layout) -> None:
    sources = list((layout.sam / "build").resolve().rglob("*.py", recurse_symlinks=True))
    stale = [
        str(source)
        for source in sources
        if not (code := Path(cache_from_source(source))).is_file()
        or code.read_bytes()[:16] != UNCHECKED_HASH + source_hash(source.read_bytes())
    ]

    assert len(sources) > 1_000
    assert stale == []


@pytest.mark.parametrize("name", functions())
def test_function_imports_only_its_packages_and_bytecode(layout: Layout, name: str) -> None:
    """As on Lambda, the function's folder precedes the layer's in the search path, and no bytecode is written."""
    module = handler_module(name)
    path = path_on_lambda(layout, name)
    command = [sys.executable, "-I", "-S", "-B", "-v", "-c", IMPORT, json.dumps(path), module]
    done = subprocess.run(  # noqa: S603 # of this project
        command, capture_output=True, text=True, check=True, env={"FLEXCHAT_STAGE": "local"}
    )
    own = [file for file in json.loads(done.stdout) if file.startswith(str(layout.sam))]
    compiled = {line.split("'")[1] for line in done.stderr.splitlines() if line.startswith("# code object from")}

    assert [file for file in own if file.endswith("app.py")] == [f"{Path(path[0], module.replace('.', '/'))}.py"]
    assert [file for file in own if "/botocore/" in file and not file.startswith(path[2])] == []
    assert [file for file in own if file.endswith(".py") and cache_from_source(file) not in compiled] == []
    assert not [line for line in done.stderr.splitlines() if line.startswith("# wrote")]


def test_function_and_layer_are_within_the_size_limit_of_lambda(layout: Layout) -> None:
    sizes = package_sizes(layout)

    layer = sizes.pop("CommonLayer")
    assert {name: round(size + layer) for name, size in sizes.items() if size + layer > UNZIPPED_LIMIT_MB} == {}


def test_the_chat_function_and_its_layer_are_small(layout: Layout) -> None:
    """A cold start reads them. A growth beyond this needs a reason, not a larger number."""
    sizes = package_sizes(layout)

    assert sizes["ChatFunction"] + sizes["CommonLayer"] < SMALL_MB


def package_sizes(layout: Layout) -> dict[str, float]:
    """Return the unzipped size of each package of the build in MB, by name."""
    return {
        path.name: sum(file.stat().st_size for file in path.resolve().rglob("*") if file.is_file()) / 1_048_576
        for path in (layout.sam / "build").iterdir()
        if path.is_dir()
    }


def test_first_chat_of_a_restored_snapshot_imports_nothing(layout: Layout) -> None:
    with runtime() as folder:
        start = measured(layout.sam / "build", folder, restored=True, runs=1)

    assert start.imported == ()
