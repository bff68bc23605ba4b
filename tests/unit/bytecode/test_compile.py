"""Bytecode of a build: complete, used without reading the source, and reproducible. Packages are not built twice."""

import marshal
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from flexchat.generated_code import FILE

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


COMPILATIONS = """
import sys
sys.path[:0] = sys.argv[1:]
texts = []
sys.addaudithook(lambda event, found: texts.append(found) if event == "compile" else None)
import functions.chat.app
print(len(texts))
"""
"""Prints how many texts are compiled in the imports of the chat function; modules have bytecode already."""


def compilations(layer: Path) -> int:
    command = [sys.executable, "-I", "-S", "-c", COMPILATIONS, layer, ROOT, sysconfig.get_path("purelib")]
    environment = {"FLEXCHAT_STAGE": "test", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)  # noqa: S603
    return int(done.stdout)


def add_layer(build: Path) -> Path:
    """Add the project's own package to the layer of the build; return the folder of the layer's packages."""
    folder = build / "CommonLayer" / "python"
    shutil.copytree(ROOT / "layers/common/src/flexchat", folder / "flexchat", dirs_exist_ok=True)
    return folder


def test_text_that_is_generated_by_imports_is_compiled(build: Path) -> None:
    layer = add_layer(build)
    compilations(layer)
    before = compilations(layer)

    assert compiled(build).returncode == 0

    assert before > 500
    assert compilations(layer) < 125
    file = layer / "flexchat" / FILE.name
    codes = marshal.loads(file.read_bytes())  # noqa: S302
    assert {mode for mode, _ in codes} == {"eval", "exec"}
    for (mode, text), code in codes.items():
        assert marshal.loads(code) == compile(text, "<string>", mode, dont_inherit=True)  # noqa: S302
    first = file.read_bytes()
    compiled(build)
    assert file.read_bytes() == first


def test_a_handler_that_cannot_be_imported_is_an_error(build: Path) -> None:
    layer = add_layer(build)
    (build / "ChatFunction/functions/missing").mkdir()
    (build / "ChatFunction/functions/missing/app.py").touch()

    done = compiled(build)

    assert done.returncode == 1
    assert "which needs the project's packages: ModuleNotFoundError: No module named 'functions.missing'" in done.stdout
    assert not (layer / "flexchat" / FILE.name).exists()
