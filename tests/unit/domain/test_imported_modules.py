"""Number of modules that each handler imports: most of a cold start is imports."""

import json
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.template.transform import authored

ROOT = Path(__file__).parents[3]

MOST_MODULES: Final[Mapping[str, int]] = {
    "functions.authorizer.app": 297,
    "functions.chat.app": 566,
    "functions.configuration.app": 500,
    "functions.page.app": 25,
    "functions.retrieval.app": 350,
    "functions.tools.builtin.app": 150,
    "functions.tools.http.app": 435,
    "functions.tools.mcp.app": 350,
    "functions.tools.mock.app": 150,
    "functions.traces.app": 500,
    "functions.validation.app": 495,
}
"""A few more than today's modules outside the standard library. A growth beyond them needs a reason: a module that few
requests use is imported by the first of them."""

IMPORT = """
import importlib, json, sys
sys.path[:0] = json.loads(sys.argv[1])
importlib.import_module(sys.argv[2])
print(sum(name.partition(".")[0] not in sys.stdlib_module_names for name in sys.modules))
"""


def imported(module: str) -> int:
    """Return the number of modules outside the standard library after an import in a process of its own."""
    path = [str(ROOT), str(ROOT / "layers/common/src"), sysconfig.get_path("purelib")]
    command = [sys.executable, "-I", "-S", "-c", IMPORT, json.dumps(path), module]
    environment = {"FLEXCHAT_STAGE": "test", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)  # noqa: S603
    return int(done.stdout)


def test_every_handler_of_the_template_has_a_limit() -> None:
    handlers = {
        resource["Properties"]["Handler"].rpartition(".")[0]
        for resource in authored()["Resources"].values()
        if resource["Type"] == "AWS::Serverless::Function"
    }

    assert handlers == MOST_MODULES.keys()


@pytest.mark.parametrize(("module", "most"), MOST_MODULES.items())
def test_a_handler_imports_few_modules(module: str, most: int) -> None:
    assert imported(module) <= most
