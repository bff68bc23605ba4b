"""Bytecode of a build: complete, used without reading the source, and reproducible. Packages are not built twice."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A build of one function and one layer."""
    (tmp_path / "template.yaml").touch()
    for path, text in {
        "ChatFunction/functions/chat/app.py": "ANSWER = 'compiled'\n",
        "ChatFunction/openai.py": "import json\n",
        "CommonLayer/python/flexchat/errors.py": "class ConfigError(Exception):\n    pass\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def compiled(build: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts" / "compile.py", build]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603


def bytecode(build: Path) -> dict[str, bytes]:
    return {str(path.relative_to(build)): path.read_bytes() for path in build.rglob("*.pyc")}


def imported(build: Path, module: str, expression: str) -> str:
    """The value of an expression in a process that finds modules in the function's folder and cannot write there."""
    script = f"import sys; sys.path.insert(0, {str(build / 'ChatFunction')!r}); import {module}; print({expression})"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-I", "-S", "-B", "-c", script], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_every_module_has_bytecode_that_is_imported_after_any_source_change(build: Path) -> None:
    assert compiled(build).returncode == 0
    (build / "ChatFunction/functions/chat/app.py").write_text("ANSWER = 'source'\n")

    assert bytecode(build).keys() == {
        "ChatFunction/__pycache__/openai.cpython-313.pyc",
        "ChatFunction/functions/chat/__pycache__/app.cpython-313.pyc",
        "CommonLayer/python/flexchat/__pycache__/errors.cpython-313.pyc",
    }
    assert imported(build, "functions.chat.app", "functions.chat.app.ANSWER") == "compiled"


def test_the_same_source_has_the_same_bytecode_in_any_folder(build: Path) -> None:
    compiled(build)
    first = bytecode(build)
    moved = build.rename(build.with_name("elsewhere"))
    for path in moved.rglob("*.pyc"):
        path.unlink()

    compiled(moved)

    assert bytecode(moved) == first
    assert not [path for path, code in first.items() if str(build).encode() in code]


def test_a_changed_source_is_recompiled_and_a_removed_one_loses_its_bytecode(build: Path) -> None:
    compiled(build)
    (build / "ChatFunction/functions/chat/app.py").write_text("ANSWER = 'changed'\n")
    (build / "ChatFunction/openai.py").unlink()

    assert compiled(build).returncode == 0

    assert imported(build, "functions.chat.app", "functions.chat.app.ANSWER") == "changed"
    assert "ChatFunction/__pycache__/openai.cpython-313.pyc" not in bytecode(build)


def test_timestamp_based_bytecode_is_replaced(build: Path) -> None:
    compiled(build)
    expected = bytecode(build)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "-f", build], check=True)  # noqa: S603
    assert bytecode(build) != expected

    compiled(build)

    assert bytecode(build) == expected


def test_a_module_with_a_syntax_error_is_named_and_the_others_are_compiled(build: Path) -> None:
    (build / "ChatFunction/openai.py").write_text("def broken(:\n")

    done = compiled(build)

    assert done.returncode == 1
    assert "openai.py" in done.stdout
    assert "ChatFunction/functions/chat/__pycache__/app.cpython-313.pyc" in bytecode(build)


def test_a_folder_without_a_build_is_rejected(tmp_path: Path) -> None:
    done = compiled(tmp_path)

    assert (done.returncode, done.stdout) == (1, f"there is no build in {str(tmp_path)!r}; run `sam build` first\n")


def install(build: Path, folder: str, version: str) -> None:
    """Unpack a wheel of `version` into a folder of the build."""
    info = f"shared-{version}.dist-info"
    for path, text in {
        "shared/__init__.py": f"VERSION = {version!r}\n",
        "shared/native.so": version,
        f"{info}/METADATA": version,
        f"{info}/RECORD": f"shared/__init__.py,{version},1\nshared/native.so,,\n{info}/METADATA,,\n{info}/RECORD,,\n",
    }.items():
        (build / folder / path).parent.mkdir(parents=True, exist_ok=True)
        (build / folder / path).write_text(text)


def files_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_a_function_loses_the_packages_that_the_layer_has_from_the_same_wheel(build: Path) -> None:
    compiled(build)
    before, own_layer = files_of(build / "ChatFunction"), files_of(build / "CommonLayer")
    install(build, "ChatFunction", "1.0")
    install(build, "CommonLayer/python", "1.0")

    assert compiled(build).returncode == 0

    assert files_of(build / "ChatFunction") == before
    assert files_of(build / "CommonLayer") - own_layer > {"python/shared/__init__.py", "python/shared/native.so"}


@pytest.mark.parametrize("package", ["CommonLayer/python", "ChatFunction"])
def test_botocore_loses_the_services_that_no_source_names(build: Path, package: str) -> None:
    (build / "ChatFunction/functions/chat/app.py").write_text("client = session.create_client('sqs')\n")
    (build / "CommonLayer/python/flexchat/errors.py").write_text('client = create_client("bedrock-runtime")  # ec2\n')
    data = build / package / "botocore" / "data"
    for service in ("sqs", "bedrock-runtime", "bedrock", "ec2"):
        (data / service / "2020-01-01").mkdir(parents=True)
    (data / "endpoints.json").touch()

    for _ in range(2):
        assert compiled(build).returncode == 0

    assert {path.name for path in data.iterdir()} == {"sqs", "bedrock-runtime", "endpoints.json"}


def test_a_function_keeps_a_package_of_another_version_than_the_layer_has(build: Path) -> None:
    install(build, "ChatFunction", "2.0")
    install(build, "CommonLayer/python", "1.0")

    compiled(build)

    assert imported(build, "shared", "shared.VERSION") == "2.0"
    assert (build / "ChatFunction" / "shared-2.0.dist-info" / "METADATA").read_text() == "2.0"
